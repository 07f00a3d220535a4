//! The record itself: who asked what and when, how it was read, how it ended, and what ran.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BlockLine, Caveat, Claim, Doubt, Exchange, Listing, Problem, Query, Shortlist, Table, WordUse};

/// The version of this form. It counts up when a reader of the old form would be misled.
pub const RECORD_VERSION: u32 = 1;

/// Everything that is kept of one question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Record {
    /// The version of this form.
    pub record: u32,
    /// Unique; sorts as time goes.
    pub id: String,
    /// How it ended, and what belongs to that end.
    #[serde(flatten)]
    pub ending: Ending,
    /// When it was asked, RFC 3339 in UTC.
    pub asked_at: String,
    /// The moment that relative periods count from, RFC 3339 in UTC.
    pub now: String,
    /// As typed: words, or SQL where `asked_as` says so.
    pub question: String,
    /// What was asked with.
    #[serde(default, skip_serializing_if = "AskedAs::is_question")]
    pub asked_as: AskedAs,
    /// The record that it follows up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// What the asker chose when a doubt was put.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub confirmed: Vec<Confirmed>,
    /// The record of which a field of the block was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited_from: Option<String>,
    /// The fields that were changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<Edit>,
    /// Who asked.
    pub session: SessionRef,
    /// Of which project.
    pub project: ProjectRef,
    /// The five fields that stand above the number. Empty when nothing was understood, or for a question about the
    /// catalogue itself.
    pub block: Vec<BlockLine>,
    /// What every word of the question was used for.
    pub words: Vec<WordUse>,
    /// What the period might have meant instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<String>,
    /// Every query that ran.
    pub queries: Vec<Query>,
    /// What a language model was asked and what became of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<Exchange>,
    /// What of a large catalogue the model was told of, and why. Of a small one it is told all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shortlist: Option<Shortlist>,
    /// Each stage's carbon copy.
    pub trail: Vec<TrailEntry>,
    /// How long it took.
    pub timings: Timings,
}

/// What a question is asked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AskedAs {
    /// Words.
    #[default]
    Question,
    /// A statement of SQL that somebody wrote.
    Statement,
}

impl AskedAs {
    /// Whether it is words.
    #[must_use]
    pub fn is_question(&self) -> bool {
        match self {
            Self::Question => true,
            Self::Statement => false,
        }
    }
}

/// How a question ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Ending {
    /// Figures or rows, tied out.
    Answer(Box<Answer>),
    /// The asker must choose first.
    Doubt {
        /// The first is to be settled first.
        doubts: Vec<Doubt>,
    },
    /// Declined, with reasons.
    Refusal(Refusal),
    /// The rows of a statement that somebody wrote: no answer, since no definition of the catalogue stands behind them.
    Query(QueryRows),
    /// Something broke; no other question would mend it.
    Fault {
        /// What broke.
        fault: Fault,
    },
}

/// A lawful answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// The figures; none for a list and for a question about the catalogue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<Table>,
    /// The rows of a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<Listing>,
    /// Sentences that hold.
    pub claims: Vec<Claim>,
    /// What must be said beside the figures.
    pub caveats: Vec<Caveat>,
}

/// The rows of a statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QueryRows {
    /// The query among the record's whose rows they are.
    pub query: String,
    /// What must be said beside the rows; the first says whose words they are.
    pub caveats: Vec<Caveat>,
}

/// Why not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Refusal {
    /// Every reason found; the first is to be settled first.
    pub problems: Vec<Problem>,
    /// The queries that ran, and how many rows each found.
    pub looked_at: Vec<String>,
}

/// What broke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fault {
    /// `timeout`, `unreachable`, `data`, `ledger`, `quota`, `payment`, `budget`, `key`, `model` or `internal`.
    pub kind: String,
    /// What happened.
    pub message: String,
    /// What to do.
    pub hint: String,
}

/// A choice that answered a doubt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Confirmed {
    /// The doubt's subject.
    pub subject: String,
    /// The chosen option's key, or its number.
    pub choice: String,
}

/// A field of the block that was changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Edit {
    /// `metric`, `population`, `period`, `baseline` or `grain`.
    pub field: String,
    /// As typed.
    pub value: String,
}

/// Who asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionRef {
    /// The name of the one who asked.
    pub principal: String,
    /// The tenant whose rows were open to them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
}

/// Of which project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectRef {
    /// Its name.
    pub name: String,
    /// SHA-256 of its catalogue, in hexadecimal.
    pub catalogue_digest: String,
    /// The zone whose midnights bound its days.
    pub zone: String,
}

/// One stage's carbon copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TrailEntry {
    /// The stage's name.
    pub stage: String,
    /// What it gave, in its plain form.
    pub text: String,
}

/// How long it took, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Timings {
    /// Opening the project and its data; 0 when they were open already.
    pub open_us: u64,
    /// Looking up the names that the data gives; 0 when they were known already.
    pub names_us: u64,
    /// From the question to its end.
    pub answer_us: u64,
    /// All of it.
    pub total_us: u64,
}

impl Ending {
    /// As the ledger names it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Answer(_) => "answer",
            Self::Doubt { .. } => "doubt",
            Self::Refusal(_) => "refusal",
            Self::Query(_) => "query",
            Self::Fault { .. } => "fault",
        }
    }

    /// The first reason's code, the first doubt's subject, or the fault's kind.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Answer(_) | Self::Query(_) => None,
            Self::Doubt { doubts } => doubts.first().map(|doubt| doubt.subject.as_str()),
            Self::Refusal(refusal) => refusal.problems.first().map(|problem| problem.code.as_str()),
            Self::Fault { fault } => Some(fault.kind.as_str()),
        }
    }
}

impl From<&tieout_core::halt::Fault> for Fault {
    fn from(fault: &tieout_core::halt::Fault) -> Self {
        Self { kind: fault.kind.code().to_owned(), message: fault.message.clone(), hint: fault.hint.clone() }
    }
}
