//! Conditions on figures: `with revenue above 1000`, `with more than 3 orders`, `revenue of at least 500`.

use tieout_core::reading::Comparison;

use crate::{language::Class, lattice::Span};

use super::{
    Found, Parser,
    ast::{AggregateWord, Clause, HavingPhrase, Literal, MeasureCore, MeasurePhrase},
    filters, measures, nouns,
};

/// Clauses about figures that start here.
pub(super) fn clauses(chart: &Parser<'_>, at: usize) -> Vec<Found<Clause>> {
    let mut found = Vec::new();
    let start = chart.one_of(chart.skip(at, &[Class::Comma]), &[Class::And]).unwrap_or(at);
    // `and revenue above 1000` goes on from a condition before.
    let mut openings: Vec<usize> = if start > at { vec![start] } else { Vec::new() };
    openings.extend(chart.word(start, Class::With));
    openings.extend(chart.word(start, Class::Where));
    let relative = chart.skip(start, &[Class::Relative]);
    openings.extend(chart.word(relative, Class::With));
    openings.extend(chart.word(relative, Class::Have));
    openings.sort_unstable();
    openings.dedup();
    for after in openings {
        with_measure(chart, after, &mut found);
        with_count(chart, after, &mut found);
    }
    for bound in filters::bounds(chart, chart.skip(at, &[Class::Relative, Class::Copula, Class::Comma])) {
        let (comparison, low, high) = bound.what;
        let numeric = matches!(low, Literal::Number { .. });
        if numeric {
            found.push(Found {
                next: bound.next,
                bonus: bound.bonus,
                what: Clause::Bound(comparison, low, high),
            });
        }
    }
    found
}

/// `revenue above 1000`.
fn with_measure(chart: &Parser<'_>, at: usize, found: &mut Vec<Found<Clause>>) {
    for measure in measures::measures(chart, at) {
        let from = chart.skip(measure.next, &[Class::Copula, Class::OfWord]);
        for bound in filters::bounds(chart, from) {
            let (comparison, literal, high) = bound.what;
            if !matches!(literal, Literal::Number { .. }) {
                continue;
            }
            let phrase = HavingPhrase { measure: measure.what.clone(), comparison, literal, high };
            let bonus = measure.bonus.saturating_add(bound.bonus).saturating_add(2);
            found.push(Found { next: bound.next, bonus, what: Clause::Having(phrase) });
        }
    }
}

/// `more than 3 orders`, `3 or more orders`.
fn with_count(chart: &Parser<'_>, at: usize, found: &mut Vec<Found<Clause>>) {
    let mut bounds = filters::bounds(chart, at);
    if let Some(written) = chart.number(at) {
        let literal =
            Literal::Number { span: Span::of(at, written.next), value: written.value, unit: written.unit };
        bounds.push(Found { next: written.next, what: (Comparison::Equal, literal, None), bonus: -1 });
    }
    for bound in bounds {
        let (comparison, literal, high) = bound.what;
        if !matches!(literal, Literal::Number { .. }) {
            continue;
        }
        for measure in counted(chart, bound.next) {
            let phrase = HavingPhrase {
                measure: measure.what,
                comparison,
                literal: literal.clone(),
                high: high.clone(),
            };
            let bonus = measure.bonus.saturating_add(bound.bonus).saturating_add(3);
            found.push(Found { next: measure.next, bonus, what: Clause::Having(phrase) });
        }
    }
}

/// Rows that are counted without saying so, or a metric that counts them.
fn counted(chart: &Parser<'_>, at: usize) -> Vec<Found<MeasurePhrase>> {
    let mut found = measures::measures(chart, at);
    for noun in nouns::noun_phrases(chart, at) {
        let what = MeasurePhrase {
            span: noun.what.span,
            core_span: noun.what.head_span,
            aggregates: vec![(noun.what.span, AggregateWord::Count)],
            term: noun.what.term,
            core: MeasureCore::Count(noun.what),
            adjectives: Vec::new(),
        };
        found.push(Found { next: noun.next, what, bonus: noun.bonus });
    }
    found
}
