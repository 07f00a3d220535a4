//! How an endpoint is asked: what it can do is found out, what is sent holds no secrets but one, and budgets hold.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot go on should stop")]

mod support;

use std::{
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use support::{
    DAY, KEY, open, open_with, orders, prompt,
    server::{
        Part, Reaction, Server, chunk, completion, completion_body, head, json_response, last_chunk,
        message_body,
    },
    settings, unfit,
};
use tieout_core::{
    halt::{Fault, FaultKind},
    model::{
        BudgetMeasure, BudgetSpan, KeySource, Mode, ModelFaultKind, ModelSettings, Plaintext, Prices,
        UnfitKind, UsageSource,
    },
    ports::Model,
};
use tieout_model::{
    ModelHost, ModelSource, Outside, Received, Taping,
    budget::{SpendInMemory, SpendStore},
    cassette::Cassette,
    probe::{ModeFound, probe},
};

const FITS: &str = r#"{"metric": "orders"}"#;

fn complaint(message: &str) -> Reaction {
    json_response(400, &json!({"error": {"message": message}}))
}

fn tool_call() -> Reaction {
    let call = json!({"function": {"name": "reply", "arguments": FITS}});
    json_response(200, &json!({"choices": [{"message": {"tool_calls": [call]}, "finish_reason": "stop"}]}))
}

/// How each request asked for the shape.
fn shapes(server: &Server) -> Vec<String> {
    let shape = |body: &Value| match (body.pointer("/response_format/type"), body.get("tools")) {
        (Some(kind), _) => kind.as_str().unwrap().to_owned(),
        (None, Some(_)) => "tool".to_owned(),
        (None, None) => "words".to_owned(),
    };
    server.came().iter().map(|came| shape(&came.body)).collect()
}

#[tokio::test]
async fn what_an_endpoint_can_do_is_found_out_once() {
    let reactions = [
        complaint(
            "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
        ),
        complaint("'temperature' does not support 0 with this model"),
        complaint("response_format json_schema is not supported"),
        tool_call(),
    ];
    let server = Server::new(reactions).await;
    let host = open(&settings("openai", &server.url)).unwrap();
    for _ in 0..2 {
        let reply = host.for_question(DAY).complete(&prompt("orders?")).await.unwrap();
        assert_eq!((reply.said, reply.mode), (orders(), Mode::Tool));
    }
    assert_eq!(shapes(&server), ["json_schema", "json_schema", "json_schema", "tool", "tool"]);
    let last = server.came().pop().unwrap().body;
    assert_eq!((last.get("temperature"), last.get("max_tokens")), (None, None));
    assert_eq!(last["max_completion_tokens"], 200);
}

#[tokio::test]
async fn an_endpoint_that_takes_everything_and_holds_to_nothing_is_found_out_by_its_replies() {
    let prose = completion("The metric is orders.");
    let server = Server::new([prose.clone(), prose.clone(), prose, completion(FITS)]).await;
    let host = open(&settings("openai", &server.url)).unwrap();
    let model = host.for_question(DAY);
    let mut found = Vec::new();
    for _ in 0..5 {
        let reply = model.complete(&prompt("orders?")).await.unwrap();
        found.push((reply.mode, unfit(&reply.said)));
    }
    let unfit = |mode, kind| (mode, Some(kind));
    assert_eq!(
        found,
        [
            unfit(Mode::Schema, UnfitKind::NotJson),
            unfit(Mode::Tool, UnfitKind::NoCall),
            unfit(Mode::Json, UnfitKind::NotJson),
            (Mode::Plain, None),
            (Mode::Plain, None),
        ]
    );
    assert_eq!(shapes(&server), ["json_schema", "tool", "json_object", "words", "words"]);
}

#[tokio::test]
async fn a_slip_of_the_model_is_not_taken_for_the_endpoints() {
    let server = Server::new([completion(FITS), completion("Orders!"), completion(FITS)]).await;
    let host = open(&settings("openai", &server.url)).unwrap();
    let model = host.for_question(DAY);
    for expected in [None, Some(UnfitKind::NotJson), None] {
        let reply = model.complete(&prompt("orders?")).await.unwrap();
        assert_eq!((reply.mode, unfit(&reply.said)), (Mode::Schema, expected));
    }
}

#[tokio::test]
async fn a_mode_that_is_configured_stays() {
    let server = Server::new([complaint("tools are not supported")]).await;
    let settings = ModelSettings { mode: Some(Mode::Tool), ..settings("openai", &server.url) };
    let fault = open(&settings).unwrap().for_question(DAY).complete(&prompt("orders?")).await.unwrap_err();
    assert!(matches!(fault.kind, ModelFaultKind::NotTaken { status: 400, .. }), "{fault}");
    assert_eq!(shapes(&server), ["tool"]);
}

#[tokio::test]
async fn the_key_goes_into_its_header_and_nowhere_else() {
    let server = Server::new([completion(FITS)]).await;
    let folder = tempfile::tempdir().unwrap();
    let host = open(&settings("openai", &server.url)).unwrap();
    let recording = Cassette::record(folder.path(), Arc::new(host.for_question(DAY))).unwrap();
    recording.complete(&prompt("orders?")).await.unwrap();
    let came = server.came().remove(0);
    assert!(came.head.to_lowercase().contains(&format!("authorization: bearer {KEY}")), "{}", came.head);
    assert!(came.head.starts_with("POST /chat/completions "), "{}", came.head);
    assert!(!came.body.to_string().contains(KEY));
    assert!(!format!("{:?}", host.identity()).contains(KEY));
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(text.contains("orders?") && !text.contains(KEY), "{text}");
    }

    let server = Server::new([json_response(200, &message_body(FITS))]).await;
    open(&settings("anthropic", &server.url))
        .unwrap()
        .for_question(DAY)
        .complete(&prompt("x"))
        .await
        .unwrap();
    let head = server.came().remove(0).head.to_lowercase();
    assert!(
        head.contains(&format!("x-api-key: {KEY}")) && head.contains("anthropic-version: 2023-06-01"),
        "{head}"
    );

    let server = Server::new([completion(FITS)]).await;
    let mut named = settings("openai", &server.url);
    named.provider.key_header = Some("api-key".to_owned());
    open(&named).unwrap().for_question(DAY).complete(&prompt("x")).await.unwrap();
    let head = server.came().remove(0).head.to_lowercase();
    assert!(head.contains(&format!("api-key: {KEY}")) && !head.contains("authorization"), "{head}");
}

fn refused(change: impl FnOnce(&mut ModelSettings)) -> (FaultKind, String) {
    let mut changed = settings("openai", "http://127.0.0.1:1/v1");
    change(&mut changed);
    let Err(fault) = open(&changed) else { panic!("it was opened") };
    let fault = Fault::from(fault);
    assert!(!fault.hint.is_empty());
    (fault.kind, fault.message)
}

#[test]
fn settings_that_cannot_be_are_told_before_anything_is_sent() {
    let url = |text: &str| {
        let text = text.to_owned();
        refused(move |s| s.provider.url = Some(text))
    };
    for (text, part) in [
        ("not an address", "is no address"),
        ("ftp://127.0.0.1/", "begins with `ftp:`"),
        ("http://user:secret@127.0.0.1/v1", "holds a name or a password"),
        ("http://models.example/v1", "without encryption"),
    ] {
        let (kind, message) = url(text);
        assert_eq!(kind, FaultKind::Model);
        assert!(message.contains(part) && !message.contains("secret"), "{message}");
    }
    assert!(refused(|s| s.provider.provider = "llama".to_owned()).1.contains("there are openai, anthropic"));
    assert!(refused(|s| s.concurrency = 0).1.contains("is 0"));
    assert!(refused(|s| s.budget.money_per_day = Some(1.into())).1.contains("no prices"));
    assert!(
        refused(|s| s.provider.key_header = Some("no header".to_owned())).1.contains("no name of a header")
    );
    let anthropic = refused(|s| {
        s.provider.provider = "anthropic".to_owned();
        s.mode = Some(Mode::Json);
    });
    assert!(anthropic.1.contains("which anthropic has not"), "{}", anthropic.1);
    let (kind, message) = refused(|s| s.provider.key = Some(KeySource::Env("OTHER_KEY".to_owned())));
    assert_eq!(kind, FaultKind::Key);
    assert!(message.contains("OTHER_KEY"), "{message}");
    // Where the network is one's own, a key may go over it; and without a key there is nothing to hide.
    let mut own = settings("openai", "http://models.example/v1");
    own.provider.plaintext = Plaintext::Allowed;
    assert!(open(&own).is_ok());
    own.provider.plaintext = Plaintext::Refused;
    own.provider.key = None;
    assert!(open(&own).is_ok());
}

#[tokio::test]
async fn a_proxy_is_not_asked_for_what_is_on_this_machine() {
    let server = Server::new([completion(FITS)]).await;
    let variable = |name: &str| match name {
        "THE_KEY" => Some(KEY.to_owned()),
        "HTTPS_PROXY" => Some("http://127.0.0.1:1".to_owned()),
        _ => None,
    };
    let outside = Outside { variable: &variable, project: Path::new("/nowhere") };
    let store = Arc::new(SpendInMemory::default());
    let host = ModelHost::open(&settings("openai", &server.url), outside, store).unwrap();
    assert_eq!(host.for_question(DAY).complete(&prompt("x")).await.unwrap().said, orders());
}

#[tokio::test]
async fn progress_tells_how_much_has_come_and_never_what() {
    let event = |value: Value| chunk(format!("data: {value}\n\n"));
    let part = |text: &str| event(json!({"choices": [{"delta": {"content": text}}]}));
    let end = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}});
    let pause = || Part::Wait(Duration::from_millis(30));
    let stream = vec![
        head("text/event-stream"),
        part("{\"metric\": "),
        pause(),
        part("\"orders\"}"),
        pause(),
        event(end),
        event(usage),
        chunk("data: [DONE]\n\n"),
        last_chunk(),
    ];
    let server = Server::new([complaint("unknown field stream_options"), stream]).await;
    let told = Arc::new(Mutex::new(Vec::<Received>::new()));
    let kept = Arc::clone(&told);
    let host = open(&settings("openai", &server.url)).unwrap();
    let model = host.for_question(DAY).with_progress(Arc::new(move |r| kept.lock().unwrap().push(r)));
    let reply = model.complete(&prompt("orders?")).await.unwrap();
    assert_eq!((reply.said, reply.usage.tokens()), (orders(), 13));
    assert_eq!(reply.usage.source, UsageSource::Reported);
    let told = told.lock().unwrap().clone();
    assert!(told.len() >= 3, "{told:?}");
    assert!(told.is_sorted_by_key(|received| received.bytes));
    let bodies: Vec<_> = server.came().into_iter().map(|came| came.body).collect();
    assert_eq!((&bodies[0]["stream"], bodies[0].get("stream_options").is_some()), (&json!(true), true));
    assert_eq!(bodies[1].get("stream_options"), None, "it was found out that this is not taken");
}

#[tokio::test]
async fn an_endpoint_that_does_not_count_is_counted_for() {
    let mut body = completion_body(FITS, "stop");
    body.as_object_mut().unwrap().remove("usage");
    let server = Server::new([json_response(200, &body)]).await;
    let reply = open(&settings("openai", &server.url))
        .unwrap()
        .for_question(DAY)
        .complete(&prompt("x"))
        .await
        .unwrap();
    assert_eq!(reply.usage.source, UsageSource::Estimated);
    assert_eq!(reply.usage.output_tokens, (FITS.len() as u64).div_ceil(3));
}

fn spent(fault: &ModelFaultKind) -> (BudgetSpan, BudgetMeasure) {
    match fault {
        ModelFaultKind::Budget(spent) => (spent.span, spent.measure),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_budget_ends_before_it_is_overspent() {
    let server = Server::new([completion(FITS)]).await;
    let store: Arc<dyn SpendStore> = Arc::new(SpendInMemory::default());
    let mut limited = settings("openai", &server.url);
    // One prompt may take 200 tokens for its reply and some 90 for itself, and takes 110.
    limited.budget.tokens_per_question = Some(420);
    limited.budget.tokens_per_day = Some(540);
    let host = open_with(&limited, Arc::clone(&store)).unwrap();
    let first = host.for_question(DAY);
    for _ in 0..2 {
        first.complete(&prompt("orders?")).await.unwrap();
    }
    // Mid-answer: the question's budget has no room for a third prompt.
    let fault = first.complete(&prompt("orders?")).await.unwrap_err();
    assert_eq!(spent(&fault.kind), (BudgetSpan::Question, BudgetMeasure::Tokens));
    assert_eq!((first.spent().tokens, fault.attempts, server.came().len()), (220, 0, 2));
    assert!(fault.to_string().contains("of 420 tokens are 220 tokens used"), "{fault}");
    assert_eq!(Fault::from(fault).kind, FaultKind::Budget);
    // Another question still has the day's: 220 + 110 are spent when there is no room left there.
    let second = host.for_question(DAY);
    second.complete(&prompt("orders?")).await.unwrap();
    let fault = second.complete(&prompt("orders?")).await.unwrap_err();
    assert_eq!(spent(&fault.kind), (BudgetSpan::Day, BudgetMeasure::Tokens));
    assert_eq!((server.came().len(), store.spent(DAY).unwrap().tokens), (3, 330));
    // Tomorrow is another day.
    assert!(host.for_question(DAY.tomorrow().unwrap()).complete(&prompt("orders?")).await.is_ok());
}

#[tokio::test]
async fn money_is_counted_to_the_last_digit() {
    let server = Server::new([completion(FITS)]).await;
    let mut priced = settings("openai", &server.url);
    let decimal = |text: &str| text.parse().unwrap();
    priced.prices =
        Some(Prices { currency: "USD".to_owned(), input: decimal("2.50"), output: decimal("10") });
    priced.budget.money_per_question = Some(decimal("0.003"));
    let model = open(&priced).unwrap().for_question(DAY);
    let reply = model.complete(&prompt("orders?")).await.unwrap();
    // 100 × 2.50 + 10 × 10 = 350 millionths.
    assert_eq!(reply.spend.money, Some(decimal("0.00035")));
    model.complete(&prompt("orders?")).await.unwrap();
    assert_eq!(model.spent().money, Some(decimal("0.0007")));
    model.complete(&prompt("orders?")).await.unwrap();
    let fault = model.complete(&prompt("orders?")).await.unwrap_err();
    assert_eq!(spent(&fault.kind), (BudgetSpan::Question, BudgetMeasure::Money));
}

#[tokio::test]
async fn what_failed_after_the_endpoint_worked_stays_spent() {
    let cut = vec![head("application/json"), chunk("{\"choices\"")];
    let server = Server::new([cut, json_response(500, &json!({})), completion(FITS)]).await;
    let model = open(&settings("openai", &server.url)).unwrap().for_question(DAY);
    let reply = model.complete(&prompt("orders?")).await.unwrap();
    assert_eq!(reply.attempts, 3);
    assert!(
        reply.spend.tokens > 110 + 200,
        "the cut reply counts as the most it could take: {:?}",
        reply.spend
    );
    assert_eq!(model.spent(), reply.spend);
}

#[tokio::test]
async fn no_more_run_at_once_than_are_allowed() {
    let mut slow = completion(FITS);
    slow.insert(0, Part::Wait(Duration::from_millis(100)));
    let server = Server::new([slow]).await;
    let mut two = settings("openai", &server.url);
    two.concurrency = 2;
    two.mode = Some(Mode::Schema);
    let host = open(&two).unwrap();
    let asking: Vec<_> = (0..6)
        .map(|_| {
            let model = host.for_question(DAY);
            tokio::spawn(async move { model.complete(&prompt("orders?")).await.unwrap().said })
        })
        .collect();
    for asked in asking {
        assert_eq!(asked.await.unwrap(), orders());
    }
    assert_eq!((server.most_at_once(), server.came().len()), (2, 6));
    // Who waits for a place waits no longer than for a reply.
    let server = Server::new([vec![Part::Wait(Duration::from_secs(60))]]).await;
    let mut one = settings("openai", &server.url);
    (one.concurrency, one.timeout_ms) = (1, 500);
    let host = open(&one).unwrap();
    let (first, second) = (host.for_question(DAY), host.for_question(DAY));
    let (words, others) = (prompt("orders?"), prompt("orders again?"));
    let (first, second) = tokio::join!(first.complete(&words), second.complete(&others));
    for end in [first, second] {
        let fault = end.unwrap_err();
        assert!(matches!(fault.kind, ModelFaultKind::Timeout { .. }), "{fault}");
        assert!(fault.took < Duration::from_secs(20), "{:?}", fault.took);
    }
    assert_eq!(server.most_at_once(), 1);
}

#[tokio::test]
async fn a_probe_says_which_modes_hold() {
    let works = json_response(200, &completion_body(r#"{"word": "tieout"}"#, "stop"));
    let prose = completion("The sea is wide.");
    let server = Server::new([works.clone(), prose, complaint("json_object is unknown"), works]).await;
    let report = probe(&open(&settings("openai", &server.url)).unwrap(), DAY).await;
    let found: Vec<_> = report
        .modes
        .iter()
        .map(|report| match &report.found {
            ModeFound::Works { .. } => (report.mode, "works"),
            ModeFound::Ignored { .. } => (report.mode, "ignored"),
            ModeFound::NotTaken { .. } => (report.mode, "not taken"),
            ModeFound::Fault(_) => (report.mode, "fault"),
        })
        .collect();
    assert_eq!(
        found,
        [(Mode::Schema, "works"), (Mode::Tool, "ignored"), (Mode::Json, "not taken"), (Mode::Plain, "works")]
    );
    assert_eq!((report.best(), report.spend().tokens), (Some(Mode::Schema), 220));
    assert_eq!(shapes(&server), ["json_schema", "tool", "json_object", "words"]);
    // What every mode would meet is met once.
    let server = Server::new([json_response(401, &json!({}))]).await;
    let report = probe(&open(&settings("openai", &server.url)).unwrap(), DAY).await;
    assert_eq!((report.modes.len(), report.best(), server.came().len()), (1, None, 1));
}

#[tokio::test]
async fn every_question_has_its_own_purse_and_all_share_a_cassette() {
    let server = Server::new([completion(FITS)]).await;
    let folder = tempfile::tempdir().unwrap();
    let mut limited = settings("openai", &server.url);
    limited.budget.tokens_per_question = Some(420);
    let source = ModelSource::taped(open(&limited).unwrap(), folder.path(), Taping::Fill).unwrap();
    let first = source.for_question(DAY, None);
    first.complete(&prompt("one")).await.unwrap();
    first.complete(&prompt("two")).await.unwrap();
    assert!(first.complete(&prompt("three")).await.is_err(), "its budget has no room for a third");
    assert!(first.complete(&prompt("one")).await.is_ok(), "what is recorded costs nothing");
    let second = source.for_question(DAY, None);
    assert!(second.complete(&prompt("three")).await.is_ok());
    assert!(second.complete(&prompt("one")).await.is_ok(), "what the first recorded");
    assert_eq!(server.came().len(), 3);
    let played = ModelSource::played(folder.path()).unwrap();
    assert_eq!((played.identity().provider.as_str(), played.identity().model.as_str()), ("openai", "m"));
    for words in ["one", "two", "three"] {
        assert!(played.for_question(DAY, None).complete(&prompt(words)).await.is_ok());
    }
    assert_eq!(server.came().len(), 3);
}

#[test]
fn the_names_of_providers_are_those_a_project_may_use() {
    assert_eq!(tieout_model::provider_names(), tieout_core::model::PROVIDER_NAMES);
}
