//! Runs `cases/checker/*.md`: one `##` a case, fences `schema` (before the first case, shared by the file), `sql`
//! with a dialect, then `accepted` (the scoped text) or `rejected` or `warned` (one `rule: message` a line).
//! With a fence `expected` (before `sql`, or shared beside the schema) the statement is held against it, and
//! `accepted` lists what was found. After `accepted` stand the rules that the case shows to let it pass. `TIEOUT_BLESS=1` rewrites what is expected.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop"
)]

mod expected;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tieout_sql::{
    Access, Column, ColumnSource, Context, DUCKDB, Dialect, Fragment, Limits, RULES, Rejection, Relationship,
    Schema, Scope, Severity, SqlType, Table, Value, check_text, check_text_against,
};

struct Fence {
    info: Vec<String>,
    body: String,
}

struct Case {
    name: String,
    fences: Vec<Fence>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/checker")
}

/// The cases of a file; the first has no name and holds the shared fences.
fn parse(text: &str) -> Vec<Case> {
    let mut cases = vec![Case { name: String::new(), fences: Vec::new() }];
    let mut open: Option<Fence> = None;
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                let info = info.split_whitespace().map(str::to_owned).collect();
                open = Some(Fence { info, body: String::new() });
            }
            (Some(_), Some(_)) => cases.last_mut().unwrap().fences.extend(open.take()),
            (Some(fence), None) => fence.body.push_str(&format!("{line}\n")),
            (None, None) => {
                if let Some(name) = line.strip_prefix("## ") {
                    cases.push(Case { name: name.to_owned(), fences: Vec::new() });
                }
            }
        }
    }
    cases
}

/// `table: column type [key] [id] [required] [hidden|sensitive] [{a|b}] [= expression], …`, then indented lines
/// `tenant c`, `relation a.b`, `filter expression`, `unique a b`; and `a.x -> b.y` for relationships.
fn schema(text: &str) -> Schema {
    let mut schema = Schema::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if let Some((from, to)) = line.split_once(" -> ") {
            let (to, required) = to.strip_suffix(" optional").map_or((to, true), |to| (to, false));
            let end = |text: &str| -> (String, Vec<String>) {
                let (table, columns) = text.trim().split_once('.').unwrap();
                (table.to_owned(), columns.split('+').map(str::to_owned).collect())
            };
            let ((from, from_columns), (to, to_columns)) = (end(from), end(to));
            let name = format!("{from}_{to}");
            schema.relationships.push(Relationship { name, from, to, from_columns, to_columns, required });
        } else if let Some(attribute) = line.strip_prefix("  ") {
            let (word, rest) = attribute.split_once(' ').unwrap();
            let (_, table) = schema.tables.last_mut().unwrap();
            match word {
                "tenant" => table.tenant = Some(rest.to_owned()),
                "relation" => table.relation = rest.split('.').map(str::to_owned).collect(),
                "filter" => table.row_filter = Some(Fragment::parse(rest, &DUCKDB).unwrap()),
                "unique" => table.unique_keys.push(rest.split_whitespace().map(str::to_owned).collect()),
                other => panic!("unknown attribute {other}"),
            }
        } else {
            let (name, columns) = line.split_once(": ").unwrap();
            let mut table = Table::plain(name, Vec::new());
            for text in columns.split(", ") {
                column(&mut table, text);
            }
            schema.tables.insert(name.to_owned(), table);
        }
    }
    schema
}

fn column(table: &mut Table, text: &str) {
    let (text, computed) = text.split_once(" = ").map_or((text, None), |(text, rest)| (text, Some(rest)));
    let mut words = text.split_whitespace();
    let (name, ty) = (words.next().unwrap(), words.next().unwrap());
    let ty = match ty {
        "integer" => SqlType::Integer,
        "decimal" => SqlType::Decimal,
        "text" => SqlType::Text,
        "date" => SqlType::Date,
        "datetime" => SqlType::DateTime,
        "boolean" => SqlType::Boolean,
        other => panic!("unknown type {other}"),
    };
    let mut column = Column::plain(name, ty);
    for word in words {
        match word {
            "key" => {
                table.primary_key.push(name.to_owned());
                column.nullable = false;
            }
            "id" => column.identifier = true,
            "required" => column.nullable = false,
            "hidden" => column.access = Access::Hidden,
            "sensitive" => column.access = Access::Sensitive,
            values => {
                let values = values.trim_matches(['{', '}']).split('|');
                column.values = Some(values.map(str::to_owned).collect());
            }
        }
    }
    if let Some(expression) = computed {
        column.source = ColumnSource::Computed(Fragment::parse(expression, &DUCKDB).unwrap());
    }
    table.columns.insert(name.to_owned(), column);
}

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
    let binds = (0..4).map(Value::Integer).collect();
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
                    if kind != "accepted" {
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
