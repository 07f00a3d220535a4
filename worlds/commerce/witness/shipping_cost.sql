-- question: shipping cost in September 2026
-- tenant: alpha
-- now: 2026-10-07
-- what carriers charged alpha for the parcels that left in September 2026: 3.00 + 8.80 + 4.20 + 4.00
select cast(sum(cost_minor) as decimal(30, 0)) * 0.01 as shipping_cost
from shipments
where tenant_id = 'alpha' and shipped_on >= date '2026-09-01' and shipped_on < date '2026-10-01'
