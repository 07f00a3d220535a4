-- question: items sold in September 2026
-- tenant: alpha
-- now: 2026-10-07
-- pieces on the lines of orders of September 2026
select sum(quantity) as items_sold
from order_lines
where tenant_id = 'alpha' and sold_on >= date '2026-09-01' and sold_on < date '2026-10-01'
