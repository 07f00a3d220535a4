//! The failure matrix of embeddings: each way in which asking for vectors can fail has its own fault, and how often the
//! endpoint is asked is measured at the endpoint. And what is sent, kept, spent and recorded.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot go on should stop")]

mod support;

use std::{fs, sync::Arc, time::Duration};

use serde_json::{Value, json};
use support::{
    DAY, KEY, embedding_settings, open_embeddings, open_embeddings_with,
    server::{Part, Reaction, Server, chunk, head, json_response, response, vectors, vectors_body},
};
use tieout_core::{
    halt::FaultKind,
    model::{
        BadReply, BadVectors, EmbedPurpose, Embedded, EmbeddingSettings, ModelFault, ModelFaultKind,
        Plaintext, Prices, UsageSource, Vector,
    },
    ports::Embedder,
};
use tieout_model::{
    EmbeddingSource,
    budget::{SpendInMemory, SpendStore},
    cassette::{Cassette, EmbeddingCassette, VECTORS_FOLDER},
    kept::{KeptEmbedder, Shelf},
    probe::probe_embeddings,
    scripted::ScriptedEmbedder,
};

const GOOD: [&[f32]; 2] = [&[1.0, 2.0], &[-3.0, 0.5]];

fn texts() -> Vec<String> {
    ["net revenue", "orders"].map(str::to_owned).to_vec()
}

/// How asking for two vectors ended, and how often the endpoint was asked.
struct Ended {
    end: Result<Embedded, ModelFault>,
    requests: usize,
    took: Duration,
}

async fn embed(reactions: impl IntoIterator<Item = Reaction>) -> Ended {
    embed_with(reactions, |_| ()).await
}

async fn embed_with(
    reactions: impl IntoIterator<Item = Reaction>,
    change: impl FnOnce(&mut EmbeddingSettings),
) -> Ended {
    let server = Server::new(reactions).await;
    let mut settings = embedding_settings(&server.url);
    change(&mut settings);
    let begun = std::time::Instant::now();
    let embedder = open_embeddings(&settings).unwrap().for_question(DAY);
    let end = embedder.embed(EmbedPurpose::Catalogue, &texts()).await;
    let ended = Ended { end, requests: server.came().len(), took: begun.elapsed() };
    if let Err(fault) = &ended.end {
        assert_eq!(fault.attempts as usize, ended.requests, "{fault}");
        assert!(!fault.to_string().contains(KEY) && !fault.hint().is_empty(), "{fault}");
    }
    ended
}

impl Ended {
    fn fault(self) -> (ModelFaultKind, usize) {
        match self.end {
            Ok(embedded) => panic!("{embedded:?}"),
            Err(fault) => (fault.kind, self.requests),
        }
    }

    fn code(self) -> (&'static str, usize) {
        let (kind, requests) = self.fault();
        (kind.code(), requests)
    }

    fn good(self) -> usize {
        let numbers = self.end.unwrap().vectors;
        assert_eq!(numbers, GOOD.map(|numbers| Vector::of(numbers.to_vec()).unwrap()));
        self.requests
    }
}

fn bad(bad: BadVectors) -> (ModelFaultKind, usize) {
    (ModelFaultKind::BadReply(BadReply::Vectors(bad)), 1)
}

#[tokio::test]
async fn a_good_reply_is_a_vector_for_each_text() {
    let server = Server::new([vectors(&GOOD)]).await;
    let embedder =
        open_embeddings(&embedding_settings(&format!("{}/v1", server.url))).unwrap().for_question(DAY);
    let embedded = embedder.embed(EmbedPurpose::Catalogue, &texts()).await.unwrap();
    assert_eq!((embedded.vectors.len(), embedded.took.sent), (2, 2));
    let usage = embedded.took.usage.unwrap();
    assert_eq!((usage.tokens(), usage.source, embedded.took.spend.tokens), (7, UsageSource::Reported, 7));
    let came = server.came().pop().unwrap();
    assert!(came.head.starts_with("POST /v1/embeddings "), "{}", came.head);
    assert!(came.head.contains(&format!("Bearer {KEY}")));
    assert_eq!(
        came.body,
        json!({"model": "m", "input": ["net revenue", "orders"]}),
        "and nothing else is sent"
    );
    let mut silent = vectors_body(&GOOD);
    silent.as_object_mut().unwrap().remove("usage");
    let took = embed([json_response(200, &silent)]).await.end.unwrap().took;
    assert_eq!(took.usage.unwrap().source, UsageSource::Estimated);
}

#[tokio::test]
async fn what_is_no_list_of_vectors_is_a_fault_of_its_own_kind() {
    let of = |data: Value| json_response(200, &json!({"data": data}));
    let item = |index: Value, numbers: Value| json!({"index": index, "embedding": numbers});
    let first = || item(json!(0), json!([1.0, 2.0]));
    for (data, expected) in [
        (json!([]), BadVectors::Count { asked: 2, came: 0 }),
        (json!([first()]), BadVectors::Count { asked: 2, came: 1 }),
        (json!([first(), first(), first()]), BadVectors::Count { asked: 2, came: 3 }),
        (json!([first(), first()]), BadVectors::Order { place: 1, index: "0".to_owned() }),
        (
            json!([item(json!(1), json!([1.0, 2.0])), first()]),
            BadVectors::Order { place: 0, index: "1".to_owned() },
        ),
        (
            json!([first(), item(json!("1"), json!([1, 2]))]),
            BadVectors::Order { place: 1, index: "\"1\"".to_owned() },
        ),
        (
            json!([first(), item(json!(-1), json!([1, 2]))]),
            BadVectors::Order { place: 1, index: "-1".to_owned() },
        ),
        (json!([first(), item(json!(1), json!([1.0]))]), BadVectors::Dimension { expected: 2, came: 1 }),
        (json!([first(), item(json!(1), json!([]))]), BadVectors::Empty { place: 1 }),
        (json!([first(), item(json!(1), json!([0.0, 0]))]), BadVectors::Zero { place: 1 }),
        (json!([first(), item(json!(1), json!([null, 1.0]))]), BadVectors::NotFinite { place: 1 }),
        // Finite as a double, and not as the single that vectors are kept in.
        (json!([first(), item(json!(1), json!([1e39, 1.0]))]), BadVectors::NotFinite { place: 1 }),
        (
            json!([first(), item(json!(1), json!(vec![1; 8_193]))]),
            BadVectors::TooLong { dimensions_max: 8_192 },
        ),
    ] {
        assert_eq!(embed([of(data.clone())]).await.fault(), bad(expected), "{data}");
    }
    let json = ["Content-Type: application/json"];
    let text = |numbers: &str| {
        format!(r#"{{"data": [{{"index": 0, "embedding": [{numbers}]}}, {{"index": 1, "embedding": [1]}}]}}"#)
    };
    for numbers in ["NaN", "1, Infinity", "-Infinity", "nan", "1e999"] {
        let ended = embed([response(200, &json, text(numbers))]).await;
        assert_eq!(ended.fault(), bad(BadVectors::NotFinite { place: 0 }), "{numbers}");
    }
    for body in ["hello", "[1, 2", "{\"data\": [}", "<html>"] {
        let code = if body == "[1, 2" { ("cut", 3) } else { ("vectors_not_json", 1) };
        assert_eq!(embed([response(200, &json, body)]).await.code(), code, "{body}");
    }
    for body in
        ["[]", "{}", "1", "null", r#"{"data": {}}"#, r#"{"data": [1, 2]}"#, r#"{"data": [], "data": [1, 2]}"#]
    {
        assert_eq!(embed([response(200, &json, body)]).await.code(), ("shape", 1), "{body}");
    }
    for numbers in [json!("AACAPw=="), json!([1, "2"]), json!([[1]]), json!([true, 1])] {
        let data = json!([first(), item(json!(1), numbers.clone())]);
        assert_eq!(embed([of(data)]).await.code(), ("shape", 1), "{numbers}");
    }
    assert_eq!(embed([of(json!([{"embedding": [1]}, {"embedding": [2]}]))]).await.code(), ("shape", 1));
}

#[tokio::test]
async fn bodies_of_another_kind_or_without_end_are_left() {
    let page = response(200, &["Content-Type: text/html"], vectors_body(&GOOD).to_string());
    assert_eq!(embed([page]).await.code(), ("content_type", 1));
    let events = response(200, &["Content-Type: text/event-stream"], "data: {}\n\n");
    assert_eq!(embed([events]).await.code(), ("content_type", 1));
    let json = ["Content-Type: application/json"];
    assert_eq!(embed([response(200, &json, b"{\"data\": \"\xff\"}")]).await.code(), ("not_utf8", 1));
    let endless = vec![
        Part::Send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"data\": \"".to_vec()),
        Part::Endless(vec![b'x'; 65_536]),
    ];
    assert_eq!(embed([endless]).await.code(), ("too_large", 1));
    let away = response(307, &["Location: http://elsewhere.example/v1"], "");
    let to = "elsewhere.example".to_owned();
    assert_eq!(embed([away]).await.fault(), (ModelFaultKind::BadReply(BadReply::Redirect { to }), 1));
    let half = vec![head("application/json"), chunk("{\"data\": [")];
    assert_eq!(embed([half.clone()]).await.code(), ("cut", 3));
    assert_eq!(embed([half, vectors(&GOOD)]).await.good(), 2);
}

#[tokio::test]
async fn only_some_failures_are_worth_another_attempt() {
    let complaint = |status| json_response(status, &json!({"error": {"message": format!("no: {KEY}")}}));
    for (status, code, requests) in [
        (401, "unauthorised", 1),
        (403, "unauthorised", 1),
        (402, "payment_required", 1),
        (400, "not_taken", 1),
        (404, "not_taken", 1),
        (413, "not_taken", 1),
        (422, "not_taken", 1),
        (429, "rate_limited", 3),
        (500, "server", 3),
        (503, "server", 3),
        (502, "server", 1),
        (504, "server", 1),
        // A complaint that comes with a good status.
        (200, "server", 3),
    ] {
        let ended = embed([complaint(status)]).await;
        assert_eq!(ended.code(), (code, requests), "{status}");
    }
    let quota = json!({"error": {"message": "quota", "code": "insufficient_quota"}});
    assert_eq!(embed([json_response(429, &quota)]).await.code(), ("payment_required", 1));
    assert_eq!(embed([complaint(500), complaint(503), vectors(&GOOD)]).await.good(), 3);
    assert_eq!(embed([Vec::new(), vectors(&GOOD)]).await.good(), 2);
    let busy = response(429, &["Retry-After: 1"], "{}");
    let ended = embed([busy, vectors(&GOOD)]).await;
    assert!(ended.took >= Duration::from_secs(1), "{:?}", ended.took);
    assert_eq!(ended.good(), 2);
    let long = response(429, &["Retry-After: 600"], "{}");
    assert_eq!(embed([long]).await.code(), ("rate_limited", 1));
}

#[tokio::test]
async fn an_endpoint_that_is_down_or_silent_is_told_so() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let embedder = open_embeddings(&embedding_settings(&url)).unwrap().for_question(DAY);
    let fault = embedder.embed(EmbedPurpose::Question, &texts()).await.unwrap_err();
    assert_eq!(fault.kind, ModelFaultKind::Down { why: "the connection was refused".to_owned() });
    assert_eq!((fault.attempts, fault.spend.tokens), (3, 0));
    let ended = embed_with([vec![Part::Wait(Duration::from_secs(30))]], |s| s.timeout_ms = 300).await;
    assert!(ended.took < Duration::from_secs(5), "{:?}", ended.took);
    let (kind, requests) = ended.fault();
    assert_eq!((FaultKind::from(&kind), requests), (FaultKind::Timeout, 1));
}

#[tokio::test]
async fn a_key_goes_where_a_models_key_may_go() {
    let mut settings = embedding_settings("http://embeddings.example/v1");
    let refused = open_embeddings(&settings).err().unwrap();
    assert!(refused.to_string().contains("without encryption"), "{refused}");
    settings.provider.plaintext = Plaintext::Allowed;
    assert!(open_embeddings(&settings).is_ok());
    settings.provider.url = Some("ftp://embeddings.example".to_owned());
    assert!(open_embeddings(&settings).err().unwrap().to_string().contains("under `embeddings:`"));
    settings = embedding_settings("http://127.0.0.1:1/v1");
    settings.provider.key = Some(tieout_core::model::KeySource::Env("NOT_SET".to_owned()));
    assert_eq!(open_embeddings(&settings).err().unwrap().kind.code(), "no_key");
    settings = embedding_settings("http://127.0.0.1:1/v1");
    for change in [
        (|s: &mut EmbeddingSettings| s.concurrency = 0) as fn(&mut EmbeddingSettings),
        |s| s.timeout_ms = 0,
        |s| s.texts_per_request = 0,
        |s| s.texts_per_request = 257,
        |s| s.budget.money_per_day = Some("1".parse().unwrap()),
    ] {
        let mut other = settings.clone();
        change(&mut other);
        assert_eq!(open_embeddings(&other).err().unwrap().kind.code(), "settings");
    }
}

#[tokio::test]
async fn texts_go_in_batches_with_the_words_that_the_model_wants_before_them() {
    let reply = |count: usize| vectors(&vec![[1.0, 2.0].as_slice(); count]);
    let server = Server::new([reply(2), reply(2), reply(1), reply(1)]).await;
    let mut settings = embedding_settings(&server.url);
    settings.texts_per_request = 2;
    (settings.question_prefix, settings.entry_prefix) =
        (Some("query:".to_owned()), Some("passage:".to_owned()));
    let embedder = open_embeddings(&settings).unwrap().for_question(DAY);
    let five: Vec<String> = (1..=5).map(|n| format!("text {n}")).collect();
    let embedded = embedder.embed(EmbedPurpose::Catalogue, &five).await.unwrap();
    assert_eq!((embedded.vectors.len(), embedded.took.sent, embedded.took.spend.tokens), (5, 5, 21));
    embedder.embed(EmbedPurpose::Question, &five[..1]).await.unwrap();
    let sent: Vec<Value> = server.came().into_iter().map(|came| came.body["input"].clone()).collect();
    assert_eq!(
        sent,
        [
            json!(["passage: text 1", "passage: text 2"]),
            json!(["passage: text 3", "passage: text 4"]),
            json!(["passage: text 5"]),
            json!(["query: text 1"])
        ]
    );
    // A second batch of another length is of another model.
    let server = Server::new([reply(2), vectors(&[&[1.0, 2.0, 3.0]])]).await;
    settings.provider.url = Some(server.url.clone());
    let embedder = open_embeddings(&settings).unwrap().for_question(DAY);
    let fault = embedder.embed(EmbedPurpose::Catalogue, &five[..3]).await.unwrap_err();
    assert_eq!((fault.kind.clone(), 1), bad(BadVectors::Dimension { expected: 2, came: 3 }));
    assert_eq!(fault.spend.tokens, 14, "both were paid for");
}

#[tokio::test]
async fn a_budget_ends_before_it_is_overspent() {
    let server = Server::new([vectors(&GOOD)]).await;
    let mut settings = embedding_settings(&server.url);
    // Two texts of 11 and 6 bytes may take 4 and 2 tokens, and take 7.
    settings.budget.tokens_per_day = Some(12);
    let store: Arc<dyn SpendStore> = Arc::new(SpendInMemory::default());
    let host = open_embeddings_with(&settings, Arc::clone(&store)).unwrap();
    host.for_question(DAY).embed(EmbedPurpose::Catalogue, &texts()).await.unwrap();
    let fault = host.for_question(DAY).embed(EmbedPurpose::Catalogue, &texts()).await.unwrap_err();
    assert_eq!((fault.kind.code(), fault.attempts, server.came().len()), ("budget", 0, 1));
    assert_eq!(store.spent(DAY).unwrap().tokens, 7);
    assert!(
        host.for_question(DAY.tomorrow().unwrap()).embed(EmbedPurpose::Catalogue, &texts()).await.is_ok()
    );
    settings.budget.tokens_per_day = None;
    let decimal = |text: &str| text.parse().unwrap();
    settings.prices =
        Some(Prices { currency: "USD".to_owned(), input: decimal("0.02"), output: decimal("0") });
    let embedder = open_embeddings(&settings).unwrap().for_question(DAY);
    let took = embedder.embed(EmbedPurpose::Catalogue, &texts()).await.unwrap().took;
    assert_eq!(took.spend.money, Some(decimal("0.00000014")), "7 tokens at 0.02 for a million");
}

#[tokio::test]
async fn no_more_run_at_once_than_are_allowed() {
    let mut slow = vectors(&GOOD);
    slow.insert(0, Part::Wait(Duration::from_millis(100)));
    let server = Server::new([slow]).await;
    let mut settings = embedding_settings(&server.url);
    settings.concurrency = 2;
    let host = open_embeddings(&settings).unwrap();
    let asking: Vec<_> = (0..6)
        .map(|_| {
            let embedder = host.for_question(DAY);
            tokio::spawn(async move { embedder.embed(EmbedPurpose::Question, &texts()).await.is_ok() })
        })
        .collect();
    for asked in asking {
        assert!(asked.await.unwrap());
    }
    assert_eq!((server.most_at_once(), server.came().len()), (2, 6));
}

#[tokio::test]
async fn a_probe_says_how_long_vectors_are() {
    let server = Server::new([vectors(&GOOD), json_response(401, &json!({}))]).await;
    let host = open_embeddings(&embedding_settings(&server.url)).unwrap();
    let found = probe_embeddings(&host, DAY).await.found.unwrap();
    assert_eq!((found.dimensions, found.took.sent), (2, 2));
    assert_eq!(probe_embeddings(&host, DAY).await.found.unwrap_err().kind.code(), "unauthorised");
}

#[tokio::test]
async fn a_catalogue_is_asked_for_once_in_all_processes() {
    let server = Server::new([vectors(&GOOD)]).await;
    let settings = embedding_settings(&server.url);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/embeddings.bin");
    let mut seen = Vec::new();
    for _ in 0..3 {
        // Each opens everything anew, as a process would.
        let source =
            EmbeddingSource::Endpoint(open_embeddings(&settings).unwrap(), Arc::new(Shelf::at(&path)));
        for _ in 0..2 {
            seen.push(source.for_question(DAY).embed(EmbedPurpose::Catalogue, &texts()).await.unwrap());
        }
    }
    assert_eq!(server.came().len(), 1);
    assert!(seen.iter().all(|embedded| embedded.vectors == seen[0].vectors));
    let sent: Vec<usize> = seen.iter().map(|embedded| embedded.took.sent).collect();
    assert_eq!(sent, [2, 0, 0, 0, 0, 0]);
    // A question is asked for each time, and is not written.
    let before = fs::read(&path).unwrap();
    let source = EmbeddingSource::Endpoint(open_embeddings(&settings).unwrap(), Arc::new(Shelf::at(&path)));
    for _ in 0..2 {
        source.for_question(DAY).embed(EmbedPurpose::Question, &texts()).await.unwrap();
    }
    assert_eq!((server.came().len(), fs::read(&path).unwrap()), (3, before));
}

#[tokio::test]
async fn vectors_that_were_recorded_are_played() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::new([vectors(&GOOD), vectors(&GOOD[..1])]).await;
    let host = open_embeddings(&embedding_settings(&server.url)).unwrap();
    let shelf = Arc::new(Shelf::in_memory());
    // What was kept before is recorded as well, or a cassette would be worth nothing on another machine.
    let kept = KeptEmbedder::new(Arc::clone(&shelf), Arc::new(host.for_question(DAY)), host.settings());
    let catalogue = kept.embed(EmbedPurpose::Catalogue, &texts()).await.unwrap();
    let source = EmbeddingSource::recorded(Arc::clone(&host), shelf, folder.path()).unwrap();
    let recording = source.for_question(DAY);
    recording.embed(EmbedPurpose::Catalogue, &texts()).await.unwrap();
    let question = recording.embed(EmbedPurpose::Question, &texts()[..1]).await.unwrap();
    assert_eq!(server.came().len(), 2);
    drop(server);
    let playing = EmbeddingSource::played(folder.path()).unwrap().unwrap().for_question(DAY);
    assert_eq!(playing.identity().model, "m");
    // Texts are found one by one, however they were put together.
    let mut turned = texts();
    turned.reverse();
    let played = playing.embed(EmbedPurpose::Catalogue, &turned).await.unwrap();
    assert_eq!(played.vectors, [catalogue.vectors[1].clone(), catalogue.vectors[0].clone()]);
    assert_eq!((played.took.sent, played.took.spend.tokens), (0, 0), "nothing was sent");
    let played = playing.embed(EmbedPurpose::Question, &texts()[..1]).await.unwrap();
    assert_eq!(played.vectors, question.vectors);
    let fault = playing.embed(EmbedPurpose::Question, &texts()).await.unwrap_err();
    assert_eq!(fault.kind.code(), "not_recorded");
    // The same folder holds exchanges of words, and neither takes the other's files for its own.
    assert_eq!(Cassette::play(folder.path()).unwrap().exchanges(), 0);
    for entry in fs::read_dir(folder.path().join(VECTORS_FOLDER)).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(!text.contains(KEY) && !text.to_lowercase().contains("bearer"), "{text}");
    }
}

#[tokio::test]
async fn a_file_of_vectors_that_was_changed_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    assert!(EmbeddingCassette::play(folder.path()).unwrap().is_none(), "nothing was recorded");
    let embedder = Arc::new(ScriptedEmbedder::of_meanings([&["revenue"], &["orders"]]));
    let recording = EmbeddingCassette::record(folder.path(), embedder).unwrap();
    recording.embed(EmbedPurpose::Catalogue, &texts()).await.unwrap();
    recording.embed(EmbedPurpose::Catalogue, &texts()).await.unwrap();
    let files: Vec<_> = fs::read_dir(folder.path().join(VECTORS_FOLDER)).unwrap().collect();
    assert_eq!(files.len(), 1, "the same texts are written once");
    let path = files.into_iter().next().unwrap().unwrap().path();
    let sound = fs::read_to_string(&path).unwrap();
    for (from, to, part) in [
        ("net revenue", "net profit", "was changed"),
        ("\"catalogue\"", "\"question\"", "was changed"),
        ("\"catalogue\"", "\"anything\"", "no purpose"),
        ("\"embeddings\":1", "\"embeddings\":2", "version 2"),
        ("\"embeddings\":1", "\"embeddings\":1,\"key\":\"x\"", "no recorded vectors"),
        ("[1.0,0.0,0.01]", "[0.0,0.0,0.0]", "no vector"),
        ("[1.0,0.0,0.01]", "[]", "no vector"),
    ] {
        assert!(sound.contains(from), "{from} is not in the file");
        fs::write(&path, sound.replacen(from, to, 1)).unwrap();
        let Err(fault) = EmbeddingCassette::play(folder.path()) else {
            panic!("{from} → {to} was not noticed")
        };
        assert!(fault.to_string().contains(part), "{fault}");
    }
}
