//! The failure matrix: each way in which asking can fail has its own outcome, none is a refusal, and how often the
//! endpoint is asked is measured at the endpoint.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot go on should stop")]

mod support;

use std::time::Duration;

use serde_json::{Value, json};
use support::{
    DAY, open, orders, prompt,
    server::{
        Part, Reaction, Server, chunk, completion, completion_body, head, json_response, last_chunk,
        message_body, response,
    },
    settings, unfit,
};
use tieout_core::{
    halt::{Fault, FaultKind},
    model::{ModelFault, ModelFaultKind, Reply, Said, UnfitKind},
    ports::Model,
};
use tieout_model::REPLY_BYTES_MAX;

const FITS: &str = r#"{"metric": "orders"}"#;

/// How one question ended, and how often the endpoint was asked.
struct Ended {
    end: Result<Reply, ModelFault>,
    requests: usize,
    took: Duration,
}

async fn ask(provider: &str, reactions: impl IntoIterator<Item = Reaction>) -> Ended {
    ask_with(provider, reactions, |_| ()).await
}

async fn ask_with(
    provider: &str,
    reactions: impl IntoIterator<Item = Reaction>,
    change: impl FnOnce(&mut tieout_core::model::ModelSettings),
) -> Ended {
    let server = Server::new(reactions).await;
    let mut settings = settings(provider, &server.url);
    settings.mode = Some(tieout_core::model::Mode::Schema);
    change(&mut settings);
    let model = open(&settings).unwrap().for_question(DAY);
    let begun = std::time::Instant::now();
    let end = model.complete(&prompt("orders?")).await;
    let ended = Ended { end, requests: server.came().len(), took: begun.elapsed() };
    match &ended.end {
        Ok(reply) => {
            assert_eq!(reply.attempts as usize, ended.requests, "attempts are counted as they were made");
            assert_eq!(reply.spend, model.spent());
        }
        Err(fault) => {
            assert_eq!(fault.attempts as usize, ended.requests, "{fault}");
            assert_eq!(*fault.spend, model.spent(), "{fault}");
            assert!(fault.took <= ended.took);
            assert!(!fault.hint().is_empty());
            assert!(!fault.to_string().contains(support::KEY), "{fault}");
        }
    }
    ended
}

impl Ended {
    fn fault(self) -> (ModelFaultKind, usize) {
        match self.end {
            Ok(reply) => panic!("{reply:?}"),
            Err(fault) => (fault.kind, self.requests),
        }
    }

    fn code(self) -> (&'static str, usize) {
        let (kind, requests) = self.fault();
        (kind.code(), requests)
    }

    fn fits(self) -> usize {
        assert_eq!(self.end.unwrap().said, orders());
        self.requests
    }
}

fn complaint(status: u16, body: Value) -> Reaction {
    json_response(status, &body)
}

fn both() -> [(&'static str, Reaction); 2] {
    [("openai", completion(FITS)), ("anthropic", json_response(200, &message_body(FITS)))]
}

#[tokio::test]
async fn a_good_reply_is_taken() {
    for (provider, good) in both() {
        let ended = ask(provider, [good]).await;
        let reply = ended.end.unwrap();
        assert_eq!((reply.said, reply.model.as_str(), reply.usage.tokens()), (orders(), "m-2026", 110));
        assert_eq!(ended.requests, 1);
    }
}

#[tokio::test]
async fn an_endpoint_that_is_down_is_asked_three_times() {
    // A port that was just free: nobody listens there.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let model = open(&settings("openai", &url)).unwrap().for_question(DAY);
    let fault = model.complete(&prompt("orders?")).await.unwrap_err();
    assert_eq!(fault.kind, ModelFaultKind::Down { why: "the connection was refused".to_owned() });
    assert_eq!(fault.attempts, 3);
    assert_eq!(model.spent().tokens, 0, "nothing was spent");
    assert_eq!(Fault::from(fault).kind, FaultKind::Unreachable);
    // It hangs up before it answers, then comes back.
    let requests = ask("openai", [Vec::new(), completion(FITS)]).await.fits();
    assert_eq!(requests, 2);
}

#[tokio::test]
async fn a_key_that_is_not_accepted_is_not_sent_again() {
    for (provider, _) in both() {
        for status in [401, 403] {
            let body = json!({"error": {"message": format!("Incorrect API key provided: {}", support::KEY)}});
            let (kind, requests) = ask(provider, [complaint(status, body)]).await.fault();
            let said = "Incorrect API key provided: (the key)".to_owned();
            assert_eq!(kind, ModelFaultKind::Unauthorised { status, said });
            assert_eq!((FaultKind::from(&kind), requests), (FaultKind::Key, 1));
        }
    }
}

#[tokio::test]
async fn an_account_without_money_is_a_fault_of_its_own() {
    let quota =
        json!({"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}});
    let balance = json!({"error": {"type": "invalid_request_error", "message": "Your credit balance is too low to access the API"}});
    let billing = json!({"error": {"type": "billing_error", "message": "billing"}});
    for (provider, status, body) in [
        ("openai", 402, json!({})),
        ("anthropic", 402, json!({})),
        ("openai", 429, quota),
        ("anthropic", 400, balance),
        ("anthropic", 403, billing),
    ] {
        let (kind, requests) = ask(provider, [complaint(status, body)]).await.fault();
        assert!(matches!(kind, ModelFaultKind::PaymentRequired { .. }), "{provider} {status}: {kind:?}");
        assert_eq!((FaultKind::from(&kind), requests), (FaultKind::Payment, 1));
    }
}

#[tokio::test]
async fn a_busy_endpoint_is_left_alone_as_long_as_it_asks() {
    let busy = |headers: &[&str]| response(429, headers, "{}");
    // Without `Retry-After` we choose, and ask three times in all.
    let (kind, requests) = ask("openai", [busy(&[])]).await.fault();
    assert_eq!((&kind, requests), (&ModelFaultKind::RateLimited { retry_after: None }, 3));
    assert_eq!(FaultKind::from(&kind), FaultKind::Quota);
    // With it, it is followed.
    let ended = ask("openai", [busy(&["Retry-After: 1"]), completion(FITS)]).await;
    assert!(ended.took >= Duration::from_secs(1), "{:?}", ended.took);
    assert_eq!(ended.fits(), 2);
    let date = ["Date: Mon, 30 Nov 2026 12:00:00 GMT", "Retry-After: Mon, 30 Nov 2026 12:00:01 GMT"];
    let ended = ask("anthropic", [busy(&date), json_response(200, &message_body(FITS))]).await;
    assert!(ended.took >= Duration::from_secs(1), "{:?}", ended.took);
    assert_eq!(ended.fits(), 2);
    // More than anybody waits is told at once.
    let ended = ask("openai", [busy(&["Retry-After: 60"])]).await;
    assert!(ended.took < Duration::from_secs(5));
    let (kind, requests) = ended.fault();
    assert_eq!(
        (kind, requests),
        (ModelFaultKind::RateLimited { retry_after: Some(Duration::from_secs(60)) }, 1)
    );
    // Nor is it waited beyond the time that a question has.
    let ended = ask_with("openai", [busy(&["Retry-After: 2"])], |s| s.timeout_ms = 1_900).await;
    assert!(ended.took < Duration::from_millis(1_900));
    assert_eq!(ended.code(), ("rate_limited", 1));
}

#[tokio::test]
async fn only_some_failures_are_worth_another_attempt() {
    for (provider, good) in both() {
        for (status, requests) in [(500, 3), (503, 3), (502, 1), (504, 1), (501, 1)] {
            let ended = ask(provider, [complaint(status, json!({"error": "no"}))]).await;
            assert_eq!(ended.code(), ("server", requests), "{provider} {status}");
        }
        for status in [400, 404, 409, 413, 418, 422] {
            let ended = ask(provider, [complaint(status, json!({"error": "no"}))]).await;
            assert_eq!(ended.code(), ("not_taken", 1), "{provider} {status}");
        }
        let broken = || complaint(500, json!({}));
        assert_eq!(ask(provider, [broken(), good.clone()]).await.fits(), 2);
        assert_eq!(ask(provider, [broken(), broken(), good]).await.fits(), 3);
    }
    // 529 is Anthropic's word for 503, and nobody else's.
    let overloaded = || complaint(529, json!({"type": "error", "error": {"type": "overloaded_error"}}));
    assert_eq!(ask("anthropic", [overloaded()]).await.code(), ("server", 3));
    assert_eq!(ask("openai", [overloaded()]).await.code(), ("server", 1));
}

#[tokio::test]
async fn a_slow_reply_ends_when_the_time_is_over() {
    let silent = vec![Part::Wait(Duration::from_secs(30))];
    let trickle: Reaction = std::iter::once(head("application/json"))
        .chain((0..1_000).flat_map(|_| [chunk(" "), Part::Wait(Duration::from_millis(20))]))
        .collect();
    for reaction in [silent, trickle] {
        let ended = ask_with("openai", [reaction], |s| s.timeout_ms = 300).await;
        assert!(ended.took < Duration::from_secs(5), "{:?}", ended.took);
        let spent = ended.end.as_ref().unwrap_err().spend.tokens;
        let (kind, requests) = ended.fault();
        assert_eq!(kind, ModelFaultKind::Timeout { after: Duration::from_millis(300) });
        assert_eq!((FaultKind::from(&kind), requests), (FaultKind::Timeout, 1), "it is not asked again");
        assert!(spent > 200, "what was under way counts as the most it could take");
    }
}

#[tokio::test]
async fn a_reply_that_is_cut_off_is_no_reply() {
    let text = completion_body(FITS, "stop").to_string();
    let (half, rest) = text.split_at(text.len() / 2);
    let mid_chunk = vec![head("application/json"), chunk(half), Part::Send(b"400\r\nabc".to_vec())];
    let no_end = vec![head("application/json"), chunk(half)];
    let short = vec![Part::Send(
        format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{half}", text.len()).into_bytes(),
    )];
    let tidy = vec![head("application/json"), chunk(half), last_chunk()];
    for reaction in [mid_chunk, no_end, short, tidy] {
        assert_eq!(ask("openai", [reaction.clone()]).await.code(), ("cut", 3));
        assert_eq!(ask("openai", [reaction, completion(FITS)]).await.fits(), 2);
    }
    let whole = vec![head("application/json"), chunk(half), chunk(rest), last_chunk()];
    assert_eq!(ask("openai", [whole]).await.fits(), 1, "one that only comes in parts is whole");
}

#[tokio::test]
async fn what_is_no_reply_of_a_model_is_not_read_as_one() {
    let page = response(200, &["Content-Type: text/html"], "<html>{\"metric\": \"orders\"}</html>");
    let (kind, requests) = ask("openai", [page]).await.fault();
    assert_eq!((kind.code(), FaultKind::from(&kind), requests), ("content_type", FaultKind::Model, 1));
    let json = ["Content-Type: application/json"];
    let bytes =
        [b"{\"choices\": [{\"message\": {\"content\": \"".as_slice(), b"\xff\xfe", b"\"}}]}"].concat();
    assert_eq!(ask("openai", [response(200, &json, bytes)]).await.code(), ("not_utf8", 1));
    for body in
        ["[]", "{}", "1", "null", r#"{"choices": []}"#, r#"{"choices": [{"message": null}]}"#, "hello"]
    {
        assert_eq!(ask("openai", [response(200, &json, body)]).await.code(), ("shape", 1), "{body}");
    }
    let twice = r#"{"choices": [{"message": {"content": "{}", "content": "{\"metric\": \"orders\"}"}}]}"#;
    assert_eq!(ask("openai", [response(200, &json, twice)]).await.code(), ("shape", 1));
    assert_eq!(ask("anthropic", [completion(FITS)]).await.code(), ("shape", 1), "another provider's reply");
    assert_eq!(ask("openai", [response(200, &json, "")]).await.code(), ("cut", 3), "no body at all");
    let gateway = json!({"error": {"message": "upstream is away", "code": 502}});
    let (kind, requests) = ask("openai", [json_response(200, &gateway)]).await.fault();
    let said = "upstream is away".to_owned();
    assert_eq!((kind, requests), (ModelFaultKind::Server { status: 200, said }, 3));
}

#[tokio::test]
async fn an_endless_body_is_left_at_its_bound() {
    let endless = vec![
        Part::Send(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"choices\": \"".to_vec()),
        Part::Endless(vec![b'x'; 65_536]),
    ];
    let (kind, requests) = ask("openai", [endless]).await.fault();
    let expected = tieout_core::model::BadReply::TooLarge { bytes_max: REPLY_BYTES_MAX };
    assert_eq!((kind, requests), (ModelFaultKind::BadReply(expected), 1));
    // A complaint without end is still its status.
    let complaint = vec![
        Part::Send(b"HTTP/1.1 401 X\r\nContent-Type: application/json\r\n\r\n".to_vec()),
        Part::Endless(vec![b'x'; 65_536]),
    ];
    assert_eq!(ask("openai", [complaint]).await.code(), ("unauthorised", 1));
}

#[tokio::test]
async fn nobody_is_followed_elsewhere() {
    for status in [301, 302, 307, 308] {
        let away = response(status, &["Location: http://elsewhere.example/v1"], "");
        let (kind, requests) = ask("openai", [away]).await.fault();
        let to = "elsewhere.example".to_owned();
        assert_eq!(kind, ModelFaultKind::BadReply(tieout_core::model::BadReply::Redirect { to }));
        assert_eq!(requests, 1);
    }
}

#[tokio::test]
async fn what_a_model_says_amiss_is_feedback_and_no_fault() {
    use UnfitKind::{Cut, Declined, Empty, NotJson, Schema};
    let refusal = json!({"choices": [{"message": {"content": null, "refusal": "I cannot do that"}, "finish_reason": "stop"}]});
    for (body, kind) in [
        (completion_body("", "stop"), Empty),
        (completion_body("I'm sorry, I can't help with that.", "stop"), NotJson),
        (completion_body("{\"metric\": [[[[[[", "length"), Cut),
        (completion_body("", "content_filter"), Declined),
        (refusal, Declined),
        (completion_body(r#"{"metric": "profit"}"#, "stop"), Schema),
        (completion_body(r#"{"metric": "orders", "tenant": "beta"}"#, "stop"), Schema),
    ] {
        let ended = ask("openai", [json_response(200, &body)]).await;
        let reply = ended.end.unwrap();
        assert_eq!(unfit(&reply.said), Some(kind), "{body}");
        assert_eq!(ended.requests, 1, "whoever asks decides whether to ask again");
    }
    let ended = ask_with("openai", [completion("no tools here")], |s| {
        s.mode = Some(tieout_core::model::Mode::Tool);
    });
    assert_eq!(unfit(&ended.await.end.unwrap().said), Some(UnfitKind::NoCall));
}

#[tokio::test]
async fn a_prompt_may_have_fewer_attempts_left() {
    let server = Server::new([complaint(500, json!({}))]).await;
    let model = open(&settings("openai", &server.url)).unwrap().for_question(DAY);
    let mut asked = prompt("orders?");
    for (attempts_max, requests) in [(1, 1), (2, 3), (99, 6), (0, 7)] {
        asked.limits.attempts_max = attempts_max;
        assert!(model.complete(&asked).await.is_err());
        assert_eq!(server.came().len(), requests, "{attempts_max} attempts");
    }
}

#[tokio::test]
async fn streams_break_as_bodies_do() {
    let event = |value: Value| chunk(format!("data: {value}\n\n"));
    let part = |text: &str| event(json!({"choices": [{"delta": {"content": text}, "finish_reason": null}]}));
    let end = || event(json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}));
    let begun = || vec![head("text/event-stream; charset=utf-8"), part("{\"metric\": "), part("\"orders\"}")];
    let with = |more: Vec<Part>| [begun(), more].concat();
    let whole = with(vec![end(), chunk("data: [DONE]\n\n"), last_chunk()]);
    assert_eq!(ask("openai", [whole.clone()]).await.fits(), 1);
    // It may end without a farewell, when it said why it ended.
    assert_eq!(ask("openai", [with(vec![end(), last_chunk()])]).await.fits(), 1);
    // It may say farewell and keep the line open.
    let open = with(vec![end(), chunk("data: [DONE]\n\n"), Part::Wait(Duration::from_secs(30))]);
    let ended = ask("openai", [open]).await;
    assert!(ended.took < Duration::from_secs(10), "{:?}", ended.took);
    assert_eq!(ended.fits(), 1);
    for cut in [with(vec![]), with(vec![last_chunk()]), with(vec![chunk("data: {\"choi"), last_chunk()])] {
        assert_eq!(ask("openai", [cut.clone()]).await.code(), ("cut", 3));
        assert_eq!(ask("openai", [cut, whole.clone()]).await.fits(), 2);
    }
    let broke = with(vec![event(json!({"error": {"message": "out of memory"}})), last_chunk()]);
    let (kind, requests) = ask("openai", [broke]).await.fault();
    let said = "out of memory".to_owned();
    assert_eq!((kind, requests), (ModelFaultKind::Server { status: 200, said }, 3));
    let garbled = with(vec![chunk("data: {oh}\n\n"), end(), last_chunk()]);
    assert_eq!(ask("openai", [garbled]).await.code(), ("shape", 1));
    let bytes = with(vec![chunk(b"data: \xff\n\n"), end(), last_chunk()]);
    assert_eq!(ask("openai", [bytes]).await.code(), ("not_utf8", 1));
    let slow = with(vec![Part::Wait(Duration::from_secs(30))]);
    let ended = ask_with("openai", [slow], |s| s.timeout_ms = 300).await;
    assert_eq!(ended.code(), ("timeout", 1));
}

#[tokio::test]
async fn nothing_that_fails_is_said_to_be_a_reply() {
    // Bytes at random after a good head: whatever comes, it is a fault or feedback, and it ends.
    let mut seed = 7_u64;
    for _ in 0..60 {
        let bytes: Vec<u8> = (0..200)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (seed >> 56) as u8
            })
            .collect();
        let ended = ask("openai", [response(200, &["Content-Type: application/json"], bytes)]).await;
        assert!(!matches!(ended.end, Ok(Reply { said: Said::Fits(_), .. })));
    }
}
