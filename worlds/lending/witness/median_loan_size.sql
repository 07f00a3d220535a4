-- question: median loan size in 2025
-- now: 2026-10-07
-- the middle principal, or half of the two in the middle
with sizes as (
  select principal, row_number() over (order by principal) as place, count(*) over () as size from loans
  where currency = 'GBP' and status <> 'applied' and disbursed_on >= date '2025-01-01' and disbursed_on < date '2026-01-01'
)
select cast(sum(principal) / count(*) as decimal(18, 4)) as median_loan_size from sizes
where place in ((size + 1) // 2, (size + 2) // 2)
