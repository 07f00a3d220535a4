-- question: backlog at the end of September 2026
-- now: 2026-10-07
-- the last count of each area in September or before: that of Monday the 28th
select sum(open_tickets) as backlog from backlog
where counted_on = date '2026-09-28'
