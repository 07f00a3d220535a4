-- question: default rate in 2023
-- now: 2026-10-07
-- failed loans of the loans paid out in 2023, in percent
select cast(100.0 * count(*) filter (where status in ('defaulted', 'written off'))
          / count(*) filter (where status <> 'applied') as decimal(18, 4)) as default_rate
from loans where year(disbursed_on) = 2023
