//! What is sent, and what is made of what comes, without a network.

use proptest::prelude::*;
use serde_json::json;
use tieout_core::model::{PromptLimits, Purpose, Speaker, Turn};

use super::*;

fn prompt(schema: Value) -> Prompt {
    let turn = |speaker, text: &str| Turn { speaker, text: text.to_owned() };
    Prompt {
        purpose: Purpose::Read,
        version: "read-1".to_owned(),
        system: "Read.".to_owned(),
        turns: vec![turn(Speaker::User, "orders?"), turn(Speaker::Model, " "), turn(Speaker::User, "again")],
        schema,
        limits: PromptLimits { attempts_max: 1, reply_tokens_max: 50 },
    }
}

fn closed() -> Value {
    json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false})
}

fn body(provider: &Provider, mode: Mode, delivery: Delivery, schema: Value) -> Value {
    let abilities =
        Abilities { mode, temperature: Taken::Yes, stream_usage: Taken::Yes, length: LengthWord::MaxTokens };
    let prompt = prompt(schema);
    (provider.request)(&Ask { prompt: &prompt, model: "m", abilities, delivery, reply_tokens_max: 50 })
}

#[test]
fn chat_completions_ask_for_the_shape_in_each_mode() {
    let ask = |mode| body(&openai::OPENAI, mode, Delivery::Whole, closed());
    let schema = ask(Mode::Schema);
    assert_eq!(
        schema["response_format"],
        json!({"type": "json_schema", "json_schema": {"name": "read", "schema": closed(), "strict": true}})
    );
    assert_eq!(schema["messages"][0], json!({"role": "system", "content": "Read."}));
    assert_eq!(schema["messages"][2], json!({"role": "assistant", "content": "(an empty reply)"}));
    assert_eq!((&schema["max_tokens"], &schema["temperature"]), (&json!(50), &json!(0)));
    assert_eq!(schema.get("stream"), None);
    let tool = ask(Mode::Tool);
    assert_eq!(tool["tools"][0]["function"]["parameters"], closed());
    assert_eq!(
        (&tool["tools"][0]["function"]["name"], &tool["tool_choice"]["function"]["name"]),
        (&json!("reply"), &json!("reply"))
    );
    assert_eq!(ask(Mode::Json)["response_format"], json!({"type": "json_object"}));
    let plain = ask(Mode::Plain);
    assert_eq!(plain.get("response_format"), None);
    assert!(
        plain["messages"][0]["content"].as_str().is_some_and(|text| text.contains(&closed().to_string()))
    );
    let stream = body(&openai::OPENAI, Mode::Plain, Delivery::Stream, closed());
    assert_eq!(
        (&stream["stream"], &stream["stream_options"]),
        (&json!(true), &json!({"include_usage": true}))
    );
}

#[test]
fn a_schema_is_only_called_strict_where_it_is() {
    let strict = |schema| {
        body(&openai::OPENAI, Mode::Schema, Delivery::Whole, schema)["response_format"]["json_schema"]["strict"].clone()
    };
    assert_eq!(strict(closed()), true);
    assert_eq!(strict(json!({"type": "object"})), false);
    let mut optional = closed();
    optional["required"] = json!([]);
    assert_eq!(strict(optional.clone()), false);
    let nested = json!({"type": "object", "properties": {"l": {"type": "array", "items": optional}}, "required": ["l"], "additionalProperties": false});
    assert_eq!(strict(nested), false);
}

#[test]
fn messages_ask_for_the_shape_in_each_mode() {
    let ask = |mode| body(&anthropic::ANTHROPIC, mode, Delivery::Whole, closed());
    assert_eq!(
        ask(Mode::Schema)["output_config"],
        json!({"format": {"type": "json_schema", "schema": closed()}})
    );
    assert_eq!(ask(Mode::Schema)["system"], "Read.");
    let tool = ask(Mode::Tool);
    assert_eq!(
        (&tool["tools"][0]["input_schema"], &tool["tool_choice"]),
        (&closed(), &json!({"type": "tool", "name": "reply"}))
    );
    assert!(ask(Mode::Plain)["system"].as_str().is_some_and(|text| text.contains(&closed().to_string())));
    assert_eq!(ask(Mode::Plain)["messages"][1], json!({"role": "assistant", "content": "(an empty reply)"}));
}

fn told(provider: &Provider, mode: Mode, body: &Value) -> (String, Ending) {
    let told = (provider.told)(body, mode).unwrap();
    (told.text, told.ending)
}

#[test]
fn chat_completions_are_read() {
    let choice =
        |message: Value, reason: &str| json!({"choices": [{"message": message, "finish_reason": reason}]});
    let call = |name: &str, arguments: Value| json!({"function": {"name": name, "arguments": arguments}});
    let openai = &openai::OPENAI;
    let cases = [
        (Mode::Schema, choice(json!({"content": "{}"}), "stop"), "{}", Ending::Complete),
        (
            Mode::Schema,
            choice(json!({"content": [{"type": "text", "text": "{"}, {"text": "}"}]}), "stop"),
            "{}",
            Ending::Complete,
        ),
        (Mode::Schema, choice(json!({"content": null}), "stop"), "", Ending::Complete),
        (Mode::Schema, choice(json!({"content": "{\"a"}), "length"), "{\"a", Ending::Cut),
        (Mode::Schema, choice(json!({"content": null, "refusal": "no"}), "stop"), "no", Ending::Declined),
        (Mode::Schema, choice(json!({"content": ""}), "content_filter"), "", Ending::Declined),
        (
            Mode::Tool,
            choice(json!({"tool_calls": [call("reply", json!("{}"))]}), "tool_calls"),
            "{}",
            Ending::Complete,
        ),
        (
            Mode::Tool,
            choice(json!({"tool_calls": [call("reply", json!({"a": 1}))]}), "stop"),
            "{\"a\":1}",
            Ending::Complete,
        ),
        (Mode::Tool, choice(json!({"tool_calls": [call("reply", json!("{"))]}), "length"), "{", Ending::Cut),
        (Mode::Tool, choice(json!({"content": "sure"}), "stop"), "sure", Ending::NoCall),
        (Mode::Tool, choice(json!({"tool_calls": [call("other", json!("{}"))]}), "stop"), "", Ending::NoCall),
        (
            Mode::Tool,
            choice(json!({"tool_calls": [call("reply", json!("{}")), call("reply", json!("{}"))]}), "stop"),
            "",
            Ending::NoCall,
        ),
    ];
    for (mode, body, text, ending) in cases {
        assert_eq!(told(openai, mode, &body), (text.to_owned(), ending), "{body}");
    }
    for broken in
        [json!({}), json!([]), json!({"choices": []}), json!({"choices": [{}]}), json!({"choices": 1})]
    {
        assert!((openai.told)(&broken, Mode::Plain).is_err(), "{broken}");
    }
}

#[test]
fn messages_are_read() {
    let message = |content: Value, reason: &str| json!({"content": content, "stop_reason": reason, "model": "m-1", "usage": {"input_tokens": 5, "cache_read_input_tokens": 7, "output_tokens": 2}});
    let anthropic = &anthropic::ANTHROPIC;
    let text = json!([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "{}"}]);
    let call =
        json!([{"type": "text", "text": "ok"}, {"type": "tool_use", "name": "reply", "input": {"a": 1}}]);
    let other = json!([{"type": "tool_use", "name": "other", "input": {}}]);
    for (mode, body, said, ending) in [
        (Mode::Schema, message(text.clone(), "end_turn"), "{}", Ending::Complete),
        (Mode::Plain, message(text.clone(), "max_tokens"), "{}", Ending::Cut),
        (Mode::Plain, message(text.clone(), "refusal"), "{}", Ending::Declined),
        (Mode::Schema, message(json!([]), "refusal"), "", Ending::Declined),
        (Mode::Tool, message(call, "tool_use"), "{\"a\":1}", Ending::Complete),
        (Mode::Tool, message(text.clone(), "end_turn"), "{}", Ending::NoCall),
        (Mode::Tool, message(other, "tool_use"), "", Ending::NoCall),
    ] {
        assert_eq!(told(anthropic, mode, &body), (said.to_owned(), ending), "{body}");
    }
    let whole = (anthropic.told)(&message(text, "end_turn"), Mode::Plain).unwrap();
    assert_eq!((whole.tokens, whole.model.as_deref()), (Some((12, 2)), Some("m-1")));
    assert!((anthropic.told)(&json!({"content": "{}"}), Mode::Plain).is_err());
}

#[test]
fn streams_amount_to_the_body_that_would_have_come_at_once() {
    let part = |delta: Value| json!({"model": "m-1", "choices": [{"delta": delta, "finish_reason": null}]});
    let end = |reason: &str| json!({"choices": [{"delta": {}, "finish_reason": reason}]});
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 2}});
    let openai = &openai::OPENAI;
    let text =
        [part(json!({"content": "{\"a\""})), part(json!({"content": ":1}"})), end("stop"), usage.clone()];
    let body = (openai.gather)(&text).unwrap();
    let whole = (openai.told)(&body, Mode::Plain).unwrap();
    assert_eq!(
        (whole.text.as_str(), whole.tokens, whole.model.as_deref()),
        ("{\"a\":1}", Some((5, 2)), Some("m-1"))
    );
    assert_eq!((openai.gather)(&text[..2]), Err(Gap::Cut));
    assert_eq!((openai.gather)(&[]), Err(Gap::Cut));
    let call =
        |part: Value| json!({"choices": [{"delta": {"tool_calls": [{"index": 0, "function": part}]}}]});
    let calls = [
        call(json!({"name": "reply", "arguments": ""})),
        call(json!({"arguments": "{}"})),
        end("tool_calls"),
    ];
    assert_eq!(
        told(openai, Mode::Tool, &(openai.gather)(&calls).unwrap()),
        ("{}".to_owned(), Ending::Complete)
    );
    let far = json!({"choices": [{"delta": {"tool_calls": [{"index": 4_000_000_000_u64}]}}]});
    assert!(matches!((openai.gather)(&[far]), Err(Gap::Shape(_))));

    let anthropic = &anthropic::ANTHROPIC;
    let start = json!({"type": "message_start", "message": {"model": "m-1", "usage": {"input_tokens": 5, "output_tokens": 1}}});
    let block = json!({"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "name": "reply", "input": {}}});
    let part = |text: &str| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": text}});
    let delta =
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}});
    let stop = json!({"type": "message_stop"});
    let events = [start, block, json!({"type": "ping"}), part("{\"a\""), part(":1}"), delta, stop];
    let whole = (anthropic.told)(&(anthropic.gather)(&events).unwrap(), Mode::Tool).unwrap();
    assert_eq!(
        (whole.text.as_str(), whole.ending, whole.tokens),
        ("{\"a\":1}", Ending::Complete, Some((5, 9)))
    );
    assert_eq!((anthropic.gather)(&events[..6]), Err(Gap::Cut));
    assert!(matches!((anthropic.gather)(&events[3..]), Err(Gap::Shape(_))));
}

#[test]
fn addresses_lead_to_the_place_itself() {
    for (provider, given, expected) in [
        (&openai::OPENAI, "/v1", "/v1/chat/completions"),
        (&openai::OPENAI, "", "/chat/completions"),
        (&openai::OPENAI, "/openai/deployments/x/chat/completions", "/openai/deployments/x/chat/completions"),
        (&anthropic::ANTHROPIC, "", "/v1/messages"),
        (&anthropic::ANTHROPIC, "/v1", "/v1/messages"),
        (&anthropic::ANTHROPIC, "/proxy/v1/messages", "/proxy/v1/messages"),
    ] {
        assert_eq!((provider.endpoint.path)(given), expected);
    }
}

#[test]
fn modes_stand_strongest_first_and_end_with_words() {
    for provider in PROVIDERS {
        assert!(provider.modes.is_sorted(), "{}", provider.name);
        assert_eq!(provider.modes.last(), Some(&Mode::Plain), "{}", provider.name);
    }
}

/// JSON made of the words that providers use, put together at random.
fn provider_like() -> impl Strategy<Value = Value> {
    let words = || {
        prop::sample::select(vec![
            "choices",
            "message",
            "content",
            "tool_calls",
            "function",
            "name",
            "arguments",
            "finish_reason",
            "delta",
            "index",
            "usage",
            "prompt_tokens",
            "type",
            "text",
            "tool_use",
            "input",
            "reply",
            "stop_reason",
            "error",
            "content_block_start",
            "content_block_delta",
            "content_block",
            "message_delta",
            "message_stop",
            "refusal",
        ])
    };
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        words().prop_map(Value::from),
        ".{0,4}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((words(), inner), 0..6).prop_map(|entries| Value::Object(
                entries.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()
            )),
        ]
    })
}

proptest! {
    #[test]
    fn no_body_makes_a_provider_stumble(body in provider_like(), events in prop::collection::vec(provider_like(), 0..6)) {
        for provider in PROVIDERS {
            for mode in Mode::ALL {
                let _ = (provider.told)(&body, mode);
                if let Ok(whole) = (provider.gather)(&events) {
                    let _ = (provider.told)(&whole, mode);
                }
            }
        }
    }
}
