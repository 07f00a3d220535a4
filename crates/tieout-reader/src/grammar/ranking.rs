//! Order and limit: `top 5`, `the highest`, `ten latest`, `sorted by revenue, lowest first`.

use tieout_core::reading::Sort;

use crate::{
    language::Class,
    lattice::{Span, whole},
};

use super::{
    Found, Parser,
    ast::{Clause, RankKind, RankPhrase, SortPhrase},
    lists::{self, Place},
};

/// Ranking words, which way they run, and what they rank by.
const RANKS: [(Class, Sort, RankKind); 4] = [
    (Class::Top, Sort::Descending, RankKind::Size),
    (Class::Bottom, Sort::Ascending, RankKind::Size),
    (Class::Newest, Sort::Descending, RankKind::Time),
    (Class::Oldest, Sort::Ascending, RankKind::Time),
];

/// Ranking and sorting clauses that start here.
pub(super) fn clauses(chart: &Parser<'_>, at: usize) -> Vec<Found<Clause>> {
    let mut found = ranks(chart, at);
    found.extend(sorts(chart, at));
    found
}

/// A number may stand before the ranking word or behind it, not both.
fn ranks(chart: &Parser<'_>, at: usize) -> Vec<Found<Clause>> {
    let mut found = Vec::new();
    let opened = chart.one_of(at, &[Class::With, Class::Have]).unwrap_or(at);
    let start = chart.skip(opened, &[Class::Definite, Class::Possessive]);
    let before = limit(chart, start);
    let word_at = before.map_or(start, |(next, _)| next);
    for (class, sort, by) in RANKS {
        for after in chart.word(word_at, class) {
            let behind = if before.is_some() { None } else { limit(chart, after) };
            let next = behind.map_or(after, |(next, _)| next);
            let limit = before.or(behind).map(|(_, limit)| limit);
            let phrase = RankPhrase { span: Span::of(at, next), sort, limit, by };
            // Without a number, `last` and `first` are more often words of time.
            let bonus = if by == RankKind::Time && limit.is_none() { -3 } else { 2 };
            found.push(Found { next, bonus, what: Clause::Rank(phrase) });
        }
    }
    found
}

/// A whole number above zero.
fn limit(chart: &Parser<'_>, at: usize) -> Option<(usize, u64)> {
    let written = chart.number(at)?;
    let limit = whole(&written.value).filter(|limit| *limit > 0)?;
    (written.unit == crate::language::numbers::WrittenUnit::None).then_some((written.next, limit))
}

fn sorts(chart: &Parser<'_>, at: usize) -> Vec<Found<Clause>> {
    let mut found = Vec::new();
    let start = chart.skip(at, &[Class::Comma]);
    let start = chart.one_of(start, &[Class::And]).unwrap_or(start);
    for after in chart.word(start, Class::Sort) {
        let by = chart.one_of(after, &[Class::ByWord]).unwrap_or(after);
        for target in lists::targets(chart, by, Place::Asked) {
            let (next, sort) =
                direction(chart, target.next).map_or((target.next, None), |(next, s)| (next, Some(s)));
            let phrase = SortPhrase { by: Some(target.what), sort };
            found.push(Found { next, bonus: target.bonus.saturating_add(2), what: Clause::Sort(phrase) });
        }
        if let Some((next, sort)) = direction(chart, after) {
            found.push(Found {
                next,
                bonus: 0,
                what: Clause::Sort(SortPhrase { by: None, sort: Some(sort) }),
            });
        }
    }
    if let Some((next, sort)) = direction(chart, start) {
        found.push(Found { next, bonus: 0, what: Clause::Sort(SortPhrase { by: None, sort: Some(sort) }) });
    }
    found
}

fn direction(chart: &Parser<'_>, at: usize) -> Option<(usize, Sort)> {
    let start = chart.skip(at, &[Class::Comma]);
    let ascending = chart.word(start, Class::Ascending).next().map(|next| (next, Sort::Ascending));
    let descending = chart.word(start, Class::Descending).next().map(|next| (next, Sort::Descending));
    ascending.into_iter().chain(descending).max_by_key(|(next, _)| *next)
}
