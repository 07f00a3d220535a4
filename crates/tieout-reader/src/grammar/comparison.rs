//! Comparisons: with another time, between two times, and growth.

use crate::{language::Class, lattice::TimeItem, time::TimeKind};

use super::{
    Found, Parser,
    ast::{Clause, Opening},
};

/// Comparison clauses that start here.
pub(super) fn clauses(chart: &Parser<'_>, at: usize) -> Vec<Found<Clause>> {
    let mut found = Vec::new();
    let start = chart.skip(at, &[Class::Comma]);
    for (class, opening, bonus) in
        [(Class::Versus, Opening::Plain, 4), (Class::WithTo, Opening::AfterCompare, 1)]
    {
        for after in chart.word(start, class) {
            for time in times(chart, after) {
                let next = time.span.last.saturating_add(1);
                found.push(Found { next, bonus, what: Clause::Versus(time, opening) });
            }
        }
    }
    contrasts(chart, at, &mut found);
    for next in chart.word(at, Class::Change) {
        found.push(Found { next, bonus: 0, what: Clause::Change });
    }
    found
}

/// `from August to September`, `between August and September`, `August and September`.
fn contrasts(chart: &Parser<'_>, at: usize, found: &mut Vec<Found<Clause>>) {
    let mut openings = vec![at];
    openings.extend(chart.word(at, Class::Between));
    openings.extend(chart.word(at, Class::TimePreposition));
    for after in openings {
        for first in times(chart, after) {
            for middle in chart.word(first.span.last.saturating_add(1), Class::WithTo) {
                for second in times(chart, middle) {
                    let next = second.span.last.saturating_add(1);
                    found.push(Found { next, bonus: 1, what: Clause::Contrast(first.clone(), second) });
                }
            }
        }
    }
}

/// Times that a period can be compared with, behind words that add nothing.
fn times(chart: &Parser<'_>, at: usize) -> Vec<TimeItem> {
    let mut starts = vec![
        at,
        chart.skip(at, &[Class::Definite]),
        chart.skip(at, &[Class::TimePreposition, Class::Definite]),
    ];
    starts.dedup();
    let comparable = |time: &&TimeItem| {
        matches!(time.reading.kind, TimeKind::Period(_) | TimeKind::Previous { .. } | TimeKind::SameLastYear)
    };
    let mut found: Vec<TimeItem> =
        starts.into_iter().flat_map(|start| chart.times(start).iter().filter(comparable).cloned()).collect();
    found.dedup_by(|a, b| a.span.last == b.span.last && a.reading.kind == b.reading.kind);
    found
}
