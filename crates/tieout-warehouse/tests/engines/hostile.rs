//! Hostile statements run. What the checker lets through is run scoped, where another tenant's rows and hidden columns
//! bear marks that must never come back, and where it must give what it gives when there is no other tenant. What it
//! rejects is run as it stands, where that is safe, over tables under the names that it uses: so that the attacks are
//! known to be real.

use std::collections::BTreeMap;

use tieout_sql::{CheckedQuery, Dialect};

use super::engine::{Answer, Ask, Engine, several};
use super::shop::{self, Of};
use super::statements::{Hostile, checked, hostile, shop};

/// What came of the statements of one class.
#[derive(Default)]
struct Tally {
    rejected: usize,
    bound: usize,
    /// Run as they stand.
    raw: usize,
    /// … of which so many showed what is not the tenant's.
    real: usize,
}

fn run(name: &str) {
    let (dialect, schema) = (Dialect::by_name(name).unwrap(), shop());
    let Some(mut engines) = several(name, 3) else { return };
    engines[0].load(&shop::script(&schema, Of::Both));
    engines[1].load(&shop::script(&schema, Of::One));
    engines[2].load(&shop::script(&shop::by_logical_names(&schema), Of::Both));
    let statements = hostile(name);
    let found: Vec<Option<CheckedQuery>> = statements
        .iter()
        .map(|statement| checked(&statement.sql, Vec::new(), dialect, &schema).ok())
        .collect();
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    for (statement, found) in statements.iter().zip(&found) {
        let tally = tallies.entry(&statement.class).or_default();
        match found {
            Some(_) => tally.bound += 1,
            None => tally.rejected += 1,
        }
        if statement.raw {
            tally.raw += 1;
            tally.real += usize::from(engines[2].raw(&statement.sql).is_ok_and(|rows| shop::leaks(&rows)));
        }
    }
    let accepted: Vec<(&Hostile, &CheckedQuery)> = statements
        .iter()
        .zip(&found)
        .filter_map(|(statement, found)| Some((statement, found.as_ref()?)))
        .collect();
    let (over_both, alone) = (asked(engines[0].as_mut(), &accepted), asked(engines[1].as_mut(), &accepted));
    let (mut wrong, mut refused) = (Vec::new(), 0);
    for (((statement, found), seen), alone) in accepted.iter().zip(over_both).zip(alone) {
        match (seen, alone) {
            (Ok(seen), Ok(alone)) if !shop::leaks(&seen) && sorted(&seen) == sorted(&alone) => {}
            // What the engine does not take shows nothing.
            (Err(_), Err(_)) => refused += 1,
            (seen, alone) => wrong.push(format!(
                "{}\n  {}\n  with the other tenant    {seen:?}\n  without the other tenant {alone:?}",
                statement.sql,
                found.sql()
            )),
        }
    }
    println!(
        "{name}: {} hostile statements, {} of them lawful once scoped, of which the engine refuses {refused}",
        statements.len(),
        accepted.len()
    );
    println!("    {:>8} {:>6} {:>8} {:>9}  class", "rejected", "bound", "run raw", "leaked so");
    for (class, Tally { rejected, bound, raw, real }) in tallies {
        println!("    {rejected:>8} {bound:>6} {raw:>8} {real:>9}  {class}");
    }
    assert!(wrong.is_empty(), "{} of {} are not safe\n{}", wrong.len(), accepted.len(), wrong.join("\n"));
}

fn asked(engine: &mut dyn Engine, accepted: &[(&Hostile, &CheckedQuery)]) -> Vec<Answer> {
    let asks: Vec<Ask> = accepted
        .iter()
        .map(|(_, found)| Ask { sql: found.sql().to_owned(), binds: found.binds().to_vec() })
        .collect();
    engine.run(&asks)
}

fn sorted(rows: &[String]) -> Vec<&String> {
    let mut rows: Vec<&String> = rows.iter().collect();
    rows.sort();
    rows
}

#[test]
fn hostile_statements_show_nothing_on_duckdb() {
    run("duckdb");
}

#[test]
fn hostile_statements_show_nothing_on_postgres() {
    run("postgres");
}

#[test]
fn hostile_statements_show_nothing_on_mariadb() {
    run("mysql");
}

#[test]
fn hostile_statements_show_nothing_on_sqlite() {
    run("sqlite");
}

#[test]
fn hostile_generic_statements_show_nothing_on_postgres() {
    run("ansi");
}
