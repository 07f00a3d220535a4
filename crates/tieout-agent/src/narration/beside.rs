//! Whether each figure of a sentence stands beside its own names.
//!
//! Where all figures share a measure, a group or a period, the sentence may name that one and no other. Where they
//! differ, names and figures must go by turns, each name next to its own figure. Any other order could be read with the
//! figures exchanged, so it is not let through, true or not.

use super::{
    sense::Stand,
    wording::{Kind, Matter, Offered, Part},
};
use tieout_core::figures::Role;
use tieout_reader::language::sentences::SentenceClass;

/// What a figure is of, in one kind of name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Own<'a> {
    /// Nothing that a name could say wrongly: a difference is of two periods.
    Any,
    /// No name of this kind: a total is of no group.
    None,
    /// This one.
    Is(&'a str),
}

/// Judges the names of each kind.
///
/// # Errors
/// Which figure does not stand beside its own name.
pub(super) fn each_by_its_names(
    parts: &[Part<'_>],
    stands: &[Stand<'_>],
    matter: &Matter<'_>,
) -> Result<(), String> {
    let keys = (0..matter.figures.groupings.len()).map(Kind::Key);
    for kind in [Kind::Measure, Kind::Period].into_iter().chain(keys) {
        of_kind(kind, parts, stands, matter)?;
    }
    Ok(())
}

fn of_kind(kind: Kind, parts: &[Part<'_>], stands: &[Stand<'_>], matter: &Matter<'_>) -> Result<(), String> {
    let owned: Vec<(Stand<'_>, Own<'_>)> = stands
        .iter()
        .map(|stand| (*stand, own(kind, stand.slot, matter)))
        .filter(|(_, own)| *own != Own::Any)
        .collect();
    let differs = stands.iter().any(|s| matches!(s.slot.column.role, Role::Difference | Role::Change));
    let against =
        (kind == Kind::Period && differs && owned.iter().all(|(s, _)| s.slot.column.role != Role::Baseline))
            .then(|| matter.earlier())
            .flatten();
    let named: Vec<(usize, &str)> = parts
        .iter()
        .enumerate()
        .filter_map(|(at, part)| match part {
            Part::Name(name) if name.kinds.contains(&kind) => Some((at, name.text.as_str())),
            Part::Name(_) | Part::Word(..) | Part::Mark(_) | Part::Slot(_) => None,
        })
        .filter(|(at, name)| !(against == Some(*name) && compared_with(parts, *at)))
        .collect();
    let wrongly = |(at, name): &&(usize, &str)| {
        kind == Kind::Period && compared_with(parts, *at) && matter.earlier() != Some(*name)
    };
    if let Some((_, other)) = named.iter().find(wrongly) {
        return Err(format!("“{other}” is not what anything is compared with"));
    }
    let Some((_, first)) = owned.first() else {
        // Differences alone, which lie between two periods: the later names them.
        return match named.iter().find(|(_, name)| *name != matter.later()) {
            Some((_, other)) => Err(not_of_it(other)),
            None => Ok(()),
        };
    };
    if owned.iter().all(|(_, own)| own == first) {
        return alike(kind, *first, &named);
    }
    if owned.iter().any(|(_, own)| *own == Own::None) {
        return Err("it names the total and a group: each needs a sentence of its own".to_owned());
    }
    by_turns(kind, &owned, &named, parts)
}

/// All figures are of the same: it may be named, and nothing else of its kind.
fn alike(kind: Kind, own: Own<'_>, named: &[(usize, &str)]) -> Result<(), String> {
    let own = match own {
        Own::Is(own) => own,
        Own::Any | Own::None => "",
    };
    if let Some((_, other)) = named.iter().find(|(_, name)| *name != own) {
        return Err(not_of_it(other));
    }
    let needed = match kind {
        Kind::Measure | Kind::Key(_) => !own.is_empty(),
        // A period that is not said is put behind the sentence.
        Kind::Period | Kind::Grouping | Kind::Condition => false,
    };
    if needed && named.is_empty() {
        return Err(format!("its figures are of “{own}”, which it does not say"));
    }
    Ok(())
}

fn not_of_it(name: &str) -> String {
    format!("“{name}” is named, and no figure of the sentence is of it")
}

/// Whether a name is said as what something is compared with.
pub(super) fn compared_with(parts: &[Part<'_>], name: usize) -> bool {
    let before = |n: usize| match name.checked_sub(n).and_then(|at| parts.get(at)) {
        Some(Part::Word(class, word)) => Some((*class, word.as_str())),
        Some(Part::Mark(_) | Part::Name(_) | Part::Slot(_)) | None => None,
    };
    let compares = |found: Option<(SentenceClass, &str)>| match found {
        Some((SentenceClass::Than | SentenceClass::From, _)) => true,
        Some((SentenceClass::Neutral, word)) => matches!(word, "against" | "with" | "versus" | "vs"),
        _ => false,
    };
    compares(before(1)) || (matches!(before(1), Some((_, "in" | "for"))) && compares(before(2)))
}

/// What comes one after another in the sentence, of one kind.
#[derive(Clone, Copy)]
enum Turn<'a> {
    Name(usize, &'a str),
    Figures { first: usize, last: usize, own: &'a str },
}

fn by_turns(
    kind: Kind,
    owned: &[(Stand<'_>, Own<'_>)],
    named: &[(usize, &str)],
    parts: &[Part<'_>],
) -> Result<(), String> {
    let mut turns: Vec<(usize, Turn<'_>)> =
        named.iter().map(|(at, name)| (*at, Turn::Name(*at, name))).collect();
    for (stand, own) in owned {
        if let Own::Is(own) = own {
            turns.push((stand.at, Turn::Figures { first: stand.at, last: stand.at, own }));
        }
    }
    turns.sort_by_key(|(at, _)| *at);
    let mut runs: Vec<Turn<'_>> = Vec::new();
    for (_, turn) in turns {
        match (runs.last_mut(), turn) {
            (Some(Turn::Figures { last, own, .. }), Turn::Figures { last: next, own: other, .. })
                if *own == other =>
            {
                *last = next;
            }
            (_, turn) => runs.push(turn),
        }
    }
    let apart = || {
        let what = match kind {
            Kind::Measure => "measure",
            Kind::Key(_) | Kind::Grouping => "group",
            Kind::Period => "period",
            Kind::Condition => "condition",
        };
        format!("its figures differ in their {what}: name each beside its own figure")
    };
    for pair in runs.chunks(2) {
        let fits = match pair {
            [Turn::Name(_, name), Turn::Figures { own, .. }] => name == own,
            [Turn::Figures { first, last, own }, Turn::Name(at, name)] => {
                name == own && first == last && tied(parts, *last, *at)
            }
            _ => false,
        };
        if !fits {
            return Err(apart());
        }
    }
    Ok(())
}

/// Whether nothing but a preposition stands between a figure and the name that follows it.
fn tied(parts: &[Part<'_>], figure: usize, name: usize) -> bool {
    let between = parts.get(figure.saturating_add(1)..name).unwrap_or_default();
    let is_preposition = |part: &Part<'_>| match part {
        Part::Word(SentenceClass::Of, _) => true,
        Part::Word(SentenceClass::Neutral, word) => matches!(word.as_str(), "in" | "for"),
        Part::Word(..) | Part::Mark(_) | Part::Name(_) | Part::Slot(_) => false,
    };
    matches!(between, [part] if is_preposition(part))
}

fn own<'m>(kind: Kind, slot: &Offered<'m>, matter: &Matter<'m>) -> Own<'m> {
    match kind {
        Kind::Measure => Own::Is(matter.measure(slot)),
        Kind::Key(_) if slot.of_total => Own::None,
        Kind::Key(place) => slot.line.keys.get(place).map_or(Own::None, |key| Own::Is(&key.shown)),
        Kind::Period => match slot.column.role {
            Role::Difference | Role::Change => Own::Any,
            Role::Value | Role::Baseline | Role::Part | Role::Whole | Role::Share => {
                Own::Is(slot.column.period.as_deref().unwrap_or(matter.period))
            }
        },
        Kind::Grouping | Kind::Condition => Own::Any,
    }
}
