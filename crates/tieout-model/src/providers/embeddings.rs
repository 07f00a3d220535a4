//! Embeddings, as OpenAI, vLLM, Ollama, llama.cpp, Text Embeddings Inference and many others serve them
//! (<https://platform.openai.com/docs/api-reference/embeddings>).
//!
//! A reply is a vector for each text or it is a fault: nothing is sorted, cut or filled up, since a vector beside the
//! wrong text is an error that nobody would see.

use serde_json::{Value, json};
use tieout_core::model::{BadReply, BadVectors, DIMENSIONS_MAX, NoVector, Vector};

use super::{Endpoint, openai};
use crate::said::{NotStrict, strict_json};

/// The longest reply, in bytes: some hundred vectors of the longest usual models, written as decimals.
pub(crate) const VECTORS_BYTES_MAX: usize = 16 << 20;

pub(crate) static EMBEDDINGS: Endpoint = Endpoint {
    section: "embeddings:",
    // Never used: the project says where its texts go.
    url: "https://api.openai.com/v1",
    path,
    key_header: openai::KEY_HEADER,
    headers: &[],
    busy: &[],
    farewells: &[],
    asks_payment: openai::asks_payment,
    reply_bytes_max: VECTORS_BYTES_MAX,
};

/// What a reply says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ToldVectors {
    /// One for each text, in order.
    pub vectors: Vec<Vector>,
    /// Tokens of the texts, where it says.
    pub tokens: Option<u64>,
}

fn path(given: &str) -> String {
    if given.ends_with("/embeddings") { given.to_owned() } else { format!("{given}/embeddings") }
}

/// The body of a request. The format of the numbers is left out: decimals are what every server sends then.
pub(crate) fn request(model: &str, texts: &[String]) -> Value {
    json!({"model": model, "input": texts})
}

/// One JSON text of an endpoint's.
pub(crate) fn parsed(text: &str) -> Result<Value, BadReply> {
    strict_json(text).map_err(|error| match error {
        NotStrict::Syntax(why) if why.starts_with("EOF") => BadReply::Cut,
        NotStrict::Syntax(why) => BadReply::Vectors(match not_finite(text) {
            Some(place) => BadVectors::NotFinite { place },
            None => BadVectors::NotJson { why },
        }),
        NotStrict::DuplicateKey(why) => BadReply::Shape { why },
    })
}

/// The vector, from 0, in which a text that is no JSON holds what JSON has no word for: servers in Python write `NaN`.
fn not_finite(text: &str) -> Option<usize> {
    let between = |c: char| matches!(c, ',' | '[' | ']' | ':' | '{' | '}') || c.is_whitespace();
    let mut vectors = 0_usize;
    for word in text.split(between) {
        if word == "\"embedding\"" {
            vectors = vectors.saturating_add(1);
        }
        if word.parse::<f64>().is_ok_and(|number| !number.is_finite()) {
            return Some(vectors.saturating_sub(1));
        }
    }
    None
}

/// What a body says, for so many texts.
pub(crate) fn told(body: &Value, asked: usize) -> Result<ToldVectors, BadReply> {
    let shape = |why: &str| BadReply::Shape { why: why.to_owned() };
    let data = body.get("data").and_then(Value::as_array).ok_or_else(|| shape("it has no `data`"))?;
    if data.len() != asked {
        return Err(BadReply::Vectors(BadVectors::Count { asked, came: data.len() }));
    }
    let mut vectors: Vec<Vector> = Vec::with_capacity(asked);
    for (place, item) in data.iter().enumerate() {
        let index = item.get("index").ok_or_else(|| shape("a vector says no `index`"))?;
        if index.as_u64() != u64::try_from(place).ok() {
            return Err(BadReply::Vectors(BadVectors::Order { place, index: shortened(index) }));
        }
        let vector = vector(item, place)?;
        if let Some(first) = vectors.first().filter(|first| first.dimensions() != vector.dimensions()) {
            let (expected, came) = (first.dimensions(), vector.dimensions());
            return Err(BadReply::Vectors(BadVectors::Dimension { expected, came }));
        }
        vectors.push(vector);
    }
    let count = |key: &str| body.pointer(&format!("/usage/{key}")).and_then(Value::as_u64);
    Ok(ToldVectors { vectors, tokens: count("prompt_tokens").or_else(|| count("total_tokens")) })
}

fn vector(item: &Value, place: usize) -> Result<Vector, BadReply> {
    let bad = |bad| Err(BadReply::Vectors(bad));
    let Some(numbers) = item.get("embedding").and_then(Value::as_array) else {
        return Err(BadReply::Shape { why: "a vector is no list of numbers".to_owned() });
    };
    let mut singles = Vec::with_capacity(numbers.len().min(DIMENSIONS_MAX));
    for number in numbers {
        match number {
            #[allow(
                clippy::cast_possible_truncation,
                reason = "singles are what is compared; what does not fit is infinite"
            )]
            Value::Number(number) => singles.push(number.as_f64().unwrap_or(f64::NAN) as f32),
            // What some servers write for a number that is none.
            Value::Null => return bad(BadVectors::NotFinite { place }),
            Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
                return Err(BadReply::Shape { why: "a vector holds what is no number".to_owned() });
            }
        }
    }
    match Vector::of(singles) {
        Ok(vector) => Ok(vector),
        Err(NoVector::Empty) => bad(BadVectors::Empty { place }),
        Err(NoVector::TooLong) => bad(BadVectors::TooLong { dimensions_max: DIMENSIONS_MAX }),
        Err(NoVector::NotFinite) => bad(BadVectors::NotFinite { place }),
        Err(NoVector::Zero) => bad(BadVectors::Zero { place }),
    }
}

/// What an endpoint says of a place, not longer than a place.
fn shortened(index: &Value) -> String {
    crate::http::plain(&index.to_string().chars().take(20).collect::<String>())
}
