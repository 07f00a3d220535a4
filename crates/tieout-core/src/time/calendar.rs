//! The project's calendar: its zone, the day its weeks start, the month its fiscal year starts.

use std::fmt;

use jiff::{
    Span, Timestamp,
    civil::{Date, Weekday},
    tz::TimeZone,
};

use super::{Bucket, Period};

/// The most buckets one trend may have.
pub const BUCKETS_MAX: usize = 1_000;

/// How long one step of a trend is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Grain {
    /// One civil day.
    Day,
    /// Seven days from the project's first day of the week.
    Week,
    /// A calendar month.
    Month,
    /// A calendar quarter.
    Quarter,
    /// A calendar year.
    Year,
    /// Three months counted from the fiscal year's first.
    FiscalQuarter,
    /// Twelve months from the fiscal year's first.
    FiscalYear,
}

impl fmt::Display for Grain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
            Self::FiscalQuarter => "fiscal quarter",
            Self::FiscalYear => "fiscal year",
        })
    }
}

/// The calendar that relative words are read by.
#[derive(Clone, Debug, PartialEq)]
pub struct Calendar {
    /// The zone whose midnights bound the days.
    pub zone: TimeZone,
    /// The first day of a week.
    pub week_start: Weekday,
    /// The first month of a fiscal year, 1 to 12. The fiscal year is named after the calendar year in which it ends;
    /// with 1 it is the calendar year.
    pub fiscal_start_month: i8,
}

impl Calendar {
    /// The civil day of an instant.
    #[must_use]
    pub fn today(&self, now: Timestamp) -> Date {
        now.to_zoned(self.zone.clone()).date()
    }

    /// The calendar unit of `grain` that contains `day`.
    #[must_use]
    pub fn unit(&self, grain: Grain, day: Date) -> Option<Period> {
        let start = self.unit_start(grain, day)?;
        let end = self.step(grain, start, 1)?;
        Period::new(start, end, self.zone.clone())
    }

    /// The unit `steps` before (negative) or after the one that contains `day`.
    #[must_use]
    pub fn unit_at(&self, grain: Grain, day: Date, steps: i32) -> Option<Period> {
        let start = self.step(grain, self.unit_start(grain, day)?, steps)?;
        self.unit(grain, start)
    }

    /// The first day of a fiscal year named after the calendar year in which it ends.
    #[must_use]
    pub fn fiscal_year_start(&self, named: i16) -> Option<Date> {
        let year = if self.fiscal_start_month == 1 { named } else { named.checked_sub(1)? };
        Date::new(year, self.fiscal_start_month, 1).ok()
    }

    /// The name of the fiscal year that contains `day`: the calendar year in which it ends.
    #[must_use]
    pub fn fiscal_year_name(&self, day: Date) -> i16 {
        if self.fiscal_start_month == 1 || day.month() < self.fiscal_start_month {
            day.year()
        } else {
            day.year().saturating_add(1)
        }
    }

    /// A period from its first day, this calendar's zone filled in.
    #[must_use]
    pub fn period(&self, start: Date, end_exclusive: Date) -> Option<Period> {
        Period::new(start, end_exclusive, self.zone.clone())
    }

    /// The period moved by whole months, such as a month or a year back. A period that ends with a month still does,
    /// so a run of whole months stays one; any other first or last day keeps its place in the month, or takes the
    /// month's last day where the month is too short for it. A period never becomes empty by moving.
    #[must_use]
    pub fn shifted(&self, period: &Period, months: i32) -> Option<Period> {
        let by = Span::new().try_months(months).ok()?;
        let start = period.start().checked_add(by).ok()?;
        let end = if period.end_exclusive().day() == 1 {
            period.end_exclusive().checked_add(by).ok()?
        } else {
            period.last_day().checked_add(by).ok()?.tomorrow().ok()?
        };
        Period::new(start, end, period.zone().clone())
    }

    /// The buckets of a period, in order, without gap or overlap, cut at the period's bounds.
    /// None when there would be more than [`BUCKETS_MAX`].
    #[must_use]
    pub fn buckets(&self, grain: Grain, period: &Period) -> Option<Vec<Bucket>> {
        let mut buckets = Vec::new();
        let mut start = self.unit_start(grain, period.start())?;
        while start < period.end_exclusive() {
            if buckets.len() == BUCKETS_MAX {
                return None;
            }
            let end = self.step(grain, start, 1)?;
            let whole = Period::new(start, end, period.zone().clone())?;
            let cut = whole.overlap(period)?;
            let partial = cut != whole;
            buckets.push(Bucket {
                index: buckets.len(),
                label: self.label(grain, start),
                period: cut,
                partial,
            });
            start = end;
        }
        Some(buckets)
    }

    /// How a person names the unit that starts on `start`.
    #[must_use]
    pub fn label(&self, grain: Grain, start: Date) -> String {
        match grain {
            Grain::Day => start.to_string(),
            Grain::Week => format!("week of {start}"),
            Grain::Month => format!("{:04}-{:02}", start.year(), start.month()),
            Grain::Quarter => format!("Q{} {:04}", (start.month() - 1) / 3 + 1, start.year()),
            Grain::Year => format!("{:04}", start.year()),
            Grain::FiscalQuarter => {
                let quarter = months_into(start, self.fiscal_start_month, 12) / 3 + 1;
                format!("FY{:04} Q{quarter}", self.fiscal_year_name(start))
            }
            Grain::FiscalYear => format!("FY{:04}", self.fiscal_year_name(start)),
        }
    }

    fn unit_start(&self, grain: Grain, day: Date) -> Option<Date> {
        match grain {
            Grain::Day => Some(day),
            Grain::Week => {
                let back = day.weekday().since(self.week_start);
                day.checked_sub(Span::new().try_days(back).ok()?).ok()
            }
            Grain::Month => Some(day.first_of_month()),
            Grain::Quarter => self.months_start(day, 1, 3),
            Grain::Year => Some(day.first_of_year()),
            Grain::FiscalQuarter => self.months_start(day, self.fiscal_start_month, 3),
            Grain::FiscalYear => self.months_start(day, self.fiscal_start_month, 12),
        }
    }

    /// The start of the run of `length` months, counted from month `first`, that contains `day`.
    fn months_start(&self, day: Date, first: i8, length: i32) -> Option<Date> {
        let into = months_into(day, first, length);
        day.first_of_month().checked_sub(Span::new().try_months(into).ok()?).ok()
    }

    /// `start` moved by whole units; none when that leaves the years that can be counted.
    fn step(&self, grain: Grain, start: Date, steps: i32) -> Option<Date> {
        let steps = i64::from(steps);
        let span = match grain {
            Grain::Day => Span::new().try_days(steps),
            Grain::Week => Span::new().try_days(steps.checked_mul(7)?),
            Grain::Month => Span::new().try_months(steps),
            Grain::Quarter | Grain::FiscalQuarter => Span::new().try_months(steps.checked_mul(3)?),
            Grain::Year | Grain::FiscalYear => Span::new().try_months(steps.checked_mul(12)?),
        };
        start.checked_add(span.ok()?).ok()
    }
}

/// How many months before the month of `day` its run of `length` months, counted from month `first`, begins.
fn months_into(day: Date, first: i8, length: i32) -> i32 {
    (i32::from(day.month()) - i32::from(first)).rem_euclid(12) % length
}
