//! Units that name days by the calendar, resolved to days.
//!
//! Deliberately absent: units that count from today (`counting`), and what two units make together (`ranges`).

use jiff::{
    Span,
    civil::{Date, Weekday},
};
use tieout_core::time::{Calendar, Grain, OPEN_START};

use super::{
    lexicon::{GrainWord, Lexicon},
    say::{dates, place_name},
    unit::{DayOrder, Kind, Place, Unit, Year},
};

/// How many years back or ahead are tried to find a date that was said without one: enough to meet every 29 February.
const YEARS_TRIED_MAX: i64 = 9;

/// What an expression is resolved against.
#[derive(Clone, Copy)]
pub(super) struct Context<'c> {
    pub calendar: &'c Calendar,
    pub today: Date,
    pub words: &'c Lexicon,
}

/// Days that were found.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    /// The first.
    pub start: Date,
    /// The one after the last.
    pub end: Date,
    /// A short name: `September 2026`.
    pub label: String,
    /// The full reading.
    pub words: String,
    /// Other readings.
    pub alternatives: Vec<String>,
}

/// Why there are no days.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// There is no such day, or none between start and end.
    Empty(String, Vec<String>),
    /// Outside the years that can be counted.
    TooLarge(String),
}

pub(super) type Outcome = Result<Found, Fault>;

/// Where a date that was said without a year is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Near {
    /// The last one that starts on or before the day.
    OnOrBefore(Date),
    /// The first one that starts on or after the day.
    OnOrAfter(Date),
}

pub(super) fn empty(reason: impl Into<String>) -> Fault {
    Fault::Empty(reason.into(), Vec::new())
}

/// The fault of leaving the years that can be counted.
pub(super) fn too_large() -> Fault {
    Fault::TooLarge("days are counted from the year 0001 to the year 9998, and this lies outside".to_owned())
}

/// A day some days later, or earlier.
pub(super) fn plus_days(day: Date, days: i64) -> Result<Date, Fault> {
    let span = Span::new().try_days(days).map_err(|_| too_large())?;
    day.checked_add(span).map_err(|_| too_large())
}

/// A day some months later, or earlier; the last of the month where the month is too short.
pub(super) fn plus_months(day: Date, months: i64) -> Result<Date, Fault> {
    let span = Span::new().try_months(months).map_err(|_| too_large())?;
    day.checked_add(span).map_err(|_| too_large())
}

impl Found {
    /// Days with a name; the dates are added where the name does not tell them.
    pub fn named(start: Date, end: Date, name: String, tells: bool) -> Result<Self, Fault> {
        if start < OPEN_START {
            return Err(too_large());
        }
        let words = if tells { name.clone() } else { format!("{name} ({})", dates(start, end)) };
        Ok(Self { start, end, label: name, words, alternatives: Vec::new() })
    }

    /// The same days with other readings named.
    pub fn or(mut self, alternatives: impl IntoIterator<Item = String>) -> Self {
        self.alternatives.extend(alternatives);
        self
    }
}

impl<'c> Context<'c> {
    /// The days of a unit. One without a year is the last that has begun; the nearest other one is named.
    pub fn resolve(&self, unit: &Unit) -> Outcome {
        if unit.lacks_year() { self.latest(unit) } else { self.days(unit) }
    }

    fn latest(&self, unit: &Unit) -> Outcome {
        let (found, year) = self.near(unit, Near::OnOrBefore(self.today))?;
        let this_year = i64::from(found.start.year()) == i64::from(self.today.year());
        let other = if this_year { year - 1 } else { year + 1 };
        let mut alternatives: Vec<String> = Vec::new();
        if let Unit::DayOrYear { month, day } = unit
            && (2_000 + day - i64::from(self.today.year())).abs() <= 10
        {
            let month = Unit::Month { year: Some(Year::Stated(2_000 + day)), month: (*month).into() };
            alternatives.extend(self.days(&month).ok().map(|found| found.words));
        }
        let other = unit.with_year(Year::Stated(other)).and_then(|unit| self.days(&unit).ok());
        alternatives.extend(other.map(|found| found.words));
        alternatives.extend(found.alternatives.clone());
        Ok(Found { alternatives, ..found })
    }

    /// A unit without a year in the year that lies nearest, and that year.
    pub fn near(&self, unit: &Unit, near: Near) -> Result<(Found, i64), Fault> {
        let (base, step) = match near {
            Near::OnOrBefore(day) => (day, -1),
            Near::OnOrAfter(day) => (day, 1),
        };
        let mut fault = None;
        for i in 0..YEARS_TRIED_MAX {
            let year = i64::from(base.year()) - step + i * step;
            let Some(dated) = unit.with_year(Year::Stated(year)) else { return Err(too_large()) };
            match self.undoubted(&dated) {
                Ok(found) if (step < 0 && found.start <= base) || (step > 0 && found.start >= base) => {
                    return self.days(&dated).map(|found| (found, year));
                }
                Ok(_) => {}
                Err(other) => fault = fault.or(Some(other)),
            }
        }
        Err(fault.unwrap_or_else(too_large))
    }

    /// The days of a unit that needs no year, and a check of the weekday that was said with it.
    pub fn days(&self, unit: &Unit) -> Outcome {
        let found = self.undoubted(unit)?;
        if let Unit::Day { weekday: Some(said), .. } = unit {
            let is = found.start.weekday().to_monday_one_offset();
            if is != *said {
                let (is, said) = (self.weekday_word(is), self.weekday_word(*said));
                return Err(empty(format!("{} is a {is}, not a {said}", found.start)));
            }
        }
        Ok(found)
    }

    fn undoubted(&self, unit: &Unit) -> Outcome {
        match unit {
            Unit::Day { year, month, day, .. } => {
                let date = self.date(self.year(*year)?, (*month).into(), *day)?;
                self.unit_found(Grain::Day, date)
            }
            Unit::DayRange { year, month, first, last } => self.day_range(*year, *month, *first, *last),
            Unit::Digits { year, month, day, order } => self.digits(*year, *month, *day, *order),
            Unit::Month { year, month } => {
                self.unit_found(Grain::Month, self.date(self.year(*year)?, *month, 1)?)
            }
            Unit::Quarter { year, number, kind } => self.quarter(self.year(*year)?, *number, *kind),
            Unit::Half { year, number, kind } => self.half(self.year(*year)?, *number, *kind),
            Unit::Year { year, kind } => self.named_year(*year, *kind),
            Unit::IsoWeek { year, week } => self.iso_week(*year, *week),
            Unit::Around { day, .. } => self.unit_found(Grain::Week, self.resolve(day)?.start),
            Unit::Part { place, count, grain, fit, of } => {
                let whole = self.resolve(&entire(of))?;
                self.part(*place, *count, *grain, *fit, &whole, fiscal(of))
            }
            Unit::NthWeekday { place, weekday, of } => {
                self.nth_weekday(*place, *weekday, &self.resolve(&entire(of))?)
            }
            Unit::Edge { edge, of } => self.edge(*edge, &self.resolve(&entire(of))?),
            Unit::Beside { count, grain, direction, of } => {
                self.beside(*count, *grain, *direction, &self.resolve(of)?)
            }
            Unit::Ending { count, grain, of } => self.ending(*count, *grain, &self.resolve(of)?),
            Unit::Clipped(of) => self.clipped(&self.resolve(of)?),
            Unit::DayOrYear { .. }
            | Unit::NamedMonth { .. }
            | Unit::FromToday(_)
            | Unit::Whole { .. }
            | Unit::SoFar { .. }
            | Unit::Current { .. }
            | Unit::Run { .. }
            | Unit::Ago { .. }
            | Unit::Weekday { .. }
            | Unit::Weekend { .. }
            | Unit::TooFine => self.counted_days(unit),
        }
    }

    /// A year as a number.
    pub fn year(&self, year: Option<Year>) -> Result<i64, Fault> {
        match year {
            Some(Year::Stated(year)) => Ok(year),
            Some(Year::FromNow(steps)) => Ok(i64::from(self.today.year()) + steps),
            None => Err(too_large()),
        }
    }

    /// A date, or why there is none.
    pub fn date(&self, year: i64, month: i64, day: i64) -> Result<Date, Fault> {
        let Some(year) = i16::try_from(year).ok().filter(|y| (1..=9_998).contains(y)) else {
            return Err(too_large());
        };
        let Some(first) = i8::try_from(month).ok().and_then(|month| Date::new(year, month, 1).ok()) else {
            return Err(empty(format!("a year has 12 months, so there is no month {month}")));
        };
        i8::try_from(day).ok().and_then(|day| Date::new(year, first.month(), day).ok()).ok_or_else(|| {
            let (name, days) = (self.month_name(first), first.days_in_month());
            empty(format!("{name} has {days} days, so there is no {day} {name}"))
        })
    }

    /// The calendar unit that holds a day, with its name.
    pub fn unit_found(&self, grain: Grain, day: Date) -> Outcome {
        let unit = self.calendar.unit(grain, day).ok_or_else(too_large)?;
        let (name, tells) = self.unit_name(grain, unit.start());
        Found::named(unit.start(), unit.end_exclusive(), name, tells)
    }

    fn day_range(&self, year: Option<Year>, month: i8, first: i64, last: i64) -> Outcome {
        let year = self.year(year)?;
        let (first, last) = (self.date(year, month.into(), first)?, self.date(year, month.into(), last)?);
        if first > last {
            return Err(empty(format!("the first day, {first}, comes after the last day, {last}")));
        }
        let end = plus_days(last, 1)?;
        Found::named(first, end, dates(first, end), true)
    }

    fn digits(&self, year: i64, month: i64, day: i64, order: DayOrder) -> Outcome {
        let found = self.unit_found(Grain::Day, self.date(year, month, day)?)?;
        let (order, other) = match order {
            DayOrder::Certain => return Ok(found),
            DayOrder::MonthFirst => ("the month first", "the day first"),
            DayOrder::DayFirst => ("the day first", "the month first"),
        };
        let swapped = self.date(year, day, month).ok().map(|date| format!("{date} (read with {other})"));
        Ok(Found { words: format!("{} (read with {order})", found.label), ..found }.or(swapped))
    }

    fn quarter(&self, year: i64, number: i64, kind: Kind) -> Outcome {
        if !(1..=4).contains(&number) {
            return Err(empty(format!("a year has 4 quarters, so there is no quarter {number}")));
        }
        let found = self.months_of_year(year, kind, (number - 1) * 3)?;
        match kind {
            Kind::Fiscal => self.unit_found(Grain::FiscalQuarter, found),
            Kind::Calendar => {
                let other =
                    self.fiscal_differs().then(|| self.quarter(year, number, Kind::Fiscal).ok()).flatten();
                Ok(self.unit_found(Grain::Quarter, found)?.or(other.map(|found| found.words)))
            }
        }
    }

    fn half(&self, year: i64, number: i64, kind: Kind) -> Outcome {
        if !(1..=2).contains(&number) {
            return Err(empty(format!("a year has 2 halves, so there is no half {number}")));
        }
        let start = self.months_of_year(year, kind, (number - 1) * 6)?;
        let end = plus_months(start, 6)?;
        let place = place_name(Place::Nth(number));
        let of = if kind == Kind::Fiscal { "fiscal year " } else { "" };
        let found = Found::named(start, end, format!("the {place} half of {of}{year:04}"), false)?;
        let other = kind == Kind::Calendar && self.fiscal_differs();
        let other = other.then(|| self.half(year, number, Kind::Fiscal).ok()).flatten();
        Ok(found.or(other.map(|found| found.words)))
    }

    /// The first day of the month that lies some months into a year.
    fn months_of_year(&self, year: i64, kind: Kind, months: i64) -> Result<Date, Fault> {
        let first = self.date(year, 1, 1)?;
        let first = match kind {
            Kind::Calendar => first,
            Kind::Fiscal => self.calendar.fiscal_year_start(first.year()).ok_or_else(too_large)?,
        };
        plus_months(first, months)
    }

    /// Whether the project's fiscal year is another than the calendar's.
    pub fn fiscal_differs(&self) -> bool {
        self.calendar.fiscal_start_month != 1
    }

    fn named_year(&self, year: i64, kind: Kind) -> Outcome {
        let start = self.months_of_year(year, kind, 0)?;
        self.unit_found(if kind == Kind::Fiscal { Grain::FiscalYear } else { Grain::Year }, start)
    }

    fn iso_week(&self, year: i64, week: i64) -> Outcome {
        let fourth = self.date(year, 1, 4)?;
        let back = i64::from(fourth.weekday().since(Weekday::Monday));
        let start = plus_days(fourth, (week - 1) * 7 - back)?;
        let thursday = plus_days(start, 3)?;
        if week < 1 || i64::from(thursday.year()) != year {
            return Err(empty(format!("{year:04} has no week {week}")));
        }
        let end = plus_days(start, 7)?;
        Found::named(start, end, format!("ISO week {week} of {year:04}"), false)
    }

    /// The core grain of a word, and how many of it make one; none for halves and weekends.
    pub fn grain_of(&self, grain: GrainWord, kind: Kind) -> Option<(Grain, i64)> {
        match (grain, kind) {
            (GrainWord::Day, _) => Some((Grain::Day, 1)),
            (GrainWord::Week, _) => Some((Grain::Week, 1)),
            (GrainWord::Fortnight, _) => Some((Grain::Week, 2)),
            (GrainWord::Month, _) => Some((Grain::Month, 1)),
            (GrainWord::FiscalQuarter, _) | (GrainWord::Quarter, Kind::Fiscal) => {
                Some((Grain::FiscalQuarter, 1))
            }
            (GrainWord::FiscalYear, _) | (GrainWord::Year, Kind::Fiscal) => Some((Grain::FiscalYear, 1)),
            (GrainWord::Quarter, Kind::Calendar) => Some((Grain::Quarter, 1)),
            (GrainWord::Year, Kind::Calendar) => Some((Grain::Year, 1)),
            (GrainWord::Half | GrainWord::Weekend, _) => None,
        }
    }
}

/// The whole unit where a part of one that is not over is asked for: the end of this month is its last day.
fn entire(of: &Unit) -> Unit {
    match of {
        Unit::SoFar { grain, kind, to_date: false } => Unit::Current { grain: *grain, kind: *kind },
        other => other.clone(),
    }
}

fn fiscal(of: &Unit) -> Kind {
    match of {
        Unit::Year { kind, .. }
        | Unit::Current { kind, .. }
        | Unit::SoFar { kind, .. }
        | Unit::Whole { kind, .. } => *kind,
        _ => Kind::Calendar,
    }
}
