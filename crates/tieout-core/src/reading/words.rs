//! The use of every word.

use std::fmt;

/// Where a part of the reading came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The catalogue's own definition.
    Catalogue,
    /// Words of the question.
    Question,
    /// The session.
    Session,
    /// The previous answer, for a follow-up.
    Previous,
    /// The asker chose it when a doubt was put.
    Confirmed,
    /// Nobody said so.
    Assumed,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Catalogue => "catalogue",
            Self::Question => "question",
            Self::Session => "session",
            Self::Previous => "previous",
            Self::Confirmed => "confirmed",
            Self::Assumed => "ASSUMED",
        })
    }
}

/// What a run of words was used for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Use {
    /// A metric, by name.
    Metric(String),
    /// A dataset, by name.
    Dataset(String),
    /// A field, as `dataset.field`.
    Field(String),
    /// A value of a field, as `dataset.field = value`.
    Value(String),
    /// A population, by name.
    Population(String),
    /// A relationship, by name.
    Relationship(String),
    /// A time expression, as the period it gave.
    Time(String),
    /// A number, as the bound or limit it gave.
    Number(String),
    /// A word that shapes the request: grouping, comparison, order, limit, share, negation, list.
    Grammar(String),
    /// The definition of a metric, repeated in the question and found to agree with the catalogue.
    Definition(String),
    /// Courtesy, who asks, what it is for, paraphrases of "tell me the number".
    Wrapping,
    /// A word with no content of its own: articles, prepositions already used.
    Stop,
    /// Not understood.
    Unknown,
}

/// One run of words and its use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordUse {
    /// The words as typed.
    pub text: String,
    /// Where they start in the question, in bytes.
    pub start: usize,
    /// What they were used for.
    pub used_as: Use,
}
