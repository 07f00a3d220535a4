-- question: tax collected in September 2026
-- tenant: alpha
-- now: 2026-10-07
-- tax charged less tax given back in September 2026: 6.40 + 6.00 + 5.60 - 1.60
select cast(sum(amount_minor) as decimal(30, 0)) * 0.01 as tax_collected
from ledger
where tenant_id = 'alpha' and kind = 'tax' and year(posted_on) = 2026 and month(posted_on) = 9
