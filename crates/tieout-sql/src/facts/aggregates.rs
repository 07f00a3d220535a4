//! Owns what is known of aggregates: over which rows, how often each, and whether their results may be added up.
//!
//! Deliberately absent: judging them.

use crate::rejection::Place;

/// Whether values may be added up further.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Additivity {
    /// They may.
    #[default]
    Additive,
    /// A join already repeated the rows they come from; names what repeated them.
    Repeated(String),
    /// The same row counts in several groups; names what spreads it.
    Spread(String),
    /// An average, a ratio, a median, a share: names it.
    Never(&'static str),
}

/// What an aggregate does with rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AggregateKind {
    /// SUM and its like.
    Sum,
    /// COUNT of a value.
    Count,
    /// COUNT(*) and counts of constants.
    CountRows,
    /// AVG, MEDIAN, STDDEV and their like.
    Average,
    /// MIN, MAX, DISTINCT and their like: a repeated row does not matter.
    Idempotent,
}

/// Why it is not certain that rows are repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// A column that merely labels a row (a name) is grouped by; had its row been, each would count once.
    Label,
    /// A table has no stated key; if what it is joined on is unique, each counts once.
    Uniqueness,
}

/// What a join does to the rows an aggregate is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grain {
    /// Each row counts once.
    Once,
    /// Rows are repeated.
    Repeated {
        /// The source whose rows are repeated.
        unit: String,
        /// The sources that repeat them.
        by: Vec<String>,
        /// What makes it uncertain, if anything does.
        doubt: Option<Doubt>,
    },
    /// Every row is in every group, since no condition ties it to the constants that are grouped by.
    Everywhere {
        /// The source whose rows they are.
        unit: String,
        /// The sources of constants.
        by: Vec<String>,
    },
    /// Equal values of different rows were merged into one before.
    Merged {
        /// The source whose rows were merged.
        unit: String,
    },
    /// For COUNT(*): rows of this source are counted, which is not the first one named.
    Finest {
        /// The source that is counted.
        unit: String,
        /// The source named first.
        first: String,
    },
    /// For COUNT(*): a row without a partner in this source counts as one.
    Missing {
        /// The source that is counted.
        unit: String,
    },
    /// For COUNT(*): the rows are pairs of several sources, of none of them alone.
    Pairs {
        /// The sources.
        of: Vec<String>,
        /// What makes it uncertain, if anything does.
        doubt: Option<Doubt>,
    },
}

/// One aggregate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aggregate {
    /// The function's name.
    pub name: String,
    /// What it does with rows.
    pub kind: AggregateKind,
    /// Its row grain.
    pub grain: Grain,
    /// Whether what it adds may be added up.
    pub additivity: Additivity,
    /// An identifier column that it adds up or averages.
    pub identifier: Option<String>,
    /// Where.
    pub place: Option<Place>,
}
