//! Views of a DDL: a statement over one is judged, scoped and proved as the query that it is; one that cannot be looked
//! through says why.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops where it fails"
)]

use std::time::Duration;

use tieout_sql::{
    Access, CheckedQuery, Context, DIALECTS, DUCKDB, Dialect, Limits, MYSQL, POSTGRES, Rejected, Schema,
    Scope, Severity, Value, check_text, ddl,
};

const TABLES: &str = "
    create table customers (id int primary key, region text, email text);
    create table orders (id int primary key, customer_id int references customers(id), amount numeric, status text);
    create table items (id int primary key, order_id int references orders(id), qty int);
    create view paid as select id, customer_id, amount from orders where status = 'paid';
    create view big (order_id, total) as select id, amount from paid where amount > 100;
    create view joined as select o.id, o.amount, i.qty from orders o join items i on i.order_id = o.id;
    create view contacts as select id, email from customers;
    create view regions as select region, sum(o.amount) as total
      from customers c join orders o on o.customer_id = c.id group by region;
    create or replace view latest as select id from orders order by id desc limit 5;
";

fn schema(text: &str, dialect: &Dialect) -> Schema {
    let mut schema = ddl::schema(text, dialect).unwrap();
    if let Some(orders) = schema.tables.get_mut("orders") {
        orders.tenant = Some("tenant_id".to_owned());
    }
    if let Some(email) = schema.tables.get_mut("customers").and_then(|table| table.columns.get_mut("email")) {
        email.access = Access::Hidden;
    }
    schema
}

fn checked(sql: &str, schema: &Schema, dialect: &Dialect) -> Result<CheckedQuery, Rejected> {
    let scope = Scope::tenant(Value::Integer(7));
    let limits = Limits { rows_max: 100, timeout: Duration::from_secs(1) };
    check_text(sql, Vec::new(), &Context { dialect, schema, scope: &scope, limits })
}

fn rejected(sql: &str, schema: &Schema, dialect: &Dialect) -> (&'static str, String) {
    let rejected = match checked(sql, schema, dialect) {
        Ok(checked) => panic!("{}: accepted as {}", dialect.name, checked.sql()),
        Err(rejected) => rejected,
    };
    let first = rejected.rejections.iter().find(|found| found.severity == Severity::Reject).unwrap();
    (first.rule, format!("{}; {}", first.message, first.hint))
}

#[test]
fn a_lawful_statement_over_a_view_is_bound_beneath_it() {
    for dialect in DIALECTS {
        let schema = schema(TABLES, dialect);
        assert_eq!(schema.views.len(), 6);
        for sql in [
            "select sum(amount) as total from paid",
            "select p.id from paid as p",
            "select c.region, sum(p.amount) as total from paid p join customers c on c.id = p.customer_id group by c.region",
            "select total from big where order_id > 3",
            "select max(b.total) as top from big b",
            "select count(*) as n from joined",
            "select region, total from regions",
            "with p as (select * from paid) select sum(amount) as total from p",
            "select id from orders where id in (select order_id from big)",
            "select count(*) as n from latest",
            "select paid.id from paid join big on big.order_id = paid.id",
        ] {
            let checked = checked(sql, &schema, dialect)
                .unwrap_or_else(|rejected| panic!("{}: {sql}: {rejected}", dialect.name));
            assert!(checked.tables().contains(&"orders".to_owned()), "{sql}");
            let references = checked.sql().matches("orders").count();
            assert!(references > 0 && !checked.proof().is_empty(), "{}", checked.sql());
            for proof in checked.proof() {
                assert_eq!(
                    (proof.table.as_str(), checked.binds().get(proof.bind)),
                    ("orders", Some(&Value::Integer(7)))
                );
            }
        }
    }
}

#[test]
fn what_is_shown_is_what_was_written_and_what_runs_is_over_tables() {
    let checked = checked("select sum(amount) from paid", &schema(TABLES, &DUCKDB), &DUCKDB).unwrap();
    assert_eq!(
        checked.written().split_whitespace().collect::<Vec<_>>().join(" "),
        "SELECT sum(amount) FROM paid"
    );
    assert_eq!(checked.columns()[0].lineage, [("orders".to_owned(), "amount".to_owned())]);
    assert!(checked.sql().contains("FROM \"orders\" AS t WHERE t.\"tenant_id\" = $1"), "{}", checked.sql());
    assert!(!checked.sql().contains("FROM paid)"), "{}", checked.sql());
}

#[test]
fn what_a_view_repeats_or_hides_is_seen_through_it() {
    for dialect in DIALECTS {
        let schema = schema(TABLES, dialect);
        for (sql, rule) in [
            ("select sum(amount) from joined", "fan_out"),
            ("select sum(j.amount) from joined j", "fan_out"),
            ("with j as (select * from joined) select sum(amount) from j", "fan_out"),
            ("select email from contacts", "hidden_columns"),
            ("select id from contacts where email like 'a%'", "hidden_columns"),
            ("select c.id from contacts c", "hidden_columns"),
            ("select status from paid", "known_names"),
            ("select amount from big", "known_names"),
            ("select p.id from paid p join customers c on c.id = p.id", "stated_joins"),
            ("select sum(r.total) from regions r join customers c on c.region = r.region", "fan_out"),
        ] {
            let (found, said) = rejected(sql, &schema, dialect);
            assert_eq!(found, rule, "{}: {sql}: {said}", dialect.name);
        }
    }
}

#[test]
fn a_named_query_cannot_slip_beneath_a_view() {
    for dialect in DIALECTS {
        let schema = schema(TABLES, dialect);
        for sql in [
            "with orders as (select 1 as id, 2 as customer_id, 3 as amount, 'paid' as status) select sum(amount) from paid",
            "with orders as (select 1 as id, 2 as amount, 'paid' as status) select total from big",
            "select * from (with orders as (select 1 as id, 2 as customer_id, 3 as amount, 'paid' as status) select id from paid) x",
        ] {
            let (rule, said) = rejected(sql, &schema, dialect);
            assert!(
                rule == "known_names" && said.contains("has the name of `orders`"),
                "{}: {said}",
                dialect.name
            );
        }
        for sql in [
            "select count(*) from paid tablesample bernoulli (10)",
            "select count(*) from paid tablesample system (10) repeatable (1)",
            "select count(*) from paid with ordinality",
            "select count(*) from paid for system_time as of '2026-01-01'",
            "select count(*) from paid partition (p0)",
            "select count(*) from only paid",
            "select count(*) from paid *",
        ] {
            assert!(checked(sql, &schema, dialect).is_err(), "{}: {sql}", dialect.name);
        }
        // One with the name of the view stands for itself.
        let own = checked("with paid as (select 1 as id) select id from paid", &schema, dialect).unwrap();
        assert!(own.tables().is_empty(), "{}", own.sql());
    }
}

#[test]
fn a_view_that_cannot_be_looked_through_says_why() {
    let text = "create table t (a int primary key);
        create view v1 as select a from nowhere;
        create view v2 as select pg_read_file('/etc/passwd') as a;
        create view v3 as select b from t;
        create view v4 as select * from v1;
        create view v5 as select a from t for update;
        create view v6 (a, b) as select a from t;
        create view v7 as select a from t where a = ;
        create materialized view v8 as select a from t;
        create view s.v9 as select usename from pg_user;";
    let schema = schema(text, &POSTGRES);
    for (view, reason) in [
        ("v1", "reads a table that is not known: `nowhere`"),
        ("v2", "calls `pg_read_file`, which is on no list"),
        ("v3", "names a column that is not known: `b`"),
        ("v4", "reads a view that cannot be looked through: `v1`"),
        ("v5", "holds FOR UPDATE"),
        ("v6", "names 2 columns and its query has 1"),
        ("v7", "does not parse"),
        ("v9", "reads the engine's own catalogue: `pg_user`"),
    ] {
        let (rule, said) = rejected(&format!("select a from {view}"), &schema, &POSTGRES);
        assert!(rule == "known_names" && said.contains(reason), "{view}: {said}");
        assert!(said.contains("cannot be looked through"), "{said}");
    }
    assert!(checked("select a from v8", &schema, &POSTGRES).is_ok());
}

#[test]
fn views_as_dumps_write_them_are_read() {
    let text = "CREATE TABLE `t` (`a` int NOT NULL, PRIMARY KEY (`a`)) ENGINE=InnoDB;
        CREATE ALGORITHM=UNDEFINED DEFINER=`root`@`localhost` SQL SECURITY DEFINER VIEW `v` AS select `t`.`a` AS `a` from `t`;";
    let schema = ddl::schema(text, &MYSQL).unwrap();
    assert!(checked("select a from v", &schema, &MYSQL).is_ok(), "{:?}", schema.views);
}

#[test]
fn views_that_double_are_bounded() {
    let mut text = "create table t (a int primary key); create view v0 as select a from t;".to_owned();
    for level in 1..40 {
        let below = level - 1;
        text.push_str(&format!(
            "create view v{level} as select x.a from v{below} x join v{below} y on y.a = x.a;"
        ));
    }
    let schema = schema(&text, &DUCKDB);
    assert!(checked("select count(*) from v3", &schema, &DUCKDB).is_ok());
    let (rule, said) = rejected("select count(*) from v39", &schema, &DUCKDB);
    assert_eq!(rule, "known_names", "{said}");
}
