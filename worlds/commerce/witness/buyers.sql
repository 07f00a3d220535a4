-- question: buying customers in Q3 2026
-- tenant: alpha
-- now: 2026-10-07
-- different customers who placed an order in the third quarter of 2026
select count(*) as buyers
from (select customer_id from orders
      where tenant_id = 'alpha' and placed_on >= date '2026-07-01' and placed_on < date '2026-10-01'
      group by customer_id)
