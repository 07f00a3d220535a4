//! Whether a sentence, taken apart, says what its figures hold.
//!
//! Four questions, each of its own file: do the small words stand where they belong (`form`), does each figure stand beside its own names (`beside`), is it said for what it
//! is (`part_played`), and do words of direction and order agree with the numbers (`direction`). What the sentence leaves
//! out and needs to be whole when it is copied out (the period, what narrows the rows) is put behind it.

use tieout_core::{
    claim::{Author, ClaimKind, Confidence, Piece, Sentence},
    figures::Role,
};
use tieout_reader::language::sentences::SentenceClass;

use super::{
    beside, direction, form,
    part_played::{self, Played},
    wording::{Kind, Matter, Name, Offered, Part, Wording, wording},
};

/// A figure in a sentence.
#[derive(Clone, Copy)]
pub(super) struct Stand<'m> {
    /// The place of its slot among the parts.
    pub(super) at: usize,
    pub(super) slot: &'m Offered<'m>,
}

/// Judges a sentence that states figures.
///
/// # Errors
/// Why it does not hold.
pub(super) fn stated(text: &str, matter: &Matter<'_>) -> Result<Sentence, String> {
    let Wording { parts, mut pieces } = wording(text, matter)?;
    let stands: Vec<Stand<'_>> = parts
        .iter()
        .enumerate()
        .filter_map(|(at, part)| match part {
            Part::Slot(slot) => Some(Stand { at, slot }),
            Part::Word(..) | Part::Mark(_) | Part::Name(_) => None,
        })
        .collect();
    if stands.is_empty() {
        return Err("it names no figure, so nothing proves it".to_owned());
    }
    form::holds(&parts, &stands)?;
    beside::each_by_its_names(&parts, &stands, matter)?;
    let played = part_played::played(&parts, &stands)?;
    direction::agrees(&parts, &stands, &played, matter)?;
    pieces.extend(completion(&parts, &stands, matter));
    let kind = kind(&parts, &stands, &played);
    let copied = stands.len() == 1 && stands.iter().all(|s| s.slot.figure.working.as_cell().is_some());
    let confidence =
        if copied && kind == ClaimKind::Value { Confidence::Retrieved } else { Confidence::Computed };
    Ok(Sentence { kind, pieces, confidence, author: Author::Model })
}

fn kind(parts: &[Part<'_>], stands: &[Stand<'_>], played: &[Played]) -> ClaimKind {
    let ranks = |p: &Part<'_>| matches!(p, Part::Word(SentenceClass::Most | SentenceClass::Least, _));
    if parts.iter().any(ranks) {
        ClaimKind::Rank
    } else if played.contains(&Played::Difference)
        || stands.iter().any(|s| s.slot.column.role == Role::Baseline)
    {
        ClaimKind::Change
    } else if played.contains(&Played::Share) {
        ClaimKind::Share
    } else {
        ClaimKind::Value
    }
}

/// What the sentence does not say and needs, so that it is whole when it is copied out.
fn completion(parts: &[Part<'_>], stands: &[Stand<'_>], matter: &Matter<'_>) -> Vec<Piece> {
    let said = |wanted: &str, kind: Kind| {
        let is = |name: &Name| name.text == wanted && name.kinds.contains(&kind);
        parts.iter().any(|part| matches!(part, Part::Name(name) if is(name)))
    };
    let mut pieces = Vec::new();
    let mut add = |words: &str, name: &str| {
        pieces.extend([Piece::Words(words.to_owned()), Piece::Name(name.to_owned())]);
    };
    let missing = matter.conditions.iter().filter(|condition| !said(condition, Kind::Condition));
    for (i, condition) in missing.enumerate() {
        add(if i == 0 { ", where " } else { " and " }, condition);
    }
    let differs = |s: &Stand<'_>| matches!(s.slot.column.role, Role::Difference | Role::Change);
    let level = stands.iter().find(|s| !differs(s));
    let period = level.and_then(|s| s.slot.column.period.as_deref()).unwrap_or_else(|| matter.later());
    let any_period = |part: &Part<'_>| matches!(part, Part::Name(name) if name.kinds.contains(&Kind::Period));
    if !period.is_empty() && !parts.iter().any(any_period) {
        add(", ", period);
    }
    if stands.iter().any(differs) {
        match matter.earlier() {
            Some(earlier) if !said(earlier, Kind::Period) => add(", against ", earlier),
            Some(_) => {}
            None => pieces.push(Piece::Words(", against the step before".to_owned())),
        }
    }
    pieces
}
