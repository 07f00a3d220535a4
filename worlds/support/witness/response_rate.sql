-- question: survey response rate in September 2026
-- now: 2026-10-07
-- in percent
select cast(100.0 * count(score) / count(*) as decimal(18, 4)) as response_rate from surveys
where sent_at >= timestamptz '2026-09-01 00:00:00+02' and sent_at < timestamptz '2026-10-01 00:00:00+02'
