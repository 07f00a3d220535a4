-- question: shipping charged in September 2026
-- tenant: alpha
-- now: 2026-10-07
-- shipping charged to customers of alpha in September 2026
select cast(sum(amount_minor) as decimal(30, 0)) * 0.01 as shipping_charged
from ledger
where tenant_id = 'alpha' and kind = 'shipping' and year(posted_on) = 2026 and month(posted_on) = 9
