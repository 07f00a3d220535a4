-- question: monthly active customers
-- tenant: alpha
-- now: 2026-10-07
-- customers of alpha with the flag for thirty days
select count(*) as active_customers_30d from customers where tenant_id = 'alpha' and active_30d
