//! Conditions are drawn at random and worked out on every row of a small world: when the checker takes one for the
//! other they must agree on every row. Some are the same condition spelled otherwise, which it must take. Nothing
//! panics, however strange the statement.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop"
)]

use std::time::Duration;

use proptest::prelude::*;
use tieout_sql::against::{Expected, ExpectedAggregate, ExpectedCondition, ExpectedFigure, Role, Test};
use tieout_sql::{
    Column, Context, DUCKDB, Fragment, Limits, Schema, Scope, SqlType, Table, check_text_against,
    explain_text,
};

/// A value of a row; `None` is NULL.
type Row = (Option<i64>, Option<&'static str>, Option<bool>, i64);

/// A condition over `n` (a number), `t` (a text), `b` (true or false), `d` (a day of 2026-09, never NULL).
#[derive(Clone, Debug)]
enum C {
    Number(&'static str, i64),
    Between(i64, i64),
    Text(bool, &'static str),
    Among(bool, Vec<&'static str>),
    Null(&'static str, bool),
    Truth,
    Day(&'static str, i64),
    Not(Box<C>),
    And(Box<C>, Box<C>),
    Or(Box<C>, Box<C>),
    IsTrue(Box<C>, bool),
    Coalesced(Box<C>, bool),
}

impl C {
    fn eval(&self, row: &Row) -> Option<bool> {
        let (n, t, b, d) = row;
        let compared = |a: i64, op: &str, b: i64| match op {
            "<" => a < b,
            "<=" => a <= b,
            ">" => a > b,
            ">=" => a >= b,
            "=" => a == b,
            _ => a != b,
        };
        match self {
            C::Number(op, value) => n.map(|n| compared(n, op, *value)),
            C::Between(low, high) => n.map(|n| n >= *low && n <= *high),
            C::Text(is, value) => t.map(|t| (t == *value) == *is),
            C::Among(is, values) => t.map(|t| values.contains(&t) == *is),
            C::Null(column, is) => {
                let null = match *column {
                    "n" => n.is_none(),
                    "t" => t.is_none(),
                    "b" => b.is_none(),
                    _ => false,
                };
                Some(null == *is)
            }
            C::Truth => *b,
            C::Day(op, value) => Some(compared(*d, op, *value)),
            C::Not(inner) => inner.eval(row).map(|value| !value),
            C::And(a, b) => match (a.eval(row), b.eval(row)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            C::Or(a, b) => match (a.eval(row), b.eval(row)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            C::IsTrue(inner, is) => Some((inner.eval(row) == Some(true)) == *is),
            C::Coalesced(inner, otherwise) => Some(inner.eval(row).unwrap_or(*otherwise)),
        }
    }

    fn sql(&self) -> String {
        match self {
            C::Number(op, value) => format!("n {op} {value}"),
            C::Between(low, high) => format!("n between {low} and {high}"),
            C::Text(is, value) => format!("t {} '{value}'", if *is { "=" } else { "<>" }),
            C::Among(is, values) => {
                let values: Vec<String> = values.iter().map(|value| format!("'{value}'")).collect();
                format!("t {}in ({})", if *is { "" } else { "not " }, values.join(", "))
            }
            C::Null(column, is) => format!("{column} is {}null", if *is { "" } else { "not " }),
            C::Truth => "b".to_owned(),
            C::Day(op, day) => format!("d {op} date '2026-09-{day:02}'"),
            C::Not(inner) => format!("not ({})", inner.sql()),
            C::And(a, b) => format!("({}) and ({})", a.sql(), b.sql()),
            C::Or(a, b) => format!("({}) or ({})", a.sql(), b.sql()),
            C::IsTrue(inner, is) => format!("({}) is {}true", inner.sql(), if *is { "" } else { "not " }),
            C::Coalesced(inner, otherwise) => format!("coalesce({}, {otherwise})", inner.sql()),
        }
    }

    /// The same condition, spelled otherwise.
    fn respelled(&self, turn: u64) -> String {
        let other = |inner: &C| inner.respelled(turn / 3);
        match self {
            C::Between(low, high) if turn.is_multiple_of(2) => format!("n >= {low} and not (n > {high})"),
            C::Number(">", value) => format!("n >= {}", value + 1),
            C::Number("<=", value) => format!("{} > n", value + 1),
            C::Text(true, value) => format!("t in ('{value}')"),
            C::Text(false, value) => format!("not (t = '{value}')"),
            C::Among(true, values) => {
                let parts: Vec<String> = values.iter().rev().map(|value| format!("t = '{value}'")).collect();
                format!("({})", parts.join(" or "))
            }
            C::Among(false, values) => {
                let parts: Vec<String> = values.iter().map(|value| format!("'{value}' <> t")).collect();
                format!("({})", parts.join(" and "))
            }
            C::Null(column, true) if turn.is_multiple_of(2) => format!("not ({column} is not null)"),
            C::Truth if turn.is_multiple_of(2) => "b = true".to_owned(),
            C::Day("<=", day) => format!("d < '2026-09-{:02}'", day + 1),
            C::Day(">", day) => format!("d >= date '2026-09-{day:02}' + interval '1 day'"),
            C::And(a, b) if turn.is_multiple_of(2) => {
                format!("not (not ({}) or not ({}))", other(b), other(a))
            }
            C::And(a, b) => format!("({}) and ({})", other(b), other(a)),
            C::Or(a, b) if turn.is_multiple_of(2) => {
                format!("not (not ({}) and not ({}))", other(a), other(b))
            }
            C::Or(a, b) => format!("({}) or ({})", other(b), other(a)),
            C::Not(inner) => format!("not ({})", other(inner)),
            C::IsTrue(inner, true) => format!("coalesce({}, false)", other(inner)),
            C::IsTrue(inner, false) => format!("not coalesce({}, false)", other(inner)),
            C::Coalesced(inner, true) => format!("({}) is not false", other(inner)),
            C::Coalesced(inner, false) => format!("({}) is true", other(inner)),
            same => same.sql(),
        }
    }
}

fn conditions() -> impl Strategy<Value = C> {
    let op = prop::sample::select(vec!["<", "<=", ">", ">=", "=", "<>"]);
    let text = prop::sample::select(vec!["x", "y", "z"]);
    let leaf = prop_oneof![
        (op.clone(), 1i64..5).prop_map(|(op, value)| C::Number(op, value)),
        (1i64..4, 1i64..5).prop_map(|(low, high)| C::Between(low, high)),
        (any::<bool>(), text.clone()).prop_map(|(is, value)| C::Text(is, value)),
        (any::<bool>(), prop::collection::vec(text, 1..3)).prop_map(|(is, values)| C::Among(is, values)),
        (prop::sample::select(vec!["n", "t", "b", "d"]), any::<bool>())
            .prop_map(|(column, is)| C::Null(column, is)),
        Just(C::Truth),
        (op, 3i64..6).prop_map(|(op, day)| C::Day(op, day)),
    ];
    leaf.prop_recursive(3, 12, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| C::Not(Box::new(a))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| C::And(Box::new(a), Box::new(b))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| C::And(Box::new(a), Box::new(b))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| C::Or(Box::new(a), Box::new(b))),
            (inner.clone(), any::<bool>()).prop_map(|(a, is)| C::IsTrue(Box::new(a), is)),
            (inner, any::<bool>()).prop_map(|(a, is)| C::Coalesced(Box::new(a), is)),
        ]
    })
}

fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for n in [None, Some(0), Some(1), Some(2), Some(3), Some(4), Some(5), Some(6)] {
        for t in [None, Some("x"), Some("y"), Some("z"), Some("w")] {
            for b in [None, Some(true), Some(false)] {
                rows.extend((2..7).map(|d| (n, t, b, d)));
            }
        }
    }
    rows
}

fn schema() -> Schema {
    let mut schema = Schema::default();
    let day = Column { nullable: false, ..Column::plain("d", SqlType::Date) };
    let columns = vec![
        Column::plain("n", SqlType::Integer),
        Column::plain("t", SqlType::Text),
        Column::plain("b", SqlType::Boolean),
        day,
    ];
    schema.tables.insert("world".to_owned(), Table::plain("world", columns));
    schema
}

fn taken(condition: &str, sql: &str) -> bool {
    let expected = Expected {
        base: "world".to_owned(),
        figures: vec![ExpectedFigure {
            name: "rows".to_owned(),
            aggregate: ExpectedAggregate::CountRows,
            conditions: Vec::new(),
        }],
        conditions: vec![ExpectedCondition {
            role: Role::Filter,
            words: condition.to_owned(),
            test: Test::Holds(Fragment::parse(condition, &DUCKDB).unwrap()),
        }],
        period: None,
        groupings: Vec::new(),
        order: Vec::new(),
        limit: None,
    };
    let (schema, scope) = (schema(), Scope::none());
    let limits = Limits { rows_max: 1000, timeout: Duration::from_secs(30) };
    let cx = Context { dialect: &DUCKDB, schema: &schema, scope: &scope, limits };
    check_text_against(sql, Vec::new(), &cx, &expected).is_ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_taken_for_the_same_is_the_same(a in conditions(), b in conditions()) {
        let same = rows().iter().all(|row| (a.eval(row) == Some(true)) == (b.eval(row) == Some(true)));
        for sql in [
            format!("select count(*) from world where {}", b.sql()),
            format!("select count(*) filter (where {}) from world", b.sql()),
            format!("select count(*) from (select * from world where {}) w", b.sql()),
        ] {
            prop_assert!(same || !taken(&a.sql(), &sql), "{} is taken for {}", b.sql(), a.sql());
        }
    }

    #[test]
    fn a_condition_is_itself_however_it_is_spelled(a in conditions(), turn in any::<u64>()) {
        let sql = format!("select count(*) from world where {}", a.sql());
        prop_assert!(taken(&a.sql(), &sql), "{}", a.sql());
        let sql = format!("select count(*) from world where {}", a.respelled(turn));
        prop_assert!(taken(&a.sql(), &sql), "{} is not taken for {}", a.respelled(turn), a.sql());
    }

    #[test]
    fn one_conjunct_more_or_less_is_seen(a in conditions(), b in conditions()) {
        let both = C::And(Box::new(a.clone()), Box::new(b));
        let same = rows().iter().all(|row| (a.eval(row) == Some(true)) == (both.eval(row) == Some(true)));
        let more = format!("select count(*) from world where {}", both.sql());
        let less = format!("select count(*) from world where {}", a.sql());
        prop_assert!(same || !taken(&a.sql(), &more), "{} is taken for {}", both.sql(), a.sql());
        prop_assert!(same || !taken(&both.sql(), &less), "{} is taken for {}", a.sql(), both.sql());
    }

    #[test]
    fn nothing_panics(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 1..40)) {
        let sql = words.join(" ");
        let (schema, scope) = (schema(), Scope::none());
        let limits = Limits { rows_max: 1000, timeout: Duration::from_secs(30) };
        let cx = Context { dialect: &DUCKDB, schema: &schema, scope: &scope, limits };
        let _ = explain_text(&sql, &[], &cx);
        let _ = taken("n > 1", &sql);
    }
}

const WORDS: &[&str] = &[
    "select",
    "from",
    "world",
    "where",
    "group by",
    "order by",
    "limit",
    "(",
    ")",
    ",",
    "n",
    "t",
    "b",
    "d",
    "*",
    "and",
    "or",
    "not",
    "=",
    "<",
    "1",
    "'x'",
    "count(*)",
    "sum(n)",
    "with w as (select * from world)",
    "w",
    "union all",
    "select count(*) from world",
    "exists (select 1 from world)",
    "n in (select n from world)",
    "case when b then n end",
    "left join world v on v.n = world.n",
    "join w on true",
    "is null",
    "between 1 and 2",
    "having",
    "filter (where b)",
    "over ()",
    "interval '1 month'",
    "date '2026-01-31'",
    "+",
    "date_trunc('month', d)",
    "distinct",
    "as x",
];

#[test]
fn deep_and_wide_statements_end_in_time() {
    let wide: Vec<String> = (0..3000).map(|n| format!("n = {n}")).collect();
    let or = wide.join(" or ");
    let and: Vec<String> = (0..1500).map(|n| format!("(n = {n} or t = 'x{n}')")).collect();
    let list: Vec<String> = (0..5000).map(|n| n.to_string()).collect();
    let chain: Vec<String> = (1..16)
        .map(|n| {
            format!("w{n} as (select a.n, a.t, a.b, a.d from w{p} a, w{p} b where a.n = b.n)", p = n - 1)
        })
        .collect();
    let nested = "exists (select 1 from world where ".repeat(30) + "true" + &")".repeat(30);
    let statements = [
        format!("select count(*) from world where {or}"),
        format!("select count(*) from world where {}", and.join(" and ")),
        format!("select count(*) from world where n in ({})", list.join(", ")),
        format!("with w0 as (select * from world), {} select count(*) from w15", chain.join(", ")),
        format!("select count(*) from world where {nested}"),
        format!("select {}n from world", "n + ".repeat(2000)),
    ];
    for sql in statements {
        let start = std::time::Instant::now();
        taken("n > 1", &sql);
        let spent = start.elapsed();
        println!("{spent:?} {}", &sql[..60.min(sql.len())]);
        assert!(spent < Duration::from_secs(10), "{spent:?} for {}", &sql[..60.min(sql.len())]);
    }
}
