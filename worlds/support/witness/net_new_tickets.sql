-- question: net new tickets in September 2026
-- now: 2026-10-07
-- opened less resolved
select (select count(*) from tickets where opened_at >= timestamptz '2026-09-01 00:00:00+02' and opened_at < timestamptz '2026-10-01 00:00:00+02')
     - (select count(*) from tickets where resolved_at >= timestamptz '2026-09-01 00:00:00+02' and resolved_at < timestamptz '2026-10-01 00:00:00+02') as net_new_tickets
