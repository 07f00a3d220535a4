-- question: contribution in September 2026
-- confirm: metric=contribution
-- tenant: alpha
-- now: 2026-10-07
-- a draft: 200.00 less 20.00 less a tenth of the tax; the product must ask before it gives it
select 0.01 * (
    cast((select sum(amount_minor) from ledger
          where tenant_id = 'alpha' and kind in ('sale', 'refund')
            and posted_on >= date '2026-09-01' and posted_on < date '2026-10-01') as decimal(18, 0))
  - cast((select sum(cost_minor) from shipments
          where tenant_id = 'alpha' and shipped_on >= date '2026-09-01' and shipped_on < date '2026-10-01') as decimal(18, 0))
  - 0.1 * cast((select sum(amount_minor) from ledger
          where tenant_id = 'alpha' and kind = 'tax'
            and posted_on >= date '2026-09-01' and posted_on < date '2026-10-01') as decimal(18, 0))) as contribution
