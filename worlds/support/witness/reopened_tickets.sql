-- question: reopened tickets in September 2026
-- now: 2026-10-07
-- tickets opened in September that were opened again
select count(*) as reopened_tickets from tickets
where reopened and opened_at >= timestamptz '2026-09-01 00:00:00+02' and opened_at < timestamptz '2026-10-01 00:00:00+02'
