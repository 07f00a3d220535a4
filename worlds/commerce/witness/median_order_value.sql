-- question: median order value in Q3 2026
-- tenant: alpha
-- now: 2026-10-07
-- the middle one of the header amounts of the third quarter of 2026, or half of the two in the middle
with amounts as (
  select amount_minor, row_number() over (order by amount_minor) as place, count(*) over () as size
  from orders
  where tenant_id = 'alpha' and status <> 'cancelled'
    and placed_on >= date '2026-07-01' and placed_on < date '2026-10-01'
)
select cast(sum(amount_minor) * 1.0 / count(*) / 100 as decimal(18, 4)) as median_order_value
from amounts
where place in ((size + 1) // 2, (size + 2) // 2)
