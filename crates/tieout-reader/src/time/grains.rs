//! Steps of time and comparisons in time: `by month`, `weekly`, `month over month`, `the month before`, `same period last
//! year`.
//!
//! Deliberately absent: `last year` as a comparison, which is also days; `scan` gives both.

use tieout_core::time::Grain;

use super::{
    TimeKind,
    lexicon::{Cue, GrainForm, GrainWord},
    parser::{Parsed, Parser},
    say::grain_name,
    unit::Kind,
};

const LENGTHS: [GrainForm; 2] = [GrainForm::One, GrainForm::Many];

/// A meaning that is not days, and how it is said.
pub(super) type Said = (TimeKind, String);

/// The core grain to group by; none for lengths that cannot be grouped by.
pub(super) fn core_grain(grain: GrainWord, kind: Kind) -> Option<Grain> {
    match (grain, kind) {
        (GrainWord::Day, _) => Some(Grain::Day),
        (GrainWord::Week, _) => Some(Grain::Week),
        (GrainWord::Month, _) => Some(Grain::Month),
        (GrainWord::FiscalQuarter, _) | (GrainWord::Quarter, Kind::Fiscal) => Some(Grain::FiscalQuarter),
        (GrainWord::FiscalYear, _) | (GrainWord::Year, Kind::Fiscal) => Some(Grain::FiscalYear),
        (GrainWord::Quarter, Kind::Calendar) => Some(Grain::Quarter),
        (GrainWord::Year, Kind::Calendar) => Some(Grain::Year),
        (GrainWord::Fortnight | GrainWord::Half | GrainWord::Weekend, _) => None,
    }
}

fn by(grain: Grain) -> Said {
    (TimeKind::Grain(grain), format!("by {grain}"))
}

fn previous(count: i64, grain: Grain) -> Option<Said> {
    let steps = i32::try_from(count).ok().filter(|steps| *steps > 0)?;
    let words = if steps == 1 { format!("the {grain} before") } else { format!("{steps} {grain}s before") };
    Some((TimeKind::Previous { steps, grain: Some(grain) }, words))
}

fn last_year() -> Said {
    (TimeKind::SameLastYear, "the same period one year before".to_owned())
}

/// The comparison that `last year` or `two months ago` is, beside the days.
pub(super) fn previous_of(count: i64, grain: GrainWord, kind: Kind) -> Option<Said> {
    previous(count, core_grain(grain, kind)?)
}

impl Parser<'_> {
    /// A step of time or a comparison in time at a place.
    pub(super) fn step(&self, at: usize) -> Parsed<Said> {
        [self.step_by_step(at), self.same(at), self.before(at), self.adverb(at), self.by_grain(at)]
            .into_iter()
            .flatten()
            .reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    fn step_by_step(&self, at: usize) -> Parsed<Said> {
        let (kind, place) = self.kind(at);
        let (grain, end) = self.grain(&[GrainForm::StepByStep], place)?;
        let grain = core_grain(grain, kind)?;
        Some(((TimeKind::StepByStep(grain), format!("each {grain} against the one before")), end))
    }

    /// `monthly`, `on a monthly basis`.
    fn adverb(&self, at: usize) -> Parsed<Said> {
        let on_a = self.cue(Cue::OnA, at);
        let (kind, place) = self.kind(on_a.unwrap_or(at));
        let (grain, end) = self.grain(&[GrainForm::Adverb], place)?;
        let end = match on_a {
            Some(_) => self.cue(Cue::Basis, end)?,
            None => end,
        };
        Some((by(core_grain(grain, kind)?), end))
    }

    /// `by month`, `each fiscal quarter`; behind such a word or in a list, `month` alone.
    fn by_grain(&self, at: usize) -> Parsed<Said> {
        let word = self.cue(Cue::By, at);
        if word.is_none() && !self.may_stand_alone(at) {
            return None;
        }
        let (kind, place) = self.kind(word.unwrap_or(at));
        if word.is_some()
            && let Some(end) = self.cue(Cue::TooFine, place)
        {
            let reason = "time is split into whole days at least, so hours and minutes are not told apart";
            return Some(((TimeKind::Empty(reason.to_owned()), reason.to_owned()), end));
        }
        let (grain, end) = self.grain(&LENGTHS, place)?;
        if self.of_a_grain(end) || self.unit(place).is_some() {
            return None;
        }
        Some((by(core_grain(grain, kind)?), end))
    }

    /// Whether a bare grain may be grouped by: behind `by` and its like, or in a list.
    fn may_stand_alone(&self, at: usize) -> bool {
        (1..=2).any(|back| {
            at.checked_sub(back).is_some_and(|place| {
                [Cue::By, Cue::And, Cue::Comma].iter().any(|cue| self.cue(*cue, place) == Some(at))
            })
        })
    }

    /// `day of the week` is no step of time but a property of a day.
    fn of_a_grain(&self, at: usize) -> bool {
        let Some(place) = self.cue(Cue::Of, at) else { return false };
        self.grain(&[GrainForm::One], self.skip(Cue::The, place)).is_some()
    }

    /// `the same month last year`, `same day last week`, `this time last year`.
    fn same(&self, at: usize) -> Parsed<Said> {
        let place = match self.cue(Cue::ThisTime, at) {
            Some(end) => end,
            None => {
                let place = self.cue(Cue::Same, at)?;
                let named = self.grain(&LENGTHS, place).map(|(_, end)| end);
                named.or_else(|| self.cue(Cue::SameFree, place))?
            }
        };
        let place = self.skip(Cue::The, self.cue(Cue::InFront, place).unwrap_or(place));
        let ago = self.number(place).and_then(|(count, after)| {
            let (grain, after) = self.grain(&LENGTHS, after)?;
            let end = self.cue(Cue::Ago, after).or_else(|| self.cue(Cue::Earlier, after))?;
            Some((count, grain, end))
        });
        let (count, grain, end) = ago.or_else(|| {
            let (_, after) = self.any_cue(&[Cue::Last, Cue::Previous], place)?;
            let (grain, end) = self.grain(&[GrainForm::One], after)?;
            Some((1, grain, end))
        })?;
        if grain == GrainWord::Year && count == 1 {
            return Some((last_year(), end));
        }
        Some((previous(count, core_grain(grain, Kind::Calendar)?)?, end))
    }

    /// `the previous period`, `the month before`, `a year earlier`.
    fn before(&self, at: usize) -> Parsed<Said> {
        let period = || {
            (TimeKind::Previous { steps: 1, grain: None }, "the period before, of the same length".to_owned())
        };
        let place = self.skip(Cue::The, at);
        if let Some((_, after)) = self.any_cue(&[Cue::Previous, Cue::Last], place)
            && let Some(end) = self.cue(Cue::PeriodWord, after)
        {
            return Some((period(), end));
        }
        if let Some(after) = self.cue(Cue::PeriodWord, place) {
            return Some((period(), self.cue(Cue::Earlier, after)?));
        }
        let (count, after) = self.number(place).unwrap_or((1, place));
        let (kind, after) = self.kind(after);
        let (grain, after) = self.grain(&LENGTHS, after)?;
        let end = self.cue(Cue::Earlier, after)?;
        Some((previous(count, core_grain(grain, kind)?)?, end))
    }
}

/// `by quarter` may have meant the fiscal ones.
pub(super) fn grain_alternative(grain: Grain, fiscal_differs: bool) -> Option<String> {
    match grain {
        Grain::Quarter if fiscal_differs => {
            Some(format!("by {}", grain_name(GrainWord::Quarter, Kind::Fiscal)))
        }
        Grain::Year if fiscal_differs => Some(format!("by {}", grain_name(GrainWord::Year, Kind::Fiscal))),
        Grain::Day
        | Grain::Week
        | Grain::Month
        | Grain::Quarter
        | Grain::Year
        | Grain::FiscalQuarter
        | Grain::FiscalYear => None,
    }
}
