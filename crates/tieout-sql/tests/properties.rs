//! What holds of every statement: nothing panics, what is printed parses back, and every table is bound.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop"
)]

use std::time::Duration;

use proptest::prelude::*;
use tieout_sql::build::{self, JoinKind, Order, SelectBuilder};
use tieout_sql::sqlparser::ast::{Expr, Query};
use tieout_sql::{
    Column, Context, DIALECTS, DUCKDB, Dialect, Limits, Relationship, Schema, Scope, Select, SqlType, Table,
    Value, check, check_text,
};

fn schema() -> Schema {
    let table = |name: &str, columns: &[&str]| {
        let columns = columns.iter().map(|column| Column::plain(column, SqlType::Integer)).collect();
        let mut table = Table::plain(name, columns);
        table.relation = vec!["raw".into(), format!("{name} rows")];
        table.tenant = Some("tenant id".into());
        table.primary_key = vec!["id".into()];
        table
    };
    let tables = [
        table("a", &["id", "x", "Order", "we\"ird"]),
        table("b", &["id", "a_id", "x"]),
        table("c", &["id", "b_id", "x"]),
    ];
    let link = |from: &str, column: &str, to: &str| Relationship {
        name: format!("{from}_{to}"),
        from: from.into(),
        to: to.into(),
        from_columns: vec![column.into()],
        to_columns: vec!["id".into()],
        required: false,
    };
    Schema {
        tables: tables.into_iter().map(|table| (table.name.clone(), table)).collect(),
        relationships: vec![link("b", "a_id", "a"), link("c", "b_id", "b")],
        ..Schema::default()
    }
}

fn context<'a>(dialect: &'a Dialect, schema: &'a Schema, scope: &'a Scope) -> Context<'a> {
    Context { dialect, schema, scope, limits: Limits { rows_max: 10, timeout: Duration::from_secs(1) } }
}

fn column() -> impl Strategy<Value = Expr> {
    prop_oneof![
        Just(build::col("a", "x")),
        Just(build::col("a", "Order")),
        Just(build::col("a", "we\"ird")),
        Just(build::col("b", "x")),
        Just(build::col("b", "id")),
    ]
}

fn expression() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![column(), any::<i64>().prop_map(build::int), (0usize..3).prop_map(build::bind)];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            (pair.clone(), 0u8..4).prop_map(|((a, b), op)| match op {
                0 => build::add(a, b),
                1 => build::sub(a, b),
                2 => build::mul(a, b),
                _ => build::div(a, b),
            }),
            (pair.clone(), 0u8..7).prop_map(|((a, b), op)| match op {
                0 => build::eq(a, b),
                1 => build::ne(a, b),
                2 => build::lt(a, b),
                3 => build::ge(a, b),
                4 => build::same(a, b),
                5 => build::and(vec![a.clone(), b, a]).unwrap(),
                _ => build::or(vec![a, b]).unwrap(),
            }),
            inner.clone().prop_map(build::not),
            inner.clone().prop_map(build::is_null),
            inner.clone().prop_map(|a| build::func("abs", &[a])),
            inner.clone().prop_map(|a| build::cast(a, SqlType::Decimal, &DUCKDB)),
            pair.clone().prop_map(|(a, b)| build::in_list(a, vec![b, build::int(-1)])),
            pair.prop_map(|(a, b)| build::case_when(vec![(a.clone(), b)], Some(a))),
        ]
    })
}

fn query() -> impl Strategy<Value = Query> {
    let aliases = prop::collection::vec("[a-z\"` ;'-]{1,8}", 3);
    (expression(), expression(), expression(), aliases, any::<bool>()).prop_map(
        |(shown, filter, on, names, nested)| {
            let on = build::and(vec![build::eq(build::col("b", "a_id"), build::col("a", "id")), on]);
            let query = SelectBuilder::new()
                .from_table("a", "a")
                .join_table(JoinKind::Left, "b", "b", on)
                .column(shown, &format!("{}1", names[0]))
                .column(build::col("a", "x"), &format!("{}2", names[1]))
                .filter(filter)
                .order_by(build::col("a", "Order"), Order::Descending)
                .build();
            match nested {
                false => query,
                true => SelectBuilder::new()
                    .with("n", query)
                    .from_table("n", &names[2])
                    .column(build::col(&names[2], &format!("{}2", names[1])), "v")
                    .limit(5)
                    .build(),
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn built_trees_pass_and_every_table_is_bound(query in query()) {
        let (schema, scope) = (schema(), Scope::tenant(Value::Integer(7)));
        let binds = vec![Value::Integer(1), Value::Integer(2), Value::Integer(3)];
        for dialect in DIALECTS {
            let select = Select { query: query.clone(), binds: binds.clone() };
            match check(select, &context(dialect, &schema, &scope)) {
                Ok(checked) => {
                    prop_assert_eq!(checked.proof().len(), 2);
                    prop_assert!(checked.binds().contains(&Value::Integer(7)));
                }
                Err(rejected) => prop_assert!(
                    rejected.rejections.iter().all(|found| found.rule == "equals_null"),
                    "{} {}\n{}", dialect.name, query, rejected
                ),
            }
        }
    }

    #[test]
    fn arbitrary_text_never_panics(text in ".{0,200}") {
        let (schema, scope) = (schema(), Scope::tenant(Value::Integer(7)));
        for dialect in DIALECTS {
            let _ = check_text(&text, Vec::new(), &context(dialect, &schema, &scope));
        }
    }

    #[test]
    fn arbitrary_words_never_panic_and_are_bound_when_accepted(words in prop::collection::vec(prop::sample::select(WORDS), 1..30)) {
        let (schema, scope) = (schema(), Scope::tenant(Value::Integer(7)));
        let text = format!("select {}", words.join(" "));
        for dialect in DIALECTS {
            if let Ok(checked) = check_text(&text, Vec::new(), &context(dialect, &schema, &scope)) {
                let reads = checked.sql().matches("raw").count();
                prop_assert_eq!(checked.proof().len(), reads, "{}", checked.sql());
            }
        }
    }
}

const WORDS: &[&str] = &[
    "select",
    "from",
    "where",
    "a",
    "b",
    "c",
    "a.x",
    "b.id",
    "b.a_id",
    "a.id",
    "=",
    ",",
    "(",
    ")",
    "*",
    "x",
    "id",
    "join",
    "left join",
    "on",
    "using",
    "group by",
    "order by",
    "limit",
    "1",
    "'t'",
    "union all",
    "with",
    "as",
    "lateral",
    "count(*)",
    "sum(x)",
    "exists",
    "in",
    "not",
    "null",
    "case",
    "when",
    "then",
    "end",
    "over",
    "--",
    ";",
    "and",
    "or",
    "is",
    "distinct",
    "having",
    "values",
    "recursive",
    "natural",
    "cross join",
    "t",
];

#[test]
fn deep_and_large_inputs_are_rejected_in_time() {
    let (schema, scope) = (schema(), Scope::tenant(Value::Integer(7)));
    let nested = format!("select {}x{} from a", "(".repeat(5000), ")".repeat(5000));
    let chained = format!("select x{} from a", " + 1".repeat(5000));
    let medium = format!("select x{} from a", " + 1".repeat(500));
    let mixed = format!("select x{} from a", " + 1 * 2 - 3".repeat(100));
    let negated = format!("select {} x from a", "not ".repeat(5000));
    let selects = format!("{}select x from a{}", "select * from (".repeat(300), ") q".repeat(300));
    let unions = vec!["select x from a"; 2000].join(" union all ");
    let cases =
        format!("select {}1{} from a", "case when x > 0 then 1 else ".repeat(300), " end".repeat(300));
    let casts = format!("select x{} from a", "::int".repeat(3000));
    let doubling: String = (1..40).fold("with t0 as (select * from a)".to_owned(), |text, n| {
        format!("{text}, t{n} as (select p.* from t{m} p, t{m} q)", m = n - 1)
    });
    let staircase = (0..40).fold("1".to_owned(), |inner, _| format!("({inner}){}", " + 1".repeat(150)));
    let staircase = format!("select {staircase} from a");
    let near = format!("select x{} from a where {}", " + 1".repeat(180), vec!["x = 1"; 90].join(" or "));
    let huge = format!("select {} from a", "x, ".repeat(4_000_000));
    let wide = format!("select x from a where x in ({})", vec!["1"; 20_000].join(", "));
    for text in [
        &nested,
        &chained,
        &medium,
        &mixed,
        &negated,
        &selects,
        &unions,
        &cases,
        &casts,
        &huge,
        &wide,
        &staircase,
        &near,
        &format!("{doubling} select x from t39"),
    ] {
        for dialect in DIALECTS {
            let started = std::time::Instant::now();
            let result = check_text(text, Vec::new(), &context(dialect, &schema, &scope));
            let verdict =
                result.map_or_else(|rejected| rejected.rejections[0].message.clone(), |_| "accepted".into());
            assert!(
                started.elapsed() < Duration::from_secs(5),
                "{:?} for {}",
                started.elapsed(),
                &text[..40]
            );
            println!("{:10} {:>8?} {:.40} … {verdict:.60}", dialect.name, started.elapsed(), text);
        }
    }
}
