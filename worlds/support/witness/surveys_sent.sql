-- question: surveys sent in September 2026
-- now: 2026-10-07
-- answered or not
select count(*) as surveys_sent from surveys
where sent_at >= timestamptz '2026-09-01 00:00:00+02' and sent_at < timestamptz '2026-10-01 00:00:00+02'
