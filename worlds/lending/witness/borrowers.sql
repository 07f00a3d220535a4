-- question: borrowers in 2025
-- now: 2026-10-07
-- different customers with a pay-out in 2025
select count(*) as borrowers
from (select customer_id from loans where status <> 'applied' and disbursed_on >= date '2025-01-01' and disbursed_on < date '2026-01-01' group by customer_id)
