//! Trees as a compiler builds them, held against the definitions they were built from, in every dialect: joined parents,
//! exclusions that keep NULL, bound periods, steps of time, related rows. What is left out of one is seen.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may stop")]

mod case_files;

use std::time::Duration;

use tieout_sql::against::{
    Expected, ExpectedAggregate, ExpectedCondition, ExpectedFigure, ExpectedGrouping, ExpectedPeriod,
    FieldTest, Hop, Presence, Role, Test, Verdict,
};
use tieout_sql::build::{self, Distinct, JoinKind, SelectBuilder};
use tieout_sql::sqlparser::ast::Expr;
use tieout_sql::{
    Context, DIALECTS, DUCKDB, Dialect, Fragment, Limits, Rejected, Schema, Scope, Select, SqlType, Value,
    check_against,
};

const SCHEMA: &str = "\
ledger: entry_id integer key id, customer_id integer id, kind text required, channel text, amount integer required, at datetime required
  tenant tenant_id
customers: customer_id integer key id, region text, plan text required
notes: note_id integer key id, entry_id integer id required, stars integer required
ledger.customer_id -> customers.customer_id optional
notes.entry_id -> ledger.entry_id
";

fn moment(text: &str) -> Value {
    Value::DateTime(text.parse().unwrap())
}

fn fragment(text: &str) -> Fragment {
    Fragment::parse(text, &DUCKDB).unwrap()
}

fn starts() -> Vec<Value> {
    ["2026-07-01T00:00", "2026-08-01T00:00", "2026-09-01T00:00"].map(moment).to_vec()
}

fn expected() -> Expected {
    let condition = |role, words: &str, test| ExpectedCondition { role, words: words.to_owned(), test };
    let figure =
        |name: &str, aggregate| ExpectedFigure { name: name.to_owned(), aggregate, conditions: Vec::new() };
    Expected {
        base: "ledger".to_owned(),
        figures: vec![
            figure("rows", ExpectedAggregate::CountRows),
            figure("revenue", ExpectedAggregate::Sum(fragment("amount"))),
        ],
        conditions: vec![
            condition(Role::Metric, "sales and refunds", Test::Holds(fragment("kind in ('sale', 'refund')"))),
            condition(Role::Exclusion, "test channels", Test::HoldsNot(fragment("channel = 'test'"))),
            condition(
                Role::Filter,
                "customers not on the free plan",
                Test::Field {
                    path: vec![Hop::ToOne("ledger_customers".into())],
                    column: "plan".into(),
                    is: FieldTest::NoneOf(vec![Value::Text("free".into())]),
                },
            ),
            condition(
                Role::Population,
                "entries with a good note",
                Test::Related {
                    path: vec![Hop::ToMany("notes_ledger".into())],
                    presence: Presence::Exists,
                    tests: vec![Test::Holds(fragment("stars >= 4"))],
                },
            ),
        ],
        period: Some(ExpectedPeriod {
            column: "at".into(),
            start: moment("2026-07-01T00:00"),
            end: moment("2026-10-01T00:00"),
        }),
        groupings: vec![
            ExpectedGrouping::Field {
                path: vec![Hop::ToOne("ledger_customers".into())],
                column: "region".into(),
            },
            ExpectedGrouping::Steps { column: "at".into(), starts: starts() },
        ],
        order: Vec::new(),
        limit: None,
    }
}

/// The statement, without one of its parts when `missing` names it.
fn built(dialect: &Dialect, missing: &str) -> Select {
    let mut binds: Vec<Value> = Vec::new();
    let mut bound = |value: Value| {
        binds.push(value);
        build::cast(build::bind(binds.len() - 1), SqlType::DateTime, dialect)
    };
    let at = || build::col("ledger", "at");
    let (from, until) = (bound(moment("2026-07-01T00:00")), bound(moment("2026-10-01T00:00")));
    let [july, august, september] = <[Value; 3]>::try_from(starts()).unwrap().map(&mut bound);
    let later = build::case_when(vec![(build::lt(at(), september), build::int(1))], Some(build::int(2)));
    let inside = build::case_when(vec![(build::lt(at(), august), build::int(0))], Some(later));
    let step = build::case_when(vec![(build::lt(at(), july), build::int(-1))], Some(inside));
    let plan = || build::col("customers", "plan");
    let free = Value::Text("free".into());
    binds.push(free);
    let not_free = build::not(build::eq(plan(), build::bind(binds.len() - 1)));
    let good = SelectBuilder::new()
        .from_table("notes", "notes")
        .column(build::int(1), "one")
        .filter(build::eq(build::col("ledger", "entry_id"), build::col("notes", "entry_id")))
        .filter(fragment("stars >= 4").qualified("notes"));
    let excluded =
        Expr::IsNotTrue(Box::new(Expr::Nested(Box::new(fragment("channel = 'test'").qualified("ledger")))));
    let parts: Vec<(&str, Expr)> = vec![
        ("metric", fragment("kind in ('sale', 'refund')").qualified("ledger")),
        ("exclusion", excluded),
        ("period", build::and(vec![build::ge(at(), from), build::lt(at(), until)]).unwrap()),
        ("filter", build::or(vec![not_free, build::is_null(plan())]).unwrap()),
        ("population", build::exists(good.build())),
    ];
    let on = build::eq(build::col("ledger", "customer_id"), build::col("customers", "customer_id"));
    let kind = if missing == "join" { JoinKind::Inner } else { JoinKind::Left };
    let region = build::col("customers", "region");
    let mut select = SelectBuilder::new()
        .from_table("ledger", "ledger")
        .join_table(kind, "customers", "customers", Some(on))
        .column(region.clone(), "g1")
        .column(step.clone(), "g2")
        .column(build::count_star(), "n")
        .column(build::agg("sum", &[build::col("ledger", "amount")], Distinct::All, None), "p1")
        .group_by(region);
    if missing != "grouping" {
        select = select.group_by(step);
    } else {
        select = select.group_by(step).group_by(build::col("ledger", "kind"));
    }
    for (name, part) in parts {
        if name != missing {
            select = select.filter(part);
        }
    }
    Select { query: select.build(), binds }
}

fn judged(dialect: &Dialect, schema: &Schema, missing: &str) -> Result<usize, Rejected> {
    let scope = Scope::tenant(Value::Integer(7));
    let limits = Limits { rows_max: 1000, timeout: Duration::from_secs(5) };
    let cx = Context { dialect, schema, scope: &scope, limits };
    let (_, findings) = check_against(built(dialect, missing), &cx, &expected())?;
    assert!(findings.iter().all(|finding| finding.verdict == Verdict::Present));
    Ok(findings.len())
}

#[test]
fn what_is_built_from_definitions_holds_against_them() {
    let schema = case_files::schema(SCHEMA);
    for dialect in DIALECTS {
        match judged(dialect, &schema, "") {
            // Two figures, the table, four conditions, the period, two groupings.
            Ok(count) => assert_eq!(count, 10, "{}", dialect.name),
            Err(rejected) => panic!("{}: {rejected}", dialect.name),
        }
    }
}

#[test]
fn each_part_that_is_left_out_is_seen() {
    let schema = case_files::schema(SCHEMA);
    for dialect in DIALECTS {
        for missing in ["metric", "exclusion", "period", "filter", "population", "join", "grouping"] {
            let rejected = judged(dialect, &schema, missing).expect_err(missing);
            let rules: Vec<&str> = rejected.rejections.iter().map(|rejection| rejection.rule).collect();
            let wanted = if ["join", "grouping"].contains(&missing) {
                "definition_extra"
            } else {
                "definition_absent"
            };
            assert!(rules.contains(&wanted), "{} {missing}: {rejected}", dialect.name);
        }
    }
}
