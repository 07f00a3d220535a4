-- question: net after shipping in September 2026
-- tenant: alpha
-- now: 2026-10-07
-- each added up over its own rows before one is taken from the other
select
  cast((select sum(amount_minor) from ledger
        where tenant_id = 'alpha' and kind in ('sale', 'refund')
          and posted_on >= date '2026-09-01' and posted_on < date '2026-10-01')
     - (select sum(cost_minor) from shipments
        where tenant_id = 'alpha' and shipped_on >= date '2026-09-01' and shipped_on < date '2026-10-01')
  as decimal(30, 0)) * 0.01 as net_after_shipping
