-- question: revenue to date by month from January to September 2026
-- tenant: alpha
-- now: 2026-10-07
-- net revenue from the first of January up to the end of each month of 2026; a month without entries would carry the one before
select strftime(m.first_day, '%Y-%m') as month,
  cast((select coalesce(sum(l.amount_minor), 0) from ledger l
        where l.tenant_id = 'alpha' and l.kind in ('sale', 'refund')
          and l.posted_on >= date '2026-01-01' and l.posted_on < m.first_day + interval 1 month)
  as decimal(30, 0)) * 0.01 as revenue_to_date
from (select unnest(generate_series(date '2026-01-01', date '2026-09-01', interval 1 month)) as first_day) m
order by 1
