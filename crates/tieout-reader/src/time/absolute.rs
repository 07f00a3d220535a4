//! Expressions that name days by the calendar: `3 March 2026`, `September`, `Q3 2026`, `FY2026`, `the first week of May`.
//!
//! Deliberately absent: dates in digits (`numeric`), and expressions that count from today (`relative`).

use super::{
    lexicon::{Cue, GrainForm, GrainWord},
    numeric::in_full,
    parser::{Parsed, Parser},
    unit::{Direction, Edge, Fit, Kind, Place, Unit, Year},
};

/// The greatest number that is a day of some month.
const DAY_MAX: i64 = 31;

impl Parser<'_> {
    /// `3 March 2026`, `Tuesday, the 3rd of March`, `March 3rd, 2026`, `March 1-7`.
    pub(super) fn day_and_month(&self, at: usize) -> Parsed<Unit> {
        let (weekday, start) = match self.any_weekday(at) {
            Some((weekday, end)) => (Some(weekday), self.skip(Cue::The, self.skip(Cue::Comma, end))),
            None => (None, at),
        };
        let (mut unit, end) = self.day_run(start, Cue::To)?;
        match (&mut unit, weekday) {
            (_, None) => {}
            (Unit::Day { weekday: said, .. }, Some(_)) => *said = weekday,
            (Unit::DayOrYear { month, day }, Some(_)) => {
                unit = Unit::Day { year: None, month: *month, day: *day, weekday };
            }
            (_, Some(_)) => return None,
        }
        Some((unit, end))
    }

    /// A day or a run of days of one month; the word between its first and last day is the caller's, since `and` makes a
    /// run only behind `between`.
    pub(super) fn day_run(&self, at: usize, joint: Cue) -> Parsed<Unit> {
        self.day_first(at, joint).or_else(|| self.month_first(at, joint))
    }

    /// A day's number: `3`, `3rd`; in words only before `of` (`third of March`).
    fn day_number(&self, at: usize) -> Parsed<i64> {
        if let Some((day, end)) = self.ordinal(at) {
            let in_digits = self.atoms.get(at)?.is_digits();
            return (day <= DAY_MAX && (in_digits || self.cue(Cue::Of, end).is_some())).then_some((day, end));
        }
        let atom = self.atoms.get(at).filter(|atom| atom.text.len() <= 2)?;
        let free = match self.glued(at + 1) {
            Some("," | ".") => self.ends_number(at + 1),
            Some("%" | "$" | "€" | "£" | "/") => false,
            Some(_) | None => true,
        };
        Some((atom.number()?, at + 1)).filter(|(day, _)| free && *day <= DAY_MAX)
    }

    fn day_first(&self, at: usize, joint: Cue) -> Parsed<Unit> {
        let (first, after_first) = self.day_number(at)?;
        let range =
            self.cue(joint, after_first).and_then(|place| self.day_number(self.skip(Cue::The, place)));
        let (last, end) = match range {
            Some((last, end)) => (Some(last), end),
            None => (None, after_first),
        };
        let end = match self.glued(end) {
            Some("-") => end + 1,
            _ => self.skip(Cue::Of, end),
        };
        let (month, end) = self.month_word(end)?;
        let (year, end) = self.year_after(end);
        let unit = match last {
            Some(last) => Unit::DayRange { year, month, first, last },
            None => Unit::Day { year, month, day: first, weekday: None },
        };
        Some((unit, end))
    }

    fn month_first(&self, at: usize, joint: Cue) -> Parsed<Unit> {
        let (month, after_month) = self.month_word(at)?;
        let glued = matches!(self.glued(after_month), Some("-" | "/"));
        let start = if glued { after_month + 1 } else { self.skip(Cue::The, after_month) };
        let suffixed = self.ordinal(start).is_some();
        let (first, after_first) = self.day_number(start)?;
        let range =
            self.cue(joint, after_first).and_then(|place| self.day_number(self.skip(Cue::The, place)));
        // In `March 1 to 7 April` the second number belongs to the second month.
        let range = range.filter(|(_, end)| self.month_word(self.skip(Cue::Of, *end)).is_none());
        if let Some((last, end)) = range {
            let (year, end) = self.year_after(end);
            return Some((Unit::DayRange { year, month, first, last }, end));
        }
        // In `March 1 April …` it is not this month's day.
        if self.month_word(after_first).is_some() && !suffixed {
            return None;
        }
        let (year, end) = self.year_after(after_first);
        if year.is_none() && !suffixed && self.atoms.get(start)?.text.len() == 2 {
            return Some((Unit::DayOrYear { month, day: first }, end));
        }
        Some((Unit::Day { year, month, day: first, weekday: None }, end))
    }

    fn year_after(&self, at: usize) -> (Option<Year>, usize) {
        match self.year_tail(at) {
            Some((year, end)) => (Some(year), end),
            None => (None, at),
        }
    }

    /// `September`, `September 2026`, `the month of September`, `2026 September`.
    pub(super) fn month(&self, at: usize) -> Parsed<Unit> {
        if let Some((year, place)) = self.year_digits(at)
            && let Some((month, end)) =
                self.month_word(if self.glued(place) == Some("-") { place + 1 } else { place })
        {
            return Some((Unit::Month { year: Some(Year::Stated(year)), month: month.into() }, end));
        }
        let named = self.cue(Cue::MonthOf, at);
        let (month, after) = self.month_word(named.unwrap_or(at))?;
        let (year, end) = self.year_after(after);
        let doubtful =
            self.text(at).is_some_and(|text| self.words.also_other_words.iter().any(|w| w == text));
        let verb = self.text(end).is_some_and(|text| self.words.not_a_month_before.iter().any(|w| w == text));
        if doubtful && year.is_none() && verb {
            return None;
        }
        Some((Unit::Month { year, month: month.into() }, end))
    }

    /// The fiscal year's word or letters: `fiscal`, `financial`, `fy`.
    fn fiscal(&self, at: usize) -> Option<usize> {
        let letters = |text: &str| self.words.fiscal_letters.iter().any(|l| l == text);
        self.cue(Cue::Fiscal, at).or_else(|| self.text(at).filter(|text| letters(text)).map(|_| at + 1))
    }

    /// `2026` (a bare one from 1900 to 2100), `the year 2026`, `FY2026`, `fiscal year 2026`, `FY26`.
    pub(super) fn year(&self, at: usize) -> Parsed<Unit> {
        if let Some(place) = self.fiscal(at) {
            let place = self
                .grain(&[GrainForm::One], place)
                .filter(|(g, _)| *g == GrainWord::Year)
                .map_or(place, |(_, e)| e);
            let (year, end) = self.fiscal_year_digits(place)?;
            return Some((Unit::Year { year, kind: Kind::Fiscal }, end));
        }
        if let Some(place) = self.cue(Cue::YearOf, at) {
            let (year, end) = self.year_digits(place)?;
            return Some((Unit::Year { year, kind: Kind::Calendar }, end));
        }
        if let Some(found) = self.week_of_year(at) {
            return Some(found);
        }
        let (year, end) = self.year_digits(at)?;
        let apart = !self.atoms.get(at)?.glued || self.atoms.get(at)?.opens;
        let counted = (1..=3).any(|back| {
            at.checked_sub(back).is_some_and(|place| self.cue(Cue::NumberInFront, place) == Some(at))
        });
        let bare = apart && !counted && self.atoms.get(at)?.is_digits() && (1900..=2100).contains(&year);
        bare.then_some((Unit::Year { year, kind: Kind::Calendar }, end))
    }

    /// `week 36 of 2026`; without a year it may be any.
    fn week_of_year(&self, at: usize) -> Parsed<Unit> {
        let (grain, place) = self.grain(&[GrainForm::One], at)?;
        let week = self.atoms.get(place).filter(|atom| atom.text.len() <= 2)?.number()?;
        let (Year::Stated(year), end) = self.year_tail(place + 1)? else { return None };
        (grain == GrainWord::Week).then_some((Unit::IsoWeek { year, week }, end))
    }

    /// The digits of a fiscal year, which may be two without an apostrophe (`FY26`).
    fn fiscal_year_digits(&self, at: usize) -> Parsed<i64> {
        if let Some(found) = self.year_digits(at) {
            return Some(found);
        }
        let at = if self.glued(at) == Some("-") { at + 1 } else { at };
        let atom = self.atoms.get(at).filter(|atom| matches!(atom.text.len(), 2 | 4))?;
        let number = in_full(atom.number()?, atom.text.len());
        // `FY26Q1` goes on with the quarter's letter.
        let goes_on = self.glued(at + 1).is_some_and(|text| self.letter(text).is_some());
        (goes_on || self.ends_number(at + 1)).then_some((number, at + 1))
    }

    fn letter(&self, text: &str) -> Option<GrainWord> {
        let is = |letters: &[String]| letters.iter().any(|l| l == text);
        if is(&self.words.quarter_letters) {
            Some(GrainWord::Quarter)
        } else if is(&self.words.half_letters) {
            Some(GrainWord::Half)
        } else {
            None
        }
    }

    /// `Q3`, `quarter 3`, `third quarter`, `first half`; with a letter or words, without a year.
    fn numbered(&self, at: usize) -> Parsed<(GrainWord, i64, Kind)> {
        let (fiscal, at) = self.fiscal(at).map_or((Kind::Calendar, at), |end| (Kind::Fiscal, end));
        if let Some((number, place)) = self.ordinal(at) {
            let (kind, place) = self.fiscal(place).map_or((fiscal, place), |end| (Kind::Fiscal, end));
            let place = self.skip(Cue::Calendar, place);
            let (grain, end) = self.grain(&[GrainForm::One], place)?;
            return matches!(grain, GrainWord::Quarter | GrainWord::Half)
                .then_some(((grain, number, kind), end));
        }
        let (grain, place) = match self.grain(&[GrainForm::One], at) {
            Some((GrainWord::Quarter, end)) => (GrainWord::Quarter, end),
            _ => (self.letter(self.text(at)?)?, at + 1),
        };
        let atom = self.atoms.get(place).filter(|atom| atom.text.len() == 1)?;
        let number = atom.number()?;
        // A letter's digit is glued to it (`q3`); `q 3` is too loose to be one.
        if self.grain(&[GrainForm::One], at).is_none() && !atom.glued {
            return None;
        }
        Some(((grain, number, fiscal), place + 1))
            .filter(|_| self.ends_number(place + 1) || self.glued(place + 1) == Some("/"))
    }

    /// `Q3 2026`, `2026 Q3`, `fiscal Q1`, `FY26 Q1`, `Q1 FY2026`, `third quarter of 2026`, `H1`, `first half of 2026`.
    pub(super) fn quarter_or_half(&self, at: usize) -> Parsed<Unit> {
        if let Some((Unit::Year { year, kind }, place)) = self.year(at) {
            let place = if self.glued(place) == Some("-") { place + 1 } else { place };
            let ((grain, number, own), end) = self.numbered(place)?;
            let kind = if own == Kind::Fiscal { own } else { kind };
            return Some((numbered_unit(grain, number, kind, Some(Year::Stated(year))), end));
        }
        let ((grain, number, kind), end) = self.numbered(at)?;
        let after = self.skip(Cue::The, self.skip(Cue::Of, self.skip(Cue::Comma, end)));
        let after = if matches!(self.glued(after), Some("-" | "/")) { after + 1 } else { after };
        if self.fiscal(after).is_some()
            && let Some((Unit::Year { year, kind }, end)) = self.year(after)
        {
            return Some((numbered_unit(grain, number, kind, Some(Year::Stated(year))), end));
        }
        let (year, end) = self.year_after(end);
        // `first half` alone may be half of anything.
        let vague = grain == GrainWord::Half && year.is_none() && self.ordinal(at).is_some();
        // A fifth quarter without a year is rather a name.
        let real = year.is_some() || number <= if grain == GrainWord::Quarter { 4 } else { 2 };
        (!vague && real).then_some((numbered_unit(grain, number, kind, year), end))
    }

    /// What something may be a part of: a unit, or `the month`, `the year`.
    pub(super) fn whole(&self, at: usize, depth: u8) -> Parsed<Unit> {
        let at = self.skip(Cue::The, at);
        if let Some(found) = self.unit_at_depth(at, depth + 1) {
            return Some(found);
        }
        let (kind, place) = self.fiscal(at).map_or((Kind::Calendar, at), |end| (Kind::Fiscal, end));
        let (grain, end) = self.grain(&[GrainForm::One], place)?;
        let real = matches!(grain, GrainWord::Week | GrainWord::Month | GrainWord::Quarter | GrainWord::Year);
        real.then_some((Unit::Current { grain, kind }, end))
    }

    /// `the first week of May`, `last 10 days of September`, `the last Friday of May`, `first full week of May`.
    pub(super) fn part(&self, at: usize, depth: u8) -> Parsed<Unit> {
        let at = self.skip(Cue::The, at);
        let (place, mut end) = match self.ordinal(at) {
            Some((number, end)) => (Place::Nth(number), end),
            None => (Place::Last, self.cue(Cue::OrdinalLast, at)?),
        };
        if let Some((weekday, after)) = self.any_weekday(end) {
            let (of, end) = self.whole(self.cue(Cue::Of, after)?, depth)?;
            return Some((Unit::NthWeekday { place, weekday, of: Box::new(of) }, end));
        }
        let mut fit = Fit::FromEdge;
        if let Some(after) = self.cue(Cue::Complete, end).or_else(|| self.cue(Cue::Calendar, end)) {
            (fit, end) = (Fit::WholeUnits, after);
        }
        let (count, after) = self.number(end).unwrap_or((1, end));
        let (grain, after) = self.grain(&[GrainForm::One, GrainForm::Many], after)?;
        if grain == GrainWord::Weekend || (count != 1 && matches!(place, Place::Nth(2..))) {
            return None;
        }
        let (of, end) = self.whole(self.cue(Cue::Of, after)?, depth)?;
        let unit = match (&of, place, grain) {
            (Unit::Year { year, kind }, _, GrainWord::Quarter | GrainWord::Half) if count == 1 => {
                let parts = if grain == GrainWord::Quarter { 4 } else { 2 };
                let number = if let Place::Nth(number) = place { number } else { parts };
                numbered_unit(grain, number, *kind, Some(Year::Stated(*year)))
            }
            _ => Unit::Part { place, count, grain, fit, of: Box::new(of) },
        };
        Some((unit, end))
    }

    /// `the end of September`, `the start of last month`.
    pub(super) fn edge(&self, at: usize, depth: u8) -> Parsed<Unit> {
        let place = self.skip(Cue::The, at);
        for (cue, edge) in [(Cue::EndOf, Edge::End), (Cue::StartOf, Edge::Start)] {
            if let Some(end) = self.cue(cue, at).or_else(|| self.cue(cue, place)) {
                let (of, end) = self.whole(end, depth)?;
                return Some((Unit::Edge { edge, of: Box::new(of) }, end));
            }
        }
        None
    }

    /// `the week of 7 September`.
    pub(super) fn around(&self, at: usize, depth: u8) -> Parsed<Unit> {
        let place = self.cue(Cue::WeekOf, self.skip(Cue::The, at))?;
        let (day, end) = self.unit_at_depth(self.skip(Cue::The, place), depth + 1)?;
        day.is_day().then(|| (Unit::Around { grain: GrainWord::Week, day: Box::new(day) }, end))
    }

    /// `the month before September`, `the 30 days before 2026-10-07`, `12 months to September`, `the year ended 30 June`.
    pub(super) fn beside(&self, at: usize, depth: u8) -> Parsed<Unit> {
        let start = self.skip(Cue::The, at);
        let number = self.number(start);
        let (counted, (count, place)) = (number.is_some(), number.unwrap_or((1, start)));
        let (grain, place) = self.grain(&[GrainForm::One, GrainForm::Many], place)?;
        let ending = self.cue(Cue::Ending, place).or_else(|| self.cue(Cue::To, place).filter(|_| counted));
        if let Some(place) = ending {
            let (of, end) = self.unit_at_depth(self.skip(Cue::The, place), depth + 1)?;
            return Some((Unit::Ending { count, grain, of: Box::new(of) }, end));
        }
        let (direction, place) = match self.any_cue(&[Cue::Before, Cue::After], place)? {
            (Cue::Before, end) => (Direction::Back, end),
            (_, end) => (Direction::Ahead, end),
        };
        let (of, end) = self.unit_at_depth(self.skip(Cue::The, place), depth + 1)?;
        Some((Unit::Beside { count, grain, direction, of: Box::new(of) }, end))
    }
}

fn numbered_unit(grain: GrainWord, number: i64, kind: Kind, year: Option<Year>) -> Unit {
    if grain == GrainWord::Half {
        Unit::Half { year, number, kind }
    } else {
        Unit::Quarter { year, number, kind }
    }
}
