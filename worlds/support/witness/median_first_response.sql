-- question: median first response time in September 2026
-- now: 2026-10-07
-- minutes, over tickets with a reply
with waits as (
  select (epoch(first_reply_at) - epoch(opened_at)) / 60 as minutes,
    row_number() over (order by epoch(first_reply_at) - epoch(opened_at)) as place, count(*) over () as size
  from tickets where first_reply_at is not null and opened_at >= timestamptz '2026-09-01 00:00:00+02' and opened_at < timestamptz '2026-10-01 00:00:00+02'
)
select cast(sum(minutes) / count(*) as decimal(18, 4)) as median_first_response from waits
where place in ((size + 1) // 2, (size + 2) // 2)
