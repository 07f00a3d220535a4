-- The raw files, read by hand for the witnesses; nothing of tieout has a part in it.
set timezone = 'Europe/Amsterdam';
create table tickets as from read_csv('data/tickets.csv', header = true);
create table surveys as from read_csv('data/surveys.csv', header = true);
create table backlog as from read_csv('data/backlog.csv', header = true);
create table agents as from read_csv('data/agents.csv', header = true);
create table customers as from read_csv('data/customers.csv', header = true);
create table categories as from read_csv('data/categories.csv', header = true);
