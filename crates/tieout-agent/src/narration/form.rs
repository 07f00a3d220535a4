//! Whether the small words of a sentence stand where they say what they say.
//!
//! “By”, “to”, “from”, “than” and “of the total” give a figure its part, so each must stand right where that part is
//! played: one that stands anywhere else could turn the sentence. Brackets hold the same once more in another unit.

use std::collections::HashSet;

use super::{
    sense::Stand,
    wording::{Kind, Part},
};
use tieout_core::figures::Role;
use tieout_reader::language::sentences::SentenceClass;

/// Judges the small words.
///
/// # Errors
/// Which one stands where it says nothing, or something else.
pub(super) fn holds(parts: &[Part<'_>], stands: &[Stand<'_>]) -> Result<(), String> {
    let ids: HashSet<&str> = stands.iter().map(|s| s.slot.figure.id.as_str()).collect();
    if ids.len() != stands.len() {
        return Err("it names one figure twice".to_owned());
    }
    let has = |role| stands.iter().any(|s| s.slot.column.role == role);
    if has(Role::Baseline) && !has(Role::Value) && (has(Role::Difference) || has(Role::Change)) {
        return Err("it says what there was and the difference, and not what there is".to_owned());
    }
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Word(SentenceClass::Total, word) => {
                let all = stands.iter().all(|s| s.slot.of_total);
                if !all && !of_a_share(at, parts) {
                    return Err(format!("“{word}”: not all its figures are of the total"));
                }
            }
            Part::Word(class, word) => small_word(*class, word, at, parts)?,
            Part::Mark('(') => bracketed(at, parts)?,
            Part::Mark(')') if !closes(at, parts) => return Err("a bracket closes nothing".to_owned()),
            Part::Mark(_) | Part::Name(_) | Part::Slot(_) => {}
        }
    }
    Ok(())
}

fn small_word(class: SentenceClass, word: &str, at: usize, parts: &[Part<'_>]) -> Result<(), String> {
    let part = |n: usize| parts.get(at.saturating_add(n));
    let before = at.checked_sub(1).and_then(|at| parts.get(at));
    if matches!(part(1), Some(Part::Word(_, next)) if next == word) {
        return Err(format!("“{word}” stands twice"));
    }
    let named = |part: Option<&Part<'_>>, kind: Kind| matches!(part, Some(Part::Name(name)) if name.kinds.contains(&kind));
    let slot = matches!(part(1), Some(Part::Slot(_)));
    let said = |n: usize, wanted: &str| matches!(part(n), Some(Part::Word(_, word)) if word == wanted);
    let stands_well = match class {
        SentenceClass::By => slot || named(part(1), Kind::Grouping),
        SentenceClass::To => slot,
        SentenceClass::From => slot || named(part(1), Kind::Period),
        SentenceClass::Than => {
            matches!(before, Some(Part::Word(SentenceClass::More | SentenceClass::Less, _)))
        }
        SentenceClass::Of if said(1, "total") || ((said(1, "the") || said(1, "a")) && said(2, "total")) => {
            is_share(before)
        }
        SentenceClass::Up | SentenceClass::Down if matches!(word, "up" | "down") => {
            slot || matches!(part(1), Some(Part::Word(SentenceClass::By | SentenceClass::From, _)))
        }
        SentenceClass::More | SentenceClass::Less => {
            matches!(part(1), Some(Part::Word(SentenceClass::Than, _)))
                || matches!(before, Some(Part::Slot(_)))
        }
        SentenceClass::Up
        | SentenceClass::Down
        | SentenceClass::Of
        | SentenceClass::Total
        | SentenceClass::Neutral
        | SentenceClass::Change
        | SentenceClass::Most
        | SentenceClass::Least
        | SentenceClass::Share
        | SentenceClass::Cause
        | SentenceClass::Hedge
        | SentenceClass::Number
        | SentenceClass::Negation => true,
    };
    if stands_well { Ok(()) } else { Err(format!("“{word}” stands where it belongs to no figure")) }
}

/// Whether “total” ends `{f2} of the total`.
fn of_a_share(at: usize, parts: &[Part<'_>]) -> bool {
    let before = |n: usize| at.checked_sub(n).and_then(|at| parts.get(at));
    let of = |n: usize| matches!(before(n), Some(Part::Word(SentenceClass::Of, _)));
    let the = matches!(before(1), Some(Part::Word(_, word)) if word == "the");
    (of(1) && is_share(before(2))) || (the && of(2) && is_share(before(3)))
}

fn is_share(part: Option<&Part<'_>>) -> bool {
    matches!(part, Some(Part::Slot(slot)) if slot.column.role == Role::Share)
}

/// In brackets stands one figure, right behind another of the same part: a difference again, or a level's share.
fn bracketed(at: usize, parts: &[Part<'_>]) -> Result<(), String> {
    let role = |part: Option<&Part<'_>>| match part {
        Some(Part::Slot(slot)) => Some(slot.column.role),
        Some(Part::Word(..) | Part::Mark(_) | Part::Name(_)) | None => None,
    };
    let outside = role(at.checked_sub(1).and_then(|at| parts.get(at)));
    let inside = role(parts.get(at.saturating_add(1)));
    let fits = matches!(
        (outside, inside),
        (Some(Role::Difference), Some(Role::Change))
            | (Some(Role::Change), Some(Role::Difference))
            | (Some(Role::Value), Some(Role::Share))
    );
    let closed = parts.iter().skip(at).take(BRACKET_PARTS_MAX).any(|part| matches!(part, Part::Mark(')')));
    if fits && closed {
        Ok(())
    } else {
        Err("in brackets may stand one figure, of the one before it".to_owned())
    }
}

/// The most parts of a bracket, itself included: `( {f2} of the total )`.
const BRACKET_PARTS_MAX: usize = 6;

/// Whether a bracket was opened shortly before, and nothing but its figure and “of the total” stands in it.
fn closes(at: usize, parts: &[Part<'_>]) -> bool {
    let inside = |part: &&Part<'_>| !matches!(part, Part::Mark('('));
    let within: Vec<&Part<'_>> =
        parts.get(..at).unwrap_or_default().iter().rev().take_while(inside).collect();
    let opened = within.len() < at;
    let figures = within.iter().filter(|part| matches!(part, Part::Slot(_))).count();
    let plain = within.iter().all(|part| match part {
        Part::Slot(_) => true,
        Part::Word(_, word) => matches!(word.as_str(), "of" | "the" | "total"),
        Part::Name(_) | Part::Mark(_) => false,
    });
    opened && figures == 1 && plain
}
