-- revenue by month, truncated
select date_trunc('month', ordered_at) as month_of, sum(amount) as revenue from orders group by 1 order by 1;
-- revenue by month as a date
select date_trunc('month', day)::date as month_of, sum(amount) as revenue from orders group by month_of order by month_of;
-- a filter on each aggregate
select count(*) filter (where status = 'paid') as paid, sum(amount) filter (where channel = 'web' and status <> 'void') as web from orders;
-- a share with a cast
select channel, round(100.0 * count(*) filter (where status = 'paid') / count(*), 1) as pct from orders group by channel;
-- percentiles
select percentile_cont(0.5) within group (order by amount) as middle, percentile_disc(0.9) within group (order by amount) as p90 from orders;
-- several percentiles at once
select status, percentile_cont(array[0.25, 0.5, 0.75]) within group (order by amount) as quartiles from orders group by status;
-- the mode
select mode() within group (order by channel) as usual from orders;
-- percentiles with a filter
select customer_id, percentile_cont(0.5) within group (order by amount) filter (where status = 'paid') as middle from orders group by customer_id order by customer_id;
-- hypothetical rank
select rank(100) within group (order by amount) as place, percent_rank(100) within group (order by amount) as pct from orders;
-- regression and correlation
select corr(amount, discount) as c, regr_slope(amount, discount) as s, regr_intercept(amount, discount) as i, regr_r2(amount, discount) as r2, regr_count(amount, discount) as n, stddev_samp(amount) as sd from orders;
-- distinct on
select distinct on (customer_id) customer_id, order_id, amount from orders order by customer_id, ordered_at desc, order_id;
-- distinct on in a named query
with latest as (select distinct on (product_id) product_id, on_hand from stock order by product_id, day desc) select sum(on_hand) as units from latest;
-- grouping sets
select channel, status, count(*) as n, grouping(channel) as all_channels from orders group by grouping sets ((channel, status), (channel), (status), ()) order by 1, 2;
-- rollup with labels
select coalesce(c.region, 'all') as region, sum(o.amount) as total from orders o join customers c on c.customer_id = o.customer_id group by rollup (c.region);
-- cube
select currency, status, sum(amount) as total from orders group by cube (currency, status);
-- rollup beside a plain key
select status, channel, currency, count(*) as n from orders group by status, rollup (channel, currency);
-- a spine of months
select m::date as month_of, coalesce(sum(o.amount), 0) as revenue from generate_series(date '2026-01-01', date '2026-06-01', interval '1 month') m left join orders o on date_trunc('month', o.day) = m group by m order by m;
-- a spine of days
select d.day::date as day, count(o.order_id) as n from generate_series('2026-01-01'::timestamp, '2026-01-31'::timestamp, '1 day'::interval) as d(day) left join orders o on o.day = d.day::date group by d.day order by d.day;
-- a spine named first
with days as (select generate_series('2026-02-01'::date, '2026-02-28'::date, '1 day')::date as day) select days.day, coalesce(sum(o.amount), 0) as total from days left join orders o on o.day = days.day group by days.day order by days.day;
-- a spine by regions
select r.region, m.month_no, coalesce(sum(t.target), 0) as target from regions r cross join generate_series(1, 12) as m(month_no) left join targets t on t.region = r.region and t.month_no = m.month_no and t.year_no = 2026 group by r.region, m.month_no order by r.region, m.month_no;
-- a lateral join
select c.name, l.order_id, l.amount from customers c cross join lateral (select o.order_id, o.amount from orders o where o.customer_id = c.customer_id order by o.amount desc, o.order_id limit 2) l order by c.customer_id, l.order_id;
-- a lateral left join
select c.customer_id, l.n, l.total from customers c left join lateral (select count(*) as n, sum(o.amount) as total from orders o where o.customer_id = c.customer_id) l on true order by c.customer_id;
-- lateral values unpivot a row
select o.order_id, v.what, v.value_of from orders o cross join lateral (values ('amount', o.amount), ('discount', coalesce(o.discount, 0))) v(what, value_of) order by o.order_id, v.what;
-- string_agg in an order
select customer_id, string_agg(status, ', ' order by order_id) as states, array_agg(order_id order by order_id desc) as orders_of from orders group by customer_id order by customer_id;
-- string_agg of distinct
select region, string_agg(distinct segment, '/' order by segment) as segments from customers group by region order by region;
-- arrays cut and measured
select customer_id, (array_agg(amount order by day, order_id))[1] as first_amount, array_length(array_agg(order_id), 1) as n, cardinality(array_agg(order_id)) as m from orders group by customer_id order by customer_id;
-- json rows
select json_agg(json_build_object('status', status, 'n', n) order by status) as j from (select status, count(*) as n from orders group by status) s;
-- jsonb by arrows
select payload::jsonb ->> 'page' as page, count(*) as n from events group by 1 order by 1;
-- jsonb numbers and paths
select sum((payload::jsonb ->> 'n')::integer) as n, count(*) filter (where payload::jsonb #>> '{page}' is not null) as pages, count(*) filter (where payload::jsonb ? 'page') as has_page from events;
-- jsonb contains
select count(*) as n from events where payload::jsonb @> '{"page": "home"}';
-- jsonb taken apart
select j.key as key_of, count(*) as n from events e cross join lateral jsonb_each_text(e.payload::jsonb) as j(key, value) group by j.key order by j.key;
-- unnest of words
select w.word, count(*) as n from customers c cross join unnest(string_to_array(c.name, ' ')) as w(word) group by w.word order by w.word;
-- unnest with ordinality
select w.nr, w.word from customers c cross join unnest(string_to_array(c.name, ' ')) with ordinality as w(word, nr) where c.customer_id = 1 order by w.nr;
-- unnest of given values
select s.status, count(o.order_id) as n from unnest(array['open', 'paid', 'void', 'returned']) as s(status) left join orders o on o.status = s.status group by s.status order by s.status;
-- regexp_split_to_table
select word, count(*) as n from (select regexp_split_to_table(lower(name), '\s+') as word from customers) w group by word order by word;
-- a values list joined by a range
select v.band, count(*) as n, sum(o.amount) as total from orders o join (values ('low', 0, 100), ('high', 100, 100000)) as v(band, low, high) on o.amount >= v.low and o.amount < v.high group by v.band order by v.band;
-- a values list as a named query
with bands(band, low, high) as (values ('low', 0, 100), ('high', 100, 1000000)) select b.band, count(o.order_id) as n from bands b left join orders o on o.amount >= b.low and o.amount < b.high group by b.band order by b.band;
-- values alone
values (1, 'a'), (2, 'b');
-- width_bucket
select width_bucket(amount, 0, 500, 5) as bucket, count(*) as n from orders group by bucket order by bucket;
-- a range frame by interval
select day, sum(total) over (order by day range between '6 days' preceding and current row) as week_total from (select day, sum(amount) as total from orders group by day) d order by day;
-- windows named and built on
select order_id, sum(amount) over (w rows between unbounded preceding and current row) as running, rank() over w as place from orders window w as (partition by customer_id order by day, order_id) order by order_id;
-- a window filter
select order_id, count(*) filter (where status = 'paid') over (partition by customer_id order by order_id) as paid_so_far from orders order by order_id;
-- nth value and lag with a default
select order_id, nth_value(amount, 2) over (partition by customer_id order by order_id) as second_one, lag(amount, 1, 0::numeric) over (partition by customer_id order by order_id) as before_it from orders order by order_id;
-- extract and date_part
select extract(year from day) as y, date_part('month', day) as m, extract(isodow from day) as dow, count(*) as n from orders group by 1, 2, 3 order by 1, 2, 3;
-- to_char
select to_char(day, 'YYYY-MM') as month_of, to_char(sum(amount), 'FM999990.00') as total from orders group by month_of order by month_of;
-- the last days of a date
select count(*) as n from orders where day > date '2026-04-01' - interval '90 days' and day <= '2026-04-01'::date;
-- days between
select order_id, (date '2026-07-01' - day) as days_ago, age(timestamp '2026-07-01', ordered_at) as since from orders order by order_id;
-- mean time to payment
select avg(p.paid_at - o.ordered_at) as mean_time, extract(epoch from max(p.paid_at - o.ordered_at)) / 3600 as hours_of from payments p join orders o using (order_id);
-- date_bin
select date_bin('7 days', ordered_at, timestamp '2026-01-05') as week_of, count(*) as n from orders group by week_of order by week_of;
-- overlapping periods
select count(*) as n from orders where (day, day + 30) overlaps (date '2026-02-01', date '2026-03-01');
-- a range contains
select count(*) as n from orders where day <@ daterange('2026-01-01', '2026-04-01');
-- at a time zone
select (ordered_at at time zone 'UTC' at time zone 'America/New_York')::date as local_day, count(*) as n from orders group by local_day order by local_day;
-- make_date and intervals
select count(*) as n from orders where day >= make_date(2026, 1, 1) and day < make_date(2026, 1, 1) + make_interval(months => 3);
-- current_date
select count(*) as n from orders where day <= current_date and ordered_at < now() and ordered_at < current_timestamp;
-- the end of the month
select (date_trunc('month', day) + interval '1 month - 1 day')::date as ends, sum(amount) as total from orders group by ends order by ends;
-- casts of two kinds
select amount::integer as a, cast(amount as double precision) as b, order_id::text as c, '5'::int + 1 as d from orders order by order_id;
-- integer arithmetic
select order_id / 10 as bucket, order_id % 10 as rest, count(*) as n from orders group by 1, 2 order by 1, 2;
-- patterns
select count(*) filter (where name ilike 'a%') as a, count(*) filter (where name ~ '^[A-C]') as b, count(*) filter (where name similar to '%(n|e)') as c, count(*) filter (where name ~* 'AN') as d from customers;
-- like any
select count(*) as n from orders where status like any (array['p%', 'o%']);
-- equals any
select count(*) as n, sum(amount) as total from orders where status = any (array['paid', 'open']);
-- any of a query, all of a query
select count(*) as n from orders o where o.customer_id = any (select e.customer_id from events e) and o.amount >= all (select p.paid from payments p where p.order_id = o.order_id);
-- text functions
select initcap(lower(name)) as a, left(name, 3) as b, right(name, 2) as c, split_part(name, ' ', 1) as d, lpad(customer_id::text, 5, '0') as e, overlay(name placing 'X' from 1 for 1) as f, position('a' in name) as g, substring(name from 1 for 2) as h, trim(both ' ' from name) as i, reverse(name) as j from customers order by customer_id;
-- regular expressions
select regexp_replace(name, '[aeiou]', '', 'g') as a, (regexp_match(name, '(\w+)'))[1] as b, substring(name from '^\w+') as c from customers order by customer_id;
-- concatenation
select region || '/' || coalesce(segment, '?') as place, concat_ws('-', region, segment) as also, count(*) as n from customers group by region, segment order by 1;
-- format
select format('%s: %s', status, count(*)) as line_of from orders group by status order by status;
-- null-safe comparison
select count(*) filter (where channel is distinct from 'web') as other, count(*) filter (where discount is not distinct from null) as none from orders;
-- greatest and least
select order_id, greatest(amount, 100) as g, least(amount, coalesce(discount, 0)) as l, nullif(discount, 0) as d from orders order by order_id;
-- a full join of two totals
select coalesce(o.customer_id, e.customer_id) as customer, o.total, e.n from (select customer_id, sum(amount) as total from orders group by customer_id) o full join (select customer_id, count(*) as n from events group by customer_id) e on e.customer_id = o.customer_id order by customer;
-- a full join using
select customer_id, o.total, e.n from (select customer_id, sum(amount) as total from orders group by customer_id) o full outer join (select customer_id, count(*) as n from events group by customer_id) e using (customer_id) order by customer_id;
-- a right join
select c.customer_id, count(o.order_id) as n from orders o right join customers c on c.customer_id = o.customer_id group by c.customer_id order by c.customer_id;
-- a bracketed join
select c.customer_id, count(distinct o.order_id) as n from customers c left join (orders o join payments p on p.order_id = o.order_id) on o.customer_id = c.customer_id group by c.customer_id order by c.customer_id;
-- columns that a key fixes
select c.customer_id, c.name, c.region, sum(o.amount) as total from customers c join orders o on o.customer_id = c.customer_id group by c.customer_id order by total desc, c.customer_id;
-- a named query not materialized
with m as not materialized (select customer_id, sum(amount) as total from orders group by customer_id) select avg(total) as average_total from m;
-- except all
select customer_id from orders except all select customer_id from events order by customer_id;
-- a set operation in brackets
(select customer_id from orders union select customer_id from events) except select customer_id from customers where region = 'north' order by customer_id;
-- fetch first
select order_id, amount from orders order by amount desc, order_id fetch first 5 rows only;
-- fetch with ties inside
select count(*) as n from (select order_id from orders order by amount desc fetch first 3 rows with ties) t;
-- offset and fetch
select order_id from orders order by order_id offset 5 rows fetch next 5 rows only;
-- nulls last
select order_id, discount from orders order by discount desc nulls last, order_id limit 5;
-- in a tuple list
select count(*) as n from orders where (status, channel) in (('paid', 'web'), ('open', 'shop'));
-- a row compared
select count(*) as n from orders where (day, order_id) > (date '2026-02-01', 5);
-- bool aggregates
select customer_id, bool_and(status = 'paid') as all_paid, bool_or(status = 'open') as any_open, every(amount > 0) as positive from orders group by customer_id order by customer_id;
-- is true
select count(*) filter (where active is true) as a, count(*) filter (where active is not true) as b, count(*) filter (where (parent_id is null) is false) as c from customers;
-- case by operand
select case status when 'paid' then 'done' when 'open' then 'waiting' else 'other' end as state, count(*) as n from orders group by 1 order by 1;
-- recursion with a path
with recursive tree(id, path, depth) as (select customer_id, array[customer_id], 1 from customers where parent_id is null union all select c.customer_id, t.path || c.customer_id, t.depth + 1 from customers c join tree t on c.parent_id = t.id where not c.customer_id = any (t.path)) select id, array_to_string(path, '/') as path, depth from tree order by id;
-- recursion made of dates
with recursive d(day) as (select date '2026-01-01' union all select d.day + 1 from d where d.day < date '2026-01-31') select d.day, count(o.order_id) as n from d left join orders o on o.day = d.day group by d.day order by d.day;
-- retention by weeks
with firsts as (select customer_id, min(day) as first_day from orders group by customer_id) select (o.day - f.first_day) / 7 as week_nr, count(distinct o.customer_id) as customers from orders o join firsts f using (customer_id) group by week_nr order by week_nr;
-- sessions by a gap in time
with marked as (select event_id, customer_id, happened_at, case when happened_at - lag(happened_at) over (partition by customer_id order by happened_at, event_id) > interval '30 minutes' then 1 else 0 end as opens from events), numbered as (select event_id, customer_id, sum(opens) over (partition by customer_id order by happened_at, event_id) as session_nr from marked) select customer_id, count(distinct session_nr) as sessions from numbered group by customer_id order by customer_id;
-- gaps and islands of days
with days_of as (select distinct day from orders), islands as (select day, day - (row_number() over (order by day))::integer as island from days_of) select min(day) as first_day, max(day) as last_day, count(*) as n from islands group by island order by first_day;
-- a weighted mean
select product_id, (sum(qty * price) / nullif(sum(qty), 0))::numeric(12, 2) as mean_price from items group by product_id order by product_id;
-- geometric mean
select exp(avg(ln(amount))) as geometric, sqrt(avg(amount * amount)) as quadratic, power(2, 3) as eight from orders where amount > 0;
-- numbers of nulls
select count(*) as n, num_nulls(1, null) as two, count(*) - count(discount) as without_discount from orders;
-- exists as a value
select exists (select 1 from refunds r where r.order_id = o.order_id) as refunded, count(*) as n, sum(o.amount) as total from orders o group by 1 order by 1;
-- array of a query
select c.customer_id, array(select o.order_id from orders o where o.customer_id = c.customer_id order by o.order_id) as orders_of from customers c order by c.customer_id;
-- a literal of many kinds
select e'tab\there' as a, b'101' as b, 1e3 as c, interval '1' day as d, date '2026-01-01' as e, null::text as f, true as g, row(1, 2) as h;
-- quoted names and a schema-free alias
select "o"."amount" as "The Amount" from "orders" as "o" order by "o"."order_id" limit 2;
-- bound values
select count(*) as n from orders where amount > $1 and customer_id <> $2 and $1 > 0;
-- comments everywhere
select /* how many */ count(*) as n -- of them
from orders /* all /* nested */ of them */ where status = 'paid';
-- collation
select name from customers order by name collate "C", customer_id;
-- a percent of a total by grouping
select c.region, sum(o.amount) as total, round(100 * sum(o.amount) / sum(sum(o.amount)) over (), 2) as pct from orders o inner join customers c on c.customer_id = o.customer_id group by c.region order by pct desc, c.region;
-- a named query that hides a table's name
with orders as (select order_id, amount from orders where status = 'paid') select count(*) as n, sum(amount) as total from orders;
-- a spine of numbers
select n, count(per.customer_id) as customers from generate_series(0, 10) n left join (select customer_id, count(*) as orders_of from orders group by customer_id) per on per.orders_of = n group by n order by n;
-- the latest rate by a lateral join
select o.order_id, r.rate from orders o left join lateral (select r.rate from rates r where r.currency = o.currency and r.day <= o.day order by r.day desc limit 1) r on true order by o.order_id;
-- money in one currency by the latest rate
select sum(o.amount * r.rate) as eur from orders o left join lateral (select r.rate from rates r where r.currency = o.currency and r.day <= o.day order by r.day desc limit 1) r on true;
-- trailing twelve months per month
with monthly as (select date_trunc('month', day) as m, sum(amount) as total from orders group by 1) select a.m, sum(b.total) as trailing from monthly a join monthly b on b.m > a.m - interval '12 months' and b.m <= a.m group by a.m order by a.m;
-- revenue by week, with the week before
select date_trunc('week', day) as w, sum(amount) as total, lag(sum(amount)) over (order by date_trunc('week', day)) as before_it from orders group by date_trunc('week', day) order by w;
-- a rolling count of distinct customers
select d.day, (select count(distinct o.customer_id) from orders o where o.day > d.day - 30 and o.day <= d.day) as customers from (select distinct day from orders) d order by d.day;
-- months by a series and a half-open range
select m.start_of::date as month_of, count(o.order_id) as n from generate_series('2026-01-01'::date, '2026-06-01'::date, '1 month') as m(start_of) left join orders o on o.day >= m.start_of and o.day < m.start_of + interval '1 month' group by m.start_of order by m.start_of;
-- range join to bands of dates
select b.label, count(o.order_id) as n from (values ('first', date '2025-06-01', date '2026-01-01'), ('second', date '2026-01-01', date '2026-07-01')) b(label, lo, hi) left join orders o on o.day >= b.lo and o.day < b.hi group by b.label order by b.label;
-- exists in a filter
select count(*) filter (where exists (select 1 from refunds r where r.order_id = o.order_id)) as refunded from orders o;
-- an array tested
select customer_id, array_agg(distinct channel order by channel) filter (where channel is not null) as channels from orders group by customer_id having 'web' = any (array_agg(channel)) order by customer_id;
-- a case over a window
select order_id, case when amount > avg(amount) over (partition by customer_id) then 'above' else 'below' end as side from orders order by order_id;
-- crosstab by filter and a total
select coalesce(channel, 'none') as channel, count(*) filter (where status = 'paid') as paid, count(*) filter (where status = 'open') as open, count(*) as n from orders group by rollup (coalesce(channel, 'none')) order by 1;
-- business days between
select o.order_id, (select count(*) from calendar k where k.day > o.day and k.day <= date '2026-07-01' and extract(isodow from k.day) < 6) as working_days from orders o order by o.order_id;
-- json built up
select jsonb_object_agg(status, n) as j from (select status, count(*) as n from orders group by status) s;
-- columns that a key fixes, under an odd name
select "we""ird".customer_id, "we""ird".name, sum(o.amount) as total from customers "we""ird" join orders o on o.customer_id = "we""ird".customer_id group by "we""ird".customer_id order by 1;
-- columns that a key fixes, in capitals
select C.CUSTOMER_ID, C.NAME, count(*) as n from CUSTOMERS C join ORDERS using (CUSTOMER_ID) group by C.CUSTOMER_ID order by 1;
-- columns that a key fixes, also in HAVING and ORDER BY
select p.product_id, sum(i.qty) as units from products p join items i on i.product_id = p.product_id group by p.product_id having p.category <> 'tools' order by p.title;
