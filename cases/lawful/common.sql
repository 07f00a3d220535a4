-- revenue in all
select sum(amount) as revenue from orders where status = 'paid';
-- orders by status
select status, count(*) as n, sum(amount) as total from orders group by status order by n desc, status;
-- average order value by channel
select channel, avg(amount) as average_value, min(amount) as smallest, max(amount) as largest from orders where status <> 'void' group by channel;
-- orders of one month, half open
select count(*) as n from orders where day >= '2026-03-01' and day < '2026-04-01';
-- a list of orders
select order_id, day, amount, coalesce(discount, 0) as discount from orders where amount > 100 order by amount desc, order_id limit 10;
-- the second page of a list
select order_id, amount from orders order by order_id limit 10 offset 10;
-- channels in use
select distinct channel from orders;
-- customers who ordered
select count(distinct customer_id) as customers from orders;
-- revenue by region
select c.region, sum(o.amount) as revenue from orders o join customers c on c.customer_id = o.customer_id group by c.region;
-- revenue by country through regions
select r.country, sum(o.amount) as revenue from orders o join customers c on c.customer_id = o.customer_id join regions r on r.region = c.region group by r.country;
-- revenue by month through the calendar
select k.year_no, k.month_no, sum(o.amount) as revenue from orders o join calendar k on k.day = o.day group by k.year_no, k.month_no order by k.year_no, k.month_no;
-- months with at least three orders
select k.month_no, count(*) as n from orders o join calendar k on k.day = o.day where k.year_no = 2026 group by k.month_no having count(*) >= 3;
-- units by category
select p.category, sum(i.qty) as units, sum(i.qty * i.price) as revenue from items i join products p on p.product_id = i.product_id group by p.category;
-- margin by category
select p.category, sum(i.qty * (i.price - p.cost)) as margin, sum(i.qty * i.price) as revenue from items i join products p on p.product_id = i.product_id group by p.category;
-- margin as a share
select p.category, sum(i.qty * (i.price - p.cost)) / nullif(sum(i.qty * i.price), 0) as margin_rate from items i join products p on p.product_id = i.product_id group by p.category;
-- customers without an order
select c.customer_id, c.name from customers c left join orders o on o.customer_id = c.customer_id where o.order_id is null;
-- customers without an order, by not exists
select c.name from customers c where not exists (select 1 from orders o where o.customer_id = c.customer_id);
-- customers without an order, by not in
select count(*) as n from customers where customer_id not in (select customer_id from orders);
-- customers with an order of a month
select c.customer_id, c.name from customers c where exists (select 1 from orders o where o.customer_id = c.customer_id and o.day >= '2026-02-01' and o.day < '2026-03-01');
-- customers with a paid order, by in
select name from customers where customer_id in (select customer_id from orders where status = 'paid') order by name, customer_id;
-- orders that hold a toy
select sum(o.amount) as revenue from orders o where o.order_id in (select i.order_id from items i join products p on p.product_id = i.product_id where p.category = 'toys');
-- orders with both toys and books
select count(*) as n from orders o where exists (select 1 from items i join products p on p.product_id = i.product_id where i.order_id = o.order_id and p.category = 'toys') and exists (select 1 from items i join products p on p.product_id = i.product_id where i.order_id = o.order_id and p.category = 'books');
-- paid and void side by side
select sum(case when status = 'paid' then amount else 0 end) as paid, sum(case when status = 'void' then amount else 0 end) as void from orders;
-- share of paid orders
select sum(case when status = 'paid' then 1 else 0 end) * 1.0 / count(*) as paid_share from orders;
-- orders by size of amount
select case when amount < 50 then 'small' when amount < 200 then 'middle' else 'large' end as size, count(*) as n, sum(amount) as total from orders group by case when amount < 50 then 'small' when amount < 200 then 'middle' else 'large' end;
-- orders with and without a discount
select case when discount is null then 'none' else 'some' end as discounted, count(*) as n from orders group by case when discount is null then 'none' else 'some' end;
-- net of discount
select sum(amount - coalesce(discount, 0)) as net from orders where status in ('paid', 'returned');
-- payments by method
select method, count(*) as n, sum(paid) as total from payments group by method;
-- what is still to be paid, each side on its own
with owed as (select order_id, sum(qty * price) as due from items group by order_id), settled as (select order_id, sum(paid) as paid from payments group by order_id) select o.order_id, owed.due, coalesce(settled.paid, 0) as paid, owed.due - coalesce(settled.paid, 0) as outstanding from orders o join owed on owed.order_id = o.order_id left join settled on settled.order_id = o.order_id where o.status = 'open';
-- total outstanding
with owed as (select order_id, sum(qty * price) as due from items group by order_id), settled as (select order_id, sum(paid) as paid from payments group by order_id) select sum(owed.due) as due, sum(settled.paid) as paid from orders o left join owed on owed.order_id = o.order_id left join settled on settled.order_id = o.order_id;
-- three children of an order, each aggregated first
select o.order_id, i.lines_of, p.paid, r.refunded from orders o left join (select order_id, count(*) as lines_of from items group by order_id) i on i.order_id = o.order_id left join (select order_id, sum(paid) as paid from payments group by order_id) p on p.order_id = o.order_id left join (select order_id, sum(refunded) as refunded from refunds group by order_id) r on r.order_id = o.order_id order by o.order_id;
-- a scalar subquery beside a row
select o.order_id, o.amount, (select count(*) from items i where i.order_id = o.order_id) as lines_of from orders o order by o.order_id;
-- two correlated totals per customer
select c.customer_id, (select coalesce(sum(o.amount), 0) from orders o where o.customer_id = c.customer_id) as bought, (select count(*) from events e where e.customer_id = c.customer_id) as seen from customers c order by c.customer_id;
-- orders above the average
select order_id, amount from orders where amount > (select avg(amount) from orders) order by order_id;
-- orders above their customer's average
select o.order_id, o.amount from orders o where o.amount > (select avg(p.amount) from orders p where p.customer_id = o.customer_id) order by o.order_id;
-- share of the whole
select status, sum(amount) / (select sum(amount) from orders) as share from orders group by status;
-- share of the whole by a window
select status, sum(amount) as total, sum(amount) * 1.0 / sum(sum(amount)) over () as share from orders group by status;
-- each order's share of its customer
select order_id, customer_id, amount, amount * 1.0 / sum(amount) over (partition by customer_id) as share from orders where amount > 0;
-- rank of customers by revenue
select customer_id, sum(amount) as revenue, rank() over (order by sum(amount) desc) as place from orders group by customer_id;
-- the largest order of each customer
select order_id, customer_id, amount from (select order_id, customer_id, amount, row_number() over (partition by customer_id order by amount desc, order_id) as place from orders) ranked where place = 1;
-- the two latest orders of each customer
with ranked as (select o.*, row_number() over (partition by o.customer_id order by o.ordered_at desc, o.order_id desc) as nth from orders o) select customer_id, order_id, amount from ranked where nth <= 2;
-- revenue of first orders
with ranked as (select order_id, amount, row_number() over (partition by customer_id order by ordered_at, order_id) as nth from orders) select sum(amount) as first_orders from ranked where nth = 1;
-- a running total
select day, sum(amount) as total, sum(sum(amount)) over (order by day rows between unbounded preceding and current row) as running from orders group by day order by day;
-- a moving average of three days
select day, avg(sum(amount)) over (order by day rows between 2 preceding and current row) as moving from orders group by day order by day;
-- against the day before
select day, total, total - lag(total, 1) over (order by day) as change_of from (select day, sum(amount) as total from orders group by day) daily order by day;
-- against the month before, in percent
with monthly as (select k.year_no, k.month_no, sum(o.amount) as total from orders o join calendar k on k.day = o.day group by k.year_no, k.month_no) select year_no, month_no, total, lag(total) over (order by year_no, month_no) as before_it, 100.0 * (total - lag(total) over (order by year_no, month_no)) / nullif(lag(total) over (order by year_no, month_no), 0) as change_pct from monthly order by year_no, month_no;
-- this year beside the last
select k.month_no, sum(case when k.year_no = 2026 then o.amount else 0 end) as this_year, sum(case when k.year_no = 2025 then o.amount else 0 end) as last_year from orders o join calendar k on k.day = o.day group by k.month_no order by k.month_no;
-- this year beside the last, joined by month
with monthly as (select k.year_no, k.month_no, sum(o.amount) as total from orders o join calendar k on k.day = o.day group by k.year_no, k.month_no) select a.month_no, a.total as this_year, b.total as last_year from monthly a left join monthly b on b.month_no = a.month_no and b.year_no = a.year_no - 1 where a.year_no = 2026 order by a.month_no;
-- the next order of each customer
select order_id, customer_id, day, lead(day) over (partition by customer_id order by day, order_id) as next_day from orders order by order_id;
-- first and last amount of a customer
select order_id, first_value(amount) over (partition by customer_id order by day, order_id) as first_amount, last_value(amount) over (partition by customer_id order by day, order_id rows between unbounded preceding and unbounded following) as last_amount from orders order by order_id;
-- quartiles of orders
select quartile, count(*) as n, min(amount) as low, max(amount) as high from (select amount, ntile(4) over (order by amount, order_id) as quartile from orders) q group by quartile order by quartile;
-- dense rank and percent rank
select order_id, dense_rank() over (order by amount) as place, percent_rank() over (order by amount) as pct, cume_dist() over (order by amount) as cume from orders order by order_id;
-- a named window
select order_id, sum(amount) over w as running, count(*) over w as nth from orders window w as (partition by customer_id order by day, order_id) order by order_id;
-- a centred frame
select day, avg(total) over (order by day rows between 1 preceding and 1 following) as smoothed from (select day, sum(amount) as total from orders group by day) d order by day;
-- how far the largest is from the second
with places as (select amount, row_number() over (order by amount desc, order_id) as place from orders) select max(case when place = 1 then amount end) - max(case when place = 2 then amount end) as gap from places where place <= 2;
-- orders and returns together
select 'orders' as what, count(*) as n, sum(amount) as total from orders union all select 'refunds', count(*), sum(refunded) from refunds;
-- a ledger of three kinds
select order_id, 'order' as kind, amount as value_of from orders union all select order_id, 'payment', -paid from payments union all select order_id, 'refund', refunded from refunds;
-- a ledger added up
select kind, sum(value_of) as total from (select 'order' as kind, amount as value_of from orders union all select 'payment', paid from payments) entries group by kind;
-- customers who ordered and were seen
select customer_id from orders intersect select customer_id from events;
-- customers who were seen and never ordered
select customer_id from events except select customer_id from orders;
-- names of either kind
select region as word from regions union select channel from orders where channel is not null order by word;
-- using a shared column
select sum(i.qty) as units from orders join items i using (order_id) where status = 'paid';
-- using twice
select p.category, sum(i.qty * i.price) as revenue from orders o join items i using (order_id) join products p using (product_id) where o.status <> 'void' group by p.category;
-- left join using
select customer_id, count(order_id) as n from customers left join orders using (customer_id) group by customer_id order by customer_id;
-- a natural join
select category, count(*) as n from items natural join products group by category;
-- a comma join with its condition
select c.segment, sum(o.amount) as revenue from customers c, orders o where o.customer_id = c.customer_id and o.day >= '2026-01-01' group by c.segment;
-- customers and their parents
select c.name, p.name as parent from customers c left join customers p on p.customer_id = c.parent_id order by c.customer_id;
-- revenue by parent
select coalesce(p.customer_id, c.customer_id) as owner, sum(o.amount) as revenue from orders o join customers c on c.customer_id = o.customer_id left join customers p on p.customer_id = c.parent_id group by coalesce(p.customer_id, c.customer_id);
-- customers below a parent, recursively
with recursive tree as (select customer_id, parent_id, 1 as depth from customers where parent_id is null union all select c.customer_id, c.parent_id, t.depth + 1 from customers c join tree t on c.parent_id = t.customer_id) select depth, count(*) as n from tree group by depth order by depth;
-- the whole tree below one
with recursive below as (select customer_id, name from customers where customer_id = 1 union all select c.customer_id, c.name from customers c join below b on c.parent_id = b.customer_id) select customer_id, name from below order by customer_id;
-- numbers made by recursion
with recursive n as (select 1 as i union all select i + 1 from n where i < 12) select i from n order by i;
-- months without an order
with recursive n as (select 1 as i union all select i + 1 from n where i < 12) select n.i from n left join (select distinct k.month_no from orders o join calendar k on k.day = o.day where k.year_no = 2026) m on m.month_no = n.i where m.month_no is null order by n.i;
-- days of a month, also those without orders
select k.day, coalesce(sum(o.amount), 0) as total from calendar k left join orders o on o.day = k.day where k.year_no = 2026 and k.month_no = 2 group by k.day order by k.day;
-- how many orders each day, zero included
select k.day, count(o.order_id) as n from calendar k left join orders o on o.day = k.day where k.day >= '2026-01-01' and k.day < '2026-02-01' group by k.day order by k.day;
-- every region, also those without customers
select r.region, count(c.customer_id) as customers from regions r left join customers c on c.region = r.region group by r.region order by r.region;
-- targets beside what was reached
with reached as (select c.region, k.year_no, k.month_no, sum(o.amount) as total from orders o join customers c on c.customer_id = o.customer_id join calendar k on k.day = o.day group by c.region, k.year_no, k.month_no) select t.region, t.year_no, t.month_no, t.target, coalesce(r.total, 0) as reached from targets t left join reached r on r.region = t.region and r.year_no = t.year_no and r.month_no = t.month_no order by t.region, t.year_no, t.month_no;
-- amounts in one currency
select o.order_id, o.amount * r.rate as amount_eur from orders o join rates r on r.currency = o.currency and r.day = o.day order by o.order_id;
-- revenue in one currency
select sum(o.amount * r.rate) as revenue_eur from orders o join rates r on r.currency = o.currency and r.day = o.day where o.status = 'paid';
-- stock at one day
select sum(on_hand) as units from stock where day = '2026-03-01';
-- stock by day
select day, sum(on_hand) as units from stock group by day order by day;
-- the latest stock of each product
select product_id, on_hand from (select product_id, on_hand, row_number() over (partition by product_id order by day desc) as nth from stock) s where nth = 1 order by product_id;
-- stock by category of one day
select p.category, sum(s.on_hand) as units from stock s join products p on p.product_id = s.product_id where s.day = '2026-03-01' group by p.category;
-- products never sold
select title from products p where not exists (select 1 from items i where i.product_id = p.product_id) order by title;
-- products sold above their cost
select count(*) as n from items i join products p on p.product_id = i.product_id where i.price > p.cost;
-- best sellers
select p.title, sum(i.qty) as units from items i join products p on p.product_id = i.product_id group by p.product_id, p.title order by units desc, p.title limit 5;
-- products in more than two orders
select product_id, count(distinct order_id) as orders_of from items group by product_id having count(distinct order_id) > 2 order by product_id;
-- average number of lines
select avg(n * 1.0) as average_lines from (select order_id, count(*) as n from items group by order_id) per_order;
-- orders by number of lines
select n, count(*) as orders_of from (select order_id, count(*) as n from items group by order_id) per_order group by n order by n;
-- customers by number of orders
with per as (select customer_id, count(*) as n from orders group by customer_id) select n, count(*) as customers from per group by n order by n;
-- repeat customers as a share
with per as (select customer_id, count(*) as n from orders group by customer_id) select sum(case when n > 1 then 1 else 0 end) * 1.0 / count(*) as repeat_share from per;
-- first order of each customer
select customer_id, min(day) as first_day, max(day) as last_day, count(*) as n from orders group by customer_id order by customer_id;
-- cohorts by first order
with firsts as (select customer_id, min(day) as first_day from orders group by customer_id) select f.first_day, sum(o.amount) as revenue, count(distinct o.customer_id) as customers from orders o join firsts f on f.customer_id = o.customer_id group by f.first_day order by f.first_day;
-- customers lost
with last_seen as (select customer_id, max(day) as last_day from orders group by customer_id) select count(*) as lost from last_seen where last_day < '2026-02-01';
-- a funnel of three steps
select count(distinct case when kind = 'visit' then customer_id end) as visited, count(distinct case when kind = 'cart' then customer_id end) as carted, count(distinct case when kind = 'buy' then customer_id end) as bought from events;
-- a funnel in order of time
with v as (select customer_id, min(happened_at) as at_first from events where kind = 'visit' group by customer_id), b as (select customer_id, min(happened_at) as at_first from events where kind = 'buy' group by customer_id) select count(*) as visited, count(b.customer_id) as bought_after from v left join b on b.customer_id = v.customer_id and b.at_first > v.at_first;
-- events by kind
select kind, count(*) as n, sum(seconds) as seconds, avg(seconds) as average_seconds from events group by kind order by kind;
-- busiest customers
select e.customer_id, count(*) as n from events e group by e.customer_id having count(*) > (select avg(n * 1.0) from (select count(*) as n from events group by customer_id) per) order by e.customer_id;
-- sessions by a gap
with gaps as (select customer_id, event_id, case when lag(happened_at) over (partition by customer_id order by happened_at, event_id) is null then 1 else 0 end as opens from events) select customer_id, sum(opens) as firsts from gaps group by customer_id order by customer_id;
-- streaks as islands
with numbered as (select order_id, status, row_number() over (order by order_id) - row_number() over (partition by status order by order_id) as island from orders) select status, island, count(*) as n from numbered group by status, island order by status, island;
-- the middle amount by hand
with places as (select amount, row_number() over (order by amount, order_id) as place, count(*) over () as n from orders) select avg(amount) as middle from places where place in ((n + 1) / 2, (n + 2) / 2);
-- the most frequent channel
select channel, count(*) as n from orders where channel is not null group by channel order by n desc, channel limit 1;
-- several counts at once
select (select count(*) from customers) as customers, (select count(*) from orders) as orders_of, (select count(*) from products) as products;
-- several totals beside each other, each of one row
select o.total, p.paid, r.refunded from (select sum(amount) as total from orders) o cross join (select sum(paid) as paid from payments) p cross join (select sum(refunded) as refunded from refunds) r;
-- against one total
select o.status, sum(o.amount) as total, max(t.total) as whole from orders o cross join (select sum(amount) as total from orders) t group by o.status;
-- rows of a small spread
select order_id, amount from orders where amount between 50 and 150 order by order_id;
-- names that begin alike
select name from customers where lower(name) like 'a%' or upper(name) like '%N' order by name, customer_id;
-- lengths of names
select length(name) as letters, count(*) as n from customers group by length(name) order by letters;
-- texts replaced and cut
select customer_id, upper(substr(name, 1, 3)) as short, replace(name, ' ', '_') as slug, trim(name) as trimmed from customers order by customer_id;
-- notes that are empty or missing
select count(*) as n from orders where nullif(trim(note), '') is null;
-- rounding
select order_id, round(amount * 1.19, 2) as gross, abs(amount - 100) as off, coalesce(discount, 0) as discount from orders order by order_id;
-- distinct pairs
select count(*) as n from (select distinct customer_id, channel from orders) pairs;
-- rows of pairs
select order_id from orders where (customer_id, day) in (select customer_id, max(day) from orders group by customer_id) order by order_id;
-- the latest order of each by a joined maximum
select o.order_id, o.customer_id from orders o join (select customer_id, max(day) as last_day from orders group by customer_id) l on l.customer_id = o.customer_id and l.last_day = o.day order by o.order_id;
-- all of a list
select name from customers where customer_id in (1, 2, 3) and segment in ('retail', 'trade') order by customer_id;
-- flags
select sum(case when active then 1 else 0 end) as active, sum(case when not active then 1 else 0 end) as inactive from customers;
-- how many addresses are known
select count(email) as with_email, count(distinct email) as addresses, count(*) as customers from customers;
-- holidays and other days
select k.holiday, sum(o.amount) as revenue, count(*) as n from orders o join calendar k on k.day = o.day group by k.holiday;
-- weighted price by product
select product_id, sum(qty * price) / nullif(sum(qty), 0) as weighted_price from items group by product_id order by product_id;
-- price spread within a product
select product_id, max(price) - min(price) as spread, count(distinct price) as prices from items group by product_id having max(price) > min(price) order by product_id;
-- three queries that build on each other
with paid as (select order_id, customer_id, amount from orders where status = 'paid'), per as (select customer_id, sum(amount) as revenue, count(*) as n from paid group by customer_id), banded as (select case when revenue >= 500 then 'high' else 'low' end as band, revenue, n from per) select band, count(*) as customers, sum(revenue) as revenue, sum(n) as orders_of from banded group by band order by band;
-- a query within a query within a query
select avg(best) as average_best from (select customer_id, max(total) as best from (select customer_id, day, sum(amount) as total from orders group by customer_id, day) by_day group by customer_id) per_customer;
-- one source used twice under two names
with m as (select customer_id, sum(amount) as total from orders group by customer_id) select a.customer_id, a.total from m a where a.total >= (select avg(b.total) from m b) order by a.customer_id;
-- the alias of a table is that of another
select products.order_id, products.amount from orders products order by products.order_id limit 3;
-- concentration: how many customers make most of the revenue
with per as (select customer_id, sum(amount) as revenue from orders group by customer_id), run as (select customer_id, revenue, sum(revenue) over (order by revenue desc, customer_id rows between unbounded preceding and current row) as so_far, sum(revenue) over () as whole from per) select count(*) as customers from run where so_far - revenue < 0.8 * whole;
-- recency, frequency, value
with per as (select customer_id, max(day) as last_day, count(*) as n, sum(amount) as value_of from orders where status <> 'void' group by customer_id) select customer_id, ntile(3) over (order by last_day, customer_id) as r, ntile(3) over (order by n, customer_id) as f, ntile(3) over (order by value_of, customer_id) as m from per order by customer_id;
-- returned after paid
select count(*) as n from orders o where o.status = 'returned' and exists (select 1 from payments p where p.order_id = o.order_id) and o.amount <= (select max(r.refunded) * 100 from refunds r where r.order_id = o.order_id);
-- pairs bought together
select a.product_id as one, b.product_id as other, count(*) as together from items a join items b on a.order_id = b.order_id and a.product_id < b.product_id group by a.product_id, b.product_id order by together desc, one, other;
-- new customers by month of their first order
with firsts as (select customer_id, min(day) as first_day from orders group by customer_id) select k.year_no, k.month_no, count(*) as newcomers from firsts f join calendar k on k.day = f.first_day group by k.year_no, k.month_no order by k.year_no, k.month_no;
-- customers by their best month
with monthly as (select o.customer_id, k.month_no, sum(o.amount) as total from orders o join calendar k on k.day = o.day group by o.customer_id, k.month_no), best as (select customer_id, max(total) as top_total from monthly group by customer_id) select m.customer_id, m.month_no, m.total from monthly m join best b on b.customer_id = m.customer_id and b.top_total = m.total order by m.customer_id, m.month_no;
-- attach rate of a category
select count(distinct case when p.category = 'food' then i.order_id end) * 1.0 / count(distinct i.order_id) as attach_rate from items i join products p on p.product_id = i.product_id;
-- average basket by region
select region, avg(basket) as average_basket from (select c.region, o.order_id, sum(i.qty * i.price) as basket from orders o join customers c on c.customer_id = o.customer_id join items i on i.order_id = o.order_id group by c.region, o.order_id) b group by region order by region;
-- order totals against their lines
select o.order_id, o.amount, l.total from orders o join (select order_id, sum(qty * price) as total from items group by order_id) l on l.order_id = o.order_id where o.amount <> l.total order by o.order_id;
-- shipped in full or in part
select case when p.paid is null then 'unpaid' when p.paid < o.amount then 'part' else 'full' end as state, count(*) as n from orders o left join (select order_id, sum(paid) as paid from payments group by order_id) p on p.order_id = o.order_id group by case when p.paid is null then 'unpaid' when p.paid < o.amount then 'part' else 'full' end order by state;
-- the share of revenue refunded by category of the largest line
with largest as (select order_id, product_id from (select order_id, product_id, row_number() over (partition by order_id order by qty * price desc, line_no) as place from items) ranked where place = 1) select p.category, sum(o.amount) as revenue, sum(coalesce(r.refunded, 0)) as refunded from orders o join largest l on l.order_id = o.order_id join products p on p.product_id = l.product_id left join (select order_id, sum(refunded) as refunded from refunds group by order_id) r on r.order_id = o.order_id group by p.category order by p.category;
-- customers who bought in two months in a row
with months as (select distinct o.customer_id, k.year_no * 12 + k.month_no as m from orders o join calendar k on k.day = o.day) select count(distinct a.customer_id) as n from months a join months b on b.customer_id = a.customer_id and b.m = a.m + 1;
-- monthly retention of each cohort
with months as (select distinct o.customer_id, k.year_no * 12 + k.month_no as m from orders o join calendar k on k.day = o.day), firsts as (select customer_id, min(m) as first_m from months group by customer_id) select f.first_m, m.m - f.first_m as months_on, count(*) as customers from months m join firsts f on f.customer_id = m.customer_id group by f.first_m, m.m - f.first_m order by f.first_m, months_on;
-- running share of customers
with per as (select customer_id, sum(amount) as total from orders group by customer_id) select customer_id, total, sum(total) over (order by total desc, customer_id) / sum(total) over () as running_share from per order by total desc, customer_id;
-- deviations from the mean of the channel
select order_id, amount - avg(amount) over (partition by channel) as off_mean from orders where channel is not null order by order_id;
-- first to second order in days of the calendar
with numbered as (select customer_id, day, row_number() over (partition by customer_id order by day, order_id) as nth from orders) select a.customer_id, a.day as first_day, b.day as second_day from numbered a join numbered b on b.customer_id = a.customer_id and b.nth = a.nth + 1 where a.nth = 1 order by a.customer_id;
-- several grains in one report
select 'region' as grain, c.region as name, sum(o.amount) as total from orders o join customers c on c.customer_id = o.customer_id group by c.region union all select 'segment', c.segment, sum(o.amount) from orders o join customers c on c.customer_id = o.customer_id group by c.segment union all select 'all', 'all', sum(o.amount) from orders o order by grain, name;
-- a funnel by region
select c.region, count(distinct e.customer_id) as seen, count(distinct o.customer_id) as bought from customers c left join events e on e.customer_id = c.customer_id left join orders o on o.customer_id = c.customer_id group by c.region order by c.region;
-- top product of each category
select category, title, units from (select p.category, p.title, p.product_id, sum(i.qty) as units, rank() over (partition by p.category order by sum(i.qty) desc, p.product_id) as place from items i join products p on p.product_id = i.product_id group by p.category, p.title, p.product_id) ranked where place = 1 order by category;
-- events beside orders, each per customer
select c.name, coalesce(e.n, 0) as events_of, coalesce(o.n, 0) as orders_of from customers c left join (select customer_id, count(*) as n from events group by customer_id) e on e.customer_id = c.customer_id left join (select customer_id, count(*) as n from orders group by customer_id) o on o.customer_id = c.customer_id order by c.customer_id;
-- stock against units sold
select p.product_id, p.title, s.on_hand, coalesce(sold.units, 0) as units from products p left join stock s on s.product_id = p.product_id and s.day = '2026-06-01' left join (select product_id, sum(qty) as units from items group by product_id) sold on sold.product_id = p.product_id order by p.product_id;
-- change of stock between two days
select a.product_id, b.on_hand - a.on_hand as change_of from stock a join stock b on b.product_id = a.product_id where a.day = '2026-01-01' and b.day = '2026-02-01' order by a.product_id;
-- targets reached, in percent
select t.region, sum(t.target) as target, max(r.total) as reached from targets t left join (select c.region, sum(o.amount) as total from orders o join customers c on c.customer_id = o.customer_id group by c.region) r on r.region = t.region group by t.region order by t.region;
-- regions below their target
select t.region from (select region, sum(target) as target from targets group by region) t left join (select c.region, sum(o.amount) as total from orders o join customers c on c.customer_id = o.customer_id group by c.region) r on r.region = t.region where coalesce(r.total, 0) < t.target order by t.region;
-- managers and their revenue
select r.manager, count(distinct c.customer_id) as customers, count(distinct o.order_id) as orders_of, sum(o.amount) as revenue from regions r left join customers c on c.region = r.region left join orders o on o.customer_id = c.customer_id group by r.manager order by r.manager;
-- orders on holidays
select count(*) as n from orders where day in (select day from calendar where holiday);
-- the day with the most orders
select day, count(*) as n from orders group by day having count(*) = (select max(n) from (select count(*) as n from orders group by day) per_day) order by day;
-- customers of the first quartile
with per as (select customer_id, sum(amount) as total from orders group by customer_id), ranked as (select customer_id, total, ntile(4) over (order by total desc, customer_id) as quartile from per) select r.customer_id, c.name, r.total from ranked r join customers c on c.customer_id = r.customer_id where r.quartile = 1 order by r.total desc, r.customer_id;
-- an average without its extremes
select avg(amount) as trimmed_mean from orders where amount > (select min(amount) from orders) and amount < (select max(amount) from orders);
-- lines per order and units per line
select count(*) * 1.0 / count(distinct order_id) as lines_per_order, sum(qty) * 1.0 / count(*) as units_per_line from items;
-- payments later than a day after the order
select count(*) as n from payments p join orders o on o.order_id = p.order_id where p.paid_at > o.ordered_at;
-- two conditions on the same child
select count(*) as n from orders o where o.order_id in (select order_id from payments where method = 'card') and o.order_id not in (select order_id from refunds);
-- a union of keys, joined back
select c.region, count(*) as active_customers from (select customer_id from orders union select customer_id from events) a join customers c on c.customer_id = a.customer_id group by c.region order by c.region;
-- nested conditions
select count(*) as n from orders where (status = 'paid' and (channel = 'web' or channel is null)) or (status = 'open' and not (amount < 50 or amount > 400));
-- a constant beside groups
select 'EUR' as currency_of, status, sum(amount) as total, 1.0 as factor from orders where currency = 'EUR' group by status order by status;
-- the same table three times
select a.name, b.name as parent, c.name as grandparent from customers a left join customers b on b.customer_id = a.parent_id left join customers c on c.customer_id = b.parent_id order by a.customer_id;
-- children of each
select p.customer_id, p.name, count(c.customer_id) as children from customers p left join customers c on c.parent_id = p.customer_id group by p.customer_id, p.name order by p.customer_id;
-- revenue with and without children of a tree
select sum(case when c.parent_id is null then o.amount else 0 end) as own, sum(case when c.parent_id is not null then o.amount else 0 end) as of_children from orders o join customers c on c.customer_id = o.customer_id;
-- distinct days
select count(distinct day) as days_with_orders, min(day) as first_day, max(day) as last_day from orders;
-- orders without lines
select o.order_id from orders o left join items i on i.order_id = o.order_id where i.line_no is null order by o.order_id;
-- the price that a product is mostly sold at
with counted as (select product_id, price, count(*) as n, row_number() over (partition by product_id order by count(*) desc, price) as place from items group by product_id, price) select product_id, price, n from counted where place = 1 order by product_id;
-- a weighted average of rates
select currency, sum(amount * rate) / nullif(sum(amount), 0) as mean_rate from (select o.currency, o.amount, r.rate from orders o join rates r on r.currency = o.currency and r.day = o.day) x group by currency order by currency;
-- revenue by the top of a tree
with recursive tree(id, top_id) as (select customer_id, customer_id from customers where parent_id is null union all select c.customer_id, t.top_id from customers c join tree t on c.parent_id = t.id), totals as (select customer_id, sum(amount) as total from orders group by customer_id) select t.top_id, sum(o.total) as total from tree t join totals o on o.customer_id = t.id group by t.top_id order by t.top_id;
-- orders by depth in a tree
with recursive tree as (select c.customer_id, 0 as depth from customers c where c.parent_id is null union all select child.customer_id, tree.depth + 1 from tree join customers child on child.parent_id = tree.customer_id) select t.depth, count(o.order_id) as n, sum(o.amount) as total from tree t join orders o on o.customer_id = t.customer_id group by t.depth order by t.depth;
-- a literal of two lines
select count(*) as n from orders where channel <> 'by hand
and by post';
-- a name of two lines
select count(*) as "how many
orders" from orders;
