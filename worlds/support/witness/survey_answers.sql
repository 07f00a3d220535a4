-- question: survey answers in September 2026
-- now: 2026-10-07
-- those with a score
select count(score) as survey_answers from surveys
where sent_at >= timestamptz '2026-09-01 00:00:00+02' and sent_at < timestamptz '2026-10-01 00:00:00+02'
