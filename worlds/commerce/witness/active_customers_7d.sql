-- question: weekly active customers
-- tenant: alpha
-- now: 2026-10-07
-- customers of alpha with the flag for seven days
select count(*) as active_customers_7d from customers where tenant_id = 'alpha' and active_7d
