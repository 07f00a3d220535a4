-- question: average days late in Q2 2026
-- now: 2026-10-07
-- over instalments due in the quarter and paid after their day
select cast(1.0 * sum(paid_on - due_on) / count(*) as decimal(18, 4)) as average_days_late from repayments
where paid_on > due_on and due_on >= date '2026-04-01' and due_on < date '2026-07-01'
