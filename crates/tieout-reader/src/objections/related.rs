//! Objections to conditions on related rows.

use tieout_core::{
    catalogue::Catalogue,
    reading::{Condition, Polarity, Problem, Use, WordUse},
};

use super::{blame, tokens};
use crate::language::english::{EITHER, JOINTLY};

/// `bought Lighting and Furniture`: counted where either is met, though both are asked for. Only “or” says either.
pub(super) fn all_of<'c>(
    words: &[WordUse],
    mut conditions: impl Iterator<Item = &'c Condition>,
) -> Option<Problem> {
    let several = |c: &Condition| match c {
        Condition::OneOf { values, polarity: Polarity::Is, .. } => values.len() > 1,
        Condition::OneOf { polarity: Polarity::IsNot, .. }
        | Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::Missing { .. }
        | Condition::InPeriod { .. }
        | Condition::Member { .. }
        | Condition::Related { .. }
        | Condition::Any(_) => false,
    };
    let related = conditions.any(|c| match c {
        Condition::Related { conditions, .. } => conditions.iter().any(several),
        Condition::OneOf { .. }
        | Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::Missing { .. }
        | Condition::InPeriod { .. }
        | Condition::Member { .. }
        | Condition::Any(_) => false,
    });
    let values = || words.iter().filter(|w| matches!(w.used_as, Use::Value(_)));
    let (first, last) = (values().next()?, values().next_back().filter(|_| related)?);
    let between = words.iter().filter(|w| w.start >= first.start && w.start <= last.start);
    let says = |listed: &[&str]| between.clone().any(|w| tokens(w).any(|t| listed.contains(&t.as_str())));
    (says(JOINTLY) || !says(EITHER)).then(|| {
        let hint = "ask for one at a time, or say “or”";
        blame(last, "may be asked for together with another, and either would be counted", hint)
    })
}

/// `loans with an overdue repayment of more than 1000`: the bound stands beside another thing than the one it would be
/// a bound of.
pub(super) fn bound_of_another(words: &[WordUse], catalogue: &Catalogue) -> Option<Problem> {
    let plain: Vec<&WordUse> = words.iter().filter(|w| w.used_as != Use::Stop).collect();
    let apart = |bound: &WordUse, thing: &WordUse| {
        bound_without_a_name(bound, catalogue).is_some_and(|dataset| is_another(thing, &dataset, catalogue))
    };
    let bound = plain.windows(2).find_map(|pair| match pair {
        [a, b] if apart(b, a) => Some(*b),
        [a, b] if apart(a, b) => Some(*a),
        _ => None,
    })?;
    let hint = "name the field that is bounded, such as “with a principal of more than 1000”";
    Some(blame(bound, "does not say what of it is bounded", hint))
}

/// The dataset of a field that only digits were used for.
fn bound_without_a_name(word: &WordUse, catalogue: &Catalogue) -> Option<String> {
    let Use::Field(name) = &word.used_as else { return None };
    let (dataset, field) = name.split_once('.')?;
    let found = catalogue.datasets.get(dataset)?.fields.get(field)?;
    let names: Vec<String> = std::iter::once(&found.label)
        .chain(std::iter::once(&found.name))
        .chain(&found.synonyms)
        .flat_map(|name| name.to_lowercase().split([' ', '_']).map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let digits = word.text.chars().any(|c| c.is_ascii_digit())
        || tokens(word).any(|t| matches!(t.as_str(), "one" | "two" | "three" | "four" | "five" | "ten"));
    let called = tokens(word).any(|t| names.iter().any(|name| t.starts_with(name.trim_end_matches('s'))));
    (digits && !called).then(|| dataset.to_owned())
}

/// Whether a word names another thing, or a population that is told by other rows.
fn is_another(word: &WordUse, dataset: &str, catalogue: &Catalogue) -> bool {
    match &word.used_as {
        Use::Dataset(name) => name != dataset,
        Use::Population(name) => catalogue.populations.get(name).is_some_and(|p| {
            p.dataset != dataset || p.membership.related.iter().any(|r| r.dataset != dataset)
        }),
        Use::Field(name) => name.split('.').next() != Some(dataset),
        Use::Metric(_)
        | Use::Value(_)
        | Use::Relationship(_)
        | Use::Time(_)
        | Use::Number(_)
        | Use::Grammar(_)
        | Use::Definition(_)
        | Use::Wrapping
        | Use::Stop
        | Use::Unknown => false,
    }
}
