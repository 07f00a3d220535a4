//! The one judgement of what a model said: whether it is one JSON value of the shape that was asked for.
//!
//! Whatever answers (a provider, a cassette, a script) comes through here, so that a test meets the judgement that
//! holds in earnest. Deliberately absent: every meaning, and any repair. Where it is not plain which value was meant,
//! nothing is taken.

mod extract;
mod strict;

use std::sync::{Arc, Mutex};

use jsonschema::Validator;
use serde_json::Value;
use tieout_core::model::{Said, Unfit, UnfitKind};

use crate::locked;

pub use strict::{DEPTH_MAX, NotStrict, strict_json};

/// The most things that are said to be wrong with one reply.
pub const PROBLEMS_MAX: usize = 8;

/// How many schemas are kept made: those of the questions that are under way at once.
const VALIDATORS_KEPT_MAX: usize = 16;

/// How much of the end of a reply is shown, in characters.
const TAIL_CHARS_MAX: usize = 40;

/// The longest a value is shown in a problem, in characters.
const SHOWN_CHARS_MAX: usize = 120;

/// How an endpoint says that a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The model was done.
    Complete,
    /// The most tokens of a reply were used up.
    Cut,
    /// The model, or a filter beside it, declined.
    Declined,
    /// A tool should have been called, and was not.
    NoCall,
}

/// Judges a reply by how it ended and by its words.
#[must_use]
pub fn judge_ended(text: &str, ending: Ending, schema: &Value) -> Said {
    match ending {
        Ending::Complete => judge(text, schema),
        Ending::Cut => Said::Unfit(unfit(
            UnfitKind::Cut,
            format!("the reply was cut at its longest length, at “{}”", short(&tail(text))),
        )),
        Ending::Declined if text.trim().is_empty() => {
            Said::Unfit(unfit(UnfitKind::Declined, "the model declined to answer"))
        }
        Ending::Declined => Said::Unfit(unfit(
            UnfitKind::Declined,
            format!("the model declined to answer: “{}”", short(text.trim())),
        )),
        Ending::NoCall => Said::Unfit(unfit(
            UnfitKind::NoCall,
            "the reply is to be one call of the tool `reply`, and is not",
        )),
    }
}

/// The last words of a text.
fn tail(text: &str) -> String {
    let skipped = text.chars().count().saturating_sub(TAIL_CHARS_MAX);
    text.chars().skip(skipped).collect()
}

/// Judges the words of a reply.
#[must_use]
pub fn judge(text: &str, schema: &Value) -> Said {
    let json = match extract::only_json(text) {
        Ok(json) => json,
        Err(unfit) => return Said::Unfit(unfit),
    };
    match strict_json(json) {
        Ok(value) => judge_value(value, schema),
        Err(NotStrict::DuplicateKey(why)) => Said::Unfit(unfit(UnfitKind::DuplicateKey, why)),
        Err(NotStrict::Syntax(why)) => {
            Said::Unfit(unfit(UnfitKind::NotJson, format!("the reply is not one JSON value: {why}")))
        }
    }
}

/// Holds a value to the schema.
fn judge_value(value: Value, schema: &Value) -> Said {
    let validator = match validator(schema) {
        Ok(validator) => validator,
        Err(error) => {
            let why = format!("the schema that the reply should fit cannot be used: {error}");
            return Said::Unfit(unfit(UnfitKind::Schema, why));
        }
    };
    let problems: Vec<_> = validator
        .iter_errors(&value)
        .take(PROBLEMS_MAX)
        .map(|error| {
            let place = error.instance_path().to_string();
            let place = if place.is_empty() { "the reply".to_owned() } else { format!("`{place}`") };
            format!("{place}: {}", short(&error.to_string()))
        })
        .collect();
    if problems.is_empty() {
        Said::Fits(value)
    } else {
        Said::Unfit(Unfit { kind: UnfitKind::Schema, problems })
    }
}

/// What holds values to a schema, kept for the further attempts at a prompt: making it takes longer than using it.
fn validator(schema: &Value) -> Result<Arc<Validator>, String> {
    static KEPT: Mutex<Vec<(Value, Arc<Validator>)>> = Mutex::new(Vec::new());
    let known = locked(&KEPT).iter().find(|(other, _)| other == schema).map(|(_, found)| Arc::clone(found));
    if let Some(found) = known {
        return Ok(found);
    }
    // References to other documents are not followed: the crate is built without that.
    let made = Arc::new(jsonschema::validator_for(schema).map_err(|error| error.to_string())?);
    let mut kept = locked(&KEPT);
    kept.insert(0, (schema.clone(), Arc::clone(&made)));
    kept.truncate(VALIDATORS_KEPT_MAX);
    Ok(made)
}

/// A reply that cannot be used, for one reason.
pub(crate) fn unfit(kind: UnfitKind, problem: impl Into<String>) -> Unfit {
    Unfit { kind, problems: vec![problem.into()] }
}

/// The beginning of a text, with a mark where more was.
pub(crate) fn short(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARS_MAX) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
