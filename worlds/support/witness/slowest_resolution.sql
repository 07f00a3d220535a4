-- question: slowest resolution in September 2026
-- now: 2026-10-07
-- minutes
select cast((epoch(resolved_at) - epoch(opened_at)) / 60 as bigint) as slowest_resolution
from tickets
where resolved_at is not null and opened_at >= timestamptz '2026-09-01 00:00:00+02' and opened_at < timestamptz '2026-10-01 00:00:00+02'
order by 1 desc limit 1
