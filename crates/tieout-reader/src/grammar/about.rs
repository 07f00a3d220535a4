//! Questions about the catalogue: `how is net revenue defined?`, `what can I ask?`, `which values does channel have?`.

use crate::language::Class;

use super::{
    Found, Parser,
    ast::{AboutPhrase, Clause, Quantity, Target},
    lists::{self, Place},
    measures, nouns,
};

/// Clauses about the catalogue that start here.
pub(super) fn clauses(chart: &Parser<'_>, at: usize) -> Vec<Found<Clause>> {
    let mut found = Vec::new();
    for next in chart.word(at, Class::Everything) {
        found.push(Found { next, bonus: 8, what: Clause::About(AboutPhrase::Everything) });
    }
    for after in chart.word(at, Class::Define) {
        for target in entries(chart, after) {
            definition(target.next, target, &mut found);
        }
    }
    for after in chart.word(at, Class::HowIs) {
        for target in entries(chart, after) {
            for next in chart.word(target.next, Class::Defined) {
                definition(next, Found { next, ..target.clone() }, &mut found);
            }
        }
    }
    for after in chart.word(at, Class::WhatIsA) {
        // The article belongs to the phrase: `what is a paying customer`.
        for target in
            entries(chart, after).into_iter().filter(|target| matches!(target.what, Target::Thing(_)))
        {
            definition(target.next, target, &mut found);
        }
    }
    values(chart, at, &mut found);
    dimensions(chart, at, &mut found);
    found
}

/// What may have a definition: one entry without adjectives.
fn entries(chart: &Parser<'_>, at: usize) -> Vec<Found<Target>> {
    let mut found = lists::targets(chart, at, Place::Asked);
    found.retain(|target| match &target.what {
        Target::Measure(measure) => measure.adjectives.is_empty() && measure.aggregates.is_empty(),
        Target::Thing(thing) => thing.adjectives.is_empty() && thing.quantity != Quantity::Each,
        Target::Field(_) => true,
        Target::Grain(..) => false,
    });
    found
}

fn definition(next: usize, target: Found<Target>, found: &mut Vec<Found<Clause>>) {
    let bonus = target.bonus.saturating_add(6);
    found.push(Found { next, bonus, what: Clause::About(AboutPhrase::Definition(target.what)) });
}

fn values(chart: &Parser<'_>, at: usize, found: &mut Vec<Found<Clause>>) {
    for after in chart.word(at, Class::ValuesOf) {
        for field in nouns::fields(chart, after) {
            let next = chart.word(field.next, Class::ValuesTail).next().unwrap_or(field.next);
            found.push(Found { next, bonus: 6, what: Clause::About(AboutPhrase::Values(field.what)) });
        }
    }
    for after in chart.word(at, Class::Which) {
        for field in nouns::fields(chart, after) {
            for next in chart.word(field.next, Class::ValuesTail) {
                found.push(Found {
                    next,
                    bonus: 5,
                    what: Clause::About(AboutPhrase::Values(field.what.clone())),
                });
            }
        }
    }
}

fn dimensions(chart: &Parser<'_>, at: usize, found: &mut Vec<Found<Clause>>) {
    for after in chart.word(at, Class::SplitHow) {
        for measure in measures::measures(chart, after) {
            let next = chart.skip(measure.next, &[Class::SplitTail]);
            found.push(Found { next, bonus: 6, what: Clause::About(AboutPhrase::Dimensions(measure.what)) });
        }
    }
}
