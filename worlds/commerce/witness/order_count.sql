-- question: number of orders in September 2026
-- tenant: alpha
-- now: 2026-10-07
-- orders of alpha placed in September 2026, the cancelled one too: 4
select count(*) as order_count
from orders
where tenant_id = 'alpha' and placed_on >= date '2026-09-01' and placed_on < date '2026-10-01'
