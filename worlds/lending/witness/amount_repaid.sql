-- question: amount repaid in September 2026
-- now: 2026-10-07
-- money that came in September 2026, whenever it was due
select sum(paid_amount) as amount_repaid from repayments
where currency = 'GBP' and paid_on >= date '2026-09-01' and paid_on < date '2026-10-01'
