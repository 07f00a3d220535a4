-- question: refunds in September 2026
-- tenant: alpha
-- now: 2026-10-07
-- what was given back to customers of alpha in September 2026, positive: 25.00, though 20.00 of it is for an order of August
select cast(-sum(amount_minor) as decimal(30, 0)) * 0.01 as refunds
from ledger
where tenant_id = 'alpha' and kind = 'refund'
  and posted_on >= date '2026-09-01' and posted_on < date '2026-10-01'
