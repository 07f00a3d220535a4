//! A half-open run of days in a zone.

use std::fmt;

use jiff::{
    Timestamp, ToSpan,
    civil::{Date, date},
    tz::TimeZone,
};

/// The first day that a period may have. A period that starts here was asked for without a start (`until …`), so it
/// holds all there is before its end.
pub const OPEN_START: Date = date(1, 1, 1);

/// The days from `start` up to, not including, `end_exclusive`, in a time zone.
#[derive(Clone, Debug, PartialEq)]
pub struct Period {
    start: Date,
    end_exclusive: Date,
    zone: TimeZone,
}

/// One step of a trend: a period and its place in the row of buckets.
#[derive(Clone, Debug, PartialEq)]
pub struct Bucket {
    /// From 0, in the order of time.
    pub index: usize,
    /// How a person names it, such as `2026-09` or `week of 2026-09-07`.
    pub label: String,
    /// The days it covers; the first and last may be cut by the asked period.
    pub period: Period,
    /// Whether the asked period cut the calendar unit short.
    pub partial: bool,
}

impl Period {
    /// A period, or none when it would hold no day.
    #[must_use]
    pub fn new(start: Date, end_exclusive: Date, zone: TimeZone) -> Option<Self> {
        (start < end_exclusive).then_some(Self { start, end_exclusive, zone })
    }

    /// First day.
    #[must_use]
    pub fn start(&self) -> Date {
        self.start
    }

    /// The day after the last.
    #[must_use]
    pub fn end_exclusive(&self) -> Date {
        self.end_exclusive
    }

    /// The last day inside.
    #[must_use]
    pub fn last_day(&self) -> Date {
        self.end_exclusive.saturating_sub(1.day())
    }

    /// The zone whose midnights bound the days.
    #[must_use]
    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// Whether it was asked for without a start, so that it holds all there is before its end.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.start == OPEN_START
    }

    /// How many days are inside.
    #[must_use]
    pub fn days(&self) -> i64 {
        self.start.until(self.end_exclusive).map_or(0, |span| i64::from(span.get_days()))
    }

    /// The instants at which the first day begins and the last day ends in the zone. A day that a daylight-saving
    /// change lengthens has 25 hours, and these bounds hold all of them. Where a change skips midnight the day begins
    /// at its first moment; where midnight comes twice it begins at the first one. A day's end is always the next
    /// day's beginning.
    ///
    /// None when a bound lies outside the years that can be counted.
    #[must_use]
    pub fn instants(&self) -> Option<(Timestamp, Timestamp)> {
        let at = |day: Date| self.zone.to_ambiguous_zoned(day.at(0, 0, 0, 0)).compatible().ok();
        Some((at(self.start)?.timestamp(), at(self.end_exclusive)?.timestamp()))
    }

    /// The days in both, or none.
    #[must_use]
    pub fn overlap(&self, other: &Self) -> Option<Self> {
        Self::new(self.start.max(other.start), self.end_exclusive.min(other.end_exclusive), self.zone.clone())
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_open() {
            write!(f, "up to {}", self.last_day())
        } else if self.days() == 1 {
            write!(f, "{}", self.start)
        } else {
            write!(f, "{} to {}", self.start, self.last_day())
        }
    }
}

/// How a zone is written: its IANA name, or its distance from UTC such as `+05:30` when it has none.
#[must_use]
pub fn zone_name(zone: &TimeZone) -> String {
    match (zone.iana_name(), zone.to_fixed_offset()) {
        (Some(name), _) => name.to_owned(),
        (None, Ok(offset)) => {
            let minutes = offset.seconds() / 60;
            let sign = if minutes < 0 { '-' } else { '+' };
            format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
        }
        (None, Err(_)) => "an unnamed zone".to_owned(),
    }
}
