-- question: failed loans in 2023
-- now: 2026-10-07
-- loans paid out in 2023 that defaulted or were written off
select count(*) as failed_loans from loans
where status in ('defaulted', 'written off') and disbursed_on between date '2023-01-01' and date '2023-12-31'
