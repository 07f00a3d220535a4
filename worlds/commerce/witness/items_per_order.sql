-- question: items per order in September 2026
-- tenant: alpha
-- now: 2026-10-07
-- pieces over orders, each counted over its own rows: 10 over 4
select cast(1.0 * (select sum(quantity) from order_lines
                   where tenant_id = 'alpha' and sold_on >= date '2026-09-01' and sold_on < date '2026-10-01')
          / (select count(*) from orders
             where tenant_id = 'alpha' and placed_on >= date '2026-09-01' and placed_on < date '2026-10-01')
       as decimal(18, 4)) as items_per_order
