//! Expressions that count from today: `yesterday`, `last month`, `past 30 days`, `two weeks ago`, `year to date`.
//!
//! Deliberately absent: expressions relative to the period that is asked for (`grains`), such as `the month before`.

use super::{
    lexicon::{Cue, GrainForm, GrainWord},
    parser::{Parsed, Parser},
    unit::{Counting, Direction, Kind, Unit, Which},
};

const LENGTHS: [GrainForm; 2] = [GrainForm::One, GrainForm::Many];

impl Parser<'_> {
    /// An expression that counts from today.
    pub(super) fn relative(&self, at: usize) -> Parsed<Unit> {
        let at = self.skip(Cue::The, at);
        self.named_day(at)
            .or_else(|| self.so_far(at))
            .or_else(|| self.beside_now(at))
            .or_else(|| self.ago(at))
            .or_else(|| self.before_last(at))
            .or_else(|| {
                self.weekday(at).map(|(weekday, end)| (Unit::Weekday { which: Which::Plain, weekday }, end))
            })
    }

    fn named_day(&self, at: usize) -> Parsed<Unit> {
        let days = [
            (Cue::Today, 0),
            (Cue::Yesterday, -1),
            (Cue::DayBeforeYesterday, -2),
            (Cue::Tomorrow, 1),
            (Cue::DayAfterTomorrow, 2),
        ];
        days.into_iter().find_map(|(cue, days)| Some((Unit::FromToday(days), self.cue(cue, at)?)))
    }

    /// `year to date`, `YTD`, `this year so far`, `so far this month`.
    fn so_far(&self, at: usize) -> Parsed<Unit> {
        if let Some((grain, end)) = self.grain(&[GrainForm::ToDate], at) {
            let (grain, kind) = apart(grain, Kind::Calendar);
            return Some((Unit::SoFar { grain, kind, to_date: true }, end));
        }
        let (early, place) = self.cue(Cue::SoFar, at).map_or((false, at), |end| (true, end));
        let place = if early { self.cue(Cue::InFront, place).unwrap_or(place) } else { place };
        let place = self.skip(Cue::The, place);
        let (kind, after) = self.kind(self.cue(Cue::This, place)?);
        let after = self.skip(Cue::Complete, after);
        let (grain, end) = self.grain(&[GrainForm::One], after)?;
        let (grain, kind) = apart(grain, kind);
        match grain {
            GrainWord::Weekend => Some((Unit::Weekend { which: Which::This }, end)),
            GrainWord::Half | GrainWord::Fortnight => None,
            _ => Some((Unit::SoFar { grain, kind, to_date: false }, end)),
        }
    }

    /// The kind of year that a word says, and the place behind it.
    pub(super) fn kind(&self, at: usize) -> (Kind, usize) {
        match self.any_cue(&[Cue::Fiscal, Cue::Calendar], at) {
            Some((Cue::Fiscal, end)) => (Kind::Fiscal, end),
            Some((_, end)) => (Kind::Calendar, end),
            None => (Kind::Calendar, at),
        }
    }

    /// `last …`, `previous …`, `past …`, `rolling …`, `next …`, `this Monday`.
    fn beside_now(&self, at: usize) -> Parsed<Unit> {
        let cues = [Cue::Last, Cue::Previous, Cue::Past, Cue::Rolling, Cue::Next, Cue::This];
        let (cue, place) = self.any_cue(&cues, at)?;
        let direction = if cue == Cue::Next { Direction::Ahead } else { Direction::Back };
        if cue == Cue::Rolling || cue == Cue::Past || cue == Cue::This {
            return match cue {
                Cue::This => self.named(Which::This, place),
                _ => self.run(cue, direction, place).or_else(|| self.whole_unit(cue, place)),
            };
        }
        let which = if cue == Cue::Next { Which::Next } else { Which::Last };
        self.run(cue, direction, place)
            .or_else(|| self.whole_unit(cue, place))
            .or_else(|| self.named(which, place))
    }

    /// `last Monday`, `last September`, `last weekend`.
    fn named(&self, which: Which, at: usize) -> Parsed<Unit> {
        if let Some((weekday, end)) = self.any_weekday(at) {
            return Some((Unit::Weekday { which, weekday }, end));
        }
        let (month, end) = self.month_word(at)?;
        let dated = self.year_tail(end).is_some();
        (!dated).then_some((Unit::NamedMonth { which, month }, end))
    }

    /// The unit behind `last`, `past` or `next`: one whole unit.
    fn whole_unit(&self, cue: Cue, at: usize) -> Parsed<Unit> {
        let place = self.skip(Cue::Complete, at);
        let (kind, place) = self.kind(place);
        let (grain, end) = self.grain(&[GrainForm::One], self.skip(Cue::Complete, place))?;
        let (grain, kind) = apart(grain, kind);
        let steps = if cue == Cue::Next { 1 } else { -1 };
        match grain {
            GrainWord::Weekend => {
                let which = if cue == Cue::Next { Which::Next } else { Which::Last };
                Some((Unit::Weekend { which }, end))
            }
            GrainWord::Fortnight => Some((
                Unit::Run {
                    count: 1,
                    grain,
                    kind,
                    direction: if cue == Cue::Next { Direction::Ahead } else { Direction::Back },
                    counting: Counting::Complete,
                },
                end,
            )),
            GrainWord::Half => None,
            _ => Some((Unit::Whole { steps, grain, kind, past: cue == Cue::Past }, end)),
        }
    }

    /// `last 30 days`, `past three complete months`, `rolling 12 months`, `last 30d`.
    fn run(&self, cue: Cue, direction: Direction, at: usize) -> Parsed<Unit> {
        let place = self.skip(Cue::Complete, at);
        let (count, place) = self.number(place)?;
        let place = self.skip(Cue::Of, place);
        if let Some(end) = self.cue(Cue::TooFine, place) {
            return Some((Unit::TooFine, end));
        }
        let hyphen = if self.glued(place) == Some("-") { place + 1 } else { place };
        let (kind, after) = self.kind(self.skip(Cue::Complete, hyphen));
        let after = self.skip(Cue::Complete, after);
        let short = self.atoms.get(place).is_some_and(|atom| atom.glued);
        let (grain, end) = self
            .grain(&LENGTHS, after)
            .or_else(|| self.grain(&[GrainForm::Short], place).filter(|_| short))?;
        let (grain, kind) = apart(grain, kind);
        if matches!(grain, GrainWord::Half | GrainWord::Weekend) {
            return None;
        }
        let counting = if cue == Cue::Rolling { Counting::Rolling } else { Counting::Complete };
        Some((Unit::Run { count, grain, kind, direction, counting }, end))
    }

    /// `the week before last`.
    fn before_last(&self, at: usize) -> Parsed<Unit> {
        let (kind, place) = self.kind(at);
        let (grain, place) = self.grain(&[GrainForm::One], place)?;
        let end = self.cue(Cue::Last, self.cue(Cue::Before, place)?)?;
        let (grain, kind) = apart(grain, kind);
        let counts = !matches!(grain, GrainWord::Half | GrainWord::Weekend | GrainWord::Fortnight);
        // `the week before last Monday` and `the month before last year` go on.
        let goes_on = self.any_weekday(end).is_some()
            || self.grain(&LENGTHS, end).is_some()
            || self.month_word(end).is_some();
        (counts && !goes_on).then_some((Unit::Whole { steps: -2, grain, kind, past: false }, end))
    }

    /// `two months ago`, `a year ago`.
    fn ago(&self, at: usize) -> Parsed<Unit> {
        let (count, place) = self.number(at)?;
        let place = self.skip(Cue::Of, place);
        if let Some(end) = self.cue(Cue::TooFine, place).and_then(|place| self.cue(Cue::Ago, place)) {
            return Some((Unit::TooFine, end));
        }
        let (grain, end) = self.grain(&LENGTHS, place)?;
        let end = self.cue(Cue::Ago, end)?;
        (!matches!(grain, GrainWord::Half | GrainWord::Weekend)).then_some((Unit::Ago { count, grain }, end))
    }
}

/// A fiscal grain's word as the plain one and its kind.
fn apart(grain: GrainWord, kind: Kind) -> (GrainWord, Kind) {
    match grain {
        GrainWord::FiscalQuarter => (GrainWord::Quarter, Kind::Fiscal),
        GrainWord::FiscalYear => (GrainWord::Year, Kind::Fiscal),
        GrainWord::Day
        | GrainWord::Week
        | GrainWord::Fortnight
        | GrainWord::Month
        | GrainWord::Quarter
        | GrainWord::Half
        | GrainWord::Year
        | GrainWord::Weekend => (grain, kind),
    }
}
