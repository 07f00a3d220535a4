//! Measures: metrics by name, counts, and aggregates of fields, with the words for how they are put together.

use crate::{
    language::Class,
    lattice::{Meaning, Span},
    lexicon::Tier,
};

use super::{
    Found, Parser,
    ast::{AggregateWord, MeasureCore, MeasurePhrase},
    nouns, parser,
};

/// Words for how figures are put together.
const AGGREGATES: [(Class, AggregateWord); 7] = [
    (Class::HowMany, AggregateWord::Count),
    (Class::Distinct, AggregateWord::Distinct),
    (Class::Total, AggregateWord::Total),
    (Class::Average, AggregateWord::Average),
    (Class::Median, AggregateWord::Median),
    (Class::Minimum, AggregateWord::Minimum),
    (Class::Maximum, AggregateWord::Maximum),
];

/// The most such words before one measure: `total number of`.
const AGGREGATES_MAX: usize = 3;

/// Words before a measure that add nothing.
const BEFORE: [Class; 4] = [Class::Definite, Class::All, Class::Possessive, Class::HowMuch];

/// Measures that start here.
pub(super) fn measures(chart: &Parser<'_>, at: usize) -> Vec<Found<MeasurePhrase>> {
    parser::kept(&chart.measures, at, || read_measures(chart, at))
}

fn read_measures(chart: &Parser<'_>, at: usize) -> Vec<Found<MeasurePhrase>> {
    let mut found = Vec::new();
    for (start, aggregates) in openings(chart, at) {
        metrics(chart, at, start, &aggregates, &mut found);
        let counts =
            aggregates.iter().any(|(_, word)| matches!(word, AggregateWord::Count | AggregateWord::Distinct));
        if counts {
            rows(chart, at, start, &aggregates, &mut found);
        }
        if !aggregates.is_empty() {
            fields(chart, at, start, &aggregates, &mut found);
        }
    }
    found
}

type Aggregates = Vec<(Span, AggregateWord)>;

/// Every way to read the words before the measure.
fn openings(chart: &Parser<'_>, at: usize) -> Vec<(usize, Aggregates)> {
    let start = chart.skip(at, &BEFORE);
    let mut all: Vec<(usize, Aggregates)> = vec![(start, Vec::new())];
    let mut frontier = all.clone();
    for _ in 0..AGGREGATES_MAX {
        let mut longer = Vec::new();
        for (from, before) in &frontier {
            for (class, word) in AGGREGATES {
                for next in chart.word(*from, class) {
                    let mut aggregates = before.clone();
                    aggregates.push((Span::of(*from, next), word));
                    let after = chart.skip(of(chart, next), &BEFORE);
                    longer.push((after, aggregates));
                }
            }
        }
        all.extend(longer.iter().cloned());
        frontier = longer;
    }
    all
}

/// `of` behind a word such as `average`.
fn of(chart: &Parser<'_>, at: usize) -> usize {
    chart.one_of(at, &[Class::OfWord]).unwrap_or(at)
}

fn metrics(
    chart: &Parser<'_>,
    at: usize,
    start: usize,
    aggregates: &Aggregates,
    found: &mut Vec<Found<MeasurePhrase>>,
) {
    for adjectives in nouns::adjectives(chart, start) {
        for item in chart.items(adjectives.next) {
            let Meaning::Metrics(metrics) = &item.meaning else { continue };
            let core_end = item.span.last.saturating_add(1);
            let next = chart.one_of(core_end, &[Class::Amount]).unwrap_or(core_end);
            let phrase = MeasurePhrase {
                span: Span::of(at, next),
                core_span: item.span,
                aggregates: aggregates.clone(),
                core: MeasureCore::Metrics(metrics.clone()),
                adjectives: adjectives.what.clone(),
                term: item.term,
            };
            let bonus = 2_i32.saturating_add(nouns::tier_bonus(item)).saturating_add(label_bonus(item.tier));
            let bonus = bonus.saturating_sub(extreme(aggregates)).saturating_add(adjectives.bonus);
            found.push(Found { next, what: phrase, bonus });
        }
    }
}

fn label_bonus(tier: Tier) -> i32 {
    i32::from(tier == Tier::Label)
}

/// `highest revenue` more often ranks than it aggregates.
fn extreme(aggregates: &Aggregates) -> i32 {
    let is_extreme = |word: &AggregateWord| matches!(word, AggregateWord::Minimum | AggregateWord::Maximum);
    if aggregates.iter().any(|(_, word)| is_extreme(word)) { 8 } else { 0 }
}

/// `how many paying customers`.
fn rows(
    chart: &Parser<'_>,
    at: usize,
    start: usize,
    aggregates: &Aggregates,
    found: &mut Vec<Found<MeasurePhrase>>,
) {
    for noun in nouns::noun_phrases(chart, start) {
        let phrase = MeasurePhrase {
            span: Span::of(at, noun.next),
            core_span: noun.what.head_span,
            aggregates: aggregates.clone(),
            term: noun.what.term,
            core: MeasureCore::Count(noun.what),
            adjectives: Vec::new(),
        };
        found.push(Found { next: noun.next, what: phrase, bonus: noun.bonus.saturating_add(1) });
    }
}

/// `average price`, `how many different cities`.
fn fields(
    chart: &Parser<'_>,
    at: usize,
    start: usize,
    aggregates: &Aggregates,
    found: &mut Vec<Found<MeasurePhrase>>,
) {
    for field in nouns::fields(chart, start) {
        let phrase = MeasurePhrase {
            span: Span::of(at, field.next),
            core_span: field.what.span,
            aggregates: aggregates.clone(),
            term: field.what.term,
            core: MeasureCore::Field(field.what),
            adjectives: Vec::new(),
        };
        found.push(Found { next: field.next, what: phrase, bonus: field.bonus.saturating_sub(2) });
    }
}
