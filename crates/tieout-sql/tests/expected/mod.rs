//! Reads an `expected` fence: what a statement claims to work out, one thing a line.
//!
//! `base t` · `figure name: sum x` (`count rows`, `count x`, `distinct x`, `average x`, `least x`, `greatest x`,
//! `median x`, `ratio sum x / count rows`), with ` where condition` at the end · `metric: c`, `population: c`,
//! `filter: c` with `c` an expression, `column in relationship > column: one|two` or `not one|two`,
//! `some relationship: expression`, `no relationship: expression` · `exclusion: expression` · `period c from until` ·
//! `group c`, `group relationship > c`, `bucket c unit` · `order figure 1 desc` · `limit 3`.

#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

use tieout_sql::against::{
    Expected, ExpectedAggregate, ExpectedCondition, ExpectedFigure, ExpectedGrouping, ExpectedOrder,
    ExpectedOrderBy, ExpectedPeriod, FieldTest, Hop, Presence, Role, Test,
};
use tieout_sql::{DUCKDB, Fragment, Value};

fn fragment(text: &str) -> Fragment {
    Fragment::parse(text.trim(), &DUCKDB).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn aggregate(text: &str) -> ExpectedAggregate {
    use ExpectedAggregate as A;
    let (word, rest) = text.trim().split_once(' ').unwrap();
    match (word, rest.trim()) {
        ("count", "rows") => A::CountRows,
        ("count", of) => A::Count(fragment(of)),
        ("distinct", of) => A::CountDistinct(fragment(of)),
        ("sum", of) => A::Sum(fragment(of)),
        ("average", of) => A::Average(fragment(of)),
        ("least", of) => A::Minimum(fragment(of)),
        ("greatest", of) => A::Maximum(fragment(of)),
        ("median", of) => A::Median(fragment(of)),
        ("ratio", parts) => {
            let (over, under) = parts.split_once(" / ").unwrap();
            A::Ratio(Box::new(aggregate(over)), Box::new(aggregate(under)))
        }
        other => panic!("unknown aggregate {other:?}"),
    }
}

/// `2026-09-01`, `2026-09-01T00:00`, a number, or a text.
pub fn value(text: &str) -> Value {
    let text = text.trim();
    if let Ok(date) = text.parse() {
        return match text.contains('T') {
            true => Value::DateTime(text.parse().unwrap()),
            false => Value::Date(date),
        };
    }
    text.parse().map_or_else(|_| Value::Text(text.to_owned()), Value::Integer)
}

/// `orders_customers > regions` as steps to one row; a name that ends in `*` is a step to many.
fn hops(text: &str) -> Vec<Hop> {
    text.split('>')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(|part| match part.strip_suffix('*') {
            Some(name) => Hop::ToMany(name.to_owned()),
            None => Hop::ToOne(part.to_owned()),
        })
        .collect()
}

fn test(role: Role, text: &str) -> Test {
    let text = text.trim();
    for (word, presence) in [("some ", Presence::Exists), ("no ", Presence::Absent)] {
        if let Some(rest) = text.strip_prefix(word) {
            let (path, tests) = rest.split_once(':').unwrap_or((rest, ""));
            let tests = tests.split(" & ").map(str::trim).filter(|test| !test.is_empty());
            let tests = tests.map(|text| Test::Holds(fragment(text))).collect();
            return Test::Related { path: hops(path), presence, tests };
        }
    }
    if let Some(rest) = text.strip_prefix("column ") {
        let (way, values) = rest.split_once(':').unwrap();
        let (path, column) = way.rsplit_once('>').unwrap_or(("", way));
        let list = |text: &str| text.split('|').map(value).collect::<Vec<_>>();
        let is = match values.trim() {
            "missing" => FieldTest::Missing,
            "present" => FieldTest::Present,
            values => match values.strip_prefix("not ") {
                Some(values) => FieldTest::NoneOf(list(values)),
                None => FieldTest::OneOf(list(values)),
            },
        };
        return Test::Field { path: hops(path), column: column.trim().to_owned(), is };
    }
    match role {
        Role::Exclusion => Test::HoldsNot(fragment(text)),
        _ => Test::Holds(fragment(text)),
    }
}

fn condition(role: Role, text: &str) -> ExpectedCondition {
    ExpectedCondition { role, words: text.trim().to_owned(), test: test(role, text) }
}

pub fn expected(text: &str) -> Expected {
    let mut found = Expected {
        base: String::new(),
        figures: Vec::new(),
        conditions: Vec::new(),
        period: None,
        groupings: Vec::new(),
        order: Vec::new(),
        limit: None,
    };
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (word, rest) = line.split_once(' ').unwrap();
        match word {
            "base" => found.base = rest.to_owned(),
            "figure" => {
                let (name, of) = rest.split_once(": ").unwrap();
                let (of, own) = of.split_once(" where ").map_or((of, None), |(of, own)| (of, Some(own)));
                let conditions = own.into_iter().map(|own| condition(Role::Metric, own)).collect();
                found.figures.push(ExpectedFigure {
                    name: name.to_owned(),
                    aggregate: aggregate(of),
                    conditions,
                });
            }
            "metric:" => found.conditions.push(condition(Role::Metric, rest)),
            "population:" => found.conditions.push(condition(Role::Population, rest)),
            "filter:" => found.conditions.push(condition(Role::Filter, rest)),
            "exclusion:" => found.conditions.push(condition(Role::Exclusion, rest)),
            "period" => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                let (start, end) = (value(words[1]), value(words[2]));
                found.period = Some(ExpectedPeriod { column: words[0].to_owned(), start, end });
            }
            "group" => {
                let (path, column) = rest.rsplit_once('>').unwrap_or(("", rest));
                let (path, column) = (hops(path), column.trim().to_owned());
                found.groupings.push(ExpectedGrouping::Field { path, column });
            }
            "bucket" => {
                let (column, unit) = rest.split_once(' ').unwrap();
                let (column, unit) = (column.to_owned(), unit.to_owned());
                found.groupings.push(ExpectedGrouping::Bucket { column, unit });
            }
            "order" => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                let place = words[1].parse::<usize>().unwrap() - 1;
                let by = match words[0] {
                    "figure" => ExpectedOrderBy::Figure(place),
                    _ => ExpectedOrderBy::Grouping(place),
                };
                found.order.push(ExpectedOrder { by, descending: words.get(2) == Some(&"desc") });
            }
            "limit" => found.limit = Some(rest.parse().unwrap()),
            other => panic!("unknown line {other}"),
        }
    }
    found
}
