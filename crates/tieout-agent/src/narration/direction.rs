//! Whether words of direction and of order agree with the numbers.
//!
//! Every such word is held to the figure that it belongs to. A word that belongs to none, or to one whose direction is
//! not known, is not let through.

use std::cmp::Ordering;

use super::{
    part_played::Played,
    sense::Stand,
    wording::{Matter, Offered, Part},
};
use tieout_core::{
    figures::{FigureColumn, Line, Role},
    number::Number,
    reading::Sort,
};
use tieout_reader::language::sentences::SentenceClass;

/// Judges every word of direction and of order.
///
/// # Errors
/// Which word the figures do not hold.
pub(super) fn agrees(
    parts: &[Part<'_>],
    stands: &[Stand<'_>],
    played: &[Played],
    matter: &Matter<'_>,
) -> Result<(), String> {
    let mut ranks = None;
    let mut directed = false;
    for (at, part) in parts.iter().enumerate() {
        let Part::Word(class, word) = part else { continue };
        let held = match class {
            SentenceClass::Up | SentenceClass::More => {
                direction(at, Ordering::Greater, parts, stands, played, matter)
            }
            SentenceClass::Down | SentenceClass::Less => {
                direction(at, Ordering::Less, parts, stands, played, matter)
            }
            SentenceClass::Most | SentenceClass::Least => {
                let sort = if *class == SentenceClass::Most { Sort::Descending } else { Sort::Ascending };
                if ranks.replace(sort).is_some() {
                    return Err("two words of order stand in one sentence".to_owned());
                }
                continue;
            }
            SentenceClass::Neutral
            | SentenceClass::Total
            | SentenceClass::Of
            | SentenceClass::By
            | SentenceClass::From
            | SentenceClass::To
            | SentenceClass::Than
            | SentenceClass::Change
            | SentenceClass::Share
            | SentenceClass::Cause
            | SentenceClass::Hedge
            | SentenceClass::Number
            | SentenceClass::Negation => continue,
        };
        directed = true;
        held.map_err(|why| format!("“{word}”: {why}"))?;
    }
    match ranks {
        Some(_) if directed => Err("a direction and an order stand in one sentence".to_owned()),
        Some(sort) => stands.iter().try_for_each(|stand| extreme(stand.slot, sort, matter)),
        None => Ok(()),
    }
}

fn direction(
    at: usize,
    said: Ordering,
    parts: &[Part<'_>],
    stands: &[Stand<'_>],
    played: &[Played],
    matter: &Matter<'_>,
) -> Result<(), String> {
    let before = stands.iter().rposition(|stand| stand.at < at);
    let right_before = before.filter(|i| stands.get(*i).is_some_and(|s| s.at.saturating_add(1) == at));
    if let Some(i) = right_before.filter(|i| played.get(*i) == Some(&Played::Difference)) {
        return stands.get(i).map_or(Ok(()), |stand| signed(stand.slot, said));
    }
    let next = stands.iter().position(|stand| stand.at > at);
    let Some((stand, played)) = next.and_then(|i| Some((stands.get(i)?, played.get(i)?))) else {
        return Err("no figure after it says by how much".to_owned());
    };
    match played {
        Played::Difference => {
            subject_before(at, stand, parts, stands, matter)?;
            signed(stand.slot, said)
        }
        Played::Share => Err("a share has no direction".to_owned()),
        Played::Level
            if matches!(parts.get(at.saturating_add(1)), Some(Part::Word(SentenceClass::Than, _))) =>
        {
            let earlier = before.and_then(|i| stands.get(i)).ok_or("nothing stands before it")?;
            // A name in between could be what is said to be more.
            let between = parts.get(earlier.at.saturating_add(1)..at).unwrap_or_default();
            if between.iter().any(|part| matches!(part, Part::Name(_) | Part::Mark(_))) {
                return Err("what is compared is not next to it".to_owned());
            }
            compared(earlier.slot, stand.slot, said, matter)
        }
        Played::Level => {
            subject_before(at, stand, parts, stands, matter)?;
            moved(stand.slot, said, matter)
        }
    }
}

/// Where a sentence tells of several lines or measures, what moved is named right before the word that says so.
fn subject_before(
    at: usize,
    stand: &Stand<'_>,
    parts: &[Part<'_>],
    stands: &[Stand<'_>],
    matter: &Matter<'_>,
) -> Result<(), String> {
    let same = |other: &Stand<'_>| {
        std::ptr::eq(other.slot.line, stand.slot.line)
            && matter.measure(other.slot) == matter.measure(stand.slot)
    };
    if stands.iter().all(same) {
        return Ok(());
    }
    let own = |name: &str| {
        stand.slot.line.keys.iter().any(|key| key.shown == name) || matter.measure(stand.slot) == name
    };
    match at.checked_sub(1).and_then(|before| parts.get(before)) {
        Some(Part::Name(name)) if own(&name.text) => Ok(()),
        _ => Err("what it tells of is not named right before it".to_owned()),
    }
}

/// A difference has the sign that is said.
fn signed(slot: &Offered<'_>, said: Ordering) -> Result<(), String> {
    match slot.figure.value.number().map(|n| n.cmp(&0.into())) {
        Some(is) if is == said => Ok(()),
        Some(_) | None => Err(format!("{{{}}} goes the other way", slot.figure.id)),
    }
}

/// Of two levels of one measure, the first is what is said of it.
fn compared(
    first: &Offered<'_>,
    second: &Offered<'_>,
    said: Ordering,
    matter: &Matter<'_>,
) -> Result<(), String> {
    if matter.measure(first) != matter.measure(second) {
        return Err("two measures are not compared".to_owned());
    }
    match (first.figure.value.number(), second.figure.value.number()) {
        (Some(a), Some(b)) if a.cmp(b) == said => Ok(()),
        _ => Err(format!("{{{}}} and {{{}}} are the other way round", first.figure.id, second.figure.id)),
    }
}

/// A measure of a line moved as is said, from its baseline to its value.
fn moved(slot: &Offered<'_>, said: Ordering, matter: &Matter<'_>) -> Result<(), String> {
    let of_role = |role| {
        let is = |c: &FigureColumn| c.measure == slot.column.measure && c.role == role;
        let column = matter.figures.columns.iter().position(is)?;
        number(slot.line, column)
    };
    match (of_role(Role::Value), of_role(Role::Baseline)) {
        (Some(value), Some(baseline)) if value.cmp(baseline) == said => Ok(()),
        (Some(_), Some(_)) => Err(format!("{{{}}} went the other way", slot.figure.id)),
        _ => Err("nothing is there to compare with".to_owned()),
    }
}

/// No other group has as much, or as little.
fn extreme(slot: &Offered<'_>, sort: Sort, matter: &Matter<'_>) -> Result<(), String> {
    let refused = |why: &str| Err(format!("{{{}}} is not known to be the extreme: {why}", slot.figure.id));
    if slot.of_total || slot.line.keys.is_empty() {
        return refused("it is of no group");
    }
    if matter.figures.groups_before_cut.is_some() {
        return refused("groups were left out of the table");
    }
    let Some(own) = slot.figure.value.number() else { return refused("it is no number") };
    let others = matter.figures.lines.iter().filter(|line| !std::ptr::eq(*line, slot.line));
    let wanted = match sort {
        Sort::Descending => Ordering::Greater,
        Sort::Ascending => Ordering::Less,
    };
    let mut any = false;
    for line in others {
        any = true;
        match number(line, slot.figure.column) {
            Some(other) if own.cmp(other) == wanted => {}
            Some(_) => return refused("another group is not behind it"),
            None => return refused("another group has no number"),
        }
    }
    if any { Ok(()) } else { refused("there is no other group") }
}

fn number(line: &Line, column: usize) -> Option<&Number> {
    line.figures.iter().find(|figure| figure.column == column)?.value.number()
}
