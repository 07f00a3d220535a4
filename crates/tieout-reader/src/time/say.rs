//! How days are said to a person: `September 2026`, `Q3 2026 (2026-07-01 to 2026-09-30)`.
//!
//! Whatever is said, the days can be told from it: months, years and single days name themselves, everything else has its
//! dates behind it. Deliberately absent: the words that are read, which are the language file's.

use jiff::civil::Date;
use tieout_core::time::Grain;

use super::{
    lexicon::GrainWord,
    resolve::Context,
    unit::{Kind, Place},
};

/// The days from `start` to the last one before `end`.
pub(super) fn dates(start: Date, end: Date) -> String {
    let last = end.yesterday().unwrap_or(end);
    if start >= last { start.to_string() } else { format!("{start} to {last}") }
}

/// A count and its unit: `1 month`, `30 days`.
pub(super) fn counted(count: i64, grain: GrainWord) -> String {
    format!("{count} {}{}", grain_name(grain, Kind::Calendar), if count == 1 { "" } else { "s" })
}

/// A grain's name.
pub(super) fn grain_name(grain: GrainWord, kind: Kind) -> &'static str {
    match (grain, kind) {
        (GrainWord::Day, _) => "day",
        (GrainWord::Week, _) => "week",
        (GrainWord::Fortnight, _) => "fortnight",
        (GrainWord::Month, _) => "month",
        (GrainWord::Half, _) => "half",
        (GrainWord::Weekend, _) => "weekend",
        (GrainWord::FiscalQuarter, _) | (GrainWord::Quarter, Kind::Fiscal) => "fiscal quarter",
        (GrainWord::FiscalYear, _) | (GrainWord::Year, Kind::Fiscal) => "fiscal year",
        (GrainWord::Quarter, Kind::Calendar) => "quarter",
        (GrainWord::Year, Kind::Calendar) => "year",
    }
}

/// A place in a whole: `first`, `12th`, `last`.
pub(super) fn place_name(place: Place) -> String {
    match place {
        Place::Last => "last".to_owned(),
        Place::Nth(1) => "first".to_owned(),
        Place::Nth(2) => "second".to_owned(),
        Place::Nth(3) => "third".to_owned(),
        Place::Nth(4) => "fourth".to_owned(),
        Place::Nth(5) => "fifth".to_owned(),
        Place::Nth(n) => format!("{n}th"),
    }
}

impl Context<'_> {
    /// `September 2026`.
    pub fn month_name(&self, day: Date) -> String {
        format!("{} {:04}", self.month_word(day.month()), day.year())
    }

    /// `September`.
    pub fn month_word(&self, month: i8) -> &str {
        usize::try_from(month - 1).ok().and_then(|i| self.words.month_names.get(i)).map_or("", String::as_str)
    }

    /// `Monday`, from 1.
    pub fn weekday_word(&self, weekday: i8) -> &str {
        usize::try_from(weekday - 1)
            .ok()
            .and_then(|i| self.words.weekday_names.get(i))
            .map_or("", String::as_str)
    }

    /// The name of the calendar unit that starts on a day, and whether its days can be told from the name alone.
    pub fn unit_name(&self, grain: Grain, start: Date) -> (String, bool) {
        match grain {
            Grain::Day => (start.to_string(), true),
            Grain::Week => (format!("the week of {start}"), false),
            Grain::Month => (self.month_name(start), true),
            Grain::Quarter | Grain::FiscalQuarter => (self.calendar.label(grain, start), false),
            Grain::Year => (self.calendar.label(grain, start), true),
            Grain::FiscalYear => (format!("fiscal year {}", self.calendar.fiscal_year_name(start)), false),
        }
    }
}
