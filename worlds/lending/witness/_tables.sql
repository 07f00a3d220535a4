-- The raw files, read by hand for the witnesses; nothing of tieout has a part in it.
create table loans as
select loan_id::bigint as loan_id, customer_id::bigint as customer_id, officer_id::bigint as officer_id,
  branch_id::bigint as branch_id, product, status, replace(principal, ',', '')::decimal(18, 2) as principal, currency,
  strptime(disbursed_on, '%d/%m/%Y')::date as disbursed_on, strptime(closed_on, '%d/%m/%Y')::date as closed_on
from read_csv('data/loans.csv', header = true, all_varchar = true)
where loan_id <> 'Total';
create table repayments as
select repayment_id::bigint as repayment_id, loan_id::bigint as loan_id, due_on::date as due_on, paid_on::date as paid_on,
  due_amount::decimal(18, 2) as due_amount, paid_amount::decimal(18, 2) as paid_amount, currency, status
from read_csv('data/repayments.csv', header = true, delim = ';', all_varchar = true);
create table customers as from read_csv('data/customers.csv', header = true, encoding = 'latin-1');
create table balances as
select loan_id::bigint as loan_id, as_of::date as as_of, outstanding::decimal(18, 2) as outstanding, currency
from read_csv('data/balances.csv', header = true, all_varchar = true);
create table officers as from read_csv('data/officers.csv', header = true);
create table branches as from read_csv('data/branches.csv', header = true);
