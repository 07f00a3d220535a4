-- revenue by month, truncated
select date_trunc('month', day) as month_of, sum(amount) as revenue from orders group by all order by month_of;
-- revenue by quarter and year
select year(day) as y, quarter(day) as q, sum(amount) as revenue from orders group by y, q order by y, q;
-- group by all with an order by all
select status, channel, count(*) as n from orders group by all order by all;
-- group by position
select channel, status, sum(amount) from orders group by 1, 2 order by 1 nulls last, 2;
-- a filter on each aggregate
select count(*) filter (where status = 'paid') as paid, count(*) filter (where status = 'void') as void, sum(amount) filter (where channel = 'web') as web from orders;
-- the share by filter
select channel, count(*) filter (where status = 'paid') / count(*) as paid_share from orders group by channel;
-- median and quantiles
select channel, median(amount) as middle, quantile_cont(amount, 0.9) as p90, quantile_disc(amount, 0.5) as p50 from orders group by channel;
-- several quantiles at once
select quantile_cont(amount, [0.25, 0.5, 0.75]) as quartiles from orders;
-- percentiles within a group
select status, percentile_cont(0.5) within group (order by amount) as middle, percentile_disc(0.9) within group (order by amount desc) as p from orders group by status;
-- the mode
select mode(channel) as usual, mode() within group (order by status) as usual_status from orders;
-- approximate counts
select approx_count_distinct(customer_id) as about, approx_quantile(amount, 0.5) as middle from orders;
-- correlations
select corr(amount, coalesce(discount, 0)) as c, covar_samp(amount, discount) as cov, regr_slope(amount, discount) as slope, stddev_pop(amount) as sd, var_samp(amount) as v from orders;
-- the last of each by qualify
select order_id, customer_id, amount from orders qualify row_number() over (partition by customer_id order by ordered_at desc, order_id desc) = 1;
-- qualify by an alias
select customer_id, sum(amount) as revenue, rank() over (order by sum(amount) desc) as place from orders group by customer_id qualify place <= 3;
-- qualify with a named window
select order_id, amount from orders window w as (partition by channel order by amount desc) qualify dense_rank() over w <= 2;
-- arg_max and arg_min
select customer_id, arg_max(order_id, amount) as largest, arg_min(order_id, amount) as smallest, max_by(day, amount) as of_day from orders group by customer_id order by customer_id;
-- first and last in an order
select customer_id, first(amount order by day, order_id) as first_amount, last(amount order by day, order_id) as last_amount from orders group by customer_id;
-- lists in an order
select customer_id, list(order_id order by order_id) as orders_of, string_agg(status, ', ' order by order_id) as states from orders group by customer_id;
-- distinct on
select distinct on (customer_id) customer_id, order_id, amount from orders order by customer_id, amount desc, order_id;
-- grouping sets
select channel, status, sum(amount) as total, grouping(channel, status) as level from orders group by grouping sets ((channel, status), (channel), ());
-- rollup
select c.region, o.channel, sum(o.amount) as total from orders o join customers c using (customer_id) group by rollup (c.region, o.channel);
-- cube
select status, currency, count(*) as n from orders group by cube (status, currency);
-- a spine of months
select m.month_of, coalesce(sum(o.amount), 0) as revenue from (select unnest(generate_series(date '2026-01-01', date '2026-06-01', interval 1 month)) as month_of) m left join orders o on date_trunc('month', o.day) = m.month_of group by m.month_of order by m.month_of;
-- a spine of days by range
select s.d::date as day, count(o.order_id) as n from range(date '2026-01-01', date '2026-02-01', interval 1 day) s(d) left join orders o on o.day = s.d group by 1 order by 1;
-- a lateral join
select c.customer_id, l.order_id, l.amount from customers c, lateral (select o.order_id, o.amount from orders o where o.customer_id = c.customer_id order by o.amount desc, o.order_id limit 2) l order by c.customer_id, l.order_id;
-- a lateral left join
select c.name, l.last_day from customers c left join lateral (select max(o.day) as last_day from orders o where o.customer_id = c.customer_id) l on true order by c.customer_id;
-- a lateral aggregate added up
select sum(l.total) as total from customers c cross join lateral (select sum(o.amount) as total from orders o where o.customer_id = c.customer_id) l;
-- semi join
select sum(o.amount) as total from orders o semi join payments p on p.order_id = o.order_id;
-- anti join
select count(*) as n from customers anti join orders using (customer_id);
-- semi join using
select c.name from customers c semi join orders o using (customer_id) order by c.name;
-- star exclude
select * exclude (note, discount) from orders order by order_id limit 5;
-- star replace
select * exclude (note) replace (round(amount) as amount) from orders order by order_id limit 5;
-- star rename
select * rename (amount as value_of) from payments p join (select order_id as oid, amount from orders) o on o.oid = p.order_id;
-- a qualified star with exclude
select i.* exclude (line_no), p.title from items i join products p using (product_id) order by i.order_id, i.line_no;
-- from first
from orders select status, count(*) as n group by status;
-- from alone
from regions;
-- union by name
select order_id, amount from orders where status = 'paid' union all by name select amount, order_id from orders where status = 'open';
-- reuse of an alias
select amount * 1.19 as gross, gross - amount as tax from orders where gross > 100 order by order_id;
-- integer division
select order_id // 10 as bucket, count(*) as n from orders group by bucket order by bucket;
-- a power and a remainder
select order_id % 7 as r, count(*) as n, 2 ** 3 as eight from orders group by r order by r;
-- a histogram by buckets
select floor(amount / 50) * 50 as bucket, count(*) as n from orders group by bucket order by bucket;
-- histogram function
select histogram(status) as h from orders;
-- pivot by hand with filter
select customer_id, sum(amount) filter (where channel = 'web') as web, sum(amount) filter (where channel = 'shop') as shop from orders group by customer_id order by customer_id;
-- date differences
select order_id, date_diff('day', o.day, current_date) > 0 as past, datediff('hour', o.ordered_at, timestamp '2026-07-01') as hours_of from orders o order by order_id;
-- days from order to payment
select avg(date_diff('day', o.ordered_at, p.paid_at)) as days_of from payments p join orders o on o.order_id = p.order_id;
-- orders in the last ninety days of a date
select count(*) as n from orders where day > date '2026-04-01' - interval 90 day and day <= date '2026-04-01';
-- weekdays
select dayname(day) as weekday_of, isodow(day) as nr, count(*) as n from orders group by all order by nr;
-- time buckets
select time_bucket(interval '1 week', ordered_at) as week_of, count(*) as n from orders group by week_of order by week_of;
-- formatted months
select strftime(day, '%Y-%m') as month_of, sum(amount) as total from orders group by month_of order by month_of;
-- the end of the month
select last_day(day) as ends, sum(amount) as total from orders group by ends order by ends;
-- extract
select extract(year from day) as y, extract(month from day) as m, extract('dow' from day) as dow, count(*) as n from orders group by all order by all;
-- a date made and compared
select count(*) as n from orders where day >= make_date(2026, 1, 1) and day < make_date(2026, 1, 1) + interval 3 month;
-- ages
select customer_id, age(date '2026-07-01', signed_up) as since from customers order by customer_id;
-- at a time zone
select order_id, ordered_at at time zone 'UTC' as instant_of from orders order by order_id limit 3;
-- casts of three kinds
select cast(amount as integer) as a, amount::double as b, try_cast(note as integer) as c from orders order by order_id;
-- casts to a decimal and a text
select sum(amount)::decimal(18, 2) as total, max(day)::varchar as last_day from orders;
-- json by arrows
select payload->>'$.page' as page, count(*) as n from events group by page order by page;
-- json functions
select json_extract_string(payload, '$.page') as page, json_extract(payload, '$.n')::integer as n from events order by event_id;
-- json made
select json_object('status', status, 'n', count(*)) as j from orders group by status order by status;
-- structures
select customer_id, struct_pack(n := count(*), total := sum(amount)) as s from orders group by customer_id order by customer_id;
-- a structure by braces and its field
select s.total from (select {'n': count(*), 'total': sum(amount)} as s from orders) t;
-- lists transformed
select customer_id, list_transform(list(amount order by order_id), x -> x * 2) as doubled, list_sum(list(amount)) as total from orders group by customer_id order by customer_id;
-- a list filtered and counted
select customer_id, len(list_filter(list(amount), lambda x : x > 100)) as large from orders group by customer_id order by customer_id;
-- a list comprehension
select customer_id, [x + 1 for x in list(amount order by order_id) if x > 50] as l from orders group by customer_id order by customer_id;
-- unnest of words
select word, count(*) as n from (select unnest(string_split(name, ' ')) as word from customers) w group by word order by word;
-- unnest of a list of values
select u.s as status, count(o.order_id) as n from unnest(['open', 'paid', 'void', 'returned']) u(s) left join orders o on o.status = u.s group by u.s order by u.s;
-- a values list
select v.band, count(*) as n from orders o join (values ('low', 0, 100), ('high', 100, 100000)) v(band, low, high) on o.amount >= v.low and o.amount < v.high group by v.band order by v.band;
-- values alone
select * from (values (1, 'a'), (2, 'b')) t(n, letter) order by n;
-- a range of rows by interval
select day, sum(total) over (order by day range between interval 6 days preceding and current row) as week_total from (select day, sum(amount) as total from orders group by day) d order by day;
-- ignore nulls
select order_id, last_value(discount ignore nulls) over (order by order_id) as last_discount from orders order by order_id;
-- nth value and lag with a default
select order_id, nth_value(amount, 2) over (partition by customer_id order by order_id) as second_one, lag(amount, 1, 0) over (partition by customer_id order by order_id) as before_it from orders order by order_id;
-- a window filter
select order_id, count(*) filter (where status = 'paid') over (order by order_id) as paid_so_far from orders order by order_id;
-- a distinct count over a window
select order_id, count(distinct channel) over (partition by customer_id) as channels from orders order by order_id;
-- patterns
select count(*) as n from customers where name ilike 'a%' or regexp_matches(name, '^[A-C]') or name similar to '.*n';
-- glob and starts_with
select count(*) filter (where starts_with(name, 'A')) as a, count(*) filter (where name glob '*a*') as b, count(*) filter (where contains(name, 'e')) as c from customers;
-- text functions
select upper(left(name, 3)) as a, right(name, 2) as b, split_part(name, ' ', 1) as c, lpad(customer_id::varchar, 5, '0') as d, concat_ws('-', region, segment) as e, name[1:2] as f from customers order by customer_id;
-- concatenation
select region || '/' || segment as place, count(*) as n from customers group by place order by place;
-- formatted text
select format('{}: {}', status, count(*)) as line_of, printf('%05d', count(*)) as n from orders group by status order by status;
-- null-safe comparison
select count(*) as n from orders a join orders b on a.order_id = b.order_id where a.channel is not distinct from b.channel;
-- is distinct from
select count(*) as n from orders where channel is distinct from 'web';
-- ifnull and greatest
select order_id, ifnull(discount, 0) as d, greatest(amount, 100) as g, least(amount, 100) as l, if(amount > 100, 'large', 'small') as size from orders order by order_id;
-- a full join of two totals
select coalesce(o.customer_id, e.customer_id) as customer, o.total, e.n from (select customer_id, sum(amount) as total from orders group by customer_id) o full join (select customer_id, count(*) as n from events group by customer_id) e on e.customer_id = o.customer_id order by customer;
-- a full join using
select customer_id, o.total, e.n from (select customer_id, sum(amount) as total from orders group by customer_id) o full outer join (select customer_id, count(*) as n from events group by customer_id) e using (customer_id) order by customer_id;
-- a right join
select c.customer_id, o.order_id from orders o right join customers c on c.customer_id = o.customer_id order by c.customer_id, o.order_id;
-- a materialized named query
with m as materialized (select customer_id, sum(amount) as total from orders group by customer_id) select count(*) as n from m where total > 100;
-- columns of a named query renamed
with t(region_of, n) as (select region, count(*) from customers group by region) select region_of, n from t order by region_of;
-- except all and intersect all
select customer_id from orders except all select customer_id from events;
-- in a tuple list
select count(*) as n from orders where (status, channel) in (('paid', 'web'), ('open', 'shop'));
-- any of an array
select count(*) as n from orders where status = any(['paid', 'open']);
-- any of a query
select count(*) as n from orders where customer_id = any(select customer_id from events where kind = 'buy');
-- exists beside a group
select exists(select 1 from refunds r where r.order_id = o.order_id) as refunded, count(*) as n, sum(amount) as total from orders o group by refunded order by refunded;
-- a sample of boundaries, case by operand
select case status when 'paid' then 'done' when 'open' then 'waiting' else 'other' end as state, count(*) as n from orders group by state order by state;
-- bool aggregates
select customer_id, bool_and(status = 'paid') as all_paid, bool_or(status = 'open') as any_open from orders group by customer_id order by customer_id;
-- count_if and sums of flags
select count_if(amount > 100) as large, sum((amount > 100)::int) as large_too from orders;
-- entropy, kurtosis and skewness
select entropy(channel) as e, kurtosis(amount) as k, skewness(amount) as s, mad(amount) as m from orders;
-- a recursive calendar
with recursive d(day) as (select date '2026-01-01' union all select (day + interval 1 day)::date from d where day < date '2026-01-31') select d.day, count(o.order_id) as n from d left join orders o on o.day = d.day group by d.day order by d.day;
-- a path down a tree
with recursive tree(id, path) as (select customer_id, [name] from customers where parent_id is null union all select c.customer_id, list_append(t.path, c.name) from customers c join tree t on c.parent_id = t.id) select id, array_to_string(path, ' > ') as path from tree order by id;
-- retention by weeks
with firsts as (select customer_id, min(day) as first_day from orders group by customer_id) select date_diff('week', f.first_day, o.day) as week_nr, count(distinct o.customer_id) as customers from orders o join firsts f using (customer_id) group by week_nr order by week_nr;
-- sessions by a gap in time
with marked as (select event_id, customer_id, happened_at, case when happened_at - lag(happened_at) over (partition by customer_id order by happened_at, event_id) > interval 30 minute then 1 else 0 end as opens from events), numbered as (select event_id, customer_id, sum(opens) over (partition by customer_id order by happened_at, event_id) as session_nr from marked) select customer_id, count(distinct session_nr) as sessions from numbered group by customer_id order by customer_id;
-- order by with nulls and a limit in percent
select order_id, discount from orders order by discount desc nulls last, order_id limit 5;
-- numbers with underscores, trailing comma, a comment
select order_id, amount, /* kept */ from orders where amount < 1_000_000 -- all of them
 order by order_id;
-- quoted names
select "o"."amount" as "The Amount", o.status as "State" from "orders" as "o" order by "o"."order_id" limit 2;
-- bound values
select count(*) as n from orders where amount > $1 and customer_id <> $2;
-- a named query that hides a table's name
with orders as (select order_id, amount from orders where status = 'paid') select count(*) as n, sum(amount) as total from orders;
-- a spine and a running total
with spine as (select d::date as day from generate_series(timestamp '2026-01-01', timestamp '2026-03-31', interval '1 day') t(d)), daily as (select day, sum(amount) as total from orders group by day) select spine.day, sum(coalesce(daily.total, 0)) over (order by spine.day) as running from spine left join daily on daily.day = spine.day order by spine.day;
-- union by name with a column of one side
select order_id, amount, discount from orders union all by name select order_id, refunded as amount from refunds;
-- an asof join to the latest rate
select o.order_id, r.rate from orders o asof join rates r on r.currency = o.currency and r.day <= o.day order by o.order_id;
-- an asof left join, money in one currency
select sum(o.amount * coalesce(r.rate, 1)) as eur from orders o asof left join rates r on o.currency = r.currency and o.day >= r.day;
-- an asof join among others
select c.region, sum(o.amount * r.rate) as eur from orders o join customers c on c.customer_id = o.customer_id asof join rates r on o.day >= r.day and o.currency = r.currency where o.status = 'paid' group by c.region order by c.region;
-- the last event before an order
select o.order_id, e.kind from orders o asof left join events e on e.customer_id = o.customer_id and e.happened_at <= o.ordered_at order by o.order_id;
-- an asof join within a named query
with priced as (select o.order_id, o.status, o.amount * r.rate as eur from orders o asof join (select currency, day, rate from rates where rate > 0) r on o.currency = r.currency and o.day >= r.day) select status, count(*) as n, sum(eur) as eur from priced group by status order by status;
-- revenue by week, with the week before
select date_trunc('week', day) as w, sum(amount) as total, lag(sum(amount)) over (order by date_trunc('week', day)) as before_it from orders group by w order by w;
-- the month to date beside the month before
select sum(amount) filter (where day >= date '2026-03-01' and day < date '2026-03-15') as this_one, sum(amount) filter (where day >= date '2026-02-01' and day < date '2026-02-15') as before_it from orders;
-- a rolling count of distinct customers
select d.day, (select count(distinct o.customer_id) from orders o where o.day > d.day - interval 30 day and o.day <= d.day) as customers from (select distinct day from orders) d order by d.day;
-- group by an expression that is repeated
select strftime(day, '%G-W%V') as w, count(*) as n from orders group by strftime(day, '%G-W%V') order by w;
-- min and max of three
select customer_id, max(amount, 2) as top_two, min(amount, 2) as low_two from orders group by customer_id order by customer_id;
-- exists in a filter
select count(*) filter (where exists (select 1 from refunds r where r.order_id = o.order_id)) as refunded from orders o;
-- a case over a window
select order_id, case when amount > avg(amount) over (partition by customer_id) then 'above' else 'below' end as side from orders order by order_id;
-- unnest of a list of structures
select u.s.k as k, u.s.v as v from (select unnest([{'k': 'a', 'v': 1}, {'k': 'b', 'v': 2}]) as s) u order by k;
-- range join to bands of dates
select b.label, count(o.order_id) as n from (values ('first', date '2025-06-01', date '2026-01-01'), ('second', date '2026-01-01', date '2026-07-01')) b(label, lo, hi) left join orders o on o.day >= b.lo and o.day < b.hi group by b.label order by b.label;
-- a positional alias in order
select channel, count(*) from orders group by channel order by count(*) desc, channel nulls last;
-- columns that a key fixes, of a query without a name
select customer_id, name, count(*) as n from (select customer_id, name from customers) group by customer_id, name order by customer_id;
-- columns that a key fixes, under an odd name
select "we""ird".customer_id, "we""ird".name, sum(o.amount) as total from customers "we""ird" join orders o on o.customer_id = "we""ird".customer_id group by all order by 1;
