//! The prompt that sentences are written with, and the shape of its reply.
//!
//! The model is shown figures as they are printed, by their ids, with the names that they are of. It sees no row, and
//! neither the question nor the session. Groups are names out of rows, so all of it stands in a data section.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tieout_core::{
    attempt::ATTEMPTS_MAX,
    definitions::Settled,
    model::{NarrateMode, Prompt, PromptLimits, Purpose, Speaker, Turn},
};
use tieout_reader::language::sentences::{SentenceClass, SentenceWords};

use super::wording::{Matter, Offered, SENTENCE_CHARS_MAX};
use crate::untrusted::data_section;

/// The version of the prompt's text: a change of what is said is a change of this.
const VERSION: &str = "narrate-1";
/// The most figures that are shown.
const FIGURES_SHOWN_MAX: usize = 60;
/// The most sentences of one reply.
const SENTENCES_MAX: usize = 6;
/// The longest reply, in tokens.
const REPLY_TOKENS_MAX: u32 = 700;

/// A reply as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Reply {
    pub(super) sentences: Vec<Said>,
}

/// A sentence as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Said {
    /// Words with slots.
    pub(super) text: String,
    /// Whether it reasons beyond the figures.
    #[serde(default)]
    pub(super) inferred: bool,
    /// The figures that an inference reasons from.
    #[serde(default)]
    pub(super) from: Vec<String>,
}

impl Reply {
    /// Reads a reply.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub(super) fn parse(value: &Value) -> Result<Self, String> {
        let reply: Self = serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
        match reply.sentences.len() {
            0 => Err("there is no sentence".to_owned()),
            n if n > SENTENCES_MAX => Err(format!("there are {n} sentences, and {SENTENCES_MAX} at most")),
            _ => Ok(reply),
        }
    }
}

/// The first prompt for an answer.
pub(super) fn prompt(settled: &Settled, matter: &Matter<'_>, mode: NarrateMode) -> Prompt {
    let block: Vec<Value> = settled
        .block()
        .iter()
        .map(|line| {
            let parts: Vec<&str> = line.parts.iter().map(|part| part.text.as_str()).collect();
            json!({ line.field.name(): parts })
        })
        .collect();
    let shown: Vec<Value> =
        matter.offered.iter().take(FIGURES_SHOWN_MAX).map(|offered| figure(offered, matter)).collect();
    let text =
        format!("# reading\n{}\n\n# figures\n{}\n", data_section(&json!(block)), data_section(&json!(shown)));
    Prompt {
        purpose: Purpose::Narrate,
        version: VERSION.to_owned(),
        system: system(mode),
        turns: vec![Turn { speaker: Speaker::User, text }],
        schema: schema(matter, mode),
        limits: PromptLimits { attempts_max: ATTEMPTS_MAX, reply_tokens_max: REPLY_TOKENS_MAX },
    }
}

/// What is said when sentences do not hold.
pub(super) fn rejection(problems: &[String]) -> String {
    let mut text = "These do not hold:\n".to_owned();
    for problem in problems {
        text.push_str(&format!("- {problem}\n"));
    }
    text.push_str("Give all sentences again, mended; leave out what cannot be said.");
    text
}

fn figure(offered: &Offered<'_>, matter: &Matter<'_>) -> Value {
    let mut entry = Map::new();
    entry.insert("slot".to_owned(), json!(format!("{{{}}}", offered.figure.id)));
    entry.insert("shown".to_owned(), json!(offered.figure.value.shown(&offered.column.unit)));
    entry.insert("measure".to_owned(), json!(matter.measure(offered)));
    entry.insert("is".to_owned(), json!(offered.column.role.name()));
    let period = offered.column.period.as_deref().unwrap_or(matter.period);
    if !period.is_empty() {
        entry.insert("period".to_owned(), json!(period));
    }
    for (grouping, key) in matter.figures.groupings.iter().zip(&offered.line.keys) {
        entry.insert(grouping.clone(), json!(key.shown));
    }
    Value::Object(entry)
}

fn system(mode: NarrateMode) -> String {
    use SentenceClass as C;
    let words = SentenceWords::english()
        .of(&[
            C::Neutral,
            C::Total,
            C::Of,
            C::By,
            C::From,
            C::To,
            C::Than,
            C::Change,
            C::Up,
            C::Down,
            C::More,
            C::Less,
            C::Most,
            C::Least,
            C::Share,
        ])
        .join(" ");
    let text = include_str!("../prompts/narrate.md").replace("WORDS", &words);
    match mode {
        NarrateMode::Builtin | NarrateMode::Model => text,
        NarrateMode::ModelInferring => format!(
            "{text}\nYou may add one sentence that reasons beyond the figures: \"inferred\": true, words only, without any figure, with \"may\" or \"might\", and \"from\" naming the figures it reasons from.\n"
        ),
    }
}

fn schema(matter: &Matter<'_>, mode: NarrateMode) -> Value {
    let mut sentence = json!({ "text": { "type": "string", "maxLength": SENTENCE_CHARS_MAX } });
    if let (NarrateMode::ModelInferring, Some(properties)) = (mode, sentence.as_object_mut()) {
        let ids: Vec<&str> =
            matter.offered.iter().take(FIGURES_SHOWN_MAX).map(|offered| offered.figure.id.as_str()).collect();
        properties.insert("inferred".to_owned(), json!({ "type": "boolean" }));
        properties
            .insert("from".to_owned(), json!({ "type": "array", "items": { "enum": ids }, "maxItems": 8 }));
    }
    json!({
        "type": "object",
        "properties": {
            "sentences": {
                "type": "array",
                "minItems": 1,
                "maxItems": SENTENCES_MAX,
                "items": {
                    "type": "object",
                    "properties": sentence,
                    "required": ["text"],
                    "additionalProperties": false,
                },
            },
        },
        "required": ["sentences"],
        "additionalProperties": false,
    })
}
