-- question: average first response time in September 2026
-- now: 2026-10-07
-- minutes, over tickets with a reply
select cast(sum(epoch(first_reply_at) - epoch(opened_at)) / 60 / count(*) as decimal(18, 4)) as average_first_response
from tickets
where first_reply_at is not null and opened_at >= timestamptz '2026-09-01 00:00:00+02' and opened_at < timestamptz '2026-10-01 00:00:00+02'
