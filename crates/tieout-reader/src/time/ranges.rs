//! What two units, or one and an edge, make together: `from … to …`, `between … and …`, `since …`, `before …`.
//!
//! The last unit is inside, whether it is a day, a month, a quarter or a year; only `before` leaves it out. A year that
//! was said with the second unit holds for the first as well. Deliberately absent: `by`, which says no period.

use jiff::civil::Date;
use tieout_core::time::OPEN_START;

use super::{
    lexicon::Cue,
    parser::{Parsed, Parser},
    resolve::{Context, Fault, Found, Near, Outcome, plus_days, too_large},
    say::dates,
    unit::{Unit, Which, Year},
};

/// The place where a range begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Range {
    /// `from A to B`, both inside.
    Both { from: Unit, to: Unit, from_side: Side, to_side: Side },
    /// `since A`.
    Since(Unit),
    /// `after A`.
    After(Unit),
    /// `until B`.
    Until(Unit),
    /// `before B`.
    Before(Unit),
    /// `from A` alone: since then for a day, and that unit otherwise.
    From(Unit),
    /// `as of A`.
    AsOf(Unit),
}

/// Whether a bound is inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// It is.
    Inside,
    /// It is not.
    Outside,
}

/// A look-up of the unit that starts at a place, already parsed.
pub(super) trait Units {
    /// The unit at a place and the place behind it.
    fn unit_at(&self, at: usize) -> Parsed<Unit>;
}

impl Parser<'_> {
    /// A range that a word opens at a place.
    pub(super) fn range(&self, units: &impl Units, at: usize) -> Parsed<Range> {
        if let Some(place) = self.cue(Cue::Between, at) {
            return self.between(units, self.skip(Cue::The, place));
        }
        let cues = [Cue::AsOf, Cue::Since, Cue::From, Cue::Until, Cue::Before, Cue::After];
        cues.iter()
            .filter_map(|cue| self.opened(units, *cue, at))
            .reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    fn unit_behind(&self, units: &impl Units, at: usize) -> Parsed<Unit> {
        units.unit_at(at).or_else(|| units.unit_at(self.cue(Cue::The, at)?))
    }

    fn between(&self, units: &impl Units, at: usize) -> Parsed<Range> {
        if let Some((run @ Unit::DayRange { .. }, end)) = self.day_run(at, Cue::And) {
            return Some((Range::From(run), end));
        }
        let (from, place) = self.unit_behind(units, at)?;
        let place = self.cue(Cue::And, place).or_else(|| self.cue(Cue::To, place))?;
        let (to, end) = self.unit_behind(units, place)?;
        Some((Range::Both { from, to, from_side: Side::Inside, to_side: Side::Inside }, end))
    }

    fn opened(&self, units: &impl Units, cue: Cue, at: usize) -> Parsed<Range> {
        let place = self.cue(cue, at)?;
        let (unit, end) = self.unit_behind(units, place)?;
        match cue {
            Cue::AsOf => Some((Range::AsOf(unit), end)),
            Cue::Until => Some((Range::Until(unit), end)),
            Cue::Before => self.closed_before(units, &unit, end).or(Some((Range::Before(unit), end))),
            _ => {
                let from_side = if cue == Cue::After { Side::Outside } else { Side::Inside };
                if let Some((to_side, to, end)) = self.upper(units, end, cue) {
                    return Some((Range::Both { from: unit, to, from_side, to_side }, end));
                }
                Some(match (cue, self.cue(Cue::Onwards, end)) {
                    (Cue::From | Cue::Since, Some(end)) => (Range::Since(unit), end),
                    (Cue::From, None) => (Range::From(unit), end),
                    (Cue::After, _) => (Range::After(unit), end),
                    (_, _) => (Range::Since(unit), end),
                })
            }
        }
    }

    /// The upper bound behind a lower one: `to B`, `until B`, `and before B`.
    fn upper(&self, units: &impl Units, at: usize, cue: Cue) -> Option<(Side, Unit, usize)> {
        let place = self.skip(Cue::And, self.skip(Cue::Comma, at));
        for (upper, side) in
            [(Cue::ToExcluding, Side::Outside), (Cue::To, Side::Inside), (Cue::Until, Side::Inside)]
        {
            // `since March - April` is no range: a dash closes only what `from` opens.
            let dash = matches!(self.text(place), Some("-" | "–" | "—")) && cue != Cue::From;
            if let Some(behind) = self.cue(upper, place).filter(|_| !dash)
                && let Some((unit, end)) = self.unit_behind(units, behind)
            {
                return Some((side, unit, end));
            }
        }
        None
    }

    /// `before B and after A`.
    fn closed_before(&self, units: &impl Units, to: &Unit, at: usize) -> Parsed<Range> {
        let place = self.skip(Cue::And, at);
        let (cue, place) = self.any_cue(&[Cue::After, Cue::Since], place)?;
        let (from, end) = self.unit_behind(units, place)?;
        let from_side = if cue == Cue::After { Side::Outside } else { Side::Inside };
        Some((Range::Both { from, to: to.clone(), from_side, to_side: Side::Outside }, end))
    }

    /// A range that no word opens: `September to October 2026`, given the unit it starts with.
    pub(super) fn bare_range(&self, units: &impl Units, from: &Unit, at: usize) -> Parsed<Range> {
        let place = match self.cue(Cue::To, at) {
            Some(place) => place,
            // `Jan-Mar 2026`, whose hyphen was dropped.
            None => self.atoms.get(at).filter(|atom| atom.near && !atom.glued).map(|_| at)?,
        };
        let (to, end) = self.unit_behind(units, place)?;
        let dropped = place == at;
        let alike = matches!(
            (from, &to),
            (Unit::Month { year: None, .. }, Unit::Month { .. })
                | (Unit::Quarter { year: None, .. }, Unit::Quarter { .. })
        );
        if dropped && !alike {
            return None;
        }
        let sides = (Side::Inside, Side::Inside);
        Some((Range::Both { from: from.clone(), to, from_side: sides.0, to_side: sides.1 }, end))
    }
}

impl Context<'_> {
    /// The days of a range.
    pub(super) fn range(&self, range: &Range) -> Outcome {
        match range {
            Range::Both { from, to, from_side, to_side } => self.both(from, to, *from_side, *to_side),
            Range::Since(unit) => {
                let from = self.resolve(unit)?;
                let other = self.year_before(unit, &from).map(|other| format!("since {}", other.start));
                Ok(self.up_to_today(from.start, format!("since {}", from.start))?.or(other))
            }
            Range::After(unit) => {
                let from = self.resolve(unit)?;
                let other = self.year_before(unit, &from).map(|other| format!("after {}", other.label));
                Ok(self.up_to_today(from.end, format!("after {}", from.label))?.or(other))
            }
            Range::Until(unit) => {
                let to = self.resolve(unit)?;
                let last = plus_days(to.end, -1)?;
                let other = format!("before {}", to.start);
                let year = self.year_before(unit, &to).and_then(|other| plus_days(other.end, -1).ok());
                let year = year.map(|last| format!("up to and including {last}"));
                Ok(self.open(to.end, format!("up to and including {last}"))?.or([other]).or(year))
            }
            Range::Before(unit) => {
                let to = self.resolve(unit)?;
                let year = self.year_before(unit, &to).map(|other| format!("before {}", other.start));
                Ok(self.open(to.start, format!("before {}", to.start))?.or(year))
            }
            Range::From(unit) => self.lone_from(unit),
            Range::AsOf(unit) => {
                let found = self.resolve(unit)?;
                // What is not over is taken as of today.
                let tomorrow = plus_days(self.today, 1)?;
                let end = if found.start < tomorrow { found.end.min(tomorrow) } else { found.end };
                let day = plus_days(end, -1)?;
                Found::named(day, end, format!("as of {day}"), true)
            }
        }
    }

    fn open(&self, end: Date, name: String) -> Outcome {
        if end <= OPEN_START { Err(too_large()) } else { Found::named(OPEN_START, end, name, true) }
    }

    /// The same unit a year earlier, when it was said without a year.
    fn year_before(&self, unit: &Unit, found: &Found) -> Option<Found> {
        if !unit.lacks_year() {
            return None;
        }
        self.near(unit, Near::OnOrBefore(plus_days(found.start, -1).ok()?)).ok().map(|(found, _)| found)
    }

    fn up_to_today(&self, start: Date, name: String) -> Outcome {
        let end = plus_days(self.today, 1)?;
        if start >= end {
            let reason =
                format!("the start, {start}, comes after today, {}, so the period holds no day", self.today);
            return Err(Fault::Empty(reason, Vec::new()));
        }
        let found = Found::named(start, end, name, false)?;
        Ok(Found {
            words: format!("{}, up to and including today ({})", found.label, dates(start, end)),
            ..found
        })
    }

    fn lone_from(&self, unit: &Unit) -> Outcome {
        let found = self.resolve(unit)?;
        if matches!(unit, Unit::DayRange { .. }) {
            return Ok(found);
        }
        let dated = matches!(unit, Unit::Day { .. } | Unit::DayOrYear { .. } | Unit::Digits { .. });
        let since = self.range(&Range::Since(unit.clone()));
        match since {
            Ok(since) if dated => Ok(since.or([found.words])),
            Ok(since) => Ok(found.or([since.words])),
            Err(fault) if dated => Err(fault),
            Err(_) => Ok(found),
        }
    }

    fn both(&self, from: &Unit, to: &Unit, from_side: Side, to_side: Side) -> Outcome {
        let (a, b) = self.pair(from, to)?;
        let start = if from_side == Side::Inside { a.start } else { a.end };
        let end = if to_side == Side::Inside { b.end } else { b.start };
        if start >= end {
            let last = plus_days(b.end, -1)?;
            let last = if to_side == Side::Inside { last } else { plus_days(b.start, -1)? };
            let reason =
                format!("the start, {start}, comes after the end, {last}, so the period holds no day");
            return Err(Fault::Empty(reason, self.turned(from, to)));
        }
        let whole = from_side == Side::Inside && to_side == Side::Inside && !from.is_day() && !to.is_day();
        let name = if whole { format!("{} to {}", a.label, b.label) } else { dates(start, end) };
        Found::named(start, end, name, !whole).map(|found| found.or(self.pair_alternatives(from, to)))
    }

    /// Both ends, each with the year that the other one gives it.
    fn pair(&self, from: &Unit, to: &Unit) -> Result<(Found, Found), Fault> {
        let floats =
            |unit: &Unit| unit.lacks_year() || matches!(unit, Unit::Weekday { which: Which::Plain, .. });
        match (floats(from), floats(to)) {
            (false, false) => Ok((self.days(from)?, self.days(to)?)),
            (false, true) => {
                let a = self.days(from)?;
                let b = self.floating(to, Near::OnOrAfter(a.start))?;
                Ok((a, b))
            }
            (true, false) => {
                let b = self.days(to)?;
                let stated = to.year().or(if let Unit::Year { year, .. } = to {
                    Some(Year::Stated(*year))
                } else {
                    None
                });
                let a = match stated.and_then(|year| from.with_year(year)) {
                    Some(dated) => self.days(&dated)?,
                    None => self.floating(from, Near::OnOrBefore(b.start))?,
                };
                Ok((a, b))
            }
            (true, true) => {
                let b = self.resolve(to)?;
                let a = self.floating(from, Near::OnOrBefore(b.start));
                let Ok(a) = a else { return Ok((a?, b)) };
                // Two days of one month in the wrong order are a slip, not a year.
                let same = from
                    .with_year(Year::Stated(b.start.year().into()))
                    .and_then(|unit| self.days(&unit).ok());
                let slip = same.filter(|same| {
                    same.start > b.start
                        && same.start.first_of_month() == b.start.first_of_month()
                        && from.is_day()
                });
                Ok((slip.unwrap_or(a), b))
            }
        }
    }

    fn floating(&self, unit: &Unit, near: Near) -> Outcome {
        if let Unit::Weekday { weekday, .. } = unit {
            let wanted = jiff::civil::Weekday::from_monday_one_offset(*weekday).map_err(|_| too_large())?;
            let day = match near {
                Near::OnOrBefore(day) => plus_days(day, -i64::from(day.weekday().since(wanted)))?,
                Near::OnOrAfter(day) => plus_days(day, i64::from(wanted.since(day.weekday())))?,
            };
            return Found::named(day, plus_days(day, 1)?, day.to_string(), true);
        }
        Ok(self.near(unit, near)?.0)
    }

    /// The reading of a pair in the wrong order that its asker may have meant: the first a year earlier.
    fn turned(&self, from: &Unit, to: &Unit) -> Vec<String> {
        let Ok(b) = self.resolve(to) else { return Vec::new() };
        match self.floating(from, Near::OnOrBefore(b.start)) {
            Ok(a) if from.lacks_year() => vec![dates(a.start, b.end)],
            Ok(_) | Err(_) => Vec::new(),
        }
    }

    /// A pair without any year may have meant the year before.
    fn pair_alternatives(&self, from: &Unit, to: &Unit) -> Vec<String> {
        if !from.lacks_year() || !to.lacks_year() {
            return Vec::new();
        }
        let Ok((a, b)) = self.pair(from, to) else { return Vec::new() };
        match (self.year_before(from, &a), self.year_before(to, &b)) {
            (Some(a), Some(b)) if a.start < b.end => vec![dates(a.start, b.end)],
            (_, _) => Vec::new(),
        }
    }
}
