-- question: refund rate in September 2026
-- tenant: alpha
-- now: 2026-10-07
-- 25.00 of 225.00, in percent
select cast(-100.0 * sum(amount_minor) filter (where kind = 'refund')
          / sum(amount_minor) filter (where kind = 'sale') as decimal(18, 4)) as refund_rate
from ledger
where tenant_id = 'alpha' and posted_on >= date '2026-09-01' and posted_on < date '2026-10-01'
