//! Definitions given in the question: `total loss, which is the sum of A, B and C`, `where X is A divided by B`.

use crate::{language::Class, lattice::Span, tokens::TokenKind};

use super::{
    Found, Parser,
    ast::{AggregateWord, Clause, DefinitionPhrase, Formula, MeasureCore, MeasurePhrase},
    lists::{self, Place},
    measures, nouns,
};

/// The most words of a subject that names no metric.
const SUBJECT_TOKENS_MAX: usize = 4;
/// The most terms of one sum.
const SUMMANDS_MAX: usize = 16;

/// Definition clauses that start here.
pub(super) fn clauses(chart: &Parser<'_>, at: usize) -> Vec<Found<Clause>> {
    let mut found = Vec::new();
    let start = chart.skip(at, &[Class::Comma]);
    for after in chart.word(start, Class::WhichIs) {
        formulas(chart, at, after, None, &[], &mut found);
    }
    for after in chart.word(start, Class::WhereIs) {
        for (subject, metrics) in subjects(chart, after) {
            for next in chart.word(subject.last.saturating_add(1), Class::Equals) {
                formulas(chart, at, next, Some(subject), &metrics, &mut found);
            }
        }
    }
    found
}

/// What is defined: a metric by name, or a few words that are none.
fn subjects(chart: &Parser<'_>, at: usize) -> Vec<(Span, Vec<usize>)> {
    let start = chart.skip(at, &[Class::Definite]);
    let mut found = Vec::new();
    for measure in measures::measures(chart, start) {
        if let MeasureCore::Metrics(metrics) = measure.what.core {
            found.push((Span::of(start, measure.next), metrics));
        }
    }
    let is_word = |at: &usize| chart.tokens.get(*at).is_some_and(|token| token.kind == TokenKind::Word);
    for length in 1..=SUBJECT_TOKENS_MAX {
        let next = start.saturating_add(length);
        if (start..next).all(|at| is_word(&at)) && chart.word(next, Class::Equals).next().is_some() {
            found.push((Span::of(start, next), Vec::new()));
            break;
        }
    }
    found
}

fn formulas(
    chart: &Parser<'_>,
    at: usize,
    after: usize,
    subject: Option<Span>,
    metrics: &[usize],
    found: &mut Vec<Found<Clause>>,
) {
    for formula in sums(chart, after).into_iter().chain(pairs(chart, after)) {
        let phrase = DefinitionPhrase {
            span: Span::of(at, formula.next),
            subject,
            metrics: metrics.to_vec(),
            formula: formula.what,
        };
        found.push(Found {
            next: formula.next,
            bonus: formula.bonus.saturating_add(8),
            what: Clause::Definition(phrase),
        });
    }
}

/// `the sum of A, B and C`, `A plus B`, at every length.
fn sums(chart: &Parser<'_>, at: usize) -> Vec<Found<Formula>> {
    let mut found = Vec::new();
    for after in chart.word(at, Class::SumOf) {
        found.extend(summands(chart, after, &|chart, at| lists::separator(chart, at, Place::Asked)));
    }
    found.extend(summands(chart, at, &|chart, at| chart.word(at, Class::Plus).next()));
    found
}

/// Two or more measures with a separator between them: every run that starts here.
fn summands(
    chart: &Parser<'_>,
    at: usize,
    separator: &dyn Fn(&Parser<'_>, usize) -> Option<usize>,
) -> Vec<Found<Formula>> {
    let mut found = Vec::new();
    let mut list: Vec<MeasurePhrase> = Vec::new();
    let mut bonus = 0_i32;
    let mut start = at;
    while list.len() < SUMMANDS_MAX {
        let Some(measure) = longest(chart, start) else { break };
        let next = measure.next;
        bonus = bonus.saturating_add(measure.bonus.max(0)).saturating_add(3);
        list.push(measure.what);
        if list.len() > 1 {
            found.push(Found { next, what: Formula::Sum(list.clone()), bonus });
        }
        match separator(chart, next) {
            Some(after) => start = after,
            None => break,
        }
    }
    found
}

/// `A divided by B`, `the ratio of A to B`, `A minus B`.
fn pairs(chart: &Parser<'_>, at: usize) -> Vec<Found<Formula>> {
    let mut found = Vec::new();
    let ratio = chart.word(at, Class::RatioOf).next();
    let Some(first) = longest(chart, ratio.unwrap_or(at)) else { return found };
    let middle = if ratio.is_some() { Class::WithTo } else { Class::Over };
    for (class, divides) in [(middle, true), (Class::Minus, false)] {
        for after in chart.word(first.next, class) {
            let Some(second) = longest(chart, after) else { continue };
            let (a, b) = (Box::new(first.what.clone()), Box::new(second.what));
            let what = if divides { Formula::Quotient(a, b) } else { Formula::Difference(a, b) };
            found.push(Found { next: second.next, what, bonus: 0 });
        }
    }
    found
}

/// The longest metric or count that starts here.
fn longest(chart: &Parser<'_>, at: usize) -> Option<Found<MeasurePhrase>> {
    let mut all = measures::measures(chart, at);
    all.retain(|measure| {
        measure.what.adjectives.is_empty() && !matches!(measure.what.core, MeasureCore::Field(_))
    });
    for noun in nouns::noun_phrases(chart, at) {
        let what = MeasurePhrase {
            span: noun.what.span,
            core_span: noun.what.head_span,
            aggregates: vec![(noun.what.span, AggregateWord::Count)],
            term: None,
            core: MeasureCore::Count(noun.what),
            adjectives: Vec::new(),
        };
        all.push(Found { next: noun.next, what, bonus: -2 });
    }
    all.into_iter().max_by_key(|measure| (measure.next, measure.bonus))
}
