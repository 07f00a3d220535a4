//! Entries of a large catalogue are found by meaning, through the built binary; and whatever happens to the endpoint of
//! embeddings, a question goes on without it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops where it fails")]

mod support;

use std::{
    fmt::Write as _,
    fs,
    io::{Read, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

use serde_json::{Value, json};
use support::{Ran, Shop};

/// What the built-in reader declines, so that the model is asked.
const SLANG: &str = "takings by channel in September 2026";
const KEY: &str = "sk-not-to-be-shown";

/// How embeddings are answered.
#[derive(Clone, Copy, PartialEq)]
enum Embeds {
    /// A vector for each text: whether it is about revenue, and whether it is about orders.
    Well,
    /// Not at all.
    Broken,
    /// With vectors that hold no numbers.
    Emptily,
}

/// An endpoint on this machine that speaks both words.
struct Endpoint {
    url: String,
    came: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Endpoint {
    fn that(embeds: Embeds) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let came = Arc::<Mutex<Vec<(String, Value)>>>::default();
        let kept = Arc::clone(&came);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let Some((head, body)) = request(&stream) else { continue };
                let (status, reply) = reply(embeds, &head, &body);
                kept.lock().unwrap().push((head, body));
                respond(stream, status, &reply);
            }
        });
        Self { url, came }
    }

    /// The texts of every request for vectors.
    fn embedded(&self) -> Vec<Vec<String>> {
        let texts = |body: &Value| {
            let all = body["input"].as_array().unwrap().iter();
            all.map(|text| text.as_str().unwrap().to_owned()).collect()
        };
        let came = self.came.lock().unwrap();
        came.iter().filter(|(head, _)| head.contains("/v1/embeddings")).map(|(_, body)| texts(body)).collect()
    }
}

fn request(mut stream: &TcpStream) -> Option<(String, Value)> {
    let mut bytes = Vec::new();
    let mut part = [0; 8192];
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
            });
            if body.len() >= length.unwrap_or(0) {
                return Some((head.to_owned(), serde_json::from_str(body).ok()?));
            }
        }
        match stream.read(&mut part) {
            Ok(0) | Err(_) => return None,
            Ok(n) => bytes.extend_from_slice(&part[..n]),
        }
    }
}

fn respond(mut stream: TcpStream, status: u16, body: &Value) {
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}",
        body.len()
    );
    let _ = stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes());
}

fn reply(embeds: Embeds, head: &str, body: &Value) -> (u16, Value) {
    assert!(head.contains(&format!("Bearer {KEY}")), "{head}");
    if !head.contains("/v1/embeddings") {
        let right = json!({
            "words": {"takings": "net_revenue"}, "ask": "figures", "measures": ["net_revenue"],
            "by": ["ledger.channel"], "conditions": [], "period": "t1",
        });
        let probe = body["messages"].to_string().contains("the sea") || body.to_string().contains("tieout");
        let content = if probe { json!({"word": "tieout"}) } else { right };
        let message = json!({"role": "assistant", "content": content.to_string()});
        return (200, json!({"model": "m-2026", "choices": [{"message": message, "finish_reason": "stop"}]}));
    }
    let vector = |text: &Value| {
        let text = text.as_str().unwrap().to_lowercase();
        let about = |words: &[&str]| f32::from(u8::from(words.iter().any(|word| text.contains(word))));
        [about(&["revenue", "takings"]), about(&["orders"]), 0.1]
    };
    let item = |(index, text): (usize, &Value)| match embeds {
        Embeds::Well => json!({"index": index, "embedding": vector(text)}),
        Embeds::Broken | Embeds::Emptily => json!({"index": index, "embedding": []}),
    };
    let data: Vec<Value> = body["input"].as_array().unwrap().iter().enumerate().map(item).collect();
    let status = if embeds == Embeds::Broken { 500 } else { 200 };
    (status, json!({"data": data, "usage": {"prompt_tokens": 5}}))
}

/// The shop with a model and with embeddings; its catalogue is too large to be listed whole, if it is to be.
fn shop(endpoint: &Endpoint, populations: u8) -> Shop {
    let shop = Shop::new();
    let path = shop.path().join("tieout.yml");
    let text = fs::read_to_string(&path).unwrap();
    let url = &endpoint.url;
    let model = format!(
        "model:\n  provider: openai\n  url: {url}\n  name: m\n  mode: schema\n  key_env: SHOP_KEY\n  embeddings: {{ url: \"{url}\", name: e, \
         key_env: SHOP_KEY }}\n"
    );
    fs::write(path, text + &model).unwrap();
    let mut wide = String::from("populations:\n");
    for n in 0..populations {
        let letters: String = [n / 26, n % 26].map(|part| char::from(b'a' + part)).iter().collect();
        let _ = writeln!(
            wide,
            "  - {{ name: zz{letters}, label: zz{letters} crowd, dataset: customers, where: \"plan <> 'free'\" }}"
        );
    }
    if populations > 0 {
        fs::write(shop.path().join("catalogue/wide.yml"), wide).unwrap();
    }
    shop
}

fn run(shop: &Shop, arguments: &[&str]) -> Ran {
    let mut command = shop.command();
    command.env("SHOP_KEY", KEY).env("NO_PROXY", "127.0.0.1");
    Ran::of(command.args(arguments).output().unwrap())
}

fn ask(shop: &Shop, more: &[&str]) -> Ran {
    run(shop, &[&["ask", SLANG, "--tenant", "alpha", "--now", "2026-10-07"], more].concat())
}

#[test]
fn a_large_catalogue_is_embedded_once_and_the_trace_says_what_found_what() {
    let endpoint = Endpoint::that(Embeds::Well);
    let shop = shop(&endpoint, 200);
    let record = ask(&shop, &["--json"]).ends(4).json();
    support::valid(&record);
    let listed = &record["shortlist"];
    let metric = listed["metrics"].as_array().unwrap().iter().find(|e| e["name"] == "net_revenue");
    assert_eq!(
        metric.unwrap()["by"],
        "meaning",
        "no word of the question is one of the metric's: {listed:#}"
    );
    let by_meaning = &listed["by_meaning"];
    assert_eq!((&by_meaning["judged"], &by_meaning["model"]), (&json!("used"), &json!("e")));
    let requests = endpoint.embedded();
    assert_eq!(requests[0], [SLANG]);
    assert!(requests.len() > 3 && requests.iter().all(|texts| texts.len() <= 32), "{requests:?}");
    let sent: usize = requests.iter().map(Vec::len).sum();
    assert_eq!(by_meaning["sent"], sent);
    // What is found in rows or declared as a value stays here.
    let all = requests.concat().join("\n").to_lowercase();
    for value in ["marketplace", "berlin", "refund'"] {
        assert!(!all.contains(value), "{value} was sent");
    }
    assert!(!record.to_string().contains(KEY), "the key is in the record");
    assert!(shop.path().join(".tieout/embeddings.bin").is_file());
    // The next question sends its own words and nothing else.
    let told = ask(&shop, &["--trace"]).ends(4).out;
    assert_eq!(endpoint.embedded().len(), requests.len() + 1);
    assert!(told.contains("metrics by meaning: ") && told.contains("1 texts sent, 5 tokens"), "{told}");
    assert!(told.contains("embeddings of e at 127.0.0.1"), "{told}");
}

#[test]
fn an_endpoint_that_fails_costs_its_own_help_and_nothing_else() {
    for (embeds, why, requests) in [
        (Embeds::Broken, "broke (500), asked 3 times", 3),
        (Embeds::Emptily, "vector 1 of e at 127.0.0.1", 1),
    ] {
        let endpoint = Endpoint::that(embeds);
        let shop = shop(&endpoint, 200);
        let record = ask(&shop, &["--json"]).json();
        support::valid(&record);
        assert_ne!(record["outcome"], "fault", "{record:#}");
        let by_meaning = &record["shortlist"]["by_meaning"];
        assert_eq!(by_meaning["judged"], "failed");
        assert!(by_meaning["because"][0].as_str().unwrap().contains(why), "{by_meaning:#}");
        assert_eq!(endpoint.embedded().len(), requests);
        let told = ask(&shop, &["--trace"]);
        let told = told.out + &told.err;
        assert!(told.contains("failed, so that words alone chose"), "{told}");
        assert!(!told.contains(" meaning: "), "{told}");
    }
}

#[test]
fn a_key_that_is_missing_is_told_in_the_trace() {
    let endpoint = Endpoint::that(Embeds::Well);
    let shop = shop(&endpoint, 200);
    shop.change("tieout.yml", "name: e, key_env: SHOP_KEY", "name: e, key_env: NOT_SET");
    let record = ask(&shop, &["--json"]).json();
    support::valid(&record);
    assert_ne!(record["outcome"], "fault", "{record:#}");
    let why = record["shortlist"]["by_meaning"]["because"][0].as_str().unwrap();
    assert!(why.contains("NOT_SET"), "{why}");
    assert_eq!(endpoint.embedded().len(), 0);
}

#[test]
fn of_a_small_catalogue_nothing_is_sent_to_be_embedded() {
    let endpoint = Endpoint::that(Embeds::Well);
    let record = ask(&shop(&endpoint, 0), &["--json"]).ends(4).json();
    assert_eq!((record.get("shortlist"), endpoint.embedded().len()), (None, 0));
}

#[test]
fn a_cassette_plays_vectors_too() {
    let endpoint = Endpoint::that(Embeds::Well);
    let shop = shop(&endpoint, 200);
    let recorded = ask(&shop, &["--json", "--record", "tape"]).ends(4).json();
    let requests = endpoint.came.lock().unwrap().len();
    fs::remove_file(shop.path().join(".tieout/embeddings.bin")).unwrap();
    let played = ask(&shop, &["--json", "--cassette", "tape"]).ends(4).json();
    assert_eq!(endpoint.came.lock().unwrap().len(), requests, "nobody was asked");
    assert_eq!(played["doubts"], recorded["doubts"]);
    for kind in ["metrics", "populations", "datasets"] {
        assert_eq!(played["shortlist"][kind], recorded["shortlist"][kind]);
    }
    assert_eq!(played["shortlist"]["by_meaning"]["sent"], 0);
}

#[test]
fn checking_the_models_checks_the_embeddings() {
    let endpoint = Endpoint::that(Embeds::Well);
    let report = run(&shop(&endpoint, 0), &["models", "check", "--json"]).ends(0).json();
    assert_eq!(
        (&report["embeddings"]["state"], &report["embeddings"]["dimensions"]),
        (&json!("works"), &json!(3))
    );
    assert!(report["embeddings"]["latency_ms"].is_u64(), "{report:#}");
    let endpoint = Endpoint::that(Embeds::Emptily);
    let told = run(&shop(&endpoint, 0), &["models", "check"]).ends(5).out;
    assert!(told.contains("(embeddings)") && told.contains("holds no numbers"), "{told}");
}
