//! Mutants of the published gold queries. One whose joins, grain or safety was broken must be rejected; held against what
//! the gold works out, every one that means something else. Only databases with stated keys take part, and only golds that
//! pass; survivors are printed, and those that mean the same are told apart by running them. Steps aside when the folder is
//! not there.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop"
)]

mod corpus;
mod mutation;

use corpus::{corpora, databases, golds};
use mutation::{Original, Tally, all, structure};
use tieout_sql::{ANSI, DUCKDB, Dialect, POSTGRES, Schema, ddl};

fn original(origin: String, sql: &str, schema: &Schema, dialect: &'static Dialect) -> Option<Original> {
    let query = Original::parsed(sql, dialect)?;
    let mut schema = schema.clone();
    schema.tables.values_mut().for_each(|table| table.tenant = Some("tenant_id".to_owned()));
    let found = Original { origin, query, binds: Vec::new(), schema, dialect };
    found.is_accepted(None).then_some(found)
}

/// The golds of defog and acme that pass, each under its schema.
fn originals() -> Option<Vec<Original>> {
    let (databases, corpora) = (databases()?, corpora()?);
    let keyed =
        |schema: &&Schema| schema.tables.values().filter(|table| table.primary_key.is_empty()).count() <= 3;
    let mut found: Vec<Original> = Vec::new();
    for gold in golds("postgres") {
        if let Some(schema) = databases.get(&gold.db).filter(keyed) {
            found.extend(original(gold.id, &gold.sql, schema, &POSTGRES));
        }
    }
    let text = std::fs::read_to_string(corpora.join("acme/schema.sql")).unwrap();
    let acme = ddl::schema(&text, &ANSI).unwrap();
    for line in std::fs::read_to_string(corpora.join("acme/questions.jsonl")).unwrap().lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        for gold in row["gold_sql"].as_array().unwrap().iter().filter_map(|gold| gold.as_str()) {
            found.extend(original(row["id"].to_string(), gold, &acme, &DUCKDB));
        }
    }
    Some(found)
}

#[test]
fn structural_mutants_of_golds_die() {
    let Some(originals) = originals() else {
        println!("skipped: no corpora here");
        return;
    };
    let mut tally = Tally::default();
    for original in &originals {
        original.tally(structure::changes(&original.query, &original.schema), None, &mut tally);
    }
    let (dead, total) = tally.print(&format!("without definitions, {} golds", originals.len()));
    assert!(dead * 10 >= total * 9, "{dead} of {total} mutants are rejected");
}

#[test]
fn mutants_of_golds_held_against_definitions_die() {
    let Some(originals) = originals() else {
        println!("skipped: no corpora here");
        return;
    };
    let (mut tally, mut defined) = (Tally::default(), 0);
    for original in &originals {
        let Some(expected) = original.definitions() else { continue };
        defined += 1;
        original.tally(all(&original.query, &original.schema), Some(&expected), &mut tally);
    }
    let golds = originals.len();
    let (dead, total) =
        tally.print(&format!("with definitions, {defined} of {golds} golds have the shape of one"));
    assert!(defined * 3 >= golds, "only {defined} of {golds} golds have the shape of a definition");
    assert!(dead * 100 >= total * 98, "{dead} of {total} mutants are rejected");
}
