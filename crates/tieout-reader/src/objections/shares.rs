//! Objections to shares: what is the part, and of which whole?

use tieout_core::{
    catalogue::Catalogue,
    reading::{Condition, Derivation, FieldRef, FiguresRequest, MeasureRef, Problem, Source, Use, WordUse},
};

use super::{blame, tokens};
use crate::language::english::{PIVOTS, WHOLES};

/// `share of phone tickets in urgent tickets`, `percentage of active loans in arrears`: some of the conditions may be of
/// the whole, and all would be of the part.
pub(super) fn of_which_whole(
    words: &[WordUse],
    figures: &FiguresRequest,
    catalogue: &Catalogue,
) -> Option<Problem> {
    let share = words.iter().find(|w| matches!(&w.used_as, Use::Grammar(label) if label == "share"));
    let hint = "name the whole first, then the part: “what share of … came from …”";
    let part = match &figures.derivation {
        Derivation::ShareOf { part } => part,
        Derivation::ShareOfTotal => {
            let rate = share.is_some_and(|w| tokens(w).any(|t| t.starts_with("percent") || t == "fraction"));
            let state = rate && words.iter().any(|w| matches!(w.used_as, Use::Metric(_)) && acts(w));
            let narrowed = state || figures.conditions.iter().any(|c| c.source == Source::Question);
            let message = "may be of each group’s own rows, and would be of all groups together";
            let hint = "leave the conditions out, or ask for one group at a time";
            return share.filter(|_| narrowed).map(|w| blame(w, message, hint));
        }
        Derivation::Plain | Derivation::Against(_) | Derivation::StepByStep => return None,
    };
    if let Some(share) = share {
        let twice = part.iter().any(|p| figures.conditions.iter().any(|c| c.value == *p));
        let own_period = part
            .iter()
            .any(|p| matches!(p, Condition::Related { period: Some(_), .. } | Condition::InPeriod { .. }));
        // `share of customers who ordered in 2026`: of which customers, those of the period?
        let clause = words.iter().any(|w| {
            w.start > share.start && tokens(w).any(|t| matches!(t.as_str(), "who" | "that" | "which"))
        });
        let own_period = own_period || (clause && figures.period.period.is_some());
        let other = !measured_first(words, share, figures, catalogue);
        if figures.measures.len() > 1 || twice || own_period || other || state_behind(words, share, part) {
            return Some(blame(share, "does not say plainly what is the part and what the whole", hint));
        }
    }
    let at = words.iter().position(|w| matches!(&w.used_as, Use::Grammar(label) if label == "share"))?;
    let behind = words.get(at.saturating_add(1)..)?;
    if let Some(thing) = whole_named_last(behind) {
        return Some(blame(thing, "may be the whole that the share is of, and would be a condition", hint));
    }
    let whole = figures.conditions.iter().filter_map(|c| word_of(&c.value, behind));
    let parts = || part.iter().filter_map(|c| word_of(c, behind));
    if let Some(word) = whole.clone().find(|w| parts().any(|p| p.start < w.start)) {
        return Some(blame(word, "stands behind the part, and would be of the whole", hint));
    }
    let condition = |w: &&WordUse| matches!(w.used_as, Use::Value(_) | Use::Population(_));
    let last = behind.iter().rev().find(condition)?;
    let first = behind.iter().find(condition)?;
    let between = behind.iter().filter(|w| w.start > first.start && w.start <= last.start);
    // `what share of active loans are in arrears`: the verb parts the whole from its part.
    let parted = between.flat_map(tokens).any(|t| PIVOTS.contains(&t.as_str()));
    let several = first.start != last.start && !parted;
    (part.len() > 1 || several)
        .then(|| blame(last, "is one of several conditions, and some may be of the whole", hint))
}

fn acts(word: &WordUse) -> bool {
    tokens(word).any(|t| tieout_core::definitions::participle(&t))
}

/// Whether a word holds a clause: `customers with a ticket`.
fn clause(word: &WordUse) -> bool {
    tokens(word).any(|t| matches!(t.as_str(), "with" | "without" | "who" | "that"))
}

/// Whether the first thing after `share of` is what is measured: the whole is named first.
fn measured_first(
    words: &[WordUse],
    share: &WordUse,
    figures: &FiguresRequest,
    catalogue: &Catalogue,
) -> bool {
    let mut behind = words.iter().filter(|w| w.start > share.start);
    let first = behind.find(|w| matches!(w.used_as, Use::Dataset(_) | Use::Metric(_) | Use::Population(_)));
    let datasets = || {
        figures.measures.iter().flat_map(|m| match &m.value {
            MeasureRef::Metric(name) => {
                catalogue.aggregates_within(name).map(|(_, a)| a.dataset.clone()).collect::<Vec<_>>()
            }
            MeasureRef::Count { dataset } | MeasureRef::AdHoc { dataset, .. } => vec![dataset.clone()],
        })
    };
    match first.map(|w| &w.used_as) {
        Some(Use::Dataset(name)) => datasets().any(|d| d == *name),
        Some(Use::Population(name)) => {
            catalogue.populations.get(name).is_some_and(|p| datasets().any(|d| d == p.dataset))
        }
        Some(Use::Metric(name)) => {
            figures.measures.iter().any(|m| matches!(&m.value, MeasureRef::Metric(n) if n == name))
        }
        Some(
            Use::Field(_)
            | Use::Value(_)
            | Use::Relationship(_)
            | Use::Time(_)
            | Use::Number(_)
            | Use::Grammar(_)
            | Use::Definition(_)
            | Use::Wrapping
            | Use::Stop
            | Use::Unknown,
        )
        | None => true,
    }
}

/// `percentage of phone tickets resolved`: the state behind the noun may be the part, and would be the whole.
fn state_behind(words: &[WordUse], share: &WordUse, part: &[Condition]) -> bool {
    let mut measured = words
        .iter()
        .filter(|w| w.start > share.start && matches!(w.used_as, Use::Metric(_)) && (acts(w) || clause(w)));
    measured.any(|metric| part.iter().filter_map(|c| word_of(c, words)).any(|p| p.start < metric.start))
}

/// The word that names a condition.
fn word_of<'w>(condition: &Condition, words: &'w [WordUse]) -> Option<&'w WordUse> {
    let of_field = |field: &FieldRef, w: &WordUse| {
        let name = format!("{}.{}", field.dataset, field.field);
        matches!(&w.used_as, Use::Value(said) if said.split(" = ").next() == Some(name.as_str()))
    };
    words.iter().find(|w| match condition {
        Condition::OneOf { field, .. } => of_field(field, w),
        Condition::Member { population, .. } => w.used_as == Use::Population(population.clone()),
        Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::Missing { .. }
        | Condition::InPeriod { .. }
        | Condition::Related { .. }
        | Condition::Any(_) => false,
    })
}

/// `… in urgent tickets`: a link, then a thing with or without words about it.
fn whole_named_last(behind: &[WordUse]) -> Option<&WordUse> {
    let link = |w: &WordUse| {
        matches!(w.used_as, Use::Grammar(_) | Use::Stop)
            && tokens(w).last().is_some_and(|t| WHOLES.contains(&t.as_str()))
    };
    // The first link leads to what the share is of: `share of`.
    let places = behind.iter().enumerate().filter(|(i, w)| *i > 0 && link(w));
    places
        .filter_map(|(i, _)| {
            let mut after = behind.get(i.saturating_add(1)..)?.iter().filter(|w| w.used_as != Use::Stop);
            after.find(|w| !matches!(w.used_as, Use::Value(_)))
        })
        .find(|w| matches!(w.used_as, Use::Dataset(_) | Use::Metric(_) | Use::Population(_)))
}
