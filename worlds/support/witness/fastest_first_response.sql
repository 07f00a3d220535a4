-- question: fastest first response in September 2026
-- now: 2026-10-07
-- minutes
select cast((epoch(first_reply_at) - epoch(opened_at)) / 60 as bigint) as fastest_first_response
from tickets
where first_reply_at is not null and opened_at >= timestamptz '2026-09-01 00:00:00+02' and opened_at < timestamptz '2026-10-01 00:00:00+02'
order by 1 limit 1
