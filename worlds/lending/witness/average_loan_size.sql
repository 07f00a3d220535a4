-- question: average loan size in 2025
-- now: 2026-10-07
-- mean principal, in pounds
select cast(sum(principal) / count(*) as decimal(18, 4)) as average_loan_size from loans
where currency = 'GBP' and status <> 'applied' and disbursed_on >= date '2025-01-01' and disbursed_on < date '2026-01-01'
