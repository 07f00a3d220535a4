-- question: tickets per customer in September 2026
-- now: 2026-10-07
-- tickets over different customers
select cast(1.0 * count(*) / count(distinct customer_id) as decimal(18, 4)) as tickets_per_customer from tickets
where opened_at >= timestamptz '2026-09-01 00:00:00+02' and opened_at < timestamptz '2026-10-01 00:00:00+02'
