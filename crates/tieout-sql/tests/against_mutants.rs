//! Mutants of the statements that `cases/checker/against.md` accepts: one condition, literal, operator, aggregate, join,
//! grouping or limit is changed. All must be rejected that do not mean the same.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::collapsible_match,
    clippy::too_many_lines,
    reason = "a test may stop; a change is made where it is counted"
)]

mod case_files;
mod expected;
mod mutation;

use std::collections::BTreeMap;
use std::time::Duration;

use case_files::{folder, parse, schema};
use mutation::change::changes;
use tieout_sql::sqlparser::ast::Statement;
use tieout_sql::sqlparser::parser::Parser;
use tieout_sql::{Context, DUCKDB, Limits, Schema, Scope, Value, check_text_against};

fn accepted(sql: &str, schema: &Schema, claims: &str) -> bool {
    let scope = Scope::tenant(Value::Integer(7));
    let limits = Limits { rows_max: 1000, timeout: Duration::from_secs(30) };
    let binds = (0..4).map(Value::Integer).collect();
    let cx = Context { dialect: &DUCKDB, schema, scope: &scope, limits };
    check_text_against(sql, binds, &cx, &expected::expected(claims)).is_ok()
}

/// Survivors that mean the same: kind, a part of the text, and why.
const EQUIVALENT: &[(&str, &str, &str)] = &[
    ("another join", "customers c", "every order has its customer"),
    ("another join", "shops s", "a condition on the shop needs the shop"),
    ("a limit", "SELECT sum(", "one row is one row"),
    ("a limit", "AS finish", "one row is one row"),
    ("a limit", "a.x / b.n", "one row is one row"),
    ("a limit", "EXISTS (SELECT 1", "one row is enough"),
    ("no limit", "coalesce(sum(amount), 0)", "one row is one row"),
    ("another literal", "coalesce(sum(amount), 0)", "one row is one row"),
    ("another literal", "EXISTS (SELECT 3", "which value is there does not matter"),
    ("DISTINCT", "o.order_id", "the key of an order is there once"),
    ("one grouping less", "GROUP BY c.customer_id ORDER", "the key decides the name"),
    ("no WHERE", "SELECT sum(net) FROM orders", "a sum passes over NULL"),
];

#[test]
fn mutants_of_accepted_statements_die() {
    let text = std::fs::read_to_string(folder().join("against.md")).unwrap();
    let cases = parse(&text);
    let of = |fences: &[case_files::Fence], name: &str| {
        fences.iter().find(|fence| fence.info[0] == name).map(|fence| fence.body.clone())
    };
    let schema = schema(&of(&cases[0].fences, "schema").unwrap());
    let shared = of(&cases[0].fences, "expected").unwrap();
    let mut table: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut survivors = Vec::new();
    for case in &cases[1..] {
        if case.fences.last().unwrap().info[0] != "accepted" {
            continue;
        }
        let claims = of(&case.fences, "expected").unwrap_or_else(|| shared.clone());
        let sql = of(&case.fences, "sql").unwrap();
        assert!(accepted(&sql, &schema, &claims), "{}", case.name);
        let parsed = Parser::parse_sql(DUCKDB.syntax, &sql).unwrap();
        let [Statement::Query(query)] = parsed.as_slice() else { continue };
        for (kind, mutant) in changes(query) {
            let (total, dead) = table.entry(kind).or_default();
            *total += 1;
            match accepted(&mutant, &schema, &claims) {
                false => *dead += 1,
                true => survivors.push(format!("{kind} · {mutant}")),
            }
        }
    }
    for (kind, (total, dead)) in &table {
        println!("{kind:24} {dead:5} of {total:5}");
    }
    let equivalent = |text: &String| {
        EQUIVALENT.iter().any(|(kind, part, _)| text.starts_with(kind) && text.contains(part))
    };
    println!("{} survivors mean the same", survivors.iter().filter(|text| equivalent(text)).count());
    survivors.retain(|text| !equivalent(text));
    for text in &survivors {
        println!("survivor · {text}");
    }
    let total: usize = table.values().map(|(total, _)| total).sum();
    println!("{} of {total} survive", survivors.len());
    assert!(survivors.is_empty(), "{} of {total} mutants survive", survivors.len());
}
