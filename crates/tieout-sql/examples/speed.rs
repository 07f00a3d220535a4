//! How long a check takes, beside others, in one run over the same statements: the published golds (`TIEOUT_CORPORA`, or
//! beside the checkout). Prints ratios, the percentiles of one check of 100 lines, how time grows with size, and what hostile
//! sizes cost. `cargo run --release -p tieout-sql --example speed`; with `profile` only the checks, many times.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a measurement may stop"
)]

#[path = "../tests/corpus/mod.rs"]
mod corpus;
#[path = "../tests/mutation/mod.rs"]
mod mutation;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use corpus::{databases, golds};
use mutation::execution::{described, python, script};
use polyglot_sql::{AnalyzeQueryOptions, DialectType, ValidationSchema, analyze_query};
use serde_json::{Value as Json, json};
use tieout_sql::sqlparser::parser::Parser;
use tieout_sql::{
    Column, Context, DIALECTS, DUCKDB, Dialect, Limits, Schema, Scope, SqlType, Table, Value, check_text,
    judge_text,
};

struct Statement {
    sql: String,
    schema: Schema,
    dialect: &'static Dialect,
}

fn statements() -> Vec<Statement> {
    let databases = databases().expect("the corpora are there");
    let mut found = Vec::new();
    for dialect in DIALECTS {
        for gold in golds(dialect.name) {
            let mut schema = databases[&gold.db].clone();
            if dialect.name == "mysql" {
                let path = |table: &str| vec![gold.db.clone(), table.to_owned()];
                schema.tables.values_mut().for_each(|table| table.relation = path(&table.name));
            }
            schema.tables.values_mut().for_each(|table| table.tenant = Some("tenant_id".to_owned()));
            found.push(Statement { sql: gold.sql, schema, dialect });
        }
    }
    found
}

fn check(statement: &Statement, scope: &Scope) -> bool {
    let limits = Limits { rows_max: 10_000, timeout: Duration::from_secs(30) };
    let cx = Context { dialect: statement.dialect, schema: &statement.schema, scope, limits };
    check_text(&statement.sql, Vec::new(), &cx).is_ok()
}

fn judge(statement: &Statement, scope: &Scope) -> bool {
    let limits = Limits { rows_max: 10_000, timeout: Duration::from_secs(30) };
    let cx = Context { dialect: statement.dialect, schema: &statement.schema, scope, limits };
    judge_text(&statement.sql, &cx).is_ok()
}

/// The least of several runs over everything.
fn best(runs: usize, mut work: impl FnMut()) -> Duration {
    (0..runs)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .min()
        .unwrap()
}

fn foreign(schema: &Schema) -> ValidationSchema {
    let table = |table: &Table| {
        let columns: Vec<Json> = table
            .columns
            .values()
            .map(|column| json!({ "name": column.name.to_lowercase(), "type": "varchar" }))
            .collect();
        json!({ "name": table.name.to_lowercase(), "columns": columns })
    };
    let tables: Vec<Json> = schema.tables.values().map(table).collect();
    serde_json::from_value(json!({ "tables": tables })).unwrap()
}

fn polyglot_dialect(dialect: &Dialect) -> DialectType {
    match dialect.name {
        "mysql" => DialectType::MySQL,
        "sqlite" => DialectType::SQLite,
        "duckdb" => DialectType::DuckDB,
        _ => DialectType::PostgreSQL,
    }
}

fn beside_others(statements: &[Statement], scope: &Scope) {
    let each = |time: Duration| time.as_secs_f64() * 1e6 / statements.len() as f64;
    let accepted = statements.iter().filter(|statement| check(statement, scope)).count();
    let timed = |work: &dyn Fn(&Statement) -> bool| {
        best(9, || {
            statements.iter().for_each(|statement| {
                black_box(work(statement));
            })
        })
    };
    let parsed = timed(&|statement| Parser::parse_sql(statement.dialect.syntax, &statement.sql).is_ok());
    let judged = timed(&|statement| judge(statement, scope));
    let whole = timed(&|statement| check(statement, scope));
    println!("{} statements, {accepted} accepted", statements.len());
    println!("  a plain parse                  {:9.1} µs", each(parsed));
    println!("  parse, resolve, every rule     {:9.1} µs", each(judged));
    println!("  the whole door                 {:9.1} µs", each(whole));
    println!("  beside these, times:                           parse, resolve, rules    the whole door");
    let mut ready: BTreeMap<String, ValidationSchema> = BTreeMap::new();
    for statement in statements {
        let key = described(&statement.schema).to_string();
        ready.entry(key).or_insert_with(|| foreign(&statement.schema));
    }
    let with: Vec<&ValidationSchema> =
        statements.iter().map(|statement| &ready[&described(&statement.schema).to_string()]).collect();
    let theirs = best(3, || {
        for (statement, schema) in statements.iter().zip(&with) {
            let options = AnalyzeQueryOptions {
                dialect: polyglot_dialect(statement.dialect),
                schema: Some((*schema).clone()),
                ..AnalyzeQueryOptions::default()
            };
            black_box(analyze_query(&statement.sql, options).is_ok());
        }
    });
    let bare = best(3, || {
        for statement in statements {
            let dialect = polyglot_dialect(statement.dialect);
            let options = AnalyzeQueryOptions { dialect, ..AnalyzeQueryOptions::default() };
            black_box(analyze_query(&statement.sql, options).is_ok());
        }
    });
    let beside = |what: &str, other: Duration| {
        let ratio = |own: Duration| other.as_secs_f64() / own.as_secs_f64();
        println!(
            "  {what:30} {:9.1} µs                  {:6.1}            {:6.1}",
            each(other),
            ratio(judged),
            ratio(whole)
        );
    };
    beside("polyglot-sql analysis", theirs);
    beside("the same without a schema", bare);
    if python().is_none() {
        println!("  sqlglot: no witness here, `./x witness` installs it");
        return;
    }
    let line = |statement: &Statement| {
        json!({ "sql": statement.sql, "dialect": statement.dialect.name, "schema": described(&statement.schema) })
            .to_string()
    };
    let input: Vec<String> = statements.iter().map(line).collect();
    let answer = script("speed.py", &(input.join("\n") + "\n")).expect("the witness answers");
    let answer: Json = serde_json::from_str(&answer[0]).unwrap();
    let seconds = |key: &str| Duration::from_secs_f64(answer[key].as_f64().unwrap());
    beside("sqlglot parse", seconds("parse"));
    beside("sqlglot parse, qualify, scope", seconds("all"));
}

/// A schema of facts with a parent each, and a statement of about so many lines over it.
fn long(lines: usize) -> (Schema, String) {
    let mut schema = Schema::default();
    let mut sales = Table::plain(
        "sales",
        [
            ("id", SqlType::Integer),
            ("customer_id", SqlType::Integer),
            ("amount", SqlType::Decimal),
            ("day", SqlType::Date),
            ("kind", SqlType::Text),
        ]
        .map(|(name, ty)| Column::plain(name, ty))
        .to_vec(),
    );
    sales.primary_key = vec!["id".into()];
    sales.tenant = Some("tenant_id".into());
    let mut customers = Table::plain(
        "customers",
        [("id", SqlType::Integer), ("region", SqlType::Text), ("plan", SqlType::Text)]
            .map(|(name, ty)| Column::plain(name, ty))
            .to_vec(),
    );
    customers.primary_key = vec!["id".into()];
    customers.tenant = Some("tenant_id".into());
    for table in [sales, customers] {
        schema.tables.insert(table.name.clone(), table);
    }
    schema.relationships.push(tieout_sql::Relationship {
        name: "sales_customers".into(),
        from: "sales".into(),
        to: "customers".into(),
        from_columns: vec!["customer_id".into()],
        to_columns: vec!["id".into()],
        required: true,
    });
    let mut sql = "with base as (\n  select s.id, s.amount, s.day, s.kind, c.region, c.plan\n  from sales s\n  join customers c on c.id = s.customer_id\n  where s.day >= date '2026-01-01'\n    and s.day < date '2027-01-01'\n),\n".to_owned();
    let parts = lines.saturating_sub(12).div_ceil(9).max(1);
    for part in 0..parts {
        let comma = if part + 1 == parts { "" } else { "," };
        write!(
            sql,
            "p{part} as (\n  select region, plan,\n    sum(amount) as total,\n    count(*) filter (where kind = 'k{part}') as n\n  from base\n  where kind <> 'x{part}'\n    and amount > {part}\n  group by region, plan\n){comma}\n"
        )
        .unwrap();
    }
    sql.push_str("select p0.region, p0.plan, p0.total");
    for part in 1..parts {
        write!(sql, ", p{part}.n as n{part}").unwrap();
    }
    sql.push_str("\nfrom p0");
    for part in 1..parts {
        write!(sql, "\nleft join p{part} on p{part}.region = p0.region and p{part}.plan = p0.plan").unwrap();
    }
    (schema, sql)
}

fn percentiles(scope: &Scope) {
    for lines in [40, 100, 150] {
        let (schema, sql) = long(lines);
        let statement = Statement { sql, schema, dialect: &DUCKDB };
        assert!(check(&statement, scope), "{}", statement.sql);
        let timed = |work: &dyn Fn() -> bool| -> Vec<Duration> {
            let once = |_| {
                let start = Instant::now();
                black_box(work());
                start.elapsed()
            };
            let mut times: Vec<Duration> = (0..2000).map(once).collect();
            times.sort_unstable();
            times
        };
        let parsed = timed(&|| Parser::parse_sql(statement.dialect.syntax, &statement.sql).is_ok());
        let (judged, whole) = (timed(&|| judge(&statement, scope)), timed(&|| check(&statement, scope)));
        let at = |times: &[Duration], share: f64| {
            times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e6
        };
        for (what, times) in
            [("a plain parse", parsed), ("parse, resolve, rules", judged), ("the whole door", whole)]
        {
            println!(
                "  {:4} lines: {what:22} p50 {:7.0} µs, p99 {:7.0} µs",
                statement.sql.lines().count(),
                at(&times, 0.5),
                at(&times, 0.99)
            );
        }
    }
}

/// Rows of a union of flat selects: size without depth.
fn growth(scope: &Scope) {
    for nodes in [500_usize, 1000, 2000, 5000, 10_000] {
        let (schema, _) = long(10);
        let items: Vec<String> = (0..nodes / 8)
            .map(|i| format!("sum(case when kind = 'k{i}' then amount + {i} else 0 end) as c{i}"))
            .collect();
        let sql = format!(
            "select region, {} from sales s join customers c on c.id = s.customer_id group by region",
            items.join(", ")
        );
        let statement = Statement { sql, schema, dialect: &DUCKDB };
        assert!(check(&statement, scope));
        let each = |work: &dyn Fn() -> bool| {
            let time = best(5, || {
                black_box(work());
            });
            time.as_secs_f64() * 1e6 / nodes as f64
        };
        println!(
            "  about {nodes:6} nodes: {:6.2} µs a node to parse, resolve and judge, {:6.2} for the whole door",
            each(&|| judge(&statement, scope)),
            each(&|| check(&statement, scope))
        );
    }
}

fn bombs(scope: &Scope) {
    let (schema, _) = long(10);
    let deep = |n: usize| format!("select {}1{}", "(".repeat(n), ")".repeat(n));
    let doubled: String = {
        let mut sql = "with a0 as (select id from sales)".to_owned();
        (1..40).for_each(|i| {
            write!(sql, ", a{i} as (select x.id from a{p} x join a{p} y on y.id = x.id)", p = i - 1).unwrap()
        });
        sql + " select count(*) from a39"
    };
    let bombs: Vec<(&str, String)> = vec![
        ("100,000 brackets", deep(100_000)),
        ("100,000 minus signs", format!("select {}1", "- ".repeat(100_000))),
        ("a chain of 100,000 sums", format!("select 1{}", " + 1".repeat(100_000))),
        (
            "a list of 30,000 values",
            format!(
                "select count(*) from sales where id in ({})",
                (0..30_000).map(|i| i.to_string()).collect::<Vec<_>>().join(",")
            ),
        ),
        ("queries that each use the last twice", doubled),
        ("10 MB of spaces", format!("select 1{}", " ".repeat(10 << 20))),
        ("10 MB of one text", format!("select '{}'", "x".repeat(10 << 20))),
        ("10 MB of statements", "select 1;".repeat((10 << 20) / 9)),
    ];
    for (what, sql) in bombs {
        let statement = Statement { sql, schema: schema.clone(), dialect: &DUCKDB };
        let start = Instant::now();
        let accepted = check(&statement, scope);
        println!(
            "  {what:38} {} in {:8.2} ms",
            if accepted { "accepted" } else { "rejected" },
            start.elapsed().as_secs_f64() * 1e3
        );
    }
}

fn main() {
    let scope = Scope::tenant(Value::Integer(7));
    let statements = statements();
    if std::env::args().nth(1).as_deref() == Some("profile") {
        let runs = std::env::args().nth(2).and_then(|text| text.parse().ok()).unwrap_or(30);
        (0..runs).for_each(|_| {
            statements.iter().for_each(|statement| {
                black_box(check(statement, &scope));
            })
        });
        return;
    }
    beside_others(&statements, &scope);
    println!("one check of a long statement");
    percentiles(&scope);
    println!("one check by size");
    growth(&scope);
    println!("hostile sizes");
    bombs(&scope);
}
