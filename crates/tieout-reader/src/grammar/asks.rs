//! How a question opens, how it goes on from the last one, how it speaks of time and shares, and what stops it.

use crate::{
    language::{Class, numbers::WrittenUnit},
    lattice::{Meaning, Span},
    tokens::Token,
};

use super::{
    Found, Parser,
    ast::{Ask, Clause, Stopper},
};

/// Openings and what they are.
const ASKS: [(Class, Ask, i32); 11] = [
    (Class::What, Ask::What, 0),
    (Class::HowMuch, Ask::What, 1),
    (Class::Show, Ask::Show, 0),
    (Class::List, Ask::List, 1),
    (Class::Which, Ask::Which, 1),
    (Class::Who, Ask::Which, 0),
    (Class::Compare, Ask::Compare, 2),
    (Class::Difference, Ask::Difference, 2),
    (Class::How, Ask::How, 0),
    (Class::Breakdown, Ask::Show, 0),
    (Class::HowMany, Ask::HowMany, -2),
];

/// Words that stop a question.
const STOPPERS: [(Class, Stopper, i32); 5] = [
    (Class::Injection, Stopper::Order, 12),
    (Class::WriteOrder, Stopper::Order, -2),
    (Class::Why, Stopper::Why, 8),
    (Class::Forecast, Stopper::Forecast, 2),
    (Class::Tenant, Stopper::Tenant, 0),
];

/// Single words that are clauses of their own.
const SINGLE: [(Class, Clause, i32); 5] = [
    (Class::Share, Clause::Share, 2),
    (Class::OfTotal, Clause::OfTotal, 3),
    (Class::Follow, Clause::Follow, 0),
    (Class::Add, Clause::Add, 0),
    (Class::Instead, Clause::Instead, 0),
];

/// Such clauses that start here.
pub(super) fn clauses(chart: &Parser<'_>, at: usize) -> Vec<Found<Clause>> {
    let mut found = Vec::new();
    for (class, ask, bonus) in ASKS {
        for next in chart.word(at, class) {
            let next = chart.skip(next, &[Class::Copula, Class::Do]);
            found.push(Found { next, bonus, what: Clause::Ask(ask) });
        }
    }
    for (class, clause, bonus) in SINGLE {
        // Words that go on from the last answer open a sentence.
        if clause == Clause::Follow && !opens_sentence(chart, at) {
            continue;
        }
        for next in chart.word(at, class) {
            found.push(Found { next, bonus, what: clause.clone() });
        }
    }
    for (class, stopper, bonus) in STOPPERS {
        for next in chart.word(at, class) {
            // An order stands at the start of a sentence.
            let bonus = if stopper == Stopper::Order && opens_sentence(chart, at) {
                bonus.saturating_add(9)
            } else {
                bonus
            };
            let next = if stopper == Stopper::Tenant { tenant_name(chart, next) } else { next };
            found.push(Found { next, bonus, what: Clause::Stopped(stopper.clone()) });
        }
    }
    shut(chart, at, &mut found);
    for after in chart.word(at, Class::Preposition) {
        let unit =
            chart.tokens.get(after).map_or(WrittenUnit::None, |token| chart.language().numbers.unit(token));
        if unit != WrittenUnit::None {
            let next = after.saturating_add(1);
            found.push(Found { next, bonus: -20, what: Clause::Unit(Span::of(at, next), unit) });
        }
    }
    found.extend(times(chart, at));
    found
}

/// Whether only courtesy and other such openings stand between a place and the start of its sentence.
fn opens_sentence(chart: &Parser<'_>, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    chart.tokens.get(before).is_some_and(Token::is_punctuation)
        || (chart.one_of(before, &[Class::Follow, Class::Courtesy]).is_some()
            && opens_sentence(chart, before))
}

/// The name behind `tenant`, when it is no other word.
fn tenant_name(chart: &Parser<'_>, at: usize) -> usize {
    let unknown = chart.items(at).is_empty() && chart.classes(at).is_empty() && chart.times(at).is_empty();
    if unknown && at < chart.tokens_count() { at.saturating_add(1) } else { at }
}

/// Words that are known and shut, with what leads up to them.
fn shut(chart: &Parser<'_>, at: usize, found: &mut Vec<Found<Clause>>) {
    let mut starts = vec![at];
    for class in [Class::By, Class::ForEach, Class::Preposition, Class::With, Class::Without, Class::Where] {
        starts.extend(chart.word(at, class));
    }
    for start in starts {
        for item in chart.items(chart.skip(start, &[Class::Definite, Class::Indefinite])) {
            if let Meaning::Shut(shut) = &item.meaning {
                let next = item.span.last.saturating_add(1);
                found.push(Found { next, bonus: 2, what: Clause::Stopped(Stopper::Shut(item.span, *shut)) });
            }
        }
    }
}

/// `in September 2026`, `monthly`, `in New York time`.
fn times(chart: &Parser<'_>, at: usize) -> Vec<Found<Clause>> {
    let start = chart.skip(at, &[Class::Comma]);
    let mut starts = vec![start];
    starts.extend(chart.word(start, Class::TimePreposition));
    if let Some(and) = chart.one_of(start, &[Class::And]) {
        starts.push(and);
        starts.extend(chart.word(and, Class::TimePreposition));
    }
    let mut found: Vec<Found<Clause>> = Vec::new();
    for time in starts.into_iter().flat_map(|start| chart.times(start)) {
        let next = time.span.last.saturating_add(1);
        // The same days with and without their preposition are one reading.
        let known = found.iter().any(|one| {
            one.next == next
                && matches!(&one.what, Clause::When(other) if other.reading.kind == time.reading.kind)
        });
        if !known {
            found.push(Found { next, bonus: 1, what: Clause::When(time.clone()) });
        }
    }
    found
}
