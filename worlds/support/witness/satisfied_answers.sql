-- question: satisfied answers in September 2026
-- now: 2026-10-07
-- scores of 4 or 5
select count(*) as satisfied_answers from surveys
where score in (4, 5) and sent_at >= timestamptz '2026-09-01 00:00:00+02' and sent_at < timestamptz '2026-10-01 00:00:00+02'
