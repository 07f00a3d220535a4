-- question: CSAT in September 2026
-- now: 2026-10-07
-- scores of 4 or 5 of the answered ones, in percent
select cast(100.0 * count(*) filter (where score in (4, 5)) / count(score) as decimal(18, 4)) as csat from surveys
where sent_at >= timestamptz '2026-09-01 00:00:00+02' and sent_at < timestamptz '2026-10-01 00:00:00+02'
