//! What a model said, and what saying it took.

use std::{fmt, time::Duration};

use serde_json::Value;

use super::{Mode, Spend};

/// One reply. That it arrived says nothing of whether it is true.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// What was said, judged by shape alone.
    pub said: Said,
    /// The words as they came: what a rejection is put beside when the model is asked again.
    pub text: String,
    /// The digest of the prompt it answers.
    pub prompt_digest: String,
    /// The model, as the endpoint names itself.
    pub model: String,
    /// How the shape was asked for.
    pub mode: Mode,
    /// How many tokens it took.
    pub usage: Usage,
    /// What it cost, with all its attempts; no money where no prices are set.
    pub spend: Spend,
    /// From the first byte sent to the last one received, of the attempt that succeeded.
    pub latency: Duration,
    /// How many attempts it took.
    pub attempts: u32,
}

/// Whether what was said has the shape that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// One JSON value that fits the schema.
    Fits(Value),
    /// Anything else. A stage may ask again, with the reason as feedback.
    Unfit(Unfit),
}

/// Why a reply cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// Which kind.
    pub kind: UnfitKind,
    /// Each thing that is wrong, in a sentence; at least one.
    pub problems: Vec<String>,
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problems.join("; "))
    }
}

/// Kinds of reply that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnfitKind {
    /// Nothing was said.
    Empty,
    /// The model says that it will not answer.
    Declined,
    /// The reply ends where its length was used up.
    Cut,
    /// The tool that should have been called was not, or another was, or several were.
    NoCall,
    /// It is no JSON, or there is something beside the JSON.
    NotJson,
    /// A key stands twice in one object, so it says two things.
    DuplicateKey,
    /// It is JSON of another shape.
    Schema,
}

impl UnfitKind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Empty,
        Self::Declined,
        Self::Cut,
        Self::NoCall,
        Self::NotJson,
        Self::DuplicateKey,
        Self::Schema,
    ];

    /// As shown and as written in files.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Declined => "declined",
            Self::Cut => "cut",
            Self::NoCall => "no_call",
            Self::NotJson => "not_json",
            Self::DuplicateKey => "duplicate_key",
            Self::Schema => "schema",
        }
    }
}

/// How many tokens an exchange took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the prompt.
    pub input_tokens: u64,
    /// Tokens of the reply, those of its thinking included.
    pub output_tokens: u64,
    /// Who says so.
    pub source: UsageSource,
}

impl Usage {
    /// Both together.
    #[must_use]
    pub fn tokens(self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    /// Two exchanges together. What was estimated in part is an estimate.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let source = match (self.source, other.source) {
            (UsageSource::Reported, UsageSource::Reported) => UsageSource::Reported,
            (UsageSource::Estimated, _) | (_, UsageSource::Estimated) => UsageSource::Estimated,
        };
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            source,
        }
    }
}

/// Who says how many tokens it were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UsageSource {
    /// The endpoint.
    Reported,
    /// We, from the length of the texts, because the endpoint does not say.
    Estimated,
}

impl UsageSource {
    /// As shown and as written in files.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Reported => "reported",
            Self::Estimated => "estimated",
        }
    }
}

/// Who answers: what every record of the ledger names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelIdentity {
    /// The provider, such as `openai`, or `scripted`.
    pub provider: String,
    /// The model's name, as configured.
    pub model: String,
    /// Where it is, without anything secret: host and port.
    pub place: String,
    /// What is sent beside the prompt, by name.
    pub parameters: Vec<(String, String)>,
}
