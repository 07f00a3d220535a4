//! The builder and the first door: what the compiler makes is accepted, scoped and limited.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop"
)]

use std::time::Duration;

use tieout_sql::build::{self, JoinKind, Order, SelectBuilder};
use tieout_sql::{
    Column, Context, DUCKDB, Dialect, Fragment, Limits, MYSQL, POSTGRES, Relationship, Schema, Scope, Select,
    SqlType, Table, Value, check, check_text,
};

fn schema() -> Schema {
    let mut ledger = Table::plain(
        "ledger",
        vec![
            Column { identifier: true, nullable: false, ..Column::plain("entry_id", SqlType::Integer) },
            Column { identifier: true, ..Column::plain("customer_id", SqlType::Integer) },
            Column::plain("amount", SqlType::Integer),
            Column::plain("kind", SqlType::Text),
        ],
    );
    ledger.relation = vec!["main".into(), "ledger".into()];
    ledger.primary_key = vec!["entry_id".into()];
    ledger.tenant = Some("tenant_id".into());
    ledger.row_filter = Fragment::parse("kind <> 'void'", &DUCKDB).ok();
    let mut customers = Table::plain(
        "customers",
        vec![
            Column { identifier: true, nullable: false, ..Column::plain("customer_id", SqlType::Integer) },
            Column::plain("region", SqlType::Text),
        ],
    );
    customers.primary_key = vec!["customer_id".into()];
    customers.tenant = Some("tenant_id".into());
    Schema {
        tables: [ledger, customers].into_iter().map(|table| (table.name.clone(), table)).collect(),
        relationships: vec![Relationship {
            name: "ledger_customer".into(),
            from: "ledger".into(),
            to: "customers".into(),
            from_columns: vec!["customer_id".into()],
            to_columns: vec!["customer_id".into()],
            required: true,
        }],
        ..Schema::default()
    }
}

fn context<'a>(dialect: &'a Dialect, schema: &'a Schema, scope: &'a Scope) -> Context<'a> {
    Context { dialect, schema, scope, limits: Limits { rows_max: 100, timeout: Duration::from_secs(5) } }
}

fn built() -> Select {
    let query = SelectBuilder::new()
        .from_table("ledger", "l")
        .join_table(
            JoinKind::Left,
            "customers",
            "c",
            Some(build::eq(build::col("l", "customer_id"), build::col("c", "customer_id"))),
        )
        .column(build::col("c", "region"), "region")
        .column(
            build::agg(
                "sum",
                &[build::col("l", "amount")],
                build::Distinct::All,
                Some(build::eq(build::col("l", "kind"), build::bind(0))),
            ),
            "total revenue",
        )
        .group_by(build::col("c", "region"))
        .order_by(build::col("c", "region"), Order::Ascending)
        .build();
    Select { query, binds: vec![Value::Text("sale".into())] }
}

#[test]
fn a_built_query_is_scoped_and_limited() {
    let (schema, scope) = (schema(), Scope::tenant(Value::Integer(7)));
    for dialect in [&DUCKDB, &POSTGRES, &MYSQL] {
        let checked = check(built(), &context(dialect, &schema, &scope)).unwrap();
        println!("{}\n{}", checked.sql(), checked.written());
        assert_eq!(checked.proof().len(), 2);
        assert!(checked.sql().contains("101"));
    }
}

#[test]
fn no_tenant_means_no_rows() {
    let (schema, scope) = (schema(), Scope::none());
    let rejected = check_text("select count(*) from ledger", Vec::new(), &context(&DUCKDB, &schema, &scope))
        .unwrap_err();
    assert_eq!(rejected.rejections[0].rule, "tenant");
}
