-- revenue by month
select strftime('%Y-%m', day) as month_of, sum(amount) as revenue from orders group by month_of order by month_of;
-- by year
select cast(strftime('%Y', day) as integer) as y, count(*) as n from orders group by y order by y;
-- by quarter
select strftime('%Y', day) || '-Q' || ((cast(strftime('%m', day) as integer) + 2) / 3) as quarter_of, sum(amount) as revenue from orders group by quarter_of order by quarter_of;
-- a filter on each aggregate
select count(*) filter (where status = 'paid') as paid, sum(amount) filter (where channel = 'web') as web, total(discount) as discounts from orders;
-- sums of comparisons
select sum(status = 'paid') as paid, avg(status = 'paid') as share, sum(channel is null) as nowhere from orders;
-- iif and ifnull
select order_id, iif(amount > 100, 'large', 'small') as size, ifnull(discount, 0) as d from orders order by order_id;
-- group_concat
select customer_id, group_concat(status, ', ') as states from (select customer_id, status from orders order by order_id) group by customer_id order by customer_id;
-- group_concat of distinct
select count(*) as n, group_concat(distinct currency) as currencies from orders where currency = 'EUR';
-- a date in the past
select count(*) as n from orders where day > date('2026-04-01', '-90 days') and day <= date('2026-04-01');
-- the start of a month
select date(day, 'start of month') as month_of, sum(amount) as total from orders group by 1 order by 1;
-- the end of a month
select date(day, 'start of month', '+1 month', '-1 day') as ends, count(*) as n from orders group by 1 order by 1;
-- weekdays
select strftime('%w', day) as weekday_of, count(*) as n from orders group by weekday_of order by weekday_of;
-- days between
select order_id, julianday('2026-07-01') - julianday(day) as days_ago, cast(julianday('2026-07-01') - julianday(day) as integer) / 7 as weeks_ago from orders order by order_id;
-- time to payment
select avg((julianday(p.paid_at) - julianday(o.ordered_at)) * 24) as hours_of from payments p join orders o on o.order_id = p.order_id;
-- unix times
select max(unixepoch(ordered_at)) - min(unixepoch(ordered_at)) as seconds_of from orders;
-- hours of the day
select strftime('%H', ordered_at) as h, count(*) as n from orders group by h order by h;
-- the date of a moment
select date(ordered_at) as d, time(max(ordered_at)) as latest, sum(amount) as total from orders group by d order by d;
-- an alias in WHERE
select order_id, amount * 1.19 as gross from orders where gross > 100 order by order_id;
-- an alias in HAVING
select customer_id, sum(amount) as revenue from orders group by customer_id having revenue > 100 order by revenue desc, customer_id;
-- limit and offset with a comma
select order_id from orders order by order_id limit 5, 10;
-- nulls last
select order_id, discount from orders order by discount desc nulls last, order_id limit 5;
-- concatenation
select region || '/' || coalesce(segment, '?') as place, count(*) as n from customers group by place order by place;
-- patterns
select count(*) filter (where name like 'a%') as a, count(*) filter (where name glob 'A*') as b, count(*) filter (where name like '%\_%' escape '\') as c, count(*) filter (where name not like '%n') as d from customers;
-- text functions
select upper(substr(name, 1, 3)) as a, instr(name, 'a') as b, replace(name, ' ', '_') as c, trim(name, 'A') as d, ltrim(name) as e, length(name) as f, hex(name) as g, unicode(name) as h, substr(name, -2) as i, printf('%05d', customer_id) as j, format('%s!', name) as k from customers order by customer_id;
-- numbers
select round(avg(amount), 2) as a, abs(min(amount)) as b, max(amount, 100) as c, min(amount, 100) as d from orders group by order_id order by order_id;
-- division
select sum(amount) * 1.0 / count(*) as mean, count(*) / 7 as cut, count(*) % 7 as rest from orders;
-- casts
select cast(amount as integer) as a, cast(order_id as text) as b, cast('12' as real) as c, cast(amount as numeric) as d from orders order by order_id;
-- is and is not
select count(*) as n from orders where channel is not 'web' and discount is null;
-- isnull and notnull
select count(*) filter (where discount isnull) as a, count(*) filter (where discount notnull) as b, count(*) filter (where discount not null) as c from orders;
-- double equal signs
select count(*) as n from orders where status == 'paid';
-- a full join of two totals
select coalesce(o.customer_id, e.customer_id) as customer, o.total, e.n from (select customer_id, sum(amount) as total from orders group by customer_id) o full join (select customer_id, count(*) as n from events group by customer_id) e on e.customer_id = o.customer_id order by customer;
-- a right join
select c.customer_id, count(o.order_id) as n from orders o right join customers c on c.customer_id = o.customer_id group by c.customer_id order by c.customer_id;
-- a full join using
select customer_id, o.total, e.n from (select customer_id, sum(amount) as total from orders group by customer_id) o full outer join (select customer_id, count(*) as n from events group by customer_id) e using (customer_id) order by customer_id;
-- a bare column beside a maximum
select customer_id, order_id, max(amount) as largest from orders group by customer_id order by customer_id;
-- columns that a key fixes
select c.customer_id, c.name, c.region, sum(o.amount) as total from customers c join orders o on o.customer_id = c.customer_id group by c.customer_id order by total desc, c.customer_id;
-- json by arrows
select payload ->> '$.page' as page, payload -> '$.n' as n, count(*) as events_of from events group by 1, 2 order by 1, 2;
-- json by function
select json_extract(payload, '$.page') as page, sum(json_extract(payload, '$.n')) as n from events group by page order by page;
-- json tested
select sum(json_valid(payload)) as valid, count(json_type(payload, '$.page')) as with_page, max(json_array_length('[1,2]')) as parts from events;
-- json made
select json_object('status', status, 'n', count(*)) as j from orders group by status order by status;
-- json aggregated
select json_group_array(order_id) as ids, json_group_object(order_id, amount) as amounts from (select order_id, amount from orders where status = 'open' order by order_id);
-- json rows
select j.key as key_of, count(*) as n from events e, json_each(e.payload) j group by j.key order by j.key;
-- windows with frames
select day, total, sum(total) over (order by day rows between unbounded preceding and current row) as running, avg(total) over (order by day rows between 6 preceding and current row) as moving from (select day, sum(amount) as total from orders group by day) order by day;
-- a range frame of numbers
select order_id, count(*) over (order by amount range between 10 preceding and 10 following) as near_by from orders order by order_id;
-- a window with a filter
select order_id, count(*) filter (where status = 'paid') over (partition by customer_id order by order_id) as paid_so_far from orders order by order_id;
-- a named window built on
select order_id, sum(amount) over (w rows unbounded preceding) as running from orders window w as (partition by customer_id order by order_id) order by order_id;
-- lag and lead
select order_id, lag(amount, 1, 0) over (partition by customer_id order by order_id) as before_it, lead(day) over (partition by customer_id order by order_id) as next_day from orders order by order_id;
-- first, last and nth value
select order_id, first_value(amount) over w as f, nth_value(amount, 2) over w as s from orders window w as (partition by customer_id order by order_id) order by order_id;
-- the last of each
with ranked as (select order_id, customer_id, amount, row_number() over (partition by customer_id order by ordered_at desc, order_id desc) as nth from orders) select customer_id, order_id, amount from ranked where nth = 1 order by customer_id;
-- the median by windows
select avg(amount) as middle from (select amount, row_number() over (order by amount, order_id) as place, count(*) over () as n from orders) where place in ((n + 1) / 2, (n + 2) / 2);
-- a percentile by ntile
select max(amount) as p90 from (select amount, ntile(10) over (order by amount, order_id) as band from orders) where band = 9;
-- recursion made of dates
with recursive d(day) as (select '2026-01-01' union all select date(day, '+1 day') from d where day < '2026-01-31') select d.day, count(o.order_id) as n from d left join orders o on o.day = d.day group by d.day order by d.day;
-- recursion made of months
with recursive m(month_of) as (values ('2026-01-01') union all select date(month_of, '+1 month') from m where month_of < '2026-06-01') select m.month_of, coalesce(sum(o.amount), 0) as total from m left join orders o on date(o.day, 'start of month') = m.month_of group by m.month_of order by m.month_of;
-- recursion with a limit
with recursive n(i) as (select 1 union all select i + 1 from n limit 10) select sum(i) as s from n;
-- a tree with a path
with recursive tree(id, path, depth) as (select customer_id, name, 0 from customers where parent_id is null union all select c.customer_id, t.path || ' > ' || c.name, t.depth + 1 from customers c join tree t on c.parent_id = t.id) select id, path, depth from tree order by id;
-- named queries with hints
with m as materialized (select customer_id, sum(amount) as total from orders group by customer_id), f as not materialized (select customer_id from m where total > 100) select count(*) as n from f;
-- values
values (1, 'a'), (2, 'b');
-- values as a named query
with bands(band, low, high) as (values ('low', 0, 100), ('high', 100, 100000)) select b.band, count(o.order_id) as n from bands b left join orders o on o.amount >= b.low and o.amount < b.high group by b.band order by b.band;
-- values as a table
select column1 as n, column2 as letter from (values (1, 'a'), (2, 'b')) order by n;
-- tuples
select count(*) as n from orders where (status, channel) in (values ('paid', 'web'), ('open', 'shop'));
-- tuples of a query
select order_id from orders where (customer_id, amount) in (select customer_id, max(amount) from orders group by customer_id) order by order_id;
-- a row compared
select count(*) as n from orders where (day, order_id) > ('2026-02-01', 5);
-- set operations
select customer_id from orders union select customer_id from events order by customer_id;
-- intersect and except
select customer_id from orders intersect select customer_id from events except select customer_id from customers where region = 'north';
-- exists as a value
select exists (select 1 from refunds r where r.order_id = o.order_id) as refunded, count(*) as n, sum(o.amount) as total from orders o group by refunded order by refunded;
-- not exists
select name from customers c where not exists (select 1 from orders o where o.customer_id = c.customer_id and o.status = 'paid') order by name, customer_id;
-- scalar subqueries
select c.customer_id, (select max(o.day) from orders o where o.customer_id = c.customer_id) as last_day, (select count(*) from events e where e.customer_id = c.customer_id and e.kind = 'buy') as bought from customers c order by c.customer_id;
-- joins by several words
select c.region, sum(o.amount) as total from customers as c inner join orders as o on o.customer_id = c.customer_id and o.status <> 'void' group by c.region having total > 0 order by total desc, c.region;
-- a cross join of one row
select o.status, sum(o.amount) / t.total as share from orders o cross join (select sum(amount) as total from orders) t group by o.status order by o.status;
-- a left join and its absence
select count(*) as n from orders o left join refunds r on r.order_id = o.order_id where r.refund_id is null;
-- distinct
select count(distinct customer_id || '/' || channel) as pairs, count(distinct channel) as channels from orders;
-- a pivot by hand
select customer_id, sum(case channel when 'web' then amount else 0 end) as web, sum(case when channel = 'shop' then amount end) as shop from orders group by customer_id order by customer_id;
-- buckets
select cast(amount / 50 as integer) * 50 as bucket, count(*) as n from orders group by bucket order by bucket;
-- the variance by hand
select avg(amount * amount) - avg(amount) * avg(amount) as variance_of, sum(amount * amount) as squares from orders;
-- weighted price
select product_id, sum(qty * price) / nullif(sum(qty), 0) as mean_price from items group by product_id order by product_id;
-- retention by weeks
with firsts as (select customer_id, min(day) as first_day from orders group by customer_id) select cast((julianday(o.day) - julianday(f.first_day)) / 7 as integer) as week_nr, count(distinct o.customer_id) as customers from orders o join firsts f using (customer_id) group by week_nr order by week_nr;
-- sessions by a gap in time
with marked as (select event_id, customer_id, happened_at, iif(unixepoch(happened_at) - unixepoch(lag(happened_at) over (partition by customer_id order by happened_at, event_id)) > 1800, 1, 0) as opens from events), numbered as (select event_id, customer_id, sum(opens) over (partition by customer_id order by happened_at, event_id) as session_nr from marked) select customer_id, count(distinct session_nr) as sessions from numbered group by customer_id order by customer_id;
-- growth in percent
with monthly as (select strftime('%Y-%m', day) as m, sum(amount) as total from orders group by m) select m, total, round(100.0 * (total - lag(total) over (order by m)) / lag(total) over (order by m), 1) as growth from monthly order by m;
-- gaps and islands of days
with days_of as (select distinct day from orders), islands as (select day, julianday(day) - row_number() over (order by day) as island from days_of) select min(day) as first_day, max(day) as last_day, count(*) as n from islands group by island order by first_day;
-- what is still to be paid
select sum(o.amount) - sum(coalesce(p.paid, 0)) as outstanding from orders o left join (select order_id, sum(paid) as paid from payments group by order_id) p on p.order_id = o.order_id where o.status = 'open';
-- quoted names in three ways
select "o"."amount" as "The Amount", `o`.`status` as [State] from "orders" as o order by "o"."order_id" limit 2;
-- literals
select x'41' as a, 1e3 as b, .5 as c, 'it''s' as d, null as e, true as f, -1 as g;
-- bound values
select count(*) as n from orders where amount > ?1 and customer_id <> ?2 and amount > ?1;
-- case in order
select order_id, status from orders order by case status when 'open' then 1 when 'paid' then 2 else 3 end, order_id limit 10;
-- between and not between
select count(*) filter (where amount between 50 and 150) as a, count(*) filter (where amount not between 50 and 150) as b from orders;
-- collation
select name from customers order by name collate nocase, customer_id;
-- the type of a value
select typeof(amount) as t, count(*) as n from orders group by t order by t;
-- likely and coalesce
select coalesce(note, region, 'none') as word, count(*) as n from orders o join customers c on c.customer_id = o.customer_id group by word order by word;
-- bitwise signs
select (order_id & 1) as odd, order_id | 1 as o, order_id << 1 as twice, order_id >> 1 as half, ~order_id as inv, count(*) as n from orders group by 1, 2, 3, 4, 5 order by 2, 1;
-- a date and time now
select count(*) as n from orders where day <= date('now') and ordered_at < datetime('now') and day < current_date and ordered_at < current_timestamp;
-- local days
select date(ordered_at, '-5 hours') as local_day, count(*) as n from orders group by local_day order by local_day;
-- count of groups
select count(*) as n from (select customer_id from orders group by customer_id having count(*) >= 2);
-- three children of one
select o.order_id, (select sum(i.qty) from items i where i.order_id = o.order_id) as units, (select sum(p.paid) from payments p where p.order_id = o.order_id) as paid, (select sum(r.refunded) from refunds r where r.order_id = o.order_id) as refunded from orders o order by o.order_id;
-- comments
select count(*) as n -- of orders
from orders /* all of them */ where status = 'paid';
-- string_agg by its other name
select c.region, count(*) as n, min(c.name) as first_name, max(c.name) as last_name from customers c group by c.region order by c.region;
-- the ratio of two totals
select (select sum(refunded) from refunds) * 1.0 / (select sum(amount) from orders) as refund_rate;
-- total per week of a calendar
select k.year_no, k.week_no, total(o.amount) as amount_of from calendar k left join orders o on o.day = k.day where k.year_no = 2026 and k.month_no <= 3 group by k.year_no, k.week_no order by k.week_no;
-- is distinct from
select count(*) as n from orders where channel is distinct from 'web' and (discount is not distinct from null);
