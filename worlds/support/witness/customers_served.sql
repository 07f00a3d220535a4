-- question: customers served in September 2026
-- now: 2026-10-07
-- different customers with a ticket
select count(*) as customers_served
from (select customer_id from tickets where opened_at >= timestamptz '2026-09-01 00:00:00+02' and opened_at < timestamptz '2026-10-01 00:00:00+02' group by customer_id)
