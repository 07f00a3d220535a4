-- question: subscription balance at the end of September 2026
-- tenant: alpha
-- now: 2026-10-07
-- the last snapshot of each subscription before October 2026, added up
select cast(sum(b.balance_minor) as decimal(30, 0)) * 0.01 as subscription_balance
from subscription_balances b
where b.tenant_id = 'alpha' and b.as_of < date '2026-10-01'
  and not exists (select 1 from subscription_balances later
                  where later.tenant_id = 'alpha' and later.subscription_id = b.subscription_id
                    and later.as_of > b.as_of and later.as_of < date '2026-10-01')
