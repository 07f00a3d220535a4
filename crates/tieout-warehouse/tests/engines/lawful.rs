//! Lawful statements run: scoped and bound, over the tables of two tenants, each gives what its own text gives over
//! tables of the one tenant alone, in which the checker has no part.

use tieout_sql::Dialect;

use super::engine::{Ask, several};
use super::shop::{self, Of};
use super::statements::{checked, lawful, shop};

fn run(name: &str) {
    let Some(mut engines) = several(name, 2) else { return };
    let (dialect, schema) = (Dialect::by_name(name).unwrap(), shop());
    engines[0].load(&shop::script(&schema, Of::Both));
    engines[1].load(&shop::script(&shop::alone(&schema), Of::One));
    let statements: Vec<_> = lawful(name)
        .into_iter()
        .filter(|statement| !statement.elsewhere)
        .filter_map(|statement| {
            let found = checked(&statement.sql, statement.binds.clone(), dialect, &schema).ok()?;
            Some((statement, found))
        })
        .collect();
    let scoped: Vec<Ask> = statements
        .iter()
        .map(|(_, found)| Ask { sql: found.sql().to_owned(), binds: found.binds().to_vec() })
        .collect();
    let plain: Vec<Ask> = statements
        .iter()
        .map(|(known, _)| Ask { sql: known.sql.clone(), binds: known.binds.clone() })
        .collect();
    let (scoped, plain) = (engines[0].run(&scoped), engines[1].run(&plain));
    let mut wrong = Vec::new();
    let mut rows = 0;
    let mut empty = Vec::new();
    for (((statement, found), scoped), plain) in statements.iter().zip(scoped).zip(plain) {
        let title = format!("{}\n  {}\n  {}", statement.name, statement.sql, found.sql());
        match (scoped, plain) {
            (Ok(scoped), Ok(plain)) => {
                rows += scoped.len();
                if scoped.is_empty() {
                    empty.push(statement.name.clone());
                }
                if shop::leaks(&scoped) {
                    wrong.push(format!("{title}\n  shows what is not the tenant's: {scoped:?}"));
                }
                if sorted(&scoped) != sorted(&plain) {
                    wrong.push(format!("{title}\n  scoped {scoped:?}\n  plain  {plain:?}"));
                }
            }
            (Err(message), _) => wrong.push(format!("{title}\n  scoped: {message}")),
            (Ok(_), Err(message)) => wrong.push(format!("{title}\n  plain: {message}")),
        }
    }
    println!(
        "{name}: {} lawful statements ran, {rows} rows, {} without a row: {empty:?}",
        statements.len(),
        empty.len()
    );
    assert!(wrong.is_empty(), "{} of {} differ\n{}", wrong.len(), statements.len(), wrong.join("\n"));
}

fn sorted(rows: &[String]) -> Vec<&String> {
    let mut rows: Vec<&String> = rows.iter().collect();
    rows.sort();
    rows
}

#[test]
fn lawful_statements_run_on_duckdb() {
    run("duckdb");
}

#[test]
fn lawful_statements_run_on_postgres() {
    run("postgres");
}

#[test]
fn lawful_statements_run_on_mariadb() {
    run("mysql");
}

#[test]
fn lawful_statements_run_on_sqlite() {
    run("sqlite");
}

#[test]
fn lawful_generic_statements_run_on_postgres() {
    run("ansi");
}
