//! Lists of things asked for, and lists of groupings: `policy number, effective date and the agent who sold it`.

use crate::{
    language::Class,
    lattice::{Chart, Meaning, Span},
};

use super::{
    Found, Parser,
    ast::{FieldPhrase, Head, Quantity, Target},
    existence, measures, nouns, parser,
};

/// The most things in one list.
const LISTED_MAX: usize = 12;
/// How many readings of one list are kept at each length.
const READINGS_MAX: usize = 12;

/// Where a list stands; it decides what a word in it most likely is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// Among what is asked for.
    Asked,
    /// Behind `by`.
    Grouping,
}

/// Every reading of a list that starts here, at every length.
pub(super) fn target_lists(chart: &Parser<'_>, at: usize, place: Place) -> Vec<Found<Vec<Target>>> {
    parser::kept(&chart.lists, (at, place), || read_target_lists(chart, at, place))
}

fn read_target_lists(chart: &Parser<'_>, at: usize, place: Place) -> Vec<Found<Vec<Target>>> {
    let mut all = Vec::new();
    let mut frontier: Vec<Found<Vec<Target>>> = targets(chart, at, place)
        .into_iter()
        .map(|target| Found { next: target.next, what: vec![target.what], bonus: target.bonus })
        .collect();
    for _ in 0..LISTED_MAX {
        frontier.sort_by_key(|list| std::cmp::Reverse((list.bonus, list.next)));
        frontier.truncate(READINGS_MAX);
        if frontier.is_empty() {
            break;
        }
        let longer = frontier.iter().flat_map(|list| extended(chart, list, place)).collect();
        all.append(&mut frontier);
        frontier = longer;
    }
    all
}

fn extended(chart: &Parser<'_>, list: &Found<Vec<Target>>, place: Place) -> Vec<Found<Vec<Target>>> {
    let Some(after) = separator(chart, list.next, place) else { return Vec::new() };
    let more = targets(chart, after, place);
    more.into_iter()
        .map(|target| {
            let mut what = list.what.clone();
            what.push(target.what);
            share_head(chart, &mut what);
            Found { next: target.next, what, bonus: list.bonus.saturating_add(target.bonus) }
        })
        .collect()
}

/// `,` and `and` between the parts of a list, with the words that may follow them.
pub(super) fn separator(chart: &Parser<'_>, at: usize, place: Place) -> Option<usize> {
    let comma = chart.skip(at, &[Class::Comma]);
    let next = chart.one_of(comma, &[Class::And]).unwrap_or(comma);
    if next == at {
        return None;
    }
    let mut next = next;
    let fillers: &[Class] = match place {
        Place::Asked => &[Class::ListFiller],
        Place::Grouping => &[Class::ListFiller, Class::ByWord],
    };
    next = chart.skip(next, fillers);
    Some(next)
}

/// One thing, in every reading.
pub(super) fn targets(chart: &Parser<'_>, at: usize, place: Place) -> Vec<Found<Target>> {
    parser::kept(&chart.targets, (at, place), || read_targets(chart, at, place))
}

fn read_targets(chart: &Parser<'_>, at: usize, place: Place) -> Vec<Found<Target>> {
    let mut found = Vec::new();
    let (measure, thing) = match place {
        Place::Asked => (2, 0),
        Place::Grouping => (-6, 2),
    };
    for one in measures::measures(chart, at) {
        found.push(Found {
            next: one.next,
            bonus: one.bonus.saturating_add(measure),
            what: Target::Measure(one.what),
        });
    }
    for one in nouns::noun_phrases(chart, at) {
        let each = if one.what.quantity == Quantity::Plain { 0 } else { -1 };
        // `by paying customers` says by whom.
        let by_whom = place == Place::Grouping && matches!(one.what.head, Head::Population(_));
        let each = if by_whom && one.what.quantity == Quantity::Plain { -8 } else { each };
        let bonus = one.bonus.saturating_add(thing).saturating_add(each);
        found.push(Found { next: one.next, bonus, what: Target::Thing(one.what) });
    }
    for one in nouns::fields(chart, at) {
        let what = FieldPhrase { span: one.what.span, ..one.what };
        found.push(Found {
            next: one.next,
            bonus: one.bonus.saturating_add(thing),
            what: Target::Field(what),
        });
    }
    let start = chart.skip(at, &[Class::Definite, Class::Each]);
    if let Some((next, grain)) = chart.grain(start) {
        found.push(Found { next, bonus: thing, what: Target::Grain(Span::of(start, next), grain) });
    }
    let with_tails: Vec<Found<Target>> = found.iter().filter_map(|one| with_tail(chart, one)).collect();
    found.extend(with_tails);
    found
}

/// `the agent who sold it`, `the policies they have sold`: words that repeat a stated relationship.
fn with_tail(chart: &Parser<'_>, one: &Found<Target>) -> Option<Found<Target>> {
    let next = existence::relation_tail(chart, one.next)?;
    Some(Found { next, what: one.what.clone(), bonus: one.bonus.saturating_add(2) })
}

/// `policy and claim number`: the last word of the second belongs to the first as well.
fn share_head(chart: &Parser<'_>, list: &mut [Target]) {
    let Some((Target::Field(last), before)) = list.split_last_mut() else { return };
    let head = chart.text(last.span.last);
    if last.span.first == last.span.last || chart.one_of(last.span.last, &[Class::Heads]).is_none() {
        return;
    }
    for target in before {
        let Target::Thing(thing) = &*target else { continue };
        let plain = thing.adjectives.is_empty() && thing.quantity == Quantity::Plain;
        if let (true, Some(field)) = (plain, headed(chart, thing.head_span, head)) {
            *target = Target::Field(field);
        }
    }
}

/// The field that a dataset's words and a head name together.
fn headed(chart: &Parser<'_>, span: Span, head: &str) -> Option<FieldPhrase> {
    let key = chart.lexicon.name_key(&format!("{} {head}", chart.typed(span)));
    let senses: Vec<_> = chart
        .lexicon
        .names(&key)
        .iter()
        .filter_map(|entry| match entry.named {
            crate::lexicon::Named::Field(field) => {
                Some(crate::lattice::FieldSense { tier: entry.tier, field })
            }
            _ => None,
        })
        .collect();
    (!senses.is_empty()).then_some(FieldPhrase { span, senses, term: None, link: None })
}

/// Whether a relationship's word starts here.
pub(super) fn relationships(chart: &Chart<'_>, at: usize) -> Vec<(usize, Vec<usize>)> {
    let mut found: Vec<(usize, Vec<usize>)> = chart
        .items(at)
        .iter()
        .filter_map(|item| match &item.meaning {
            Meaning::Relationships(indexes) => Some((item.span.last.saturating_add(1), indexes.clone())),
            _ => None,
        })
        .collect();
    let by_stem = chart.lexicon.relationships_of_verb(chart.text(at));
    if found.is_empty() && !by_stem.is_empty() {
        found.push((at.saturating_add(1), by_stem.to_vec()));
    }
    found
}
