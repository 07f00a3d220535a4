-- question: net revenue in September 2026
-- tenant: alpha
-- now: 2026-10-07
-- sales and refunds of alpha posted in September 2026, in dollars: exactly 200.00
select cast(sum(amount_minor) as decimal(30, 0)) * 0.01 as net_revenue
from ledger
where tenant_id = 'alpha' and kind in ('sale', 'refund')
  and posted_on >= date '2026-09-01' and posted_on < date '2026-10-01'
