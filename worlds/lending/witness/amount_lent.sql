-- question: amount lent in 2025
-- now: 2026-10-07
-- pounds paid out in 2025
select sum(principal) as amount_lent from loans
where currency = 'GBP' and status <> 'applied' and disbursed_on >= date '2025-01-01' and disbursed_on < date '2026-01-01'
