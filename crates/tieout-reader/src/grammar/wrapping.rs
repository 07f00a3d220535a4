//! Wrapping: courtesy, who asks, what it is for and where it goes. Made from listed words only: a word that is not
//! listed may narrow the data, and then is never wrapping.

use crate::language::Class;

use super::{Found, Parser, ast::Clause};

/// The most adjectives in a purpose: `for the next weekly finance meeting`.
const PURPOSE_WORDS_MAX: usize = 4;

/// Wrapping clauses that start here.
pub(super) fn clauses(chart: &Parser<'_>, at: usize) -> Vec<Found<Clause>> {
    let mut ends: Vec<usize> = Vec::new();
    for class in [Class::Courtesy, Class::Request, Class::Presentation] {
        ends.extend(chart.word(at, class));
    }
    ends.extend(purpose(chart, at));
    ends.extend(role_wants(chart, at));
    ends.extend(i_am(chart, at));
    ends.sort_unstable();
    ends.dedup();
    ends.into_iter().map(|next| Found { next, bonus: 0, what: Clause::Wrapping }).collect()
}

/// `I need this for the board deck`.
fn purpose(chart: &Parser<'_>, at: usize) -> Vec<usize> {
    let mut ends = Vec::new();
    for after in chart.word(at, Class::PurposeStart) {
        let mut next = chart.skip(after, &[Class::PurposeArticle]);
        for _ in 0..=PURPOSE_WORDS_MAX {
            ends.extend(chart.word(next, Class::PurposeNoun));
            match chart.one_of(next, &[Class::PurposeAdjective]) {
                Some(after) => next = after,
                None => break,
            }
        }
    }
    ends
}

/// `our CFO wants to know`.
fn role_wants(chart: &Parser<'_>, at: usize) -> Vec<usize> {
    let start = chart.skip(at, &[Class::PurposeArticle]);
    chart
        .word(start, Class::Role)
        .flat_map(|role| chart.word(role, Class::RoleWants).collect::<Vec<_>>())
        .collect()
}

/// `I am the controller`, `as an analyst`.
fn i_am(chart: &Parser<'_>, at: usize) -> Vec<usize> {
    chart
        .word(at, Class::IAm)
        .flat_map(|after| {
            chart.word(chart.skip(after, &[Class::PurposeArticle]), Class::Role).collect::<Vec<_>>()
        })
        .collect()
}
