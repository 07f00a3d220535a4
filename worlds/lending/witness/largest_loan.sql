-- question: largest loan in 2025
-- now: 2026-10-07
-- the greatest principal in pounds
select principal as largest_loan from loans
where currency = 'GBP' and status <> 'applied' and disbursed_on >= date '2025-01-01' and disbursed_on < date '2026-01-01'
order by principal desc limit 1
