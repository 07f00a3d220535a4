-- question: overdue amount
-- now: 2026-10-07
-- all instalments past their day and not paid
select sum(due_amount) as overdue_amount from repayments
where currency = 'GBP' and paid_on is null and due_on < date '2026-10-06'
