-- question: tickets resolved in September 2026
-- now: 2026-10-07
-- by the moment of resolution, whenever they were opened
select count(*) as tickets_resolved from tickets
where resolved_at >= timestamptz '2026-09-01 00:00:00+02' and resolved_at < timestamptz '2026-10-01 00:00:00+02'
