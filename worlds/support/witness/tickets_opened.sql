-- question: tickets opened in September 2026
-- now: 2026-10-07
-- from midnight to midnight in Amsterdam, two hours ahead of UTC on both ends
select count(*) as tickets_opened from tickets
where opened_at >= timestamptz '2026-09-01 00:00:00+02' and opened_at < timestamptz '2026-10-01 00:00:00+02'
