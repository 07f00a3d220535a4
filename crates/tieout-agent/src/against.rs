//! What a statement must work out to implement a question, in terms of SQL: from what a question was read as,
//! or from a metric by its name.
//!
//! Deliberately absent: holding a statement against it, which the checker does.

use jiff::Timestamp;
use tieout_core::{
    catalogue::Project,
    compile::expected,
    definitions::settle,
    halt::Halt,
    plan::draw,
    reading::{AskedPeriod, Derivation, FiguresRequest, MeasureRef, Reading, Request, Source, Sourced},
    scope::Scope,
};
use tieout_sql::Expected;

/// What one statement must work out to implement a reading.
///
/// # Errors
/// A refusal when the reading does not settle, or is more than one statement works out.
pub fn expected_of(
    reading: Reading,
    project: &Project,
    scope: &Scope,
    now: Timestamp,
) -> Result<Expected, Halt> {
    let settled = settle(reading, project, scope, now)?;
    expected(&draw(&settled, project)?, project)
}

/// The reading that asks for a metric over all its rows, in one figure.
#[must_use]
pub fn reading_of_metric(name: &str) -> Reading {
    // As the catalogue's own: there is no question with words for it.
    let source = Source::Catalogue;
    let request = Request::Figures(FiguresRequest {
        measures: vec![Sourced { value: MeasureRef::Metric(name.to_owned()), source }],
        groupings: Vec::new(),
        conditions: Vec::new(),
        period: AskedPeriod { period: None, words: "all dates".to_owned(), source },
        derivation: Derivation::Plain,
        having: Vec::new(),
        ranking: None,
    });
    Reading { request, words: Vec::new(), doubts: Vec::new(), alternatives: Vec::new() }
}
