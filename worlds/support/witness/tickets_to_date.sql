-- question: tickets to date by month from June to September 2026
-- now: 2026-10-07
-- the count starts again with each quarter, so June holds April to June and July holds July alone
select m.month, (select count(*) from tickets t
                where t.opened_at >= m.quarter_start and t.opened_at < m.month_end) as tickets_to_date
from (values
  ('2026-06', timestamptz '2026-04-01 00:00:00+02', timestamptz '2026-07-01 00:00:00+02'),
  ('2026-07', timestamptz '2026-07-01 00:00:00+02', timestamptz '2026-08-01 00:00:00+02'),
  ('2026-08', timestamptz '2026-07-01 00:00:00+02', timestamptz '2026-09-01 00:00:00+02'),
  ('2026-09', timestamptz '2026-07-01 00:00:00+02', timestamptz '2026-10-01 00:00:00+02')
) m(month, quarter_start, month_end)
order by 1
