//! Units that count from today, resolved to days.
//!
//! `last` means the last complete unit; a unit that is not over is said to be `so far`. Deliberately absent: units that
//! the calendar names (`resolve`).

use jiff::civil::{Date, Weekday};
use tieout_core::time::Grain;

use super::{
    lexicon::GrainWord,
    resolve::{Context, Fault, Found, Near, Outcome, empty, plus_days, plus_months, too_large},
    say::{counted, dates, grain_name},
    unit::{Counting, Direction, Kind, Unit, Which, Year},
};

impl Context<'_> {
    /// The days of a unit that counts from today.
    pub(super) fn counted_days(&self, unit: &Unit) -> Outcome {
        match unit {
            Unit::FromToday(days) => self.named_day(*days),
            Unit::Whole { steps, grain, kind, past } => self.whole_unit(*steps, *grain, *kind, *past),
            Unit::SoFar { grain, kind, to_date } => self.so_far(*grain, *kind, *to_date),
            Unit::Current { grain, kind } => {
                let (grain, _) = self.grain_of(*grain, *kind).ok_or_else(too_large)?;
                self.unit_found(grain, self.today)
            }
            Unit::Run { count, grain, kind, direction, counting } => {
                self.run(*count, *grain, *kind, *direction, *counting)
            }
            Unit::Ago { count, grain } => self.ago(*count, *grain),
            Unit::Weekday { which, weekday } => self.weekday(*which, *weekday),
            Unit::Weekend { which } => self.weekend(*which),
            Unit::NamedMonth { which, month } => self.named_month(*which, *month),
            Unit::TooFine => {
                Err(empty("periods are counted in whole days, so hours and minutes are not told apart"))
            }
            Unit::Day { .. }
            | Unit::DayOrYear { .. }
            | Unit::DayRange { .. }
            | Unit::Digits { .. }
            | Unit::Month { .. }
            | Unit::Quarter { .. }
            | Unit::Half { .. }
            | Unit::Year { .. }
            | Unit::IsoWeek { .. }
            | Unit::Around { .. }
            | Unit::Part { .. }
            | Unit::NthWeekday { .. }
            | Unit::Edge { .. }
            | Unit::Beside { .. }
            | Unit::Ending { .. }
            | Unit::Clipped(_) => Err(too_large()),
        }
    }

    fn tomorrow(&self) -> Result<Date, Fault> {
        plus_days(self.today, 1)
    }

    /// A day, called by a word that counts from today.
    fn day_called(&self, day: Date, words: &str) -> Outcome {
        let found = self.unit_found(Grain::Day, day)?;
        Ok(Found { words: format!("{words} ({day})"), ..found })
    }

    fn named_day(&self, days: i64) -> Outcome {
        let words = match days {
            -2 => "the day before yesterday",
            -1 => "yesterday",
            0 => "today",
            1 => "tomorrow",
            _ => "the day after tomorrow",
        };
        self.day_called(plus_days(self.today, days)?, words)
    }

    fn whole_unit(&self, steps: i64, grain: GrainWord, kind: Kind, past: bool) -> Outcome {
        let (core, _) = self.grain_of(grain, kind).ok_or_else(too_large)?;
        let steps = i32::try_from(steps).map_err(|_| too_large())?;
        let unit = self.calendar.unit_at(core, self.today, steps).ok_or_else(too_large)?;
        let (label, tells) = self.unit_name(core, unit.start());
        let (start, end) = (unit.start(), unit.end_exclusive());
        let shown = match core {
            Grain::Week => dates(start, end),
            _ if tells => label.clone(),
            _ => format!("{label}, {}", dates(start, end)),
        };
        let name = grain_name(grain, kind);
        let words = match steps {
            -1 => format!("the last complete {name} ({shown})"),
            1 => format!("the next {name} ({shown})"),
            _ => format!("the {name} before the last complete one ({shown})"),
        };
        let found = Found { words, ..Found::named(start, end, label, tells)? };
        let rolling = past.then(|| self.rolling(1, grain).ok()).flatten().map(|found| found.words);
        Ok(found
            .or(rolling)
            .or(self.fiscal_twin(grain, kind, |twin| self.whole_unit(steps.into(), grain, twin, false))))
    }

    /// The fiscal reading of a quarter or year that was not said to be fiscal, where it differs.
    fn fiscal_twin(&self, grain: GrainWord, kind: Kind, twin: impl Fn(Kind) -> Outcome) -> Option<String> {
        let may = matches!(grain, GrainWord::Quarter | GrainWord::Year) && kind == Kind::Calendar;
        (may && self.fiscal_differs()).then(|| twin(Kind::Fiscal).ok()).flatten().map(|found| found.words)
    }

    fn so_far(&self, grain: GrainWord, kind: Kind, to_date: bool) -> Outcome {
        let (core, _) = self.grain_of(grain, kind).ok_or_else(too_large)?;
        if core == Grain::Day {
            return self.named_day(0);
        }
        let start = self.calendar.unit(core, self.today).ok_or_else(too_large)?.start();
        let name = grain_name(grain, kind);
        let called = if to_date { format!("the {name} to date") } else { format!("this {name} so far") };
        let end = self.tomorrow()?;
        let found = Found::named(start, end, called.clone(), false)?;
        let complete =
            (start < self.today).then(|| format!("{called} without today ({})", dates(start, self.today)));
        Ok(found.or(complete).or(self.fiscal_twin(grain, kind, |twin| self.so_far(grain, twin, to_date))))
    }

    fn run(
        &self,
        count: i64,
        grain: GrainWord,
        kind: Kind,
        direction: Direction,
        counting: Counting,
    ) -> Outcome {
        if count == 0 {
            return Err(empty(format!("0 {}s hold no day", grain_name(grain, kind))));
        }
        if grain == GrainWord::Day {
            return self.run_of_days(count, direction);
        }
        if direction == Direction::Ahead {
            return self.complete_units(count, grain, kind, direction);
        }
        let (used, other) = match counting {
            Counting::Complete => {
                (self.complete_units(count, grain, kind, direction)?, self.rolling(count, grain))
            }
            Counting::Rolling => {
                (self.rolling(count, grain)?, self.complete_units(count, grain, kind, direction))
            }
        };
        let twin = |twin| self.complete_units(count, grain, twin, direction);
        Ok(used.or(other.ok().map(|found| found.words)).or(self.fiscal_twin(grain, kind, twin)))
    }

    fn run_of_days(&self, count: i64, direction: Direction) -> Outcome {
        let days = counted(count, GrainWord::Day);
        match direction {
            Direction::Back => {
                let start = plus_days(self.today, count.saturating_neg())?;
                let found =
                    Found::named(start, self.today, format!("the {days} before {}", self.today), false)?;
                let (from, end) = (plus_days(start, 1)?, self.tomorrow()?);
                let other = format!("the {days} up to and including {} ({})", self.today, dates(from, end));
                Ok(found.or([other]))
            }
            Direction::Ahead => {
                let start = self.tomorrow()?;
                Found::named(
                    start,
                    plus_days(start, count)?,
                    format!("the {days} after {}", self.today),
                    false,
                )
            }
        }
    }

    /// Complete calendar units before or after the one that holds today.
    fn complete_units(&self, count: i64, grain: GrainWord, kind: Kind, direction: Direction) -> Outcome {
        let (core, times) = self.grain_of(grain, kind).ok_or_else(too_large)?;
        let steps = i32::try_from(count.saturating_mul(times)).map_err(|_| too_large())?;
        let unit = |steps: i32| self.calendar.unit_at(core, self.today, steps).ok_or_else(too_large);
        let (first, last, called) = match direction {
            Direction::Back => (unit(-steps)?, unit(-1)?, "last"),
            Direction::Ahead => (unit(1)?, unit(steps)?, "next"),
        };
        let (start, end) = (first.start(), last.end_exclusive());
        let complete = if direction == Direction::Back { "complete " } else { "" };
        let name = if count == 1 {
            format!("the {called} {complete}{}", grain_name(grain, kind))
        } else {
            format!("the {called} {count} {complete}{}s", grain_name(grain, kind))
        };
        let (from, tells) = self.unit_name(core, start);
        let (to, _) = self.unit_name(core, last.start());
        let shown = match (tells, from == to) {
            (true, true) => from,
            (true, false) => format!("{from} to {to}"),
            (false, _) => dates(start, end),
        };
        let words = format!("{name} ({shown})");
        Ok(Found { words, ..Found::named(start, end, dates(start, end), true)? })
    }

    /// From the same day of the month (or week) some units back, up to yesterday.
    fn rolling(&self, count: i64, grain: GrainWord) -> Outcome {
        let start = self.back(count, grain)?;
        let name = format!("the {} before {}", counted(count, grain), self.today);
        Found::named(start, self.today, name, false)
    }

    /// The day some units before today.
    fn back(&self, count: i64, grain: GrainWord) -> Result<Date, Fault> {
        let back = |each: i64| count.saturating_mul(each).saturating_neg();
        match grain {
            GrainWord::Day => plus_days(self.today, back(1)),
            GrainWord::Week => plus_days(self.today, back(7)),
            GrainWord::Fortnight => plus_days(self.today, back(14)),
            GrainWord::Month => plus_months(self.today, back(1)),
            GrainWord::Quarter | GrainWord::FiscalQuarter => plus_months(self.today, back(3)),
            GrainWord::Year | GrainWord::FiscalYear => plus_months(self.today, back(12)),
            GrainWord::Half | GrainWord::Weekend => Err(too_large()),
        }
    }

    fn ago(&self, count: i64, grain: GrainWord) -> Outcome {
        let day = self.back(count, grain)?;
        let words = format!("{} ago", counted(count, grain));
        if grain == GrainWord::Day {
            return self.day_called(day, &words);
        }
        let (core, times) = self.grain_of(grain, Kind::Calendar).ok_or_else(too_large)?;
        let steps = i32::try_from(count.saturating_mul(times)).map_err(|_| too_large())?;
        let unit = self.calendar.unit_at(core, self.today, -steps).ok_or_else(too_large)?;
        let found = self.unit_found(core, unit.start())?;
        let shown = if core == Grain::Week { dates(found.start, found.end) } else { found.words.clone() };
        let shown = shown.replace(" (", ", ").replace(')', "");
        let alternative = format!("the day {words} ({day})");
        Ok(Found { words: format!("{words} ({shown})"), ..found }.or([alternative]))
    }

    fn weekday(&self, which: Which, weekday: i8) -> Outcome {
        let wanted = Weekday::from_monday_one_offset(weekday).map_err(|_| too_large())?;
        let since = i64::from(self.today.weekday().since(wanted));
        let back = if since == 0 { 7 } else { since };
        let name = self.weekday_word(weekday).to_owned();
        let week = self.calendar.unit(Grain::Week, self.today).ok_or_else(too_large)?;
        let other = |day: Date| format!("{name} {day}");
        match which {
            Which::Plain => {
                let day = plus_days(self.today, -since)?;
                let before = plus_days(day, -7)?;
                Ok(self.day_called(day, &name)?.or((since == 0).then(|| other(before))))
            }
            Which::Last => {
                let day = plus_days(self.today, -back)?;
                let before = plus_days(day, -7)?;
                let doubtful = day >= week.start();
                Ok(self.day_called(day, &format!("last {name}"))?.or(doubtful.then(|| other(before))))
            }
            Which::This => {
                let into = i64::from(wanted.since(self.calendar.week_start));
                self.day_called(plus_days(week.start(), into)?, &format!("this {name}"))
            }
            Which::Next => {
                let day = plus_days(self.today, 7 - since)?;
                let after = plus_days(day, 7)?;
                let doubtful = day < week.end_exclusive();
                Ok(self.day_called(day, &format!("next {name}"))?.or(doubtful.then(|| other(after))))
            }
        }
    }

    fn weekend(&self, which: Which) -> Outcome {
        let since_saturday = i64::from(self.today.weekday().since(Weekday::Saturday));
        let saturday = plus_days(self.today, -since_saturday)?;
        let under_way = since_saturday < 2;
        let (back, name) = match (which, under_way) {
            (Which::Last | Which::Plain, true) => (-7, "last weekend"),
            (Which::Last | Which::Plain, false) => (0, "last weekend"),
            (Which::This, true) => (0, "this weekend"),
            (Which::This, false) => (7, "this weekend"),
            (Which::Next, _) => (7, "next weekend"),
        };
        let start = plus_days(saturday, back)?;
        Found::named(start, plus_days(start, 2)?, name.to_owned(), false)
    }

    fn named_month(&self, which: Which, month: i8) -> Outcome {
        let unit = Unit::Month { year: None, month: month.into() };
        let this_month = self.today.first_of_month();
        let near = match which {
            Which::Last => Near::OnOrBefore(plus_days(this_month, -1)?),
            Which::Next => Near::OnOrAfter(self.tomorrow()?),
            Which::This | Which::Plain => {
                let year = Some(Year::FromNow(0));
                return self.days(&Unit::Month { year, month: month.into() });
            }
        };
        let (found, year) = self.near(&unit, near)?;
        let recent = found.start.year() == self.today.year();
        let other = if which == Which::Last { year - 1 } else { year + 1 };
        let other = unit.with_year(Year::Stated(other)).and_then(|unit| self.days(&unit).ok());
        let called = if which == Which::Last { "last" } else { "next" };
        let words = format!("{called} {} ({})", self.month_word(month), found.label);
        let alternatives = other.filter(|_| recent).map(|found| found.words);
        Ok(Found { words, ..found }.or(alternatives))
    }
}
