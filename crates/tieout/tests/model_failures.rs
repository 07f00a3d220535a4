//! Each way in which a model's endpoint can fail, through the built binary: its own outcome and exit code, never a
//! refusal, and requests counted at the endpoint.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops where it fails")]

mod support;

use std::{
    net::TcpListener,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use support::{
    Shop,
    endpoint::{Does, Endpoint, ask, completion, completion_of, says, shop},
};

/// What the built-in reader declines, so that the model is asked.
const SLANG: &str = "takings by channel in September 2026";
/// What it does not need a model for.
const PLAIN: &str = "net revenue by channel in September 2026";

/// The right reading of the question.
fn right() -> String {
    let reply = json!({
        "words": {"takings": "net_revenue"}, "ask": "figures", "measures": ["net_revenue"],
        "by": ["ledger.channel"], "conditions": [], "period": "t1",
    });
    reply.to_string()
}

/// Asks what needs a model, and holds that the end is this fault, told as one, after so many requests.
fn fails(does: Vec<Does>, more: &str, kind: &str, requests: usize) -> Duration {
    let endpoint = Endpoint::that(does);
    let shop = shop(&endpoint.url, more);
    let begun = Instant::now();
    let record = ask(&shop, SLANG, &["--json"]).ends(1).json();
    let took = begun.elapsed();
    assert_eq!(endpoint.requests(), requests, "{kind}: {record:#}");
    is_fault(&record, kind);
    assert!(endpoint.keys.lock().unwrap().iter().all(|head| head.contains("Bearer sk-not-to-be-shown")));
    assert!(!record.to_string().contains("sk-not-to-be-shown"), "the key is in the record");
    took
}

/// A fault in a record: its kind, the model that was asked, and what can still be done without it.
fn is_fault(record: &Value, kind: &str) {
    support::valid(record);
    assert_eq!((&record["outcome"], &record["fault"]["kind"]), (&json!("fault"), &json!(kind)), "{record:#}");
    let hint = record["fault"]["hint"].as_str().unwrap();
    assert!(hint.contains("`takings` is not a word of this catalogue"), "{hint}");
    assert!(hint.contains("--read builtin"), "{hint}");
    assert!(record.get("problems").is_none() && record.get("figures").is_none(), "{record:#}");
}

#[test]
fn a_good_reply_is_put_to_the_asker() {
    let endpoint = Endpoint::that(vec![completion(&right())]);
    let shop = shop(&endpoint.url, "");
    let record = ask(&shop, SLANG, &["--json"]).ends(4).json();
    assert_eq!(record["doubts"][0]["choices"][0]["key"], PLAIN);
    assert_eq!(endpoint.requests(), 1);
    let taken = ask(&shop, SLANG, &["--json", "--confirm", &format!("reading={PLAIN}")]).ends(0).json();
    let plain = ask(&shop, PLAIN, &["--json"]).ends(0).json();
    assert_eq!(taken["figures"], plain["figures"]);
    assert_eq!(endpoint.requests(), 1, "what is taken or plain asks no model");
}

#[test]
fn an_endpoint_that_is_down_takes_nothing_from_the_built_in_reader() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let shop = shop(&url, "");
    ask(&shop, PLAIN, &[]).ends(0);
    ask(&shop, "sales in September 2026", &[]).ends(4);
    ask(&shop, "profit in September 2026", &[]).ends(3);
    is_fault(&ask(&shop, SLANG, &["--json"]).ends(1).json(), "unreachable");
    let told = ask(&shop, SLANG, &[]).ends(1);
    assert!(told.out.is_empty() && told.err.contains("takings"), "{}\n{}", told.out, told.err);
    ask(&shop, SLANG, &["--read", "builtin"]).ends(3);
}

#[test]
fn keys_and_accounts_are_asked_once() {
    let complaint = |status| vec![says(status, &json!({"error": {"message": "no: sk-not-to-be-shown"}}))];
    fails(complaint(401), "", "key", 1);
    fails(complaint(403), "", "key", 1);
    fails(complaint(402), "", "payment", 1);
    let quota = json!({"error": {"message": "quota", "code": "insufficient_quota"}});
    fails(vec![says(429, &quota)], "", "payment", 1);
}

#[test]
fn a_busy_endpoint_is_asked_as_it_says() {
    let busy = |header: &str| {
        let headers = [header, "Content-Type: application/json"].map(str::to_owned).to_vec();
        Does::Answers(429, headers, b"{}".to_vec())
    };
    fails(vec![busy("X-Nothing: 1")], "", "quota", 3);
    let took = fails(vec![busy("Retry-After: 1")], "", "quota", 3);
    assert!(took >= Duration::from_secs(2), "two waits of a second: {took:?}");
    let took = fails(vec![busy("Retry-After: 600")], "", "quota", 1);
    assert!(took < Duration::from_secs(20), "nobody waits ten minutes: {took:?}");
    comes_through(vec![busy("Retry-After: 1"), completion(&right())], 2);
}

/// Asks what needs a model, and holds that it comes to the right reading after so many requests.
fn comes_through(does: Vec<Does>, requests: usize) {
    let endpoint = Endpoint::that(does);
    let record = ask(&shop(&endpoint.url, ""), SLANG, &["--json"]).ends(4).json();
    assert_eq!(record["doubts"][0]["choices"][0]["key"], PLAIN, "{record:#}");
    assert_eq!(endpoint.requests(), requests);
}

#[test]
fn what_broke_is_asked_three_times_in_all() {
    let broke = || says(500, &json!({"error": "no"}));
    fails(vec![broke()], "", "unreachable", 3);
    fails(vec![says(502, &json!({}))], "", "unreachable", 1);
    fails(vec![Does::HangsUp], "", "unreachable", 3);
    comes_through(vec![broke(), completion(&right())], 2);
    comes_through(vec![broke(), Does::HangsUp, completion(&right())], 3);
    // What was not accepted counts with what broke: three in all.
    fails(vec![completion("{}"), broke(), broke(), completion(&right())], "", "unreachable", 3);
}

#[test]
fn a_slow_stream_ends_when_the_time_is_over() {
    let head = |kind: &str| format!("HTTP/1.1 200 X\r\nContent-Type: {kind}\r\n\r\n").into_bytes();
    for kind in ["application/json", "text/event-stream"] {
        let slow = Does::Trickles(head(kind), Duration::from_millis(50));
        let took = fails(vec![slow], "timeout: 1s,", "timeout", 1);
        assert!(took >= Duration::from_secs(1) && took < Duration::from_secs(20), "{took:?}");
    }
}

#[test]
fn what_is_cut_off_or_no_reply_is_a_fault() {
    let answers =
        |kind: &str, body: &[u8]| Does::Answers(200, vec![format!("Content-Type: {kind}")], body.to_vec());
    let event = json!({"choices": [{"delta": {"content": "{\"ask\": "}, "finish_reason": null}]});
    let cut = answers("text/event-stream", format!("data: {event}\n\n").as_bytes());
    fails(vec![cut.clone()], "", "model", 3);
    comes_through(vec![cut, completion(&right())], 2);
    fails(vec![answers("application/json", b"{\"choices\": [{\"mess")], "", "model", 3);
    fails(vec![answers("text/html", right().as_bytes())], "", "model", 1);
    fails(vec![answers("application/json", b"{\"choices\": \"\xff\"}")], "", "model", 1);
    let head = b"HTTP/1.1 200 X\r\nContent-Type: application/json\r\n\r\n{\"choices\": \"".to_vec();
    fails(vec![Does::Endless(head)], "", "model", 1);
}

#[test]
fn a_budget_that_is_spent_mid_answer_ends_it() {
    // The first reply does not stand, and it took what the second would need.
    let wrong = right().replace("[\"ledger.channel\"]", "[]");
    let both = || Endpoint::that(vec![completion_of(&wrong, 75_000), completion(&right())]);
    let endpoint = both();
    let roomy = shop(&endpoint.url, "budget: { tokens_per_question: 200000 },");
    let record = ask(&roomy, SLANG, &["--json"]).ends(4).json();
    assert_eq!((endpoint.requests(), record["models"].as_array().unwrap().len()), (2, 2), "{record:#}");
    let endpoint = both();
    let tight = shop(&endpoint.url, "budget: { tokens_per_question: 80000 },");
    let record = ask(&tight, SLANG, &["--json"]).ends(1).json();
    is_fault(&record, "budget");
    assert_eq!(endpoint.requests(), 1, "the second prompt had no room: {record:#}");
    assert_eq!(record["models"][0]["judged"], "rejected", "what was spent is told: {record:#}");

    let endpoint = Endpoint::that(vec![completion(&wrong), completion(&right())]);
    let tight = shop(&endpoint.url, "budget: { tokens_per_day: 1 },");
    is_fault(&ask(&tight, SLANG, &["--json"]).ends(1).json(), "budget");
    assert_eq!(endpoint.requests(), 0, "there was no room for the first prompt");
    ask(&tight, PLAIN, &[]).ends(0);
}

#[test]
fn what_a_model_says_amiss_is_a_refusal_and_no_fault() {
    for words in ["", "I cannot help with that.", "{\"ask\": ", "[]", "{\"ask\": \"nothing\"}"] {
        let endpoint = Endpoint::that(vec![completion(words)]);
        let record = ask(&shop(&endpoint.url, ""), SLANG, &["--json"]).ends(3).json();
        assert_eq!(record["problems"][0]["code"], "unknown_word", "{words}: {record:#}");
        assert!((1..=3).contains(&endpoint.requests()), "{words}: {}", endpoint.requests());
    }
}

/// Who worded each claim; a template when nothing is said.
fn authors(record: &Value) -> Vec<&str> {
    let claims = record["claims"].as_array().unwrap();
    claims.iter().map(|claim| claim.get("author").and_then(Value::as_str).unwrap_or("template")).collect()
}

#[test]
fn an_answer_is_worded_by_the_model_and_never_waits_for_it() {
    let without = ask(&Shop::new(), PLAIN, &["--json"]).ends(0).json();
    let sentence = json!({"sentences": [{"text": "direct had the highest net revenue, {f1}"}]}).to_string();
    let lie = json!({"sentences": [{"text": "marketplace had the highest net revenue, {f2}"}]}).to_string();
    for (does, requests, model) in [
        (completion(&sentence), 1, true),
        (completion(&lie), 3, false),
        (completion("no"), 3, false),
        (says(500, &json!({"error": "broke"})), 3, false),
        (says(401, &json!({"error": "who are you?"})), 1, false),
        (Does::HangsUp, 3, false),
    ] {
        let endpoint = Endpoint::that(vec![does]);
        let shop = shop(&endpoint.url, "read: builtin, narrate: model");
        let record = ask(&shop, PLAIN, &["--json"]).ends(0).json();
        support::valid(&record);
        assert_eq!(record["figures"], without["figures"]);
        assert_eq!(authors(&record).contains(&"model"), model, "{record:#}");
        if !model {
            assert_eq!(record["claims"], without["claims"]);
        }
        assert_eq!(endpoint.requests(), requests, "{record:#}");
        assert!(!record["models"].as_array().unwrap().is_empty(), "what was asked is in the record");
    }
}
