-- question: order value in September 2026
-- tenant: alpha
-- now: 2026-10-07
-- header amounts without the cancelled order: 80.00 + 75.00 + 70.00
select cast(sum(amount_minor) as decimal(30, 0)) * 0.01 as order_value
from orders
where tenant_id = 'alpha' and status <> 'cancelled'
  and placed_on >= date '2026-09-01' and placed_on < date '2026-10-01'
