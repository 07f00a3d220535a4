-- question: repaid to date by month from March to June 2026
-- now: 2026-10-07
-- the fiscal year starts in April, so the sum starts again there
select strftime(m.first_day, '%Y-%m') as month,
  (select sum(r.paid_amount) from repayments r
   where r.currency = 'GBP' and r.paid_on < m.first_day + interval 1 month
     and r.paid_on >= case when month(m.first_day) >= 4 then make_date(year(m.first_day), 4, 1)
                           else make_date(year(m.first_day) - 1, 4, 1) end) as repaid_to_date
from (select unnest(generate_series(date '2026-03-01', date '2026-06-01', interval 1 month)) as first_day) m
order by 1
