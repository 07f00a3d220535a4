-- fetch first
select order_id, amount from orders order by amount desc, order_id fetch first 5 rows only;
-- offset and fetch
select order_id from orders order by order_id offset 5 rows fetch next 5 rows only;
-- a filter
select count(*) filter (where status = 'paid') as paid, sum(amount) filter (where channel = 'web') as web from orders;
-- extract
select extract(year from day) as y, extract(month from day) as m, sum(amount) as revenue from orders group by extract(year from day), extract(month from day) order by y, m;
-- date literals
select count(*) as n from orders where day >= date '2026-01-01' and day < date '2026-04-01';
-- timestamp literals
select count(*) as n from orders where ordered_at >= timestamp '2026-01-01 00:00:00' and ordered_at < timestamp '2026-04-01 00:00:00';
-- intervals
select count(*) as n from orders where day >= date '2026-04-01' - interval '90' day and day < date '2026-04-01' + interval '1' month;
-- current date and time
select count(*) as n from orders where day <= current_date and ordered_at <= current_timestamp and ordered_at <= localtimestamp;
-- grouping sets
select channel, status, sum(amount) as total, grouping(channel) as whole from orders group by grouping sets ((channel, status), (channel), ());
-- rollup
select c.region, o.status, sum(o.amount) as total from orders o join customers c on c.customer_id = o.customer_id group by rollup (c.region, o.status);
-- cube
select currency, status, count(*) as n from orders group by cube (currency, status);
-- percentile_cont
select percentile_cont(0.5) within group (order by amount) as middle from orders;
-- percentile_disc by group
select status, percentile_disc(0.9) within group (order by amount) as p90 from orders group by status;
-- covariance and correlation
select corr(amount, discount) as c, covar_pop(amount, discount) as p, covar_samp(amount, discount) as s, regr_slope(amount, discount) as r from orders;
-- every and some
select customer_id, every(amount > 0) as positive from orders group by customer_id order by customer_id;
-- array_agg in an order
select customer_id, array_agg(order_id order by order_id) as orders_of from orders group by customer_id order by customer_id;
-- string_agg in an order
select customer_id, string_agg(status, ', ' order by order_id) as states from orders group by customer_id order by customer_id;
-- a lateral join
select c.customer_id, l.total from customers c, lateral (select sum(o.amount) as total from orders o where o.customer_id = c.customer_id) l order by c.customer_id;
-- a lateral left join
select c.customer_id, l.order_id from customers c left join lateral (select o.order_id from orders o where o.customer_id = c.customer_id order by o.amount desc, o.order_id fetch first 1 row only) l on true order by c.customer_id;
-- cross join lateral
select c.customer_id, l.n from customers c cross join lateral (select count(*) as n from events e where e.customer_id = c.customer_id) l order by c.customer_id;
-- a full join of two totals
select coalesce(o.customer_id, e.customer_id) as customer, o.total, e.n from (select customer_id, sum(amount) as total from orders group by customer_id) o full outer join (select customer_id, count(*) as n from events group by customer_id) e on e.customer_id = o.customer_id order by customer;
-- a full join using
select customer_id, o.total, e.n from (select customer_id, sum(amount) as total from orders group by customer_id) o full join (select customer_id, count(*) as n from events group by customer_id) e using (customer_id) order by customer_id;
-- a right outer join
select c.customer_id, count(o.order_id) as n from orders o right outer join customers c on c.customer_id = o.customer_id group by c.customer_id order by c.customer_id;
-- a natural left join
select title, qty from products natural left join items order by title, qty;
-- a bracketed join
select c.customer_id, count(distinct o.order_id) as n from customers c left join (orders o join payments p on p.order_id = o.order_id) on o.customer_id = c.customer_id group by c.customer_id order by c.customer_id;
-- a table of values
select v.band, count(*) as n from orders o join (values ('low', 0, 100), ('high', 100, 100000)) as v(band, low, high) on o.amount >= v.low and o.amount < v.high group by v.band order by v.band;
-- values alone
values (1, 'a'), (2, 'b');
-- values as a named query
with bands(band, low, high) as (values ('low', 0, 100), ('high', 100, 100000)) select b.band, count(o.order_id) as n from bands b left join orders o on o.amount >= b.low and o.amount < b.high group by b.band order by b.band;
-- a row compared
select count(*) as n from orders where (day, order_id) > (date '2026-02-01', 5);
-- rows in a list
select count(*) as n from orders where (status, channel) in (('paid', 'web'), ('open', 'shop'));
-- rows in a query
select order_id from orders where (customer_id, amount) in (select customer_id, max(amount) from orders group by customer_id) order by order_id;
-- quantified comparisons
select count(*) as n from orders o where o.customer_id = any (select e.customer_id from events e) and o.amount >= all (select p.paid from payments p where p.order_id = o.order_id);
-- some
select count(*) as n from orders where customer_id = some (select customer_id from events where kind = 'buy');
-- is distinct from
select count(*) as n from orders where channel is distinct from 'web';
-- is true
select count(*) filter (where active is true) as a, count(*) filter (where active is not true) as b, count(*) filter (where active is unknown) as c from customers;
-- concatenation
select region || '/' || segment as place, count(*) as n from customers group by region || '/' || segment order by place;
-- substring, position, overlay, trim
select substring(name from 1 for 3) as a, position('a' in name) as b, overlay(name placing 'X' from 1 for 1) as c, trim(leading 'A' from name) as d, trim(both from name) as e, char_length(name) as f, upper(name) as g, lower(name) as h from customers order by customer_id;
-- like with an escape
select count(*) as n from customers where name like 'A%' or name like '%!_%' escape '!' or name not like '%n';
-- similar to
select count(*) as n from customers where name similar to '(A|B)%';
-- casts
select cast(amount as integer) as a, cast(amount as double precision) as b, cast(order_id as varchar(10)) as c, cast('2026-01-01' as date) as d, cast(amount as numeric(12, 4)) as e from orders order by order_id;
-- arithmetic functions
select abs(-1) as a, ceiling(1.2) as b, floor(1.8) as c, mod(7, 3) as d, power(2, 3) as e, sqrt(16) as f, exp(0) as g, ln(1) as h, round(1.25, 1) as i, sign(-2) as j;
-- case in both forms
select case status when 'paid' then 'done' else 'other' end as a, case when amount > 100 then 'large' end as b, count(*) as n from orders group by case status when 'paid' then 'done' else 'other' end, case when amount > 100 then 'large' end order by a, b;
-- nullif and coalesce
select order_id, nullif(discount, 0) as a, coalesce(discount, 0) as b, coalesce(note, channel, 'none') as c from orders order by order_id;
-- windows with frames
select day, total, sum(total) over (order by day rows unbounded preceding) as running, avg(total) over (order by day rows between 6 preceding and current row) as moving from (select day, sum(amount) as total from orders group by day) as d order by day;
-- a range frame
select day, sum(total) over (order by day range between interval '6' day preceding and current row) as week_total from (select day, sum(amount) as total from orders group by day) as d order by day;
-- a groups frame
select order_id, avg(amount) over (order by day groups between 1 preceding and 1 following) as near_by from orders order by order_id;
-- a named window
select order_id, sum(amount) over w as running, row_number() over w as nr from orders window w as (partition by customer_id order by day, order_id) order by order_id;
-- two named windows
select order_id, rank() over a as by_amount, rank() over b as by_day from orders window a as (order by amount desc), b as (order by day) order by order_id;
-- nth value, ntile, cume_dist
select order_id, nth_value(amount, 2) over (partition by customer_id order by order_id) as s, ntile(4) over (order by amount, order_id) as q, cume_dist() over (order by amount) as c, percent_rank() over (order by amount) as p from orders order by order_id;
-- lag with offset and default
select order_id, lag(amount, 1, 0.0) over (partition by customer_id order by order_id) as before_it, lead(day, 2) over (partition by customer_id order by order_id) as after_it from orders order by order_id;
-- nulls first and last
select order_id, discount, channel from orders order by discount desc nulls last, channel nulls first, order_id;
-- a window over groups
select status, sum(amount) as total, rank() over (order by sum(amount) desc) as place from orders group by status order by place;
-- union, intersect, except with all
select customer_id from orders union all select customer_id from events;
-- intersect all
select customer_id from orders intersect all select customer_id from events order by customer_id;
-- except all
select customer_id from orders except all select customer_id from events order by customer_id;
-- set operations in brackets
(select customer_id from orders union select customer_id from events) except select customer_id from customers where region = 'north' order by customer_id;
-- an ordered branch
(select order_id, amount from orders order by amount desc, order_id fetch first 2 rows only) union all (select order_id, amount from orders order by amount, order_id fetch first 2 rows only);
-- recursion made of dates
with recursive d(day) as (values (date '2026-01-01') union all select cast(day + interval '1' day as date) from d where day < date '2026-01-31') select d.day, count(o.order_id) as n from d left join orders o on o.day = d.day group by d.day order by d.day;
-- recursion with union
with recursive below(id) as (select customer_id from customers where customer_id = 1 union select c.customer_id from customers c join below b on c.parent_id = b.id) select count(*) as n from below;
-- quoted names
select "o"."amount" as "The Amount" from "orders" as "o" order by "o"."order_id" fetch first 2 rows only;
-- names in capitals
SELECT O.STATUS AS STATE, SUM(O.AMOUNT) AS TOTAL FROM ORDERS O GROUP BY O.STATUS ORDER BY O.STATUS;
-- distinct aggregates
select count(distinct channel) as channels, sum(distinct qty) as distinct_quantities, avg(distinct qty) as mean from orders o join items i on i.order_id = o.order_id;
-- all in an aggregate
select count(all channel) as n, sum(all amount) as total from orders;
-- standard deviations
select stddev_pop(amount) as a, stddev_samp(amount) as b, var_pop(amount) as c, var_samp(amount) as d from orders;
-- exists and unique customers
select count(*) as n from customers c where exists (select 1 from orders o where o.customer_id = c.customer_id and o.status = 'paid') and not exists (select 1 from orders o where o.customer_id = c.customer_id and o.status = 'void');
-- a scalar subquery in WHERE
select order_id from orders where day = (select max(day) from orders) order by order_id;
-- a subquery in HAVING
select customer_id, sum(amount) as total from orders group by customer_id having sum(amount) > (select sum(amount) / count(distinct customer_id) from orders) order by customer_id;
-- a subquery in FROM with names for its columns
select t.c, t.s from (select customer_id, sum(amount) from orders group by customer_id) as t(c, s) order by t.c;
-- a table with names for its columns
select r.a, r.b from regions as r(a, b, c) order by r.a;
-- deeply nested
select max(m) as top_one from (select avg(s) as m from (select customer_id, channel, sum(amount) as s from orders group by customer_id, channel) as a group by customer_id) as b;
-- at time zone
select order_id, ordered_at at time zone 'UTC' as instant_of from orders order by order_id fetch first 3 rows only;
-- arrays and unnest
select u.s, count(o.order_id) as n from unnest(array['open', 'paid']) as u(s) left join orders o on o.status = u.s group by u.s order by u.s;
-- unnest with ordinality
select u.nr, u.s from unnest(array['a', 'b']) with ordinality as u(s, nr) order by u.nr;
-- group by nothing
select sum(amount) as total from orders group by ();
-- having without a group
select sum(amount) as total from orders having count(*) > 0;
-- group by an expression
select amount > 100 as large, count(*) as n from orders group by amount > 100 order by large;
-- between symmetric limits
select count(*) as n from orders where amount between 50 and 150 and not (day between date '2026-03-01' and date '2026-03-31');
-- bound values
select count(*) as n from orders where amount > $1 and customer_id <> $2;
-- a named query that hides a table's name
with orders as (select order_id, amount from orders where status = 'paid') select count(*) as n, sum(amount) as total from orders;
-- is not distinct from
select count(*) as n from orders where channel is not distinct from null;
