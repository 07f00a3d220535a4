//! Providers: how each kind of endpoint is asked, and how it answers. One file and one line each.
//!
//! A provider is pure (and so is what asks for vectors, which is no provider): it makes a body and reads a body. Deliberately absent: the network, and any knowledge of who
//! runs an endpoint. What an endpoint can do is found out or configured, never told from its name.

mod anthropic;
pub(crate) mod embeddings;
mod openai;

use serde_json::Value;
use tieout_core::model::{Mode, Prompt};

use crate::{http::Complaint, said::Ending};

/// Every provider.
pub(crate) static PROVIDERS: [&Provider; 2] = [&openai::OPENAI, &anthropic::ANTHROPIC];

/// The tool that a model is made to call.
pub(crate) const TOOL: &str = "reply";

/// The names that `provider:` may be.
#[must_use]
pub fn provider_names() -> Vec<&'static str> {
    PROVIDERS.iter().map(|provider| provider.name).collect()
}

/// What is the same of every request to a place, whatever is asked.
#[derive(Debug)]
pub(crate) struct Endpoint {
    /// The key of `tieout.yml` that it is named under, for sentences.
    pub section: &'static str,
    /// Where it is when nothing is said.
    pub url: &'static str,
    /// The path of requests, given the path of the address, without a slash at its end.
    pub path: fn(&str) -> String,
    /// The header that carries a key, and what stands before the key.
    pub key_header: (&'static str, &'static str),
    /// Headers that every request has.
    pub headers: &'static [(&'static str, &'static str)],
    /// Statuses of its own that mean what 503 means.
    pub busy: &'static [u16],
    /// Lines of the event after which a stream has no other.
    pub farewells: &'static [&'static str],
    /// Whether a complaint that is not a 402 asks for payment.
    pub asks_payment: fn(u16, &Complaint) -> bool,
    /// The longest body that is read, in bytes.
    pub reply_bytes_max: usize,
}

/// One way of speaking to an endpoint.
pub(crate) struct Provider {
    /// As `provider:` names it.
    pub name: &'static str,
    /// How its place is spoken to, whatever is asked.
    pub endpoint: Endpoint,
    /// How it may be asked for a shape, the strongest first.
    pub modes: &'static [Mode],
    /// The body of a request.
    pub request: fn(&Ask<'_>) -> Value,
    /// What a body says.
    pub told: fn(&Value, Mode) -> Result<Told, String>,
    /// The body that the events of a stream amount to.
    pub gather: fn(&[Value]) -> Result<Value, Gap>,
}

/// Two are the same when their names are.
impl PartialEq for Provider {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// One request.
#[derive(Clone, Copy)]
pub(crate) struct Ask<'a> {
    /// What is asked.
    pub prompt: &'a Prompt,
    /// Of which model.
    pub model: &'a str,
    /// How the shape is asked for, and what else the endpoint takes.
    pub abilities: Abilities,
    /// Whether the reply comes in parts.
    pub delivery: Delivery,
    /// The longest reply, in tokens.
    pub reply_tokens_max: u32,
}

/// Whether a reply comes in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// All at once.
    Whole,
    /// As a stream of events.
    Stream,
}

/// What an endpoint takes, as configured or found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Abilities {
    /// How the shape is asked for.
    pub mode: Mode,
    /// Whether a temperature is taken.
    pub temperature: Taken,
    /// Whether a stream can be asked to end with its usage.
    pub stream_usage: Taken,
    /// Which word limits a reply's length.
    pub length: LengthWord,
}

/// Whether an endpoint takes a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// It does, or nobody said that it does not.
    Yes,
    /// It does not.
    No,
}

/// The word for the longest reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LengthWord {
    /// `max_tokens`.
    MaxTokens,
    /// `max_completion_tokens`.
    MaxCompletionTokens,
}

/// What a body says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    /// The words.
    pub text: String,
    /// How they ended.
    pub ending: Ending,
    /// The model, as the endpoint names itself.
    pub model: Option<String>,
    /// Tokens of the prompt and of the reply, where it says.
    pub tokens: Option<(u64, u64)>,
}

/// Why the events of a stream amount to no body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    /// The stream did not end.
    Cut,
    /// Its events are of another shape.
    Shape(String),
}

/// The words that tell a model the shape, where nothing else holds it to it.
fn shape_in_words(schema: &Value) -> String {
    format!(
        "Reply with one JSON object and nothing else: no code fence, no text before or after it. It must be valid \
         against this JSON Schema:\n{schema}"
    )
}

/// The system text, with the shape told in words where the mode needs it.
fn system(prompt: &Prompt, mode: Mode) -> String {
    match mode {
        Mode::Schema | Mode::Tool => prompt.system.clone(),
        Mode::Json | Mode::Plain => format!("{}\n\n{}", prompt.system, shape_in_words(&prompt.schema)),
    }
}

/// What stands for a reply without words when the conversation is told on: endpoints take no empty turn.
fn turn_text(text: &str) -> &str {
    if text.trim().is_empty() { "(an empty reply)" } else { text }
}

#[cfg(test)]
mod tests;
