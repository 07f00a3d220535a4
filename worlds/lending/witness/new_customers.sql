-- question: new customers in 2025
-- now: 2026-10-07
-- customers who joined in 2025
select count(*) as new_customers from customers
where joined_on >= date '2025-01-01' and joined_on < date '2026-01-01'
