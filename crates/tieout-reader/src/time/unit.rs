//! What a time expression says before it meets a calendar.
//!
//! Deliberately absent: days. A unit is resolved in [`super::resolve`].

use super::lexicon::GrainWord;

/// A year as it was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Year {
    /// `2026`.
    Stated(i64),
    /// `last year` is -1, `this year` 0.
    FromNow(i64),
}

/// Calendar or fiscal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// From January.
    Calendar,
    /// From the month in which the project's fiscal year starts.
    Fiscal,
}

/// Back or ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// Into the past.
    Back,
    /// Into the future.
    Ahead,
}

/// How several units are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counting {
    /// Complete calendar units.
    Complete,
    /// From the same day, however many units before.
    Rolling,
}

/// Which of several: `last`, `this`, `next`, or none of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// `last Monday`.
    Last,
    /// `this Monday`.
    This,
    /// `next Monday`.
    Next,
    /// `Monday`.
    Plain,
}

/// The place of a part in a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The n-th, from 1.
    Nth(i64),
    /// The last.
    Last,
}

/// Whether parts are cut where the whole begins, or must be whole calendar units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// Counted from the edge of the whole: the first week is its first seven days.
    FromEdge,
    /// Calendar units that lie wholly inside.
    WholeUnits,
}

/// The first or the last day of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// Its first day.
    Start,
    /// Its last day.
    End,
}

/// How the day and month of a date in digits were told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DayOrder {
    /// Only one reading is a date.
    Certain,
    /// The month was taken to come first.
    MonthFirst,
    /// The day was taken to come first.
    DayFirst,
}

/// A time expression that means days.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Unit {
    /// `3 March 2026`, with the weekday when it was said.
    Day { year: Option<Year>, month: i8, day: i64, weekday: Option<i8> },
    /// `March 26`, which may also be the month of a year.
    DayOrYear { month: i8, day: i64 },
    /// `1-7 March`.
    DayRange { year: Option<Year>, month: i8, first: i64, last: i64 },
    /// `3/9/2026`.
    Digits { year: i64, month: i64, day: i64, order: DayOrder },
    /// `September`.
    Month { year: Option<Year>, month: i64 },
    /// `last September`.
    NamedMonth { which: Which, month: i8 },
    /// `Q3`.
    Quarter { year: Option<Year>, number: i64, kind: Kind },
    /// `H1`.
    Half { year: Option<Year>, number: i64, kind: Kind },
    /// `2026`.
    Year { year: i64, kind: Kind },
    /// `2026-W36`: weeks from Monday, the first holding the year's first Thursday.
    IsoWeek { year: i64, week: i64 },
    /// `the week of 7 September`.
    Around { grain: GrainWord, day: Box<Unit> },
    /// `the first two weeks of May`.
    Part { place: Place, count: i64, grain: GrainWord, fit: Fit, of: Box<Unit> },
    /// `the last Friday of May`.
    NthWeekday { place: Place, weekday: i8, of: Box<Unit> },
    /// `the end of September`.
    Edge { edge: Edge, of: Box<Unit> },
    /// `the month before September`, `the 30 days before 2026-10-07`.
    Beside { count: i64, grain: GrainWord, direction: Direction, of: Box<Unit> },
    /// `12 months to September 2026`, the last unit inside.
    Ending { count: i64, grain: GrainWord, of: Box<Unit> },
    /// `today` is 0, `yesterday` -1.
    FromToday(i64),
    /// `last month`: whole units before or after the one that holds today.
    Whole { steps: i64, grain: GrainWord, kind: Kind, past: bool },
    /// `this month` (so far).
    SoFar { grain: GrainWord, kind: Kind, to_date: bool },
    /// `the month`, of which something is a part.
    Current { grain: GrainWord, kind: Kind },
    /// `last 30 days`.
    Run { count: i64, grain: GrainWord, kind: Kind, direction: Direction, counting: Counting },
    /// `two months ago`.
    Ago { count: i64, grain: GrainWord },
    /// `last Monday`.
    Weekday { which: Which, weekday: i8 },
    /// `last weekend`.
    Weekend { which: Which },
    /// `2026 so far`.
    Clipped(Box<Unit>),
    /// Hours and minutes.
    TooFine,
}

impl Unit {
    /// The year it was given, when it was given one and is the kind of expression that can go without.
    pub fn year(&self) -> Option<Year> {
        match self {
            Self::Day { year, .. }
            | Self::DayRange { year, .. }
            | Self::Month { year, .. }
            | Self::Quarter { year, .. }
            | Self::Half { year, .. } => *year,
            Self::Digits { year, .. } => Some(Year::Stated(*year)),
            Self::Around { day: of, .. }
            | Self::Part { of, .. }
            | Self::NthWeekday { of, .. }
            | Self::Edge { of, .. }
            | Self::Beside { of, .. }
            | Self::Ending { of, .. }
            | Self::Clipped(of) => of.year(),
            Self::DayOrYear { .. }
            | Self::NamedMonth { .. }
            | Self::Year { .. }
            | Self::IsoWeek { .. }
            | Self::FromToday(_)
            | Self::Whole { .. }
            | Self::SoFar { .. }
            | Self::Current { .. }
            | Self::Run { .. }
            | Self::Ago { .. }
            | Self::Weekday { .. }
            | Self::Weekend { .. }
            | Self::TooFine => None,
        }
    }

    /// The same expression with a year; none when it has one already, or never takes one.
    pub fn with_year(&self, with: Year) -> Option<Self> {
        let mut unit = self.clone();
        unit.set_year(with).then_some(unit)
    }

    /// Whether it goes without a year, so that one must be found for it.
    pub fn lacks_year(&self) -> bool {
        self.with_year(Year::FromNow(0)).is_some()
    }

    fn set_year(&mut self, with: Year) -> bool {
        match self {
            Self::Day { year, .. }
            | Self::DayRange { year, .. }
            | Self::Month { year, .. }
            | Self::Quarter { year, .. }
            | Self::Half { year, .. } => {
                let lacked = year.is_none();
                *year = year.or(Some(with));
                lacked
            }
            Self::DayOrYear { month, day } => {
                *self = Self::Day { year: Some(with), month: *month, day: *day, weekday: None };
                true
            }
            Self::Around { day: of, .. }
            | Self::Part { of, .. }
            | Self::NthWeekday { of, .. }
            | Self::Edge { of, .. }
            | Self::Beside { of, .. }
            | Self::Ending { of, .. }
            | Self::Clipped(of) => of.set_year(with),
            Self::Digits { .. }
            | Self::NamedMonth { .. }
            | Self::Year { .. }
            | Self::IsoWeek { .. }
            | Self::FromToday(_)
            | Self::Whole { .. }
            | Self::SoFar { .. }
            | Self::Current { .. }
            | Self::Run { .. }
            | Self::Ago { .. }
            | Self::Weekday { .. }
            | Self::Weekend { .. }
            | Self::TooFine => false,
        }
    }

    /// Whether it is one day by nature, rather than a unit that holds several.
    pub fn is_day(&self) -> bool {
        match self {
            Self::Day { .. }
            | Self::DayOrYear { .. }
            | Self::Digits { .. }
            | Self::NthWeekday { .. }
            | Self::Edge { .. }
            | Self::FromToday(_)
            | Self::Weekday { .. } => true,
            Self::Ago { grain, .. } => *grain == GrainWord::Day,
            Self::DayRange { .. }
            | Self::Month { .. }
            | Self::NamedMonth { .. }
            | Self::Quarter { .. }
            | Self::Half { .. }
            | Self::Year { .. }
            | Self::IsoWeek { .. }
            | Self::Around { .. }
            | Self::Part { .. }
            | Self::Beside { .. }
            | Self::Ending { .. }
            | Self::Whole { .. }
            | Self::SoFar { .. }
            | Self::Current { .. }
            | Self::Run { .. }
            | Self::Weekend { .. }
            | Self::Clipped(_)
            | Self::TooFine => false,
        }
    }
}
