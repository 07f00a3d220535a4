-- question: portfolio outstanding at the end of June 2026
-- now: 2026-10-07
-- the last balance of each loan before July 2026; every loan has one, or is paid back
select sum(b.outstanding) as portfolio_outstanding
from balances b
join (select loan_id, max(as_of) as as_of from balances where as_of < date '2026-07-01' group by loan_id) last
  on last.loan_id = b.loan_id and last.as_of = b.as_of
where b.currency = 'GBP'
