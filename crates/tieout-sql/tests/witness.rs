//! Tables and lineage against two strangers: `sqlglot` in Python and `polyglot-sql`. Over every published gold query that is
//! accepted, both must name the tables that we name, and the base columns that we name behind each column of the result.
//! Every disagreement was looked at; what is theirs stands in `witness/theirs.txt` with its reason, and nothing else may
//! differ. Steps aside when the corpora or the witnesses are not there.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a test may stop")]

mod corpus;
mod mutation;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use corpus::{corpora, databases, golds};
use mutation::execution::{ABSENT, described, python, script};
use polyglot_sql::scope::SourceKind;
use polyglot_sql::{AnalyzeQueryOptions, DialectType, ValidationSchema, analyze_query};
use serde_json::{Value as Json, json};
use tieout_sql::{ANSI, Context, DIALECTS, Dialect, Limits, Schema, Scope, SqlType, check_text, ddl};

type Columns = BTreeSet<(String, String)>;

/// What somebody says of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    tables: BTreeSet<String>,
    columns: Vec<Columns>,
}

/// A gold query that we accept.
struct Statement {
    name: String,
    sql: String,
    schema: Schema,
    dialect: &'static Dialect,
    ours: Told,
}

fn ours(sql: &str, schema: &Schema, dialect: &Dialect) -> Option<Told> {
    let (scope, limits) = (Scope::none(), Limits { rows_max: 10_000, timeout: Duration::from_secs(30) });
    let checked = check_text(sql, Vec::new(), &Context { dialect, schema, scope: &scope, limits }).ok()?;
    let lower = |(table, column): &(String, String)| (table.to_lowercase(), column.to_lowercase());
    Some(Told {
        tables: checked.tables().iter().map(|table| table.to_lowercase()).collect(),
        columns: checked.columns().iter().map(|column| column.lineage.iter().map(lower).collect()).collect(),
    })
}

fn statements() -> Option<Vec<Statement>> {
    let (databases, corpora) = (databases()?, corpora()?);
    let mut found: Vec<Statement> = Vec::new();
    let mut add = |name: String, sql: &str, schema: &Schema, dialect: &'static Dialect| {
        if let Some(ours) = ours(sql, schema, dialect) {
            found.push(Statement { name, sql: sql.to_owned(), schema: schema.clone(), dialect, ours });
        }
    };
    for dialect in DIALECTS {
        let mut variants: BTreeMap<String, usize> = BTreeMap::new();
        for gold in golds(dialect.name) {
            let mut schema = databases[&gold.db].clone();
            if dialect.name == "mysql" {
                let path = |table: &str| vec![gold.db.clone(), table.to_owned()];
                schema.tables.values_mut().for_each(|table| table.relation = path(&table.name));
            }
            let variant = variants.entry(gold.id.clone()).or_default();
            *variant += 1;
            add(format!("{} {} {variant}", dialect.name, gold.id), &gold.sql, &schema, dialect);
        }
    }
    let acme =
        ddl::schema(&std::fs::read_to_string(corpora.join("acme/schema.sql")).unwrap(), &ANSI).unwrap();
    for line in std::fs::read_to_string(corpora.join("acme/questions.jsonl")).unwrap().lines() {
        let row: Json = serde_json::from_str(line).unwrap();
        for (variant, gold) in row["gold_sql"].as_array().unwrap().iter().enumerate() {
            let name = format!("ansi {} {}", row["id"].as_str().unwrap(), variant + 1);
            add(name, gold.as_str().unwrap(), &acme, &ANSI);
        }
    }
    Some(found)
}

/// What `sqlglot` says of each statement.
fn sqlglot(statements: &[Statement]) -> Option<Vec<Result<Told, String>>> {
    let line = |statement: &Statement| {
        json!({ "sql": statement.sql, "dialect": statement.dialect.name, "schema": described(&statement.schema) })
            .to_string()
    };
    let input: Vec<String> = statements.iter().map(line).collect();
    let answers = script("scopes.py", &(input.join("\n") + "\n"))?;
    let text = |value: &Json| value.as_str().unwrap().to_owned();
    let told = |line: &String| {
        let answer: Json = serde_json::from_str(line).unwrap();
        if let Some(error) = answer["error"].as_str() {
            return Err(error.to_owned());
        }
        let columns = |list: &Json| {
            list.as_array().unwrap().iter().map(|pair| (text(&pair[0]), text(&pair[1]))).collect::<Columns>()
        };
        Ok(Told {
            tables: answer["tables"].as_array().unwrap().iter().map(text).collect(),
            columns: answer["columns"].as_array().unwrap().iter().map(columns).collect(),
        })
    };
    Some(answers.iter().map(told).collect())
}

/// A schema as `polyglot-sql` takes it.
fn foreign(schema: &Schema) -> ValidationSchema {
    let ty = |ty: SqlType| match ty {
        SqlType::Boolean => "boolean",
        SqlType::Integer => "bigint",
        SqlType::Decimal => "decimal",
        SqlType::Float => "double",
        SqlType::Date => "date",
        SqlType::DateTime | SqlType::Instant => "timestamp",
        _ => "varchar",
    };
    let table = |table: &tieout_sql::Table| {
        let columns: Vec<Json> = table
            .columns
            .values()
            .map(|column| json!({ "name": column.name.to_lowercase(), "type": ty(column.ty) }))
            .collect();
        let home = (table.relation.len() == 2).then(|| table.relation[0].to_lowercase());
        json!({ "name": table.name.to_lowercase(), "schema": home, "columns": columns })
    };
    let tables: Vec<Json> = schema.tables.values().map(table).collect();
    serde_json::from_value(json!({ "tables": tables })).unwrap()
}

/// What `polyglot-sql` says of a statement.
fn polyglot(statement: &Statement) -> Result<Told, String> {
    let dialect = match statement.dialect.name {
        "postgres" | "ansi" => DialectType::PostgreSQL,
        "mysql" => DialectType::MySQL,
        "sqlite" => DialectType::SQLite,
        _ => DialectType::DuckDB,
    };
    let schema = Some(foreign(&statement.schema));
    let options = AnalyzeQueryOptions { dialect, schema, ..AnalyzeQueryOptions::default() };
    let found = analyze_query(&statement.sql, options).map_err(|error| error.to_string())?;
    let last =
        |name: &str| name.rsplit('.').next().unwrap_or_default().trim_matches(['"', '`']).to_lowercase();
    let column = |reference: &polyglot_sql::ColumnReferenceFact| {
        let table = reference.table.as_deref().or(reference.source_name.as_deref()).unwrap_or_default();
        (last(table), last(&reference.column))
    };
    Ok(Told {
        tables: found
            .base_tables
            .iter()
            .filter(|relation| relation.kind == SourceKind::Table)
            .map(|relation| last(relation.table.as_deref().unwrap_or(&relation.name)))
            .collect(),
        columns: found
            .projections
            .iter()
            .map(|projection| {
                let tables = projection.upstream.iter().filter(|fact| fact.source_kind == SourceKind::Table);
                tables.map(column).collect()
            })
            .collect(),
    })
}

/// The disagreements that are theirs: `witness · statement · what` and, after a colon, why. A statement may end in `*`.
fn theirs() -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/witness/theirs.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (what, why) = line.split_once(": ").expect("a reason after a colon");
            assert!(!why.trim().is_empty(), "{line}");
            (what.trim().to_owned(), why.trim().to_owned())
        })
        .collect()
}

fn shown(columns: &Columns) -> String {
    columns.iter().map(|(table, column)| format!("{table}.{column}")).collect::<Vec<_>>().join(" ")
}

/// What differs between us and a witness: what it is, and how.
fn differences(ours: &Told, other: &Result<Told, String>) -> Vec<(String, String)> {
    let other = match other {
        Ok(other) => other,
        Err(error) => return vec![("stops".to_owned(), error.clone())],
    };
    let mut found = Vec::new();
    if ours.tables != other.tables {
        found.push(("tables".to_owned(), format!("ours {:?}, theirs {:?}", ours.tables, other.tables)));
    }
    if ours.columns.len() != other.columns.len() {
        let how = format!("ours {}, theirs {}", ours.columns.len(), other.columns.len());
        found.push(("width".to_owned(), how));
        return found;
    }
    for (position, (own, their)) in ours.columns.iter().zip(&other.columns).enumerate() {
        if own != their {
            let how = format!("ours {}, theirs {}", shown(own), shown(their));
            found.push((format!("column {}", position + 1), how));
        }
    }
    found
}

/// Holds every difference against the list of those that are theirs.
fn judged(witness: &str, statements: &[Statement], told: &[Result<Told, String>]) {
    let theirs: Vec<String> = theirs().into_iter().map(|(what, _)| what).collect();
    let (mut agree, mut columns, mut unknown) = (0, 0, Vec::new());
    let mut used = BTreeSet::new();
    for (statement, other) in statements.iter().zip(told) {
        let found = differences(&statement.ours, other);
        agree += usize::from(found.is_empty());
        columns += statement.ours.columns.len();
        for (what, how) in found {
            let line = format!("{witness} · {} · {what}", statement.name);
            let known = theirs.iter().find(|known| match known.strip_suffix('*') {
                Some(start) => line.starts_with(start),
                None => **known == line,
            });
            match known {
                Some(known) => {
                    used.insert(known.clone());
                }
                None => unknown.push(format!("{line}: {how}\n    {}", statement.sql.replace('\n', " "))),
            }
        }
    }
    println!(
        "{witness}: {agree} of {} statements agree in tables and all of {columns} columns; {} lines say what is theirs",
        statements.len(),
        used.len()
    );
    unknown.iter().for_each(|line| println!("  {line}"));
    let own = theirs.iter().filter(|known| known.starts_with(witness));
    let idle: Vec<&String> = own.filter(|known| !used.contains(*known)).collect();
    assert!(unknown.is_empty(), "{} disagreements with {witness} are on no list", unknown.len());
    assert!(idle.is_empty(), "no longer a disagreement with {witness}: {idle:?}");
}

#[test]
fn sqlglot_agrees() {
    let Some(statements) = statements() else {
        println!("skipped: no corpora here");
        return;
    };
    match python().and_then(|_| sqlglot(&statements)) {
        Some(told) => judged("sqlglot", &statements, &told),
        None => println!("{ABSENT}"),
    }
}

#[test]
fn polyglot_agrees() {
    let Some(statements) = statements() else {
        println!("skipped: no corpora here");
        return;
    };
    let told: Vec<Result<Told, String>> = statements.iter().map(polyglot).collect();
    judged("polyglot", &statements, &told);
}
