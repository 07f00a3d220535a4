//! What the tests over the published corpora share: finding the folder, reading schemas, judging a query.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "each test uses a part, and may stop"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tieout_sql::{
    Context, Dialect, Limits, POSTGRES, Relationship, Schema, Scope, Severity, check_text, ddl,
};

/// The folder, named by `TIEOUT_CORPORA` or beside the checkout.
pub fn corpora() -> Option<PathBuf> {
    let named = std::env::var_os("TIEOUT_CORPORA").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    named.into_iter().chain([beside]).find(|path| path.is_dir())
}

/// `- { name: n, from: a, to: b, from_columns: [x], to_columns: [y] }`, one a line.
pub fn relationships(text: &str, schema: &mut Schema) {
    for line in text.lines() {
        let field = |name: &str| -> Option<Vec<String>> {
            let rest = line.split_once(&format!(" {name}: "))?.1;
            let end = match rest.starts_with('[') {
                true => rest.find(']')?,
                false => rest.find([',', '}']).unwrap_or(rest.len()),
            };
            let parts = rest[..end].trim_matches(['[', ']']).split(',');
            Some(parts.map(|part| part.trim().to_owned()).collect())
        };
        let (Some(from), Some(to), Some(a), Some(b)) =
            (field("from"), field("to"), field("from_columns"), field("to_columns"))
        else {
            continue;
        };
        let known = |table: &str, columns: &[String]| -> Option<(String, Vec<String>)> {
            let table = schema.tables.values().find(|known| known.name.eq_ignore_ascii_case(table))?;
            let spelled =
                |column: &String| table.columns.keys().find(|known| known.eq_ignore_ascii_case(column));
            Some((
                table.name.clone(),
                columns.iter().map(|column| spelled(column).cloned()).collect::<Option<_>>()?,
            ))
        };
        let (Some((from, a)), Some((to, b))) = (known(&from[0], &a), known(&to[0], &b)) else {
            println!("not in the schema: {line}");
            continue;
        };
        let is_key =
            |table: &str, columns: &Vec<String>| schema.tables[table].keys().any(|key| key == columns);
        let flipped = is_key(&from, &a) && !is_key(&to, &b);
        let (from, from_columns, to, to_columns) = if flipped { (to, b, from, a) } else { (from, a, to, b) };
        let name = format!("{from}_{}", from_columns.join("_"));
        schema.relationships.push(Relationship { name, from, to, from_columns, to_columns, required: false });
    }
}

pub fn judged(sql: &str, schema: &Schema, dialect: &Dialect) -> Vec<(&'static str, Severity, String)> {
    let scope = Scope::none();
    let limits = Limits { rows_max: 10_000, timeout: Duration::from_secs(30) };
    match check_text(sql, Vec::new(), &Context { dialect, schema, scope: &scope, limits }) {
        Ok(checked) => checked.warnings().iter().map(|w| (w.rule, w.severity, w.message.clone())).collect(),
        Err(rejected) => rejected
            .rejections
            .iter()
            .map(|r| (r.rule, r.severity, format!("{}; {}", r.message, r.hint)))
            .collect(),
    }
}

/// The databases of defog by name.
pub fn databases() -> Option<BTreeMap<String, Schema>> {
    let corpora = corpora()?;
    let mut schemas: BTreeMap<String, Schema> = BTreeMap::new();
    for entry in std::fs::read_dir(corpora.join("defog/schemas")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "sql") {
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut schema = ddl::schema(&std::fs::read_to_string(&path).unwrap(), &POSTGRES).unwrap();
        let stated =
            std::fs::read_to_string(path.with_file_name(format!("{name}.relationships.yml"))).unwrap();
        relationships(&stated, &mut schema);
        schemas.insert(name, schema);
    }
    Some(schemas)
}

/// One gold query of defog.
pub struct Gold {
    pub id: String,
    pub db: String,
    pub sql: String,
}

/// The gold queries of defog in one dialect.
pub fn golds(dialect: &str) -> Vec<Gold> {
    let Some(corpora) = corpora() else { return Vec::new() };
    let text = std::fs::read_to_string(corpora.join("defog/queries.jsonl")).unwrap();
    let mut golds = Vec::new();
    for line in text.lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        if row["dialect"] != dialect {
            continue;
        }
        for gold in row["gold_sql"].as_array().unwrap() {
            let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
            golds.push(Gold { id: text(&row["id"]), db: text(&row["db"]), sql: text(gold) });
        }
    }
    golds
}
