-- question: average shipping cost in Q3 2026
-- tenant: alpha
-- now: 2026-10-07
-- parcel costs of the third quarter of 2026 over their number
select cast(sum(cost_minor) * 1.0 / count(*) / 100 as decimal(18, 4)) as average_shipping_cost
from shipments
where tenant_id = 'alpha' and shipped_on >= date '2026-07-01' and shipped_on < date '2026-10-01'
