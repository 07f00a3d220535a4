-- question: average satisfaction in September 2026
-- now: 2026-10-07
-- points, over the answered ones
select cast(1.0 * sum(score) / count(score) as decimal(18, 4)) as satisfaction from surveys
where sent_at >= timestamptz '2026-09-01 00:00:00+02' and sent_at < timestamptz '2026-10-01 00:00:00+02'
