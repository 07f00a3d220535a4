-- question: loans paid out in 2025
-- now: 2026-10-07
-- loans of any currency with a pay-out in 2025
select count(*) as loans_paid_out from loans
where status <> 'applied' and disbursed_on >= date '2025-01-01' and disbursed_on < date '2026-01-01'
