//! What a kind of metric is: the shape that every row of the table has.
//!
//! Deliberately absent: any one kind.

use std::fmt;

use crate::{number::Number, time::Grain};

/// A kind of metric: everything that differs from one to the next.
pub struct MetricKind {
    /// As the catalogue writes it.
    pub name: &'static str,
    /// How it reads in words, given what it is taken of: `sum of order amount`.
    pub reads_as: fn(&str) -> String,
    /// Whether figures of two groups, or of two periods, may be added.
    pub adds_up: Additivity,
    /// What its figure is made of.
    pub made_of: MadeOf,
    /// The aggregates that are fetched, in the order in which `combine` takes them. Empty for a kind that is made of
    /// other metrics.
    pub parts: &'static [Part],
    /// Makes one figure of the fetched parts, a NULL being none. A ratio takes the figures of its numerator and its
    /// denominator; a derived metric the one figure that [`super::Arithmetic::evaluate`] gave.
    pub combine: fn(&[Option<Number>]) -> Combined,
    /// Which rows of the period it takes.
    pub rows: RowsTaken,
    /// Whether the catalogue must say what it is taken of.
    pub of: Need,
    /// Which values it can be taken of.
    pub accepts: Accepts,
    /// Whether it needs a field that says when.
    pub time: Need,
    /// Whether it needs the key whose last row each is taken.
    pub per: Need,
    /// Whether the catalogue may say at which calendar unit it begins again.
    pub restart: Need,
    /// Why it may not be split so, or none when it may.
    pub forbids: fn(&Split<'_>) -> Option<String>,
}

impl MetricKind {
    /// Whether it is made of other metrics, and so has no dataset of its own.
    #[must_use]
    pub fn of_metrics(&self) -> bool {
        match self.made_of {
            MadeOf::Rows => false,
            MadeOf::TwoMetrics | MadeOf::Expression => true,
        }
    }
}

impl fmt::Debug for MetricKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MetricKind").field("name", &self.name).finish_non_exhaustive()
    }
}

impl PartialEq for MetricKind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for MetricKind {}

/// Whether figures of one metric may be added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Additivity {
    /// Over every grouping and over time.
    Additive,
    /// Over every grouping but not over time: a balance of two months is not the sum of both.
    SemiAdditive,
    /// Not at all: a total is its own query.
    NonAdditive,
}

/// What a figure is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MadeOf {
    /// Rows of one dataset.
    Rows,
    /// Two other metrics: a numerator and a denominator.
    TwoMetrics,
    /// An arithmetic expression over other metrics.
    Expression,
}

/// An aggregate that an engine fetches for us. All skip NULLs, save [`Part::CountRows`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The sum, widened so that it cannot wrap.
    Sum,
    /// How many values there are; how many rows where the metric says nothing of what it counts.
    Count,
    /// How many rows there are: fetched beside any metric, to tell a thin group from an empty one.
    CountRows,
    /// How many different values there are.
    CountDistinct,
    /// The least value.
    Minimum,
    /// The greatest value.
    Maximum,
    /// The value in the middle; of an even number of values the lower of the two. Never interpolated by the engine.
    LowerMedian,
    /// The value in the middle; of an even number of values the upper of the two.
    UpperMedian,
}

/// What became of the parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Combined {
    /// A figure.
    Value(Number),
    /// No figure can be given, for this reason.
    Undefined(&'static str),
    /// There was no value to take it of.
    None,
}

/// Which rows of its time a metric takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RowsTaken {
    /// The rows inside the period.
    InPeriod,
    /// Of each key the last row before the period's end, however early.
    LastBeforeEnd,
    /// All rows before the period's end, back to where the running total began (the first row, or the start of the
    /// calendar unit it restarts with).
    UpToEnd,
}

/// Whether something must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Need {
    /// It must be there.
    Required,
    /// It may be there.
    Optional,
    /// It has no meaning there.
    Unused,
}

/// Which values a kind can be taken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Accepts {
    /// Numbers that measure, never identifiers.
    Measures,
    /// Values of any type.
    Anything,
}

/// One way to split a metric, as far as its kind needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split<'a> {
    /// What it is split by.
    pub by: SplitBy<'a>,
    /// The field of the metric's dataset that says when, if it has one.
    pub time: Option<&'a str>,
    /// The calendar unit with which a running total begins again, if any.
    pub restart: Option<Grain>,
}

/// What a metric is split by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitBy<'a> {
    /// Steps of time, on the metric's own time field.
    Steps(Grain),
    /// The plain values of a field of the metric's own dataset.
    OwnField(&'a str),
    /// The values of a field of a related dataset.
    RelatedField(&'a str),
}

/// For kinds that can be split by anything.
pub(super) fn forbids_nothing(_: &Split<'_>) -> Option<String> {
    None
}

/// For kinds whose figure is a state at the end of a period: the values of their own time field are not groups, since
/// each row would then be its own end. Steps of time are.
pub(super) fn forbids_own_time(kind: &str, split: &Split<'_>) -> Option<String> {
    match split.by {
        SplitBy::OwnField(field) if split.time == Some(field) => Some(format!(
            "a {kind} is a state at the end of a period, so it is split by steps of time, not by `{field}`"
        )),
        SplitBy::OwnField(_) | SplitBy::RelatedField(_) | SplitBy::Steps(_) => None,
    }
}

/// For kinds with one part that is the figure as it stands.
pub(super) fn only_part(parts: &[Option<Number>]) -> Combined {
    match parts.first() {
        Some(Some(value)) => Combined::Value(value.clone()),
        Some(None) | None => Combined::None,
    }
}
