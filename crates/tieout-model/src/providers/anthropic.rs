//! Anthropic's messages (<https://docs.anthropic.com/en/api/messages>).

use serde_json::{Map, Value, json};
use tieout_core::model::{Mode, Speaker};

use super::{Ask, Delivery, Endpoint, Gap, Provider, TOOL, Taken, Told, system, turn_text};
use crate::{
    http::{Complaint, REPLY_BYTES_MAX},
    said::Ending,
};

pub(super) static ANTHROPIC: Provider = Provider {
    name: "anthropic",
    endpoint: Endpoint {
        section: "model:",
        url: "https://api.anthropic.com",
        path,
        key_header: ("x-api-key", ""),
        headers: &[("anthropic-version", "2023-06-01")],
        // “Overloaded”, its 503.
        busy: &[529],
        farewells: &["event: message_stop"],
        asks_payment,
        reply_bytes_max: REPLY_BYTES_MAX,
    },
    // There is no JSON without a schema.
    modes: &[Mode::Schema, Mode::Tool, Mode::Plain],
    request,
    told,
    gather,
};

fn path(given: &str) -> String {
    if given.ends_with("/messages") {
        given.to_owned()
    } else if given.ends_with("/v1") {
        format!("{given}/messages")
    } else {
        format!("{given}/v1/messages")
    }
}

/// An account without money is told with 400.
fn asks_payment(status: u16, complaint: &Complaint) -> bool {
    complaint.codes.iter().any(|code| code == "billing_error")
        || (status == 400 && complaint.mentions(&["credit balance is too low"]))
}

fn request(ask: &Ask<'_>) -> Value {
    let prompt = ask.prompt;
    let messages: Vec<_> = prompt
        .turns
        .iter()
        .map(|turn| match turn.speaker {
            Speaker::User => json!({"role": "user", "content": turn_text(&turn.text)}),
            Speaker::Model => json!({"role": "assistant", "content": turn_text(&turn.text)}),
        })
        .collect();
    let mut body = Map::new();
    body.insert("model".into(), ask.model.into());
    body.insert("system".into(), system(prompt, ask.abilities.mode).into());
    body.insert("messages".into(), messages.into());
    body.insert("max_tokens".into(), ask.reply_tokens_max.into());
    if ask.abilities.temperature == Taken::Yes {
        body.insert("temperature".into(), 0.into());
    }
    if ask.delivery == Delivery::Stream {
        body.insert("stream".into(), true.into());
    }
    match ask.abilities.mode {
        Mode::Schema => {
            let format = json!({"type": "json_schema", "schema": prompt.schema});
            body.insert("output_config".into(), json!({"format": format}));
        }
        Mode::Tool => {
            let tool =
                json!({"name": TOOL, "description": "Gives the reply.", "input_schema": prompt.schema});
            body.insert("tools".into(), json!([tool]));
            body.insert("tool_choice".into(), json!({"type": "tool", "name": TOOL}));
        }
        Mode::Json | Mode::Plain => {}
    }
    Value::Object(body)
}

fn told(body: &Value, mode: Mode) -> Result<Told, String> {
    let blocks = body.get("content").and_then(Value::as_array).ok_or("it has no `content`")?;
    let of_kind =
        |kind: &'static str| blocks.iter().filter(move |b| b.get("type").is_some_and(|t| t == kind));
    let text: String = of_kind("text").filter_map(|block| block.get("text")?.as_str()).collect();
    let (text, ending) = match body.get("stop_reason").and_then(Value::as_str) {
        Some("refusal") => (text, Ending::Declined),
        reason => {
            let (text, ending) = match mode {
                Mode::Tool => call(&of_kind("tool_use").collect::<Vec<_>>(), text),
                Mode::Schema | Mode::Json | Mode::Plain => (text, Ending::Complete),
            };
            let cut = matches!(reason, Some("max_tokens" | "model_context_window_exceeded"));
            (text, if cut { Ending::Cut } else { ending })
        }
    };
    Ok(Told {
        text,
        ending,
        model: body.get("model").and_then(Value::as_str).map(str::to_owned),
        tokens: body.get("usage").and_then(tokens),
    })
}

/// What was read anew, written to a cache and read from one are all tokens of the prompt.
fn tokens(usage: &Value) -> Option<(u64, u64)> {
    let count = |key: &str| usage.get(key).and_then(Value::as_u64);
    let cached =
        ["cache_creation_input_tokens", "cache_read_input_tokens"].iter().filter_map(|key| count(key));
    let input = cached.fold(count("input_tokens")?, u64::saturating_add);
    Some((input, count("output_tokens")?))
}

/// What the one call of our tool says. Any other call, or several, is none.
fn call(calls: &[&Value], text: String) -> (String, Ending) {
    match calls {
        [only] if only.get("name").is_some_and(|name| name == TOOL) => match only.get("input") {
            // A stream gives the words themselves, which may be broken, and are judged as they are.
            Some(Value::String(words)) => (words.clone(), Ending::Complete),
            Some(input) => (input.to_string(), Ending::Complete),
            None => (text, Ending::NoCall),
        },
        _ => (text, Ending::NoCall),
    }
}

/// Puts the parts of a stream together. It ended when it gave a reason for ending and said that it did.
fn gather(events: &[Value]) -> Result<Value, Gap> {
    let mut blocks: Vec<Map<String, Value>> = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let (mut model, mut stop, mut ended) = (Value::Null, Value::Null, false);
    let mut usage = Map::new();
    for event in events {
        let told = [event.pointer("/message/usage"), event.get("usage")].into_iter().flatten();
        usage.extend(told.filter_map(Value::as_object).flatten().map(|(k, v)| (k.clone(), v.clone())));
        match event.get("type").and_then(Value::as_str) {
            Some("message_start") => model = event.pointer("/message/model").cloned().unwrap_or_default(),
            Some("content_block_start") => {
                blocks
                    .push(event.get("content_block").and_then(Value::as_object).cloned().unwrap_or_default());
                words.push(String::new());
            }
            Some("content_block_delta") => {
                let part = ["text", "partial_json"]
                    .iter()
                    .find_map(|key| event.pointer(&format!("/delta/{key}"))?.as_str());
                let last =
                    words.last_mut().ok_or_else(|| Gap::Shape("a part belongs to no block".to_owned()))?;
                last.push_str(part.unwrap_or_default());
            }
            Some("message_delta") => stop = event.pointer("/delta/stop_reason").cloned().unwrap_or_default(),
            Some("message_stop") => ended = true,
            Some(_) | None => {}
        }
    }
    if !ended {
        return Err(Gap::Cut);
    }
    let content: Vec<_> = blocks.into_iter().zip(words).map(|(block, words)| whole(block, words)).collect();
    Ok(json!({"model": model, "content": content, "stop_reason": stop, "usage": usage}))
}

/// A block with the words that came for it.
fn whole(mut block: Map<String, Value>, words: String) -> Value {
    let key = if block.get("type").is_some_and(|kind| kind == "tool_use") { "input" } else { "text" };
    if !words.is_empty() {
        block.insert(key.to_owned(), Value::String(words));
    }
    Value::Object(block)
}
