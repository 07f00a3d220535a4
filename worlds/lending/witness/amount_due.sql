-- question: amount due in September 2026
-- now: 2026-10-07
-- instalments due in September 2026
select sum(due_amount) as amount_due from repayments
where currency = 'GBP' and due_on >= date '2026-09-01' and due_on < date '2026-10-01'
