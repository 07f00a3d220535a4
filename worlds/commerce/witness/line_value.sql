-- question: line value in September 2026
-- tenant: alpha
-- now: 2026-10-07
-- line amounts, those of the cancelled order too: 255.00
select cast(sum(amount_minor) as decimal(30, 0)) * 0.01 as line_value
from order_lines
where tenant_id = 'alpha' and sold_on >= date '2026-09-01' and sold_on < date '2026-10-01'
