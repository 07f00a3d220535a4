-- question: largest order in September 2026
-- tenant: alpha
-- now: 2026-10-07
-- 80.00
select cast(amount_minor as decimal(18, 0)) * 0.01 as largest_order
from orders
where tenant_id = 'alpha' and status <> 'cancelled'
  and placed_on >= date '2026-09-01' and placed_on < date '2026-10-01'
order by amount_minor desc
limit 1
