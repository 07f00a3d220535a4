//! The grammar: clauses over the lattice, and the search for the sequences of clauses that cover a question.
//!
//! Every clause kind has a file. Each yields every reading of a clause that starts at a token; the search keeps the
//! best sequences, so that all readings are weighed and none is picked by the order of the code. Deliberately absent:
//! what a sequence asks for, which `resolve` works out.

mod about;
mod asks;
pub(crate) mod ast;
mod comparison;
mod definitions;
mod existence;
mod filters;
mod groupings;
mod having;
mod lists;
mod measures;
mod nouns;
mod parser;
mod ranking;
mod wrapping;

use std::rc::Rc;

use crate::{
    language::Class,
    lattice::{Chart, Span},
};

use ast::{Clause, Head};
use parser::Parser;

/// How many sequences are kept at each token.
const SEQUENCES_KEPT_MAX: usize = 24;
/// How many readings of one clause are weighed at each token.
const CLAUSES_MAX: usize = 64;

/// What a covered token is worth.
const TOKEN: i32 = 10;
/// What each clause costs, so that one clause beats two.
const CLAUSE: i32 = 6;
/// What a token without content is worth.
const STOP: i32 = 2;
/// What a separating sign is worth.
const SIGN: i32 = 4;
/// What it costs to name a thing behind a preposition that nothing reads: `revenue from customers`.
const LED: i32 = 34;
/// What a token that is not understood costs.
const UNKNOWN: i32 = -60;

/// A reading of something that starts at a known token.
#[derive(Clone, Debug)]
pub(crate) struct Found<T> {
    /// Index of the token after it.
    pub(crate) next: usize,
    /// What was read.
    pub(crate) what: T,
    /// How much it is preferred over other readings of the same words.
    pub(crate) bonus: i32,
}

/// A clause in its place.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Its run.
    pub span: Span,
    /// What it says.
    pub clause: Rc<Clause>,
}

/// A sequence of clauses that covers the whole question.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// In order.
    pub clauses: Vec<Placed>,
    /// The greater the better.
    pub score: i32,
}

/// One step of the search: a clause, and the step before it.
struct Step {
    placed: Option<Placed>,
    before: Option<Rc<Step>>,
    score: i32,
    /// Whether anything has been named.
    named: bool,
}

impl Step {
    /// Whether the step leaves a preposition unread.
    fn is_preposition(&self, chart: &Chart<'_>) -> bool {
        self.placed.as_ref().is_some_and(|placed| {
            matches!(placed.clause.as_ref(), Clause::Stop)
                && chart.one_of(placed.span.last, &[Class::Preposition]).is_some()
        })
    }
}

/// The best sequences that cover the question, best first.
#[must_use]
pub fn sequences(chart: &Chart<'_>) -> Vec<Sequence> {
    let chart = &Parser::over(chart);
    let mut reached: Vec<Vec<Rc<Step>>> = vec![Vec::new(); chart.tokens_count().saturating_add(1)];
    if let Some(start) = reached.first_mut() {
        start.push(Rc::new(Step { placed: None, before: None, score: 0, named: false }));
    }
    for at in 0..chart.tokens_count() {
        let here = best(std::mem::take(reached.get_mut(at).unwrap_or(&mut Vec::new())));
        if here.is_empty() {
            continue;
        }
        for (next, clause, worth) in clauses(chart, at) {
            let placed = Placed { span: Span::of(at, next), clause: Rc::new(clause) };
            let Some(steps) = reached.get_mut(next) else { continue };
            steps.extend(here.iter().map(|before| {
                let names = matches!(placed.clause.as_ref(), Clause::Named(_));
                let led = names && before.named && before.is_preposition(chart);
                let score = before.score.saturating_add(worth).saturating_sub(if led { LED } else { 0 });
                let named = before.named || names;
                Rc::new(Step { placed: Some(placed.clone()), before: Some(Rc::clone(before)), score, named })
            }));
        }
    }
    let ends = reached.pop().unwrap_or_default();
    best(ends).into_iter().map(|step| unroll(&step)).collect()
}

/// The best steps at one token; the first found stays first among equals.
fn best(mut steps: Vec<Rc<Step>>) -> Vec<Rc<Step>> {
    steps.sort_by_key(|step| std::cmp::Reverse(step.score));
    steps.truncate(SEQUENCES_KEPT_MAX);
    steps
}

fn unroll(last: &Rc<Step>) -> Sequence {
    let mut clauses = Vec::new();
    let mut at = Some(Rc::clone(last));
    while let Some(step) = at {
        clauses.extend(step.placed.clone());
        at = step.before.clone();
    }
    clauses.reverse();
    Sequence { clauses, score: last.score }
}

/// What finds the clauses of one kind that start at a token.
type ClauseKind = fn(&Parser<'_>, usize) -> Vec<Found<Clause>>;

/// Every clause that starts here, with the index after it and its worth.
fn clauses(chart: &Parser<'_>, at: usize) -> Vec<(usize, Clause, i32)> {
    let mut found: Vec<(usize, Clause, i32)> = Vec::new();
    let parts: [ClauseKind; 10] = [
        asks::clauses,
        named,
        groupings::clauses,
        filters::clauses,
        existence::clauses,
        ranking::clauses,
        comparison::clauses,
        having::clauses,
        definitions::clauses,
        about::clauses,
    ];
    for part in parts.into_iter().chain([wrapping::clauses as ClauseKind]) {
        for one in part(chart, at) {
            if one.next > at {
                let tokens = i32::try_from(one.next.saturating_sub(at)).unwrap_or(i32::MAX);
                let worth = tokens.saturating_mul(TOKEN).saturating_sub(CLAUSE).saturating_add(one.bonus);
                found.push((one.next, one.what, worth));
            }
        }
    }
    found.sort_by_key(|(_, _, worth)| std::cmp::Reverse(*worth));
    found.truncate(CLAUSES_MAX);
    found.extend(fillers(chart, at));
    found
}

/// A list of things asked for.
fn named(chart: &Parser<'_>, at: usize) -> Vec<Found<Clause>> {
    let start = lists::separator(chart, at, lists::Place::Asked).unwrap_or(at);
    let lists = lists::target_lists(chart, start, lists::Place::Asked);
    lists
        .into_iter()
        .map(|list| Found { next: list.next, bonus: list.bonus, what: Clause::Named(list.what) })
        .collect()
}

/// Words without content, and the word itself as not understood.
fn fillers(chart: &Parser<'_>, at: usize) -> Vec<(usize, Clause, i32)> {
    let mut found = Vec::new();
    for class in [Class::Stop, Class::Light, Class::Definite] {
        for next in chart.word(at, class) {
            let tokens = i32::try_from(next.saturating_sub(at)).unwrap_or(i32::MAX);
            found.push((next, Clause::Stop, tokens.saturating_mul(STOP)));
        }
    }
    let next = at.saturating_add(1);
    if chart.tokens.get(at).is_some_and(crate::tokens::Token::is_punctuation) {
        found.push((next, Clause::Stop, SIGN));
    }
    found.push((next, Clause::Unknown, UNKNOWN));
    found
}

/// The relationships that a word at this place names.
pub(crate) fn links_at(chart: &Chart<'_>, at: usize) -> Vec<usize> {
    lists::relationships(chart, at).into_iter().flat_map(|(_, links)| links).collect()
}

/// The dataset that a head's rows belong to.
pub(crate) fn dataset_of(chart: &Chart<'_>, head: Head) -> Option<usize> {
    match head {
        Head::Dataset(index) => Some(index),
        Head::Population(index) => {
            let (_, population) = chart.catalogue.populations.get_index(index)?;
            chart.catalogue.datasets.get_index_of(&population.dataset)
        }
    }
}
