-- question: gross sales in September 2026
-- tenant: alpha
-- now: 2026-10-07
-- sales alone of alpha in September 2026, in dollars: 225.00
select cast(sum(amount_minor) as decimal(30, 0)) * 0.01 as gross_sales
from ledger
where tenant_id = 'alpha' and kind = 'sale'
  and posted_on between date '2026-09-01' and date '2026-09-30'
