-- revenue by month, formatted
select date_format(day, '%Y-%m') as month_of, sum(amount) as revenue from orders group by month_of order by month_of;
-- revenue by year and month
select year(day) as y, month(day) as m, sum(amount) as revenue, count(*) as n from orders group by year(day), month(day) order by y, m;
-- by quarter
select concat(year(day), '-Q', quarter(day)) as quarter_of, sum(amount) as revenue from orders group by 1 order by 1;
-- an alias in HAVING
select customer_id, sum(amount) as revenue from orders group by customer_id having revenue > 100 order by revenue desc, customer_id;
-- sums of comparisons
select sum(status = 'paid') as paid, sum(status = 'void') as void, avg(status = 'paid') as share from orders;
-- sums of IF
select sum(if(status = 'paid', amount, 0)) as paid, count(if(channel = 'web', 1, null)) as web from orders;
-- ifnull and nullif
select order_id, ifnull(discount, 0) as d, nullif(discount, 0) as e, coalesce(note, 'none') as f from orders order by order_id;
-- rollup
select region, segment, count(*) as n from customers group by region, segment with rollup;
-- rollup of revenue
select c.region, sum(o.amount) as total from orders o join customers c on c.customer_id = o.customer_id group by c.region with rollup;
-- group_concat in an order
select customer_id, group_concat(status order by order_id separator ', ') as states from orders group by customer_id order by customer_id;
-- group_concat of distinct
select region, group_concat(distinct segment order by segment desc) as segments from customers group by region order by region;
-- a null-safe comparison
select count(*) as n from orders where not (channel <=> 'web');
-- the last ninety days of a date
select count(*) as n from orders where day > '2026-04-01' - interval 90 day and day <= '2026-04-01';
-- date_sub and date_add
select count(*) as n from orders where day >= date_sub('2026-04-01', interval 3 month) and day < date_add('2026-04-01', interval 1 week);
-- current dates
select count(*) as n from orders where day <= curdate() and ordered_at < now() and day <= current_date() and day < current_date + interval 1 day;
-- days between
select order_id, datediff('2026-07-01', day) as days_ago, timestampdiff(hour, ordered_at, '2026-07-01 00:00:00') as hours_ago from orders order by order_id;
-- time to payment
select avg(timestampdiff(minute, o.ordered_at, p.paid_at)) as minutes_of from payments p join orders o on o.order_id = p.order_id;
-- weekdays
select dayname(day) as weekday_of, dayofweek(day) as nr, weekday(day) as other_nr, count(*) as n from orders group by dayname(day), dayofweek(day), weekday(day) order by nr;
-- weeks
select yearweek(day, 3) as week_of, week(day) as w, count(*) as n from orders group by yearweek(day, 3), week(day) order by week_of;
-- last_day
select last_day(day) as ends, sum(amount) as total from orders group by last_day(day) order by ends;
-- first of the month by arithmetic
select date_sub(day, interval dayofmonth(day) - 1 day) as month_of, sum(amount) as total from orders group by month_of order by month_of;
-- makedate and period
select count(*) as n from orders where day between makedate(2026, 1) and str_to_date('31.03.2026', '%d.%m.%Y');
-- extract
select extract(year from day) as y, extract(month from day) as m, extract(year_month from day) as ym, count(*) as n from orders group by y, m, ym order by ym;
-- hours of the day
select hour(ordered_at) as h, count(*) as n from orders group by hour(ordered_at) order by h;
-- the date of a moment
select date(ordered_at) as d, sum(amount) as total from orders group by date(ordered_at) order by d;
-- a timestamp literal
select count(*) as n from orders where ordered_at >= timestamp '2026-01-01 00:00:00' and ordered_at < date '2026-04-01';
-- unix time
select max(unix_timestamp(ordered_at)) - min(unix_timestamp(ordered_at)) as seconds_of from orders;
-- time parts
select sec_to_time(sum(seconds)) as time_of, sum(time_to_sec('00:01:00')) as s from events;
-- a limit with an offset and a comma
select order_id, amount from orders order by order_id limit 5, 10;
-- a straight join
select straight_join c.region, sum(o.amount) as total from customers c join orders o on o.customer_id = c.customer_id group by c.region;
-- a cross join of one row
select o.status, sum(o.amount) / t.total as share from orders o cross join (select sum(amount) as total from orders) t group by o.status, t.total;
-- an inner join by word join
select c.region, sum(o.amount) as total from orders o inner join customers c using (customer_id) group by c.region order by total desc;
-- a right join
select c.customer_id, count(o.order_id) as n from orders o right join customers c on c.customer_id = o.customer_id group by c.customer_id order by c.customer_id;
-- a full join by hand
select c.customer_id, o.total from customers c left join (select customer_id, sum(amount) as total from orders group by customer_id) o on o.customer_id = c.customer_id union select o.customer_id, o.total from customers c right join (select customer_id, sum(amount) as total from orders group by customer_id) o on o.customer_id = c.customer_id;
-- columns that a key fixes
select c.customer_id, c.name, c.region, sum(o.amount) as total from customers c join orders o on o.customer_id = c.customer_id group by c.customer_id order by total desc, c.customer_id;
-- backticks
select `o`.`amount` as `The Amount`, `o`.`status` from `orders` as `o` order by `o`.`order_id` limit 2;
-- text in double quotes
select count(*) as n from orders where status = "paid";
-- hash comments
select count(*) as n # of orders
from orders where status = 'paid';
-- patterns
select sum(name like 'A%') as a, sum(name regexp '^[A-C]') as b, sum(name rlike 'n$') as c, sum(name not like '%z%') as d from customers;
-- text functions
select upper(left(name, 3)) as a, right(name, 2) as b, substring_index(name, ' ', 1) as c, lpad(customer_id, 5, '0') as d, concat_ws('-', region, segment) as e, instr(name, 'a') as f, locate('a', name) as g, reverse(name) as h, char_length(name) as i, repeat('*', 3) as j, replace(name, 'a', 'o') as k from customers order by customer_id;
-- concat
select concat(region, '/', segment) as place, count(*) as n from customers group by place order by place;
-- substrings and trims
select substring(name, 1, 3) as a, substr(name from 2 for 2) as b, mid(name, 2, 3) as c, trim(both 'A' from name) as d, trim(leading 'A' from name) as e, lower(name) as f from customers order by customer_id;
-- field and elt
select status, field(status, 'open', 'paid', 'void') as nr, elt(2, 'a', 'b') as e, count(*) as n from orders group by status order by nr, status;
-- find_in_set
select count(*) as n from orders where find_in_set(status, 'paid,open') > 0;
-- formatted numbers
select status, format(sum(amount), 2) as total, truncate(avg(amount), 1) as middle, round(avg(amount), 2) as mean from orders group by status order by status;
-- integer division and remainder
select order_id div 10 as bucket, order_id mod 10 as rest, order_id % 7 as r, mod(order_id, 3) as m, count(*) as n from orders group by bucket, rest, r, m order by bucket, rest;
-- division gives fractions
select sum(amount) / count(*) as mean, count(*) / count(distinct customer_id) as per_customer from orders;
-- casts
select cast(amount as signed) as a, cast(order_id as char) as b, cast(amount as decimal(12, 4)) as c, convert(amount, signed) as d, cast('2026-01-01' as date) as e, cast(order_id as unsigned) as f from orders order by order_id;
-- greatest and least
select order_id, greatest(amount, 100) as g, least(amount, 100) as l, abs(amount - 100) as a, ceil(amount) as c, floor(amount) as f, sign(amount - 100) as s from orders order by order_id;
-- powers and roots
select sqrt(sum(amount)) as r, power(2, 3) as p, pow(2, 3) as q, exp(1) as e, ln(avg(amount)) as l, log(2, 8) as b, log10(100) as t from orders;
-- spread
select stddev(amount) as a, stddev_pop(amount) as b, stddev_samp(amount) as c, variance(amount) as d, var_pop(amount) as e, var_samp(amount) as f, std(amount) as g from orders;
-- json by function
select json_unquote(json_extract(payload, '$.page')) as page, count(*) as n from events group by page order by page;
-- json value
select json_value(payload, '$.page') as page, sum(json_value(payload, '$.n')) as n from events group by page order by page;
-- json made
select json_object('status', status, 'n', count(*)) as j from orders group by status order by status;
-- json aggregated
select json_arrayagg(order_id order by order_id) as ids from orders where status = 'open';
-- json tested
select sum(json_valid(payload)) as valid, sum(json_contains_path(payload, 'one', '$.page')) as with_page, max(json_length(payload)) as parts from events;
-- windows with frames
select day, total, sum(total) over (order by day rows between unbounded preceding and current row) as running, avg(total) over (order by day rows between 6 preceding and current row) as moving from (select day, sum(amount) as total from orders group by day) d order by day;
-- a range frame of numbers
select order_id, count(*) over (order by amount range between 10 preceding and 10 following) as near_by from orders order by order_id;
-- a named window
select order_id, row_number() over w as nr, rank() over w as place from orders window w as (partition by customer_id order by amount desc, order_id) order by order_id;
-- lag and lead
select order_id, lag(amount) over (partition by customer_id order by order_id) as before_it, lead(amount, 2) over (partition by customer_id order by order_id) as after_it from orders order by order_id;
-- first, last and nth value
select order_id, first_value(amount) over (partition by customer_id order by order_id) as f, last_value(amount) over (partition by customer_id order by order_id rows between current row and unbounded following) as l, nth_value(amount, 2) over (partition by customer_id order by order_id) as s from orders order by order_id;
-- the last of each
with ranked as (select order_id, customer_id, amount, row_number() over (partition by customer_id order by ordered_at desc, order_id desc) as nth from orders) select customer_id, order_id, amount from ranked where nth = 1 order by customer_id;
-- ntile
select band, count(*) as n, min(amount) as low, max(amount) as high from (select amount, ntile(4) over (order by amount, order_id) as band from orders) q group by band order by band;
-- the median by windows
select avg(amount) as middle from (select amount, row_number() over (order by amount, order_id) as place, count(*) over () as n from orders) q where place between n / 2 and n / 2 + 1;
-- recursion made of dates
with recursive d as (select date '2026-01-01' as day union all select day + interval 1 day from d where day < '2026-01-31') select d.day, count(o.order_id) as n from d left join orders o on o.day = d.day group by d.day order by d.day;
-- recursion made of months
with recursive m as (select cast('2026-01-01' as date) as month_of union all select date_add(month_of, interval 1 month) from m where month_of < '2026-06-01') select m.month_of, coalesce(t.total, 0) as total from m left join (select date_format(day, '%Y-%m-01') as month_of, sum(amount) as total from orders group by date_format(day, '%Y-%m-01')) t on t.month_of = m.month_of order by m.month_of;
-- a tree with a path
with recursive tree as (select customer_id, cast(name as char(500)) as path, 0 as depth from customers where parent_id is null union all select c.customer_id, concat(t.path, ' > ', c.name), t.depth + 1 from customers c join tree t on c.parent_id = t.customer_id) select customer_id, path, depth from tree order by customer_id;
-- two named queries
with o as (select customer_id, sum(amount) as total from orders group by customer_id), e as (select customer_id, count(*) as n from events group by customer_id) select c.customer_id, o.total, e.n from customers c left join o on o.customer_id = c.customer_id left join e on e.customer_id = c.customer_id order by c.customer_id;
-- in and not in
select count(*) as n from customers where customer_id in (select customer_id from orders where status = 'paid') and customer_id not in (select customer_id from orders where status = 'void');
-- exists and not exists
select count(*) as n from customers c where exists (select * from orders o where o.customer_id = c.customer_id) and not exists (select * from events e where e.customer_id = c.customer_id and e.kind = 'buy');
-- any and all
select count(*) as n from orders where customer_id = any (select customer_id from events) and amount >= all (select min(amount) from orders);
-- tuples
select count(*) as n from orders where (status, channel) in (('paid', 'web'), ('open', 'shop'));
-- tuples of a query
select order_id from orders where (customer_id, amount) in (select customer_id, max(amount) from orders group by customer_id) order by order_id;
-- set operations
select customer_id from orders union distinct select customer_id from events;
-- intersect of three
select customer_id from orders where status = 'paid' intersect select customer_id from events intersect select customer_id from customers where active;
-- except
select customer_id from customers except select customer_id from orders;
-- union all in brackets
(select order_id, amount from orders order by amount desc, order_id limit 2) union all (select order_id, amount from orders order by amount, order_id limit 2);
-- an ordered union
select 'web' as what, count(*) as n from orders where channel = 'web' union all select 'shop', count(*) from orders where channel = 'shop' order by n desc, what;
-- values in a named query
with bands as (select 'low' as band, 0 as low, 100 as high union all select 'high', 100, 100000) select b.band, count(o.order_id) as n from bands b left join orders o on o.amount >= b.low and o.amount < b.high group by b.band order by b.band;
-- a pivot by hand
select customer_id, sum(case channel when 'web' then amount else 0 end) as web, sum(case channel when 'shop' then amount else 0 end) as shop, sum(case when channel is null then amount else 0 end) as none from orders group by customer_id order by customer_id;
-- buckets
select floor(amount / 50) * 50 as bucket, count(*) as n, repeat('*', count(*)) as bar from orders group by bucket order by bucket;
-- count of several columns
select count(distinct customer_id, channel) as pairs from orders;
-- booleans
select sum(active) as active, sum(not active) as inactive, sum(active is true) as t, sum(active is not true) as f from customers;
-- between dates of a calendar
select k.month_no, sum(o.amount) as total from orders o join calendar k on k.day = o.day where k.day between '2026-01-01' and '2026-03-31' group by k.month_no order by k.month_no;
-- cohorts by month
select date_format(f.first_day, '%Y-%m') as cohort, period_diff(date_format(o.day, '%Y%m'), date_format(f.first_day, '%Y%m')) as months_on, count(distinct o.customer_id) as customers from orders o join (select customer_id, min(day) as first_day from orders group by customer_id) f on f.customer_id = o.customer_id group by cohort, months_on order by cohort, months_on;
-- sessions by a gap in time
with marked as (select event_id, customer_id, happened_at, case when timestampdiff(minute, lag(happened_at) over (partition by customer_id order by happened_at, event_id), happened_at) > 30 then 1 else 0 end as opens from events), numbered as (select event_id, customer_id, sum(opens) over (partition by customer_id order by happened_at, event_id) as session_nr from marked) select customer_id, count(distinct session_nr) as sessions from numbered group by customer_id order by customer_id;
-- growth in percent
with monthly as (select date_format(day, '%Y-%m') as m, sum(amount) as total from orders group by date_format(day, '%Y-%m')) select m, total, round(100 * (total - lag(total) over (order by m)) / lag(total) over (order by m), 1) as growth from monthly order by m;
-- the share of each within its group
select region, name, total, total / sum(total) over (partition by region) as share from (select c.region, c.name, c.customer_id, sum(o.amount) as total from customers c join orders o on o.customer_id = c.customer_id group by c.customer_id, c.region, c.name) t order by region, total desc, name;
-- what is still to be paid
select sum(o.amount) - sum(coalesce(p.paid, 0)) as outstanding from orders o left join (select order_id, sum(paid) as paid from payments group by order_id) p on p.order_id = o.order_id where o.status = 'open';
-- duplicates
select name, count(*) as n from customers group by name having count(*) > 1;
-- order by a choice
select order_id, status from orders order by field(status, 'open', 'paid', 'returned', 'void'), order_id limit 10;
-- order by an expression and null first
select order_id, discount from orders order by discount is null, discount desc, order_id;
-- dual
select 1 + 1 as two from dual;
-- bound values
select count(*) as n from orders where amount > ? and customer_id <> ? and day >= '2026-01-01';
-- an odd literal or two
select 0x41 as a, b'1' as b, 1e3 as c, N'x' as d, true as e, null as f, -1 as g, 'it''s' as h, 'a\'b' as i, .5 as j;
-- hints that are comments
select /* all of them */ count(*) as n from orders;
-- an index of a string
select ascii(left(name, 1)) as a, char_length(name) as b, length(name) as c, md5(name) as d, hex(customer_id) as e, strcmp(name, 'M') as f from customers order by customer_id;
-- conditions with xor and not
select count(*) as n from orders where (status = 'paid') xor (channel = 'web');
-- logical signs
select count(*) as n from orders where status = 'paid' && (channel = 'web' || channel = 'shop') and !(amount > 200);
-- not equal in two ways
select sum(status != 'paid') as a, sum(status <> 'paid') as b from orders;
-- any_value [mysql only]
select region, any_value(manager) as manager from regions group by region;
-- a lateral join [mysql only]
select c.customer_id, l.total from customers c, lateral (select sum(o.amount) as total from orders o where o.customer_id = c.customer_id) l order by c.customer_id;
-- grouping [mysql only]
select region, grouping(region) as whole, count(*) as n from customers group by region with rollup;
-- json by arrows [mysql only]
select payload->>'$.page' as page, count(*) as n from events group by page order by page;
-- values rows [mysql only]
select * from (values row(1, 'a'), row(2, 'b')) as t(n, letter) order by n;
-- a named query that hides a table's name
with orders as (select order_id, amount from orders where status = 'paid') select count(*) as n, sum(amount) as total from orders;
