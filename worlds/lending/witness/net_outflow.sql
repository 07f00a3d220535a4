-- question: net outflow in September 2026
-- now: 2026-10-07
-- paid out less paid back, each over its own rows
select (select sum(principal) from loans
        where currency = 'GBP' and status <> 'applied'
          and disbursed_on >= date '2026-09-01' and disbursed_on < date '2026-10-01')
     - (select sum(paid_amount) from repayments
        where currency = 'GBP' and paid_on >= date '2026-09-01' and paid_on < date '2026-10-01') as net_outflow
