-- question: collection rate in Q2 2026
-- now: 2026-10-07
-- paid over due, of the instalments due in the quarter, in percent
select cast(100 * sum(paid_amount) / sum(due_amount) as decimal(18, 4)) as collection_rate from repayments
where currency = 'GBP' and due_on >= date '2026-04-01' and due_on < date '2026-07-01'
