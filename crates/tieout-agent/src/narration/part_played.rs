//! Whether each figure of a sentence is said for what it is: a level, a difference, or a share.
//!
//! “Rose by” makes a difference of whatever follows, “to” makes a level of it. The words around a slot decide what it is
//! said to be; what the figure is must be the same.

use super::{sense::Stand, wording::Part};
use bigdecimal::num_bigint::Sign;
use tieout_core::figures::{Figure, Role};
use tieout_reader::language::sentences::SentenceClass;

/// What a figure is said to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Played {
    /// How much there is.
    Level,
    /// How much more or less there is.
    Difference,
    /// How much of the total it is.
    Share,
}

/// What each figure is said to be.
///
/// # Errors
/// Which figure is said for what it is not.
pub(super) fn played(parts: &[Part<'_>], stands: &[Stand<'_>]) -> Result<Vec<Played>, String> {
    let mut all: Vec<Played> = Vec::new();
    for (i, stand) in stands.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| stands.get(i)).map(|s| s.at.saturating_add(1));
        let around = Around {
            region: parts.get(before.unwrap_or(0)..stand.at).unwrap_or_default(),
            after: parts.get(stand.at.saturating_add(1)..).unwrap_or_default(),
        };
        let played = around.played(all.last().copied());
        is_what_it_plays(stand, played, &around)?;
        all.push(played);
    }
    Ok(all)
}

/// What stands around a slot.
struct Around<'p, 'm> {
    /// From the slot before, or the beginning.
    region: &'p [Part<'m>],
    /// To the end.
    after: &'p [Part<'m>],
}

impl Around<'_, '_> {
    fn has(&self, wanted: &[SentenceClass]) -> bool {
        self.region.iter().any(|part| matches!(part, Part::Word(class, _) if wanted.contains(class)))
    }

    /// The word right before the slot.
    fn last(&self) -> Option<(SentenceClass, &str)> {
        match self.region.last() {
            Some(Part::Word(class, word)) => Some((*class, word)),
            Some(Part::Mark(_) | Part::Name(_) | Part::Slot(_)) | None => None,
        }
    }

    fn differs(&self) -> bool {
        {
            use SentenceClass as C;
            self.has(&[C::Change, C::Up, C::Down, C::More, C::Less])
        }
    }

    fn played(&self, before: Option<Played>) -> Played {
        use SentenceClass as C;
        let follows = |n: usize| match self.after.get(n) {
            Some(Part::Word(class, word)) => Some((*class, word.as_str())),
            Some(Part::Mark(_) | Part::Name(_) | Part::Slot(_)) | None => None,
        };
        let is = |n: usize, wanted: &str| follows(n).is_some_and(|(_, word)| word == wanted);
        let of_the_total = is(0, "of") && (is(1, "total") || (is(1, "the") && is(2, "total")));
        if of_the_total || self.has(&[C::Share]) {
            return Played::Share;
        }
        if matches!(follows(0), Some((C::Up | C::Down | C::More | C::Less | C::Change, _))) {
            return Played::Difference;
        }
        if self.has(&[C::Than]) {
            return Played::Level;
        }
        match self.last() {
            Some((C::By, _)) => return Played::Difference,
            Some((C::From | C::To, _)) => return Played::Level,
            Some((_, "against" | "with" | "versus" | "vs" | "at")) => return Played::Level,
            _ => {}
        }
        if self.differs() {
            return Played::Difference;
        }
        match before {
            // In brackets, or as one more of the same.
            Some(before) if self.only_joined() => before,
            Some(_) | None => Played::Level,
        }
    }

    /// Whether nothing but a mark or “and” stands between two slots.
    fn only_joined(&self) -> bool {
        self.region.iter().all(|part| match part {
            Part::Mark(mark) => matches!(mark, '(' | ','),
            Part::Word(_, word) => word == "and",
            Part::Name(_) | Part::Slot(_) => false,
        })
    }
}

fn is_what_it_plays(stand: &Stand<'_>, played: Played, around: &Around<'_, '_>) -> Result<(), String> {
    let (role, id) = (stand.slot.column.role, &stand.slot.figure.id);
    let is = match role {
        Role::Value | Role::Baseline | Role::Part | Role::Whole => Played::Level,
        Role::Difference | Role::Change => Played::Difference,
        Role::Share => Played::Share,
    };
    if is != played {
        return Err(format!("{{{id}}} is a {}, and the sentence says it as a {}", is.word(), played.word()));
    }
    if played == Played::Share && around.differs() {
        return Err(format!("{{{id}}} is a share, and the sentence says that it differs"));
    }
    let last = around.last().map(|(class, _)| class);
    if last == Some(SentenceClass::From) && role != Role::Baseline {
        return Err(format!("{{{id}}} follows “from”, and is not what it was before"));
    }
    if last == Some(SentenceClass::To) && role == Role::Baseline {
        return Err(format!("{{{id}}} follows “to”, and is what it was before"));
    }
    let by = last == Some(SentenceClass::By);
    if by && !around.differs() {
        return Err(format!("{{{id}}} follows “by”, and nothing says what it differs in"));
    }
    if played == Played::Difference && is_negative(stand.slot.figure) {
        // “Fell by -70” says that it rose.
        let named = around.has(&[SentenceClass::Change]);
        let joined = around.only_joined();
        if by || !(named || joined) {
            return Err(format!("{{{id}}} is negative: call it a change or a difference, without “by”"));
        }
    }
    Ok(())
}

impl Played {
    fn word(self) -> &'static str {
        match self {
            Self::Level => "level",
            Self::Difference => "difference",
            Self::Share => "share of the total",
        }
    }
}

fn is_negative(figure: &Figure) -> bool {
    figure.value.number().is_some_and(|n| n.sign() == Sign::Minus)
}
