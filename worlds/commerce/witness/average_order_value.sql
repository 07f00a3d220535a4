-- question: average order value in September 2026
-- tenant: alpha
-- now: 2026-10-07
-- 225.00 over three orders: 75.00
select cast(sum(amount_minor) * 1.0 / count(*) / 100 as decimal(18, 4)) as average_order_value
from orders
where tenant_id = 'alpha' and status <> 'cancelled'
  and placed_on >= date '2026-09-01' and placed_on < date '2026-10-01'
