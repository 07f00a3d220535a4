//! Runs `cases/checker/*.md`: one `##` a case, fences `schema` (before the first case, shared by the file), `sql`
//! with a dialect, then `accepted` (the scoped text) or `rejected` or `warned` (one `rule: message` a line).
//! With a fence `expected` (before `sql`, or shared beside the schema) the statement is held against it, and
//! `accepted` lists what was found; `explained` is what the statement counts. After `accepted` stand the rules that the case shows to let it pass. `TIEOUT_BLESS=1` rewrites what is expected.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop"
)]

mod case_files;
mod expected;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use case_files::{Case, Fence, folder, parse, schema};
use tieout_sql::{
    Context, DUCKDB, Dialect, Limits, RULES, Rejection, Scope, Severity, Value, check_text,
    check_text_against, explain_text,
};

fn shown(rejections: &[Rejection], severity: Severity) -> String {
    let found = rejections.iter().filter(|found| found.severity == severity);
    found.map(|found| format!("{}: {}\n", found.rule, found.message)).collect()
}

/// What came out, in the form of the fence that is expected.
fn outcome(case: &Case, shared: &[Fence], expected: &str) -> Result<String, String> {
    let sql = case.fences.iter().find(|fence| fence.info[0] == "sql").unwrap();
    let own = case.fences.iter().find(|fence| fence.info[0] == "schema");
    let of = |name: &str| shared.iter().find(|fence| fence.info[0] == name).map(|fence| fence.body.as_str());
    let schema = schema(own.map_or_else(|| of("schema").unwrap_or_default(), |fence| &fence.body));
    let dialect = sql.info.get(1).map_or(&DUCKDB, |name| Dialect::by_name(name).unwrap());
    let scope = match sql.info.iter().any(|word| word == "no-tenant") {
        true => Scope::none(),
        false => Scope::tenant(Value::Integer(7)),
    };
    let limits = Limits { rows_max: 1000, timeout: Duration::from_secs(30) };
    let binds: Vec<Value> = (0..4).map(Value::Integer).collect();
    let cx = Context { dialect, schema: &schema, scope: &scope, limits };
    let claims = case.fences.iter().find(|fence| fence.info[0] == "expected");
    if let Some(claims) = claims.map(|fence| fence.body.as_str()).or_else(|| of("expected")) {
        let result = check_text_against(&sql.body, binds, &cx, &expected::expected(claims));
        return match (expected, result) {
            ("accepted", Ok((_, found))) => Ok(found.iter().map(|found| format!("{found}\n")).collect()),
            ("rejected", Err(rejected)) => Ok(shown(&rejected.rejections, Severity::Reject)),
            (_, Ok((_, found))) => Err(format!("accepted, with {found:?}")),
            (_, Err(rejected)) => Err(format!("rejected: {rejected}")),
        };
    }
    if expected == "explained" {
        let found = explain_text(&sql.body, &binds, &cx);
        return found.map(|found| format!("{found}\n")).map_err(|rejected| format!("rejected: {rejected}"));
    }
    let result = check_text(&sql.body, binds, &cx);
    match (expected, result) {
        ("accepted", Ok(checked)) if checked.warnings().is_empty() => Ok(format!("{}\n", checked.sql())),
        ("warned", Ok(checked)) if !checked.warnings().is_empty() => {
            Ok(shown(checked.warnings(), Severity::Warn))
        }
        ("rejected", Err(rejected)) => Ok(shown(&rejected.rejections, Severity::Reject)),
        (_, Ok(checked)) => Err(format!("accepted, with {:?}", checked.warnings())),
        (_, Err(rejected)) => Err(format!("rejected: {rejected}")),
    }
}

#[test]
fn every_case_holds() {
    let bless = std::env::var_os("TIEOUT_BLESS").is_some();
    let (mut failures, mut count) = (Vec::new(), 0);
    let (mut passed, mut found) = (BTreeSet::new(), BTreeSet::new());
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let mut text = std::fs::read_to_string(&file).unwrap();
        let cases = parse(&text);
        let (shared, cases) = (&cases[0].fences, &cases[1..]);
        for case in cases {
            count += 1;
            let expected = case.fences.last().unwrap();
            let kind = expected.info[0].as_str();
            if kind == "accepted" {
                passed.extend(expected.info[1..].iter().cloned());
            }
            let name = format!("{} · {}", file.file_stem().unwrap().to_string_lossy(), case.name);
            match outcome(case, shared, kind) {
                Ok(actual) => {
                    if ["rejected", "warned"].contains(&kind) {
                        found.extend(
                            actual.lines().filter_map(|line| Some(line.split_once(':')?.0.to_owned())),
                        );
                    }
                    if actual != expected.body && bless {
                        let fence = |body: &str| format!("```{}\n{body}```", expected.info.join(" "));
                        let at = text.find(&format!("## {}\n", case.name)).unwrap();
                        let tail = text[at..].replacen(&fence(&expected.body), &fence(&actual), 1);
                        text.replace_range(at.., &tail);
                    } else if actual != expected.body {
                        failures.push(format!("{name}\n  expected\n{}  got\n{actual}", expected.body));
                    }
                }
                Err(other) => failures.push(format!("{name}\n  expected {kind}\n  but {other}")),
            }
        }
        if bless {
            std::fs::write(&file, text).unwrap();
        }
    }
    println!("{count} cases");
    assert!(failures.is_empty(), "{} of {count} cases fail\n\n{}", failures.len(), failures.join("\n"));
    let known: BTreeSet<String> = RULES.iter().map(|rule| rule.name.to_owned()).collect();
    let bare = |shown: &BTreeSet<String>| known.difference(shown).cloned().collect::<Vec<_>>();
    assert!(bare(&found).is_empty(), "rules without a case they reject or warn of: {:?}", bare(&found));
    assert!(bare(&passed).is_empty(), "rules without a case they let pass: {:?}", bare(&passed));
}
