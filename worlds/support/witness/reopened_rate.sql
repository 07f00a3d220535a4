-- question: reopened rate in Q3 2026
-- now: 2026-10-07
-- in percent of the tickets opened in the quarter
select cast(100.0 * count(*) filter (where reopened) / count(*) as decimal(18, 4)) as reopened_rate from tickets
where opened_at >= timestamptz '2026-07-01 00:00:00+02' and opened_at < timestamptz '2026-10-01 00:00:00+02'
