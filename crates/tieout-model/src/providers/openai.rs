//! Chat completions, as OpenAI, vLLM, Ollama, llama.cpp, Azure and many others serve them
//! (<https://platform.openai.com/docs/api-reference/chat>).

use serde_json::{Map, Value, json};
use tieout_core::model::{Mode, Speaker};

use super::{Ask, Delivery, Endpoint, Gap, LengthWord, Provider, TOOL, Taken, Told, system, turn_text};
use crate::{
    http::{Complaint, REPLY_BYTES_MAX},
    said::Ending,
};

/// The header that carries a key, and what stands before the key.
pub(super) const KEY_HEADER: (&str, &str) = ("authorization", "Bearer ");

pub(super) static OPENAI: Provider = Provider {
    name: "openai",
    endpoint: Endpoint {
        section: "model:",
        url: "https://api.openai.com/v1",
        path,
        key_header: KEY_HEADER,
        headers: &[],
        busy: &[],
        farewells: &["data: [DONE]", "data:[DONE]"],
        asks_payment,
        reply_bytes_max: REPLY_BYTES_MAX,
    },
    modes: &[Mode::Schema, Mode::Tool, Mode::Json, Mode::Plain],
    request,
    told,
    gather,
};

fn path(given: &str) -> String {
    if given.ends_with("/chat/completions") { given.to_owned() } else { format!("{given}/chat/completions") }
}

/// An account without money is told with 429 as well, where waiting helps nobody.
pub(super) fn asks_payment(status: u16, complaint: &Complaint) -> bool {
    status == 429
        && complaint.codes.iter().any(|code| code == "insufficient_quota" || code.starts_with("billing_"))
}

fn request(ask: &Ask<'_>) -> Value {
    let prompt = ask.prompt;
    let mut messages = vec![json!({"role": "system", "content": system(prompt, ask.abilities.mode)})];
    messages.extend(prompt.turns.iter().map(|turn| match turn.speaker {
        Speaker::User => json!({"role": "user", "content": turn_text(&turn.text)}),
        Speaker::Model => json!({"role": "assistant", "content": turn_text(&turn.text)}),
    }));
    let mut body = Map::new();
    body.insert("model".into(), ask.model.into());
    body.insert("messages".into(), messages.into());
    let length = match ask.abilities.length {
        LengthWord::MaxTokens => "max_tokens",
        LengthWord::MaxCompletionTokens => "max_completion_tokens",
    };
    body.insert(length.into(), ask.reply_tokens_max.into());
    if ask.abilities.temperature == Taken::Yes {
        body.insert("temperature".into(), 0.into());
    }
    if ask.delivery == Delivery::Stream {
        body.insert("stream".into(), true.into());
        if ask.abilities.stream_usage == Taken::Yes {
            body.insert("stream_options".into(), json!({"include_usage": true}));
        }
    }
    body.extend(shape(ask));
    Value::Object(body)
}

/// The parameters that ask for the shape.
fn shape(ask: &Ask<'_>) -> Vec<(String, Value)> {
    let schema = &ask.prompt.schema;
    let strict = holds_strictly(schema);
    match ask.abilities.mode {
        Mode::Schema => {
            let schema = json!({"name": ask.prompt.purpose.code(), "schema": schema, "strict": strict});
            vec![("response_format".to_owned(), json!({"type": "json_schema", "json_schema": schema}))]
        }
        Mode::Tool => {
            let function = json!({
                "name": TOOL,
                "description": "Gives the reply.",
                "parameters": schema,
                "strict": strict,
            });
            vec![
                ("tools".to_owned(), json!([{"type": "function", "function": function}])),
                ("tool_choice".to_owned(), json!({"type": "function", "function": {"name": TOOL}})),
            ]
        }
        Mode::Json => vec![("response_format".to_owned(), json!({"type": "json_object"}))],
        Mode::Plain => Vec::new(),
    }
}

/// Whether a schema is one that can be held to strictly: every object names all its keys as required and takes no
/// others. Others are turned down when they are said to be strict.
fn holds_strictly(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => {
            let object = map.get("type").is_some_and(|t| t == "object") || map.contains_key("properties");
            let keys = map.get("properties").and_then(Value::as_object).map_or(0, Map::len);
            let required = map.get("required").and_then(Value::as_array).map_or(0, Vec::len);
            let closed = map.get("additionalProperties") == Some(&Value::Bool(false));
            (!object || (closed && keys == required)) && map.values().all(holds_strictly)
        }
        Value::Array(items) => items.iter().all(holds_strictly),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

fn told(body: &Value, mode: Mode) -> Result<Told, String> {
    let choice = body.pointer("/choices/0").ok_or("it has no `choices`")?;
    let message = choice.get("message").and_then(Value::as_object).ok_or("its choice has no `message`")?;
    let content = words(message.get("content"));
    let refusal = message.get("refusal").and_then(Value::as_str).filter(|text| !text.is_empty());
    let (text, ending) = match (choice.get("finish_reason").and_then(Value::as_str), refusal) {
        (_, Some(refusal)) => (refusal.to_owned(), Ending::Declined),
        (Some("content_filter"), None) => (content, Ending::Declined),
        (reason, None) => {
            let (text, ending) = match mode {
                Mode::Tool => call(message.get("tool_calls"), content),
                Mode::Schema | Mode::Json | Mode::Plain => (content, Ending::Complete),
            };
            (text, if reason == Some("length") { Ending::Cut } else { ending })
        }
    };
    let count = |key: &str| body.pointer(&format!("/usage/{key}")).and_then(Value::as_u64);
    Ok(Told {
        text,
        ending,
        model: body.get("model").and_then(Value::as_str).map(str::to_owned),
        tokens: count("prompt_tokens").zip(count("completion_tokens")),
    })
}

/// The words of a message: text, or parts of text.
fn words(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts.iter().filter_map(|part| part.get("text")?.as_str()).collect(),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) | None => String::new(),
    }
}

/// What the one call of our tool says. Any other call, or several, is none.
fn call(calls: Option<&Value>, content: String) -> (String, Ending) {
    let calls = calls.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let [only] = calls else { return (content, Ending::NoCall) };
    let function = only.get("function");
    let ours = function.and_then(|f| f.get("name")).is_some_and(|name| name == TOOL);
    match function.and_then(|f| f.get("arguments")).filter(|_| ours) {
        Some(Value::String(text)) => (text.clone(), Ending::Complete),
        Some(Value::Object(map)) => (Value::Object(map.clone()).to_string(), Ending::Complete),
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_)) | None => {
            (content, Ending::NoCall)
        }
    }
}

/// Puts the parts of a stream together. It ended when it gave a reason for ending.
fn gather(events: &[Value]) -> Result<Value, Gap> {
    let (mut content, mut refusal) = (String::new(), String::new());
    let mut calls: Vec<(String, String)> = Vec::new();
    let (mut finish, mut usage, mut model) = (Value::Null, Value::Null, Value::Null);
    for event in events {
        if let Some(found) = event.get("usage").filter(|found| found.is_object()) {
            usage = found.clone();
        }
        if let Some(found) = event.get("model").filter(|found| found.is_string()) {
            model = found.clone();
        }
        let Some(choice) = event.pointer("/choices/0") else { continue };
        if let Some(reason) = choice.get("finish_reason").filter(|reason| reason.is_string()) {
            finish = reason.clone();
        }
        let Some(delta) = choice.get("delta") else { continue };
        let part = |key: &str| delta.get(key).and_then(Value::as_str).unwrap_or_default();
        content.push_str(part("content"));
        refusal.push_str(part("refusal"));
        for call in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            add_call(&mut calls, call)?;
        }
    }
    if finish.is_null() {
        return Err(Gap::Cut);
    }
    let calls: Vec<_> = calls
        .into_iter()
        .map(|(name, arguments)| json!({"function": {"name": name, "arguments": arguments}}))
        .collect();
    let message = json!({"content": content, "refusal": refusal, "tool_calls": calls});
    Ok(json!({
        "model": model,
        "choices": [{"message": message, "finish_reason": finish}],
        "usage": usage,
    }))
}

/// The most calls that are put together; more than one is none of ours anyway.
const CALLS_MAX: usize = 8;

/// Adds a part of a call to the call it belongs to.
fn add_call(calls: &mut Vec<(String, String)>, part: &Value) -> Result<(), Gap> {
    let at = part.get("index").and_then(Value::as_u64).unwrap_or(0);
    let at = usize::try_from(at).ok().filter(|at| *at < CALLS_MAX);
    let at = at.ok_or_else(|| Gap::Shape("it calls more tools than there are".to_owned()))?;
    while calls.len() <= at {
        calls.push((String::new(), String::new()));
    }
    let text =
        |key: &str| part.pointer(&format!("/function/{key}")).and_then(Value::as_str).unwrap_or_default();
    calls[at].0.push_str(text("name"));
    calls[at].1.push_str(text("arguments"));
    Ok(())
}
