//! What is left of a reply when only those of its parts are kept that words of the question ask for.
//!
//! A small model reads a question rightly and says more than it was asked: a group, a condition, an order. Its reply is
//! taken apart, and put together again from its first measure on; a part is kept only where more of the question's words
//! then have their part. What comes of it is judged like any other reply, so that nothing stands here that a reply of the
//! model's own would not have stood for. What it said of single words follows: a word cannot stand for a part that is not
//! there, and where none stands for what is measured, the last that was called irrelevant does. All of that is put to the
//! asker. Deliberately absent: any part that the model did not name.

use std::collections::BTreeMap;

use super::{
    menu::{IRRELEVANT, SHAPES},
    typed::{Ask, Reply},
};

/// A part of a reply that can be left out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Measure(usize),
    Column(usize),
    Group(usize),
    Condition(usize),
    Population(usize),
    Related(usize),
    Against,
    Share,
    Order,
}

/// The smallest request within a reply that stands, and what of the reply it goes without.
///
/// `unknown` are the words that nobody knows, in the order of the question. `judge` says what a reply comes to, or how many
/// words and parts of it are unaccounted for; nothing where it cannot be read at all.
pub(super) fn trimmed<T>(
    said: &Reply,
    unknown: &[String],
    judge: impl Fn(&Reply) -> Result<T, Option<usize>>,
) -> Option<(T, Vec<String>)> {
    let as_said = said.clone();
    let variants = match said.ask {
        Ask::Figures => {
            let present = Reply { words: of_what_is_there(said), ..said.clone() };
            let measured = Reply { words: one_for_the_measure(&present, unknown), ..said.clone() };
            vec![as_said, present, measured]
        }
        // A word that is said to stand for a figure does not go away because rows are listed.
        Ask::Rows | Ask::Nothing => vec![as_said],
    };
    variants.iter().find_map(|said| smallest(said, &judge))
}

fn smallest<T>(
    said: &Reply,
    judge: &impl Fn(&Reply) -> Result<T, Option<usize>>,
) -> Option<(T, Vec<String>)> {
    let parts = parts(said);
    let mut kept: Vec<Part> = Vec::new();
    let mut open = match judge(&with(said, &kept)) {
        Ok(found) => return Some((found, dropped(said, &parts, &kept))),
        Err(open) => open?,
    };
    for part in &parts {
        let mut more = kept.clone();
        more.push(*part);
        match judge(&with(said, &more)) {
            Ok(found) => return Some((found, dropped(said, &parts, &more))),
            Err(Some(fewer)) if fewer < open => {
                open = fewer;
                kept = more;
            }
            Err(_) => {}
        }
    }
    None
}

/// What each word stands for, if that is named anywhere in the request.
fn of_what_is_there(said: &Reply) -> BTreeMap<String, String> {
    let named = |part: &str| {
        said.measures.iter().chain(&said.columns).chain(&said.by).any(|name| name == part)
            || said.conditions.iter().any(|condition| condition.field == part)
            || said.populations.iter().any(|population| population.name == part)
            || said.related.iter().any(|related| related.dataset == part)
            || said.rows_of.as_deref() == Some(part)
            || SHAPES.contains(&part)
    };
    let kept = |part: &String| if named(part) { part.clone() } else { IRRELEVANT.to_owned() };
    said.words.iter().map(|(word, part)| (word.clone(), kept(part))).collect()
}

/// The same, and the last word that was called irrelevant for what is measured, where no word stands for that.
fn one_for_the_measure(said: &Reply, unknown: &[String]) -> BTreeMap<String, String> {
    let mut words = said.words.clone();
    let Some(measure) = said.measures.first() else { return words };
    if words.values().all(|part| part != measure) {
        let is_free = |word: &&String| words.get(*word).is_some_and(|part| part == IRRELEVANT);
        if let Some(last) = unknown.iter().rev().find(is_free) {
            words.insert(last.clone(), measure.clone());
        }
    }
    words
}

fn parts(said: &Reply) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    parts.extend((1..said.measures.len()).map(Part::Measure));
    parts.extend((0..said.columns.len()).map(Part::Column));
    parts.extend((0..said.by.len()).map(Part::Group));
    parts.extend((0..said.conditions.len()).map(Part::Condition));
    parts.extend((0..said.populations.len()).map(Part::Population));
    parts.extend((0..said.related.len()).map(Part::Related));
    parts.extend(said.against.as_ref().map(|_| Part::Against));
    parts.extend(said.share.map(|_| Part::Share));
    parts.extend(said.order.as_ref().map(|_| Part::Order));
    parts
}

/// The reply with these of its parts, and what it cannot go without: what is asked for, its first measure, its rows, its
/// period, and what its words stand for.
fn with(said: &Reply, kept: &[Part]) -> Reply {
    fn some<T: Clone>(all: &[T], is_kept: impl Fn(usize) -> bool) -> Vec<T> {
        all.iter().enumerate().filter(|(place, _)| is_kept(*place)).map(|(_, part)| part.clone()).collect()
    }
    let has = |part: Part| kept.contains(&part);
    Reply {
        measures: some(&said.measures, |place| place == 0 || has(Part::Measure(place))),
        columns: some(&said.columns, |place| has(Part::Column(place))),
        by: some(&said.by, |place| has(Part::Group(place))),
        conditions: some(&said.conditions, |place| has(Part::Condition(place))),
        populations: some(&said.populations, |place| has(Part::Population(place))),
        related: some(&said.related, |place| has(Part::Related(place))),
        against: said.against.clone().filter(|_| has(Part::Against)),
        share: said.share.filter(|_| has(Part::Share)),
        order: said.order.clone().filter(|_| has(Part::Order)),
        ask: said.ask,
        rows_of: said.rows_of.clone(),
        period: said.period.clone(),
        words: said.words.clone(),
    }
}

/// The parts that are not kept, as the trace says them.
fn dropped(said: &Reply, parts: &[Part], kept: &[Part]) -> Vec<String> {
    let named = |list: &[String], place: usize| list.get(place).cloned().unwrap_or_default();
    let words = |part: &Part| match *part {
        Part::Measure(place) => format!("measure {}", named(&said.measures, place)),
        Part::Column(place) => format!("column {}", named(&said.columns, place)),
        Part::Group(place) => format!("group {}", named(&said.by, place)),
        Part::Condition(place) => {
            format!("condition on {}", said.conditions.get(place).map_or("", |part| part.field.as_str()))
        }
        Part::Population(place) => {
            format!("population {}", said.populations.get(place).map_or("", |part| part.name.as_str()))
        }
        Part::Related(place) => {
            format!("related {}", said.related.get(place).map_or("", |part| part.dataset.as_str()))
        }
        Part::Against => "comparison".to_owned(),
        Part::Share => "share".to_owned(),
        Part::Order => "order".to_owned(),
    };
    parts.iter().filter(|part| !kept.contains(part)).map(words).collect()
}
