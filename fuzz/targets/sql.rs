//! The SQL checker, on any text and every dialect: it gives a query or rejections, and never panics. What passes reads
//! only tables that it names, has the tenant bound on every one of them, and passes again as it was written down.

#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use tieout_sql::{
    Access, CheckedQuery, Column, Context, DIALECTS, Limits, Relationship, Schema, Scope, SqlType, Table, Value, check_text,
};

const TENANT: Value = Value::Integer(7_000_007);

fn table(name: &str, columns: &[(&str, SqlType)]) -> Table {
    let columns = columns.iter().map(|(name, ty)| Column::plain(name, *ty)).collect();
    let mut table = Table::plain(name, columns);
    table.relation = vec!["raw".to_owned(), format!("{name} rows")];
    table.tenant = Some("tenant id".to_owned());
    table.primary_key = vec!["id".to_owned()];
    table
}

fn schema() -> Schema {
    let mut customers = table(
        "customers",
        &[
            ("id", SqlType::Integer),
            ("region", SqlType::Text),
            ("email", SqlType::Text),
            ("born_on", SqlType::Date),
        ],
    );
    if let Some(email) = customers.columns.get_mut("email") {
        email.access = Access::Hidden;
    }
    let orders = table(
        "orders",
        &[
            ("id", SqlType::Integer),
            ("customer_id", SqlType::Integer),
            ("amount", SqlType::Decimal),
            ("Order", SqlType::Text),
        ],
    );
    let lines = table(
        "lines",
        &[("id", SqlType::Integer), ("order_id", SqlType::Integer), ("pieces", SqlType::Integer)],
    );
    let link = |from: &str, column: &str, to: &str| Relationship {
        name: format!("{from}_{to}"),
        from: from.to_owned(),
        to: to.to_owned(),
        from_columns: vec![column.to_owned()],
        to_columns: vec!["id".to_owned()],
        required: false,
    };
    Schema {
        tables: [customers, orders, lines].into_iter().map(|table| (table.name.clone(), table)).collect(),
        relationships: vec![link("orders", "customer_id", "customers"), link("lines", "order_id", "orders")],
        ..Schema::default()
    }
}

/// What passes was printed as it was judged: the laid-out text passes too, and says the same.
fn again(checked: &CheckedQuery, context: &Context, binds: &[Value]) {
    // Where signs have no numbers, the laid-out text numbers them.
    if context.dialect.name == "mysql" && checked.written().contains('?') {
        return;
    }
    let name = context.dialect.name;
    match check_text(checked.written(), binds.to_vec(), context) {
        Ok(second) => {
            assert_eq!(checked.sql(), second.sql(), "{name}: {}", checked.written());
            assert_eq!(checked.columns(), second.columns(), "{name}: {}", checked.written());
            assert_eq!(checked.tables(), second.tables(), "{name}: {}", checked.written());
            assert_eq!(checked.proof(), second.proof(), "{name}: {}", checked.written());
        }
        Err(rejected) => panic!("{name}: {} is rejected the second time: {rejected}", checked.written()),
    }
}

fuzz_target!(|text: &str| {
    let (schema, scope) = (schema(), Scope::tenant(TENANT));
    for dialect in DIALECTS {
        let limits = Limits { rows_max: 100, timeout: Duration::from_secs(1) };
        let context = Context { dialect, schema: &schema, scope: &scope, limits };
        let binds = vec![Value::Integer(1), Value::Text("a".to_owned())];
        match check_text(text, binds.clone(), &context) {
            Ok(checked) => {
                for table in checked.tables() {
                    let bound = checked.proof().iter().any(|proof| proof.table == *table);
                    assert!(
                        bound,
                        "{}: `{table}` is read without its tenant: {}",
                        dialect.name,
                        checked.sql()
                    );
                }
                for proof in checked.proof() {
                    assert_eq!(
                        checked.binds().get(proof.bind),
                        Some(&TENANT),
                        "{}: {}",
                        dialect.name,
                        checked.sql()
                    );
                }
                again(&checked, &context, &binds);
                let hidden = ("customers".to_owned(), "email".to_owned());
                for column in checked.columns() {
                    assert!(!column.lineage.contains(&hidden), "{}: {}", dialect.name, checked.written());
                }
            }
            Err(rejected) => {
                assert!(!rejected.rejections.is_empty(), "rejected without a reason");
                assert!(!rejected.to_string().is_empty());
            }
        }
    }
});
