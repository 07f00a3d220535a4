//! The JSON Schemas of records and reports are those that are checked in, and records are what theirs says. `TIEOUT_REWRITE=1` writes it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops where it fails")]

mod support;

use std::fs;

use serde_json::json;
use support::{COMPARE, Shop, repository, valid};

#[test]
fn the_schemas_are_fresh() {
    for (file, schema) in [
        ("record.schema.json", tieout::wire::schema()),
        ("check.schema.json", tieout::wire::check_schema()),
        ("explain.schema.json", tieout::wire::explain_schema()),
    ] {
        let fresh = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        let path = repository().join("schema").join(file);
        if std::env::var_os("TIEOUT_REWRITE").is_some() {
            fs::write(&path, &fresh).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(written == fresh, "schema/{file} is stale; run this test with TIEOUT_REWRITE=1");
    }
}

#[test]
fn every_end_is_what_the_schema_says() {
    let shop = Shop::new();
    for (question, outcome) in [
        (COMPARE, "answer"),
        ("list all customers in Berlin", "answer"),
        ("how is net revenue defined?", "answer"),
        ("sales in September 2026", "doubt"),
        ("net revenue by flavour in September 2026", "refusal"),
    ] {
        let record = shop.record(question, &[]);
        assert_eq!(record["outcome"], outcome, "{question}: {record:#}");
        valid(&record);
        let id = record["id"].as_str().unwrap();
        let shown = shop.run(["show", id, "--tenant", "alpha", "--json"]).ends(0).json();
        valid(&shown);
        assert_eq!(shown["question"], question);
    }
}

#[test]
fn a_record_that_lacks_something_is_not_valid() {
    let shop = Shop::new();
    let record = shop.record(COMPARE, &[]);
    let schema =
        serde_json::from_str(&fs::read_to_string(repository().join("schema/record.schema.json")).unwrap())
            .unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(validator.is_valid(&record));
    for broken in [
        |r: &mut serde_json::Value| drop(r.as_object_mut().unwrap().remove("claims")),
        |r: &mut serde_json::Value| r["outcome"] = json!("guess"),
        |r: &mut serde_json::Value| r["figures"]["total"]["figures"][0]["value"] = json!(200.0),
        |r: &mut serde_json::Value| r["claims"][0]["sources"][0]["kind"] = json!("memory"),
    ] {
        let mut record = record.clone();
        broken(&mut record);
        assert!(!validator.is_valid(&record), "{record:#}");
    }
}

#[test]
fn numbers_are_strings_and_keep_every_digit() {
    let shop = Shop::new();
    let always = ["--tenant", "beta", "--now", "2026-10-07", "--json"];
    let record = shop.run(["ask", "largest order"].iter().chain(&always)).ends(0).json();
    let value = record["figures"]["total"]["figures"][0]["value"].as_str().expect("a string").to_owned();
    let sale = fs::read_to_string(shop.path().join("data/orders.csv")).unwrap();
    let cents = value.replace('.', "");
    assert!(value.len() > 15 && sale.contains(&cents), "{value} is the amount of one order, whole");
}

#[test]
fn a_workbench_can_be_shared_by_the_threads_of_a_server() {
    fn shared<T: Send + Sync>() {}
    shared::<tieout::session::Workbench>();
}
