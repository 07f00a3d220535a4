//! Groupings: `by channel and month`, `per customer`, `for each policy and the agent who sold it`.

use crate::language::Class;

use super::{
    Found, Parser,
    ast::{Clause, Target},
    lists::{self, Place},
};

/// Grouping clauses that start here.
pub(super) fn clauses(chart: &Parser<'_>, at: usize) -> Vec<Found<Clause>> {
    let mut found = Vec::new();
    let start = chart.one_of(chart.skip(at, &[Class::Comma]), &[Class::And]).unwrap_or(at);
    let mut openings: Vec<usize> = chart.word(start, Class::By).collect();
    for next in chart.word(start, Class::Breakdown) {
        openings.extend(chart.word(next, Class::By));
    }
    openings.sort_unstable();
    openings.dedup();
    for after in openings {
        for list in lists::target_lists(chart, after, Place::Grouping) {
            found.push(Found { next: list.next, bonus: list.bonus, what: Clause::By(list.what) });
        }
    }
    showing(chart, start, &mut found);
    each(chart, start, &mut found);
    for next in chart.word(start, Class::Trend) {
        found.push(Found { next, bonus: 0, what: Clause::Trend });
    }
    found
}

/// `with order number and status`, `including their holder`: what is to be seen beside. Behind a plain `with`, a thing or
/// an article asks for its existence instead.
fn showing(chart: &Parser<'_>, at: usize, found: &mut Vec<Found<Clause>>) {
    for after in chart.word(at, Class::Showing) {
        let plain = chart.word(at, Class::With).any(|next| next == after);
        if plain && chart.one_of(after, &[Class::Indefinite, Class::All, Class::No]).is_some() {
            continue;
        }
        for list in lists::target_lists(chart, after, Place::Grouping) {
            let shows = list.what.iter().all(|target| match target {
                Target::Field(_) => true,
                Target::Thing(_) => !plain,
                Target::Measure(_) | Target::Grain(..) => false,
            });
            if shows {
                found.push(Found { next: list.next, bonus: list.bonus, what: Clause::Showing(list.what) });
            }
        }
    }
}

/// `for each channel`, `each channel`.
fn each(chart: &Parser<'_>, at: usize, found: &mut Vec<Found<Clause>>) {
    for class in [Class::ForEach, Class::Each] {
        for after in chart.word(at, class) {
            for list in lists::target_lists(chart, after, Place::Grouping) {
                let named_once = list.what.iter().all(|target| !matches!(target, Target::Measure(_)));
                if named_once {
                    let bonus = list.bonus.saturating_add(2);
                    found.push(Found { next: list.next, bonus, what: Clause::Each(list.what) });
                }
            }
        }
    }
}
