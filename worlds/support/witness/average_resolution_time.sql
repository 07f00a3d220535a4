-- question: average resolution time in September 2026
-- now: 2026-10-07
-- minutes, over tickets opened in September that are resolved by now
select cast(sum(epoch(resolved_at) - epoch(opened_at)) / 60 / count(*) as decimal(18, 4)) as average_resolution_time
from tickets
where resolved_at is not null and opened_at >= timestamptz '2026-09-01 00:00:00+02' and opened_at < timestamptz '2026-10-01 00:00:00+02'
