-- The raw files, read by hand for the witnesses; nothing of tieout has a part in it.
create table customers as from read_csv('data/customers.csv', header = true);
create table ledger as from read_csv('data/ledger.csv', header = true);
create table order_lines as from read_csv('data/order_lines.csv', header = true);
create table orders as from read_csv('data/orders.csv', header = true);
create table products as from read_csv('data/products.csv', header = true);
create table regions as from read_csv('data/regions.csv', header = true);
create table shipments as from read_csv('data/shipments.csv', header = true);
create table subscriptions as from read_csv('data/subscriptions.csv', header = true);
create table subscription_balances as from read_csv('data/subscription_balances.csv', header = true);
