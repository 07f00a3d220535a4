-- question: turnover in September 2026
-- confirm: metric=turnover
-- tenant: alpha
-- now: 2026-10-07
-- no longer used: everything on the ledger; the product must not give it without asking
select cast(sum(amount_minor) as decimal(30, 0)) * 0.01 as turnover
from ledger
where tenant_id = 'alpha' and posted_on >= date '2026-09-01' and posted_on < date '2026-10-01'
