//! How the question was read: the block, the use of every word, doubts, reasons and caveats.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tieout_core::{definitions, evidence, reading};

/// One line of the block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockLine {
    /// `metric`, `population`, `period`, `grain` or `exclusions`.
    pub field: String,
    /// What it says, in parts.
    pub parts: Vec<BlockPart>,
}

/// A part of a line, and who said so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockPart {
    /// In words.
    pub text: String,
    /// `catalogue`, `question`, `session`, `previous`, `confirmed` or `ASSUMED`; `query` for what a statement says itself.
    pub source: String,
}

/// What a run of words was used for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WordUse {
    /// The words as typed.
    pub text: String,
    /// Where they start in the question, in bytes.
    pub start: usize,
    /// What for: `metric net_revenue`, `time 2026-09-01 to 2026-09-30`, `stop`, `unknown`, ….
    pub used_as: String,
}

/// Something that the asker must choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Doubt {
    /// What `--confirm` names.
    pub subject: String,
    /// The question put to the asker.
    pub message: String,
    /// The options.
    pub choices: Vec<Choice>,
}

/// One option of a doubt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    /// From 1, as shown; `--confirm SUBJECT=NUMBER` takes it.
    pub number: usize,
    /// `--confirm SUBJECT=KEY` takes it.
    pub key: String,
    /// What it means.
    pub text: String,
}

/// One reason to decline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    /// The reason's code. Stable; programs may act on it.
    pub code: String,
    /// What happened.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// The nearest things that exist; offered, never taken.
    pub nearest: Vec<String>,
    /// Where the words to blame start in the question, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<usize>,
}

/// Something that must be said beside the figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Caveat {
    /// Stable; programs may act on it.
    pub code: String,
    /// In a sentence.
    pub text: String,
}

impl From<&definitions::BlockLine> for BlockLine {
    fn from(line: &definitions::BlockLine) -> Self {
        let part =
            |p: &definitions::BlockPart| BlockPart { text: p.text.clone(), source: p.source.to_string() };
        Self { field: line.field.name().to_owned(), parts: line.parts.iter().map(part).collect() }
    }
}

impl From<&reading::WordUse> for WordUse {
    fn from(word: &reading::WordUse) -> Self {
        Self { text: word.text.clone(), start: word.start, used_as: word.used_as.to_string() }
    }
}

impl From<&reading::Doubtful> for Doubt {
    fn from(doubt: &reading::Doubtful) -> Self {
        let choice = |(i, c): (usize, &reading::Choice)| Choice {
            number: i.saturating_add(1),
            key: c.key.clone(),
            text: c.text.clone(),
        };
        Self {
            subject: doubt.subject.clone(),
            message: doubt.message.clone(),
            choices: doubt.choices.iter().enumerate().map(choice).collect(),
        }
    }
}

impl From<&reading::Problem> for Problem {
    fn from(problem: &reading::Problem) -> Self {
        Self {
            code: problem.code.code().to_owned(),
            message: problem.message.clone(),
            hint: problem.hint.clone(),
            nearest: problem.nearest.clone(),
            start: problem.start,
        }
    }
}

impl From<&evidence::Caveat> for Caveat {
    fn from(caveat: &evidence::Caveat) -> Self {
        Self { code: caveat.code.to_owned(), text: caveat.text.clone() }
    }
}
