-- question: repaid of due in September 2026
-- now: 2026-10-07
-- what was paid of the instalments due in September 2026
select sum(paid_amount) as repaid_of_due from repayments
where currency = 'GBP' and due_on >= date '2026-09-01' and due_on < date '2026-10-01'
