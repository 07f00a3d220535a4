//! Statements that a model drafts, through the built binary: what is recorded, shown and replayed, and how asking fails.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops where it fails")]

mod support;

use serde_json::{Value, json};
use support::{
    Shop,
    endpoint::{Does, Endpoint, ask, completion, says, shop},
};

const QUESTION: &str = "average quantity in September 2026";
const CONFIRM: [&str; 2] = ["--confirm", "metric=average:order_lines.quantity"];
const ON: &str = "read: builtin, drafts: ad_hoc";
const RIGHT: &str = "SELECT COUNT(quantity) AS counted, COUNT(*) AS line_count, SUM(quantity) AS pieces FROM order_lines WHERE sold_on >= DATE '2026-09-01' AND sold_on < DATE '2026-10-01'";

fn draft(sql: &str) -> Does {
    completion(&json!({ "sql": sql }).to_string())
}

/// Who wrote each query of some purpose.
fn writers<'r>(record: &'r Value, purpose: &str) -> Vec<&'r str> {
    let queries = record["queries"].as_array().unwrap().iter().filter(|query| query["purpose"] == purpose);
    queries.map(|query| query["written_by"].as_str().unwrap()).collect()
}

#[test]
fn a_record_says_who_wrote_each_statement_and_replays_without_a_model() {
    let own = ask(&Shop::new(), QUESTION, &[&CONFIRM[..], &["--json"]].concat()).ends(0).json();
    assert_eq!(writers(&own, "figures"), ["compiler"]);
    let lie = "SELECT COUNT(*) AS n, SUM(quantity) AS p1, COUNT(quantity) AS p2 FROM order_lines";
    let endpoint = Endpoint::that(vec![draft(lie), draft(RIGHT)]);
    let shop = shop(&endpoint.url, ON);
    let record = ask(&shop, QUESTION, &[&CONFIRM[..], &["--json"]].concat()).ends(0).json();
    support::valid(&record);
    assert_eq!((&record["figures"], &record["claims"]), (&own["figures"], &own["claims"]));
    assert_eq!(writers(&record, "figures"), ["model"]);
    assert_eq!(writers(&record, "support"), ["compiler"], "the rows behind a figure are our own query");
    let asked: Vec<(&Value, &Value)> =
        record["models"].as_array().unwrap().iter().map(|m| (&m["purpose"], &m["judged"])).collect();
    assert_eq!(asked, [(&json!("draft"), &json!("rejected")), (&json!("draft"), &json!("accepted"))]);
    assert_eq!(endpoint.requests(), 2);
    let id = record["id"].as_str().unwrap();
    let replayed = shop.run(["replay", id, "--tenant", "alpha"]).ends(0);
    assert!(replayed.out.contains("same"), "{}", replayed.out);
    let shown = shop.run(["show", id, "--tenant", "alpha"]).ends(0).out;
    assert!(shown.contains("a language model"), "{shown}");
    assert_eq!(endpoint.requests(), 2, "neither asks a model");
    let traced = ask(&shop, QUESTION, &[&CONFIRM[..], &["--trace"]].concat()).ends(0).out;
    for words in ["model, to draft", "with its columns named around it", "present · period"] {
        assert!(traced.contains(words), "{words}: {traced}");
    }
}

#[test]
fn what_is_not_accepted_is_declined_and_what_cannot_be_asked_is_a_fault() {
    let lie = RIGHT.replace("2026-10-01", "2026-11-01");
    let endpoint = Endpoint::that(vec![draft(&lie)]);
    let refused =
        ask(&shop(&endpoint.url, ON), QUESTION, &[&CONFIRM[..], &["--json"]].concat()).ends(3).json();
    support::valid(&refused);
    let codes: Vec<&Value> = refused["problems"].as_array().unwrap().iter().map(|p| &p["code"]).collect();
    assert_eq!(codes, ["no_draft", "rejected"], "{refused:#}");
    assert!(refused["problems"][1]["message"].as_str().unwrap().contains("period"), "{refused:#}");
    assert!(refused["queries"].as_array().unwrap().is_empty(), "nothing ran");
    assert_eq!(endpoint.requests(), 3);
    for (does, kind, requests) in [
        (says(500, &json!({"error": "broke"})), "unreachable", 3),
        (says(401, &json!({"error": "who are you?"})), "key", 1),
        (Does::HangsUp, "unreachable", 3),
    ] {
        let endpoint = Endpoint::that(vec![does]);
        let broken =
            ask(&shop(&endpoint.url, ON), QUESTION, &[&CONFIRM[..], &["--json"]].concat()).ends(1).json();
        assert_eq!(broken["fault"]["kind"], kind, "{broken:#}");
        assert!(broken.get("problems").is_none() && broken["queries"].as_array().unwrap().is_empty());
        assert_eq!(endpoint.requests(), requests, "{broken:#}");
    }
}

#[test]
fn a_model_is_asked_for_no_draft_that_nobody_wants() {
    let endpoint = Endpoint::that(vec![draft(RIGHT)]);
    for more in ["read: builtin", "read: builtin, drafts: never"] {
        let shop = shop(&endpoint.url, more);
        ask(&shop, QUESTION, &CONFIRM).ends(0);
    }
    let shop = shop(&endpoint.url, ON);
    ask(&shop, QUESTION, &[]).ends(4);
    ask(&shop, "items sold in September 2026", &[]).ends(0);
    assert_eq!(endpoint.requests(), 0);
}

/// A key that repeats in the data repeats rows, whoever wrote the join; a draft may join where our own statement does not.
#[test]
fn keys_that_a_draft_joins_along_are_looked_at() {
    let joined = "SELECT COUNT(*) AS n, SUM(l.quantity) AS p1, COUNT(l.quantity) AS p2 FROM order_lines AS l LEFT JOIN products AS p ON p.product_id = l.product_id WHERE l.sold_on >= DATE '2026-09-01' AND l.sold_on < DATE '2026-10-01'";
    let endpoint = Endpoint::that(vec![draft(joined)]);
    let shop = shop(&endpoint.url, ON);
    let record = ask(&shop, QUESTION, &[&CONFIRM[..], &["--json"]].concat()).ends(0).json();
    assert!(
        record["queries"].as_array().unwrap().iter().any(|query| query["id"] == "key:products.product_id")
    );
    shop.change("data/products.csv", "1,ruled notebook,", "2,ruled notebook,");
    let refused = ask(&shop, QUESTION, &[&CONFIRM[..], &["--json"]].concat());
    assert!(refused.code == 3 || refused.code == 1, "{}\n{}", refused.out, refused.err);
    assert!(refused.out.contains("key_repeats") || refused.err.contains("product_id"), "{}", refused.out);
}
