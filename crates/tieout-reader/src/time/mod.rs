//! Time expressions: which runs of words mean a period, a step of time, a zone or a comparison in time.
//!
//! Owns the grammar of time and what each expression means in days. The words are data
//! (`languages/<language>/time.yml`). Deliberately absent: what an expression is used for in a question (the question's
//! grammar decides between overlapping spans), times of day (periods are whole days), and the clock (`now` is handed in).
//!
//! An expression is found in three steps: tokens are split into atoms, atoms are parsed into a [`unit::Unit`], and the
//! unit is resolved against the calendar and today.

mod absolute;
mod atoms;
mod counting;
mod grains;
mod lexicon;
mod numeric;
mod parser;
mod parts;
mod ranges;
mod relative;
mod resolve;
mod say;
mod scan;
mod unit;
mod years;
mod zones;

#[cfg(test)]
mod properties;

use jiff::{Timestamp, tz::TimeZone};
use tieout_core::time::{Calendar, Grain, Period};

/// A token of the question, as the reader cut it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeToken<'a> {
    /// Its text in lower case.
    pub text: &'a str,
    /// Where it starts in the question, in bytes.
    pub start: usize,
    /// Where it ends, in bytes.
    pub end: usize,
}

/// A run of tokens that says something about time.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeSpan {
    /// Its first token.
    pub first: usize,
    /// Its last token, inside.
    pub last: usize,
    /// What it says.
    pub reading: TimeReading,
}

/// What a run of tokens says.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeReading {
    /// The meaning.
    pub kind: TimeKind,
    /// How a person reads it, with the dates: `the last complete month (September 2026)`.
    pub words: String,
    /// Other meanings the words might have had, each said in the same way; the most likely first.
    pub alternatives: Vec<String>,
}

impl TimeReading {
    /// What it is, in the account of a question's words.
    #[must_use]
    pub fn account(&self) -> String {
        match &self.kind {
            TimeKind::Period(period) => period.to_string(),
            TimeKind::Zone(_) | TimeKind::Grain(_) | TimeKind::Previous { .. } | TimeKind::SameLastYear => {
                self.words.clone()
            }
            TimeKind::StepByStep(grain) => format!("{grain} against {grain}"),
            TimeKind::Empty(reason) | TimeKind::TooLarge(reason) => reason.clone(),
        }
    }
}

/// The meaning of a time expression.
#[derive(Clone, Debug, PartialEq)]
pub enum TimeKind {
    /// Days. Without a start (`until …`) it starts at [`tieout_core::time::OPEN_START`]. A point (`as of …`, `at the end
    /// of …`) is its one day.
    Period(Period),
    /// The days are bounded by the midnights of this zone; the periods of the same call already are.
    Zone(TimeZone),
    /// Steps of time to group by.
    Grain(Grain),
    /// As many units before the period that is asked for; without a grain, the period of the same length before it.
    Previous {
        /// How many, 1 for the one just before.
        steps: i32,
        /// Of which unit.
        grain: Option<Grain>,
    },
    /// The period that is asked for, one year earlier.
    SameLastYear,
    /// Each step of time against the one before.
    StepByStep(Grain),
    /// There is no such day, or the period would hold none; the sentence says why.
    Empty(String),
    /// Outside the years that can be counted; the sentence says so.
    TooLarge(String),
}

/// Every run of tokens that says something about time, in the order of their first tokens, the longest first.
///
/// Spans may overlap. At one start there is the longest reading and, where it is a reading in its own right, the first
/// part of it (`August` in `August and September 2026`, whose year is then 2026). A run that means days by itself and
/// something else in a comparison gives both, the days first: `last year` is a [`TimeKind::Period`] and a
/// [`TimeKind::Previous`]. A zone named anywhere bounds the days of every period; when several are named the first does,
/// and all are given.
#[must_use]
pub fn spans(tokens: &[TimeToken<'_>], calendar: &Calendar, now: Timestamp) -> Vec<TimeSpan> {
    scan::spans(tokens, calendar, now)
}

/// Whether tokens have a word for a length of time, without which they name no [`TimeKind::Grain`]. Costs a small part
/// of reading them.
#[must_use]
pub fn may_be_a_step(tokens: &[TimeToken<'_>]) -> bool {
    scan::may_be_a_step(tokens)
}
