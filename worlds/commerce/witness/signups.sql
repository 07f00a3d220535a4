-- question: sign-ups in Q1 2026
-- tenant: alpha
-- now: 2026-10-07
-- customers of alpha who signed up in the first quarter of 2026
select count(*) as signups
from customers
where tenant_id = 'alpha' and signed_up_on >= date '2026-01-01' and signed_up_on < date '2026-04-01'
