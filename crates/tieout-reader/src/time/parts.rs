//! Parts of a whole (its first week, its second half, its last day) and what lies beside it (the month before).
//!
//! Weeks and days are counted from the edge of the whole unless `full` or `calendar` was said; months, quarters and years
//! are calendar units. Deliberately absent: how the whole is found (`resolve`).

use jiff::civil::{Date, Weekday};

use super::{
    lexicon::GrainWord,
    resolve::{Context, Fault, Found, Outcome, empty, plus_days, plus_months, too_large},
    say::{counted, grain_name, place_name},
    unit::{Direction, Edge, Fit, Kind, Place},
};

impl Context<'_> {
    /// A part of a whole, or why it has none such.
    pub(super) fn part(
        &self,
        place: Place,
        count: i64,
        grain: GrainWord,
        fit: Fit,
        whole: &Found,
        kind: Kind,
    ) -> Outcome {
        let name = part_name(place, count, grain, fit, whole);
        let missing = || empty(format!("{} has no {}", whole.label, name.0));
        if count < 1 || matches!(place, Place::Nth(..1)) {
            return Err(missing());
        }
        let (start, end) = match (grain, fit) {
            (GrainWord::Half, _) => half(place, count, whole)?.ok_or_else(missing)?,
            (GrainWord::Day, _) => from_edge(place, count, 1, whole)?.ok_or_else(missing)?,
            (GrainWord::Week, Fit::FromEdge) => from_edge(place, count, 7, whole)?.ok_or_else(missing)?,
            (GrainWord::Fortnight, Fit::FromEdge) => {
                from_edge(place, count, 14, whole)?.ok_or_else(missing)?
            }
            _ => self.units_inside(place, count, grain, kind, whole)?.ok_or_else(missing)?,
        };
        let found = Found::named(start, end, name.1, false)?;
        if grain == GrainWord::Week && fit == Fit::FromEdge {
            let other = self.part(place, count, grain, Fit::WholeUnits, whole, kind).ok();
            return Ok(found.or(other.map(|found| found.words)));
        }
        Ok(found)
    }

    /// The first, second or last Friday of a whole.
    pub(super) fn nth_weekday(&self, place: Place, weekday: i8, whole: &Found) -> Outcome {
        let wanted = Weekday::from_monday_one_offset(weekday).map_err(|_| too_large())?;
        let day = match place {
            Place::Nth(n) => {
                let first = i64::from(wanted.since(whole.start.weekday()));
                plus_days(whole.start, n.saturating_sub(1).saturating_mul(7).saturating_add(first))?
            }
            Place::Last => {
                let last = plus_days(whole.end, -1)?;
                plus_days(last, -i64::from(last.weekday().since(wanted)))?
            }
        };
        let name = format!("the {} {} of {}", place_name(place), self.weekday_word(weekday), whole.label);
        if day < whole.start || day >= whole.end {
            return Err(empty(format!("there is no such day as {name}")));
        }
        Found::named(day, plus_days(day, 1)?, name, false)
    }

    /// The first or last day of a whole.
    pub(super) fn edge(&self, edge: Edge, whole: &Found) -> Outcome {
        let (day, name) = match edge {
            Edge::Start => (whole.start, "start"),
            Edge::End => (plus_days(whole.end, -1)?, "end"),
        };
        let before = day.yesterday().ok().filter(|_| edge == Edge::Start);
        let name = format!("the {name} of {}", whole.label);
        let end = plus_days(day, 1)?;
        Ok(Found::named(day, end, name, false)?
            .or(before.map(|day| format!("the end of the day before ({day})"))))
    }

    /// Units just before or after something.
    pub(super) fn beside(&self, count: i64, grain: GrainWord, direction: Direction, of: &Found) -> Outcome {
        if count == 0 {
            return Err(empty("0 of anything hold no day"));
        }
        let (grain_of, times) = self.grain_of(grain, Kind::Calendar).ok_or_else(too_large)?;
        let steps = i32::try_from(count.saturating_mul(times)).map_err(|_| too_large())?;
        let unit = |day, steps| self.calendar.unit_at(grain_of, day, steps).ok_or_else(too_large);
        let (start, end, side) = match direction {
            Direction::Back => (unit(of.start, -steps)?.start(), unit(of.start, 0)?.start(), "before"),
            Direction::Ahead => {
                let last = plus_days(of.end, -1)?;
                (unit(last, 1)?.start(), unit(last, steps)?.end_exclusive(), "after")
            }
        };
        let name = if count == 1 {
            format!("the {} {side} {}", grain_name(grain, Kind::Calendar), of.label)
        } else {
            format!("the {} {side} {}", counted(count, grain), of.label)
        };
        Found::named(start, end, name, false)
    }

    /// Units that end together with something.
    pub(super) fn ending(&self, count: i64, grain: GrainWord, of: &Found) -> Outcome {
        if count == 0 {
            return Err(empty("0 of anything hold no day"));
        }
        let back = |each: i64| count.saturating_mul(each).saturating_neg();
        let start = match grain {
            GrainWord::Day => plus_days(of.end, back(1))?,
            GrainWord::Week => plus_days(of.end, back(7))?,
            GrainWord::Fortnight => plus_days(of.end, back(14))?,
            GrainWord::Month => plus_months(of.end, back(1))?,
            GrainWord::Quarter | GrainWord::FiscalQuarter => plus_months(of.end, back(3))?,
            GrainWord::Half => plus_months(of.end, back(6))?,
            GrainWord::Year | GrainWord::FiscalYear => plus_months(of.end, back(12))?,
            GrainWord::Weekend => return Err(empty("a weekend ends on its Sunday")),
        };
        if start >= of.end {
            return Err(too_large());
        }
        let name = if count == 1 {
            format!("the {} ending with {}", grain_name(grain, Kind::Calendar), of.label)
        } else {
            format!("the {} ending with {}", counted(count, grain), of.label)
        };
        Found::named(start, of.end, name, false)
    }

    /// What of something is not after today.
    pub(super) fn clipped(&self, of: &Found) -> Outcome {
        if of.start > self.today {
            return Err(empty(format!("{} begins after today, {}", of.label, self.today)));
        }
        let end = of.end.min(plus_days(self.today, 1)?);
        Found::named(of.start, end, format!("{} so far", of.label), false)
    }

    /// Calendar units that lie wholly inside.
    fn units_inside(
        &self,
        place: Place,
        count: i64,
        grain: GrainWord,
        kind: Kind,
        whole: &Found,
    ) -> Result<Option<(Date, Date)>, Fault> {
        let Some((grain, times)) = self.grain_of(grain, kind) else { return Ok(None) };
        let length = i32::try_from(count.saturating_mul(times)).map_err(|_| too_large())?;
        let unit = |day: Date, steps: i32| self.calendar.unit_at(grain, day, steps).ok_or_else(too_large);
        let (first, last) = match place {
            Place::Nth(n) => {
                let skipped = i32::from(unit(whole.start, 0)?.start() < whole.start);
                let n = i32::try_from(n.saturating_sub(1)).map_err(|_| too_large())?;
                let first = unit(whole.start, skipped.checked_add(n).ok_or_else(too_large)?)?;
                let last = unit(first.start(), length - 1)?;
                (first, last)
            }
            Place::Last => {
                let final_day = plus_days(whole.end, -1)?;
                let over = unit(final_day, 0)?.end_exclusive() > whole.end;
                let last = unit(final_day, if over { -1 } else { 0 })?;
                (unit(last.start(), 1 - length)?, last)
            }
        };
        let inside = first.start() >= whole.start && last.end_exclusive() <= whole.end;
        Ok(inside.then(|| (first.start(), last.end_exclusive())))
    }
}

/// What a part is called inside a sentence (`first 2 weeks`) and by itself (`the first 2 weeks of May 2026`).
fn part_name(place: Place, count: i64, grain: GrainWord, fit: Fit, whole: &Found) -> (String, String) {
    let full = match (fit, grain) {
        (Fit::WholeUnits, GrainWord::Week | GrainWord::Fortnight) => "full ",
        _ => "",
    };
    let unit = if count == 1 {
        format!("{full}{}", grain_name(grain, Kind::Calendar))
    } else {
        format!("{full}{}", counted(count, grain))
    };
    let name = format!("{} {unit}", place_name(place));
    let long = format!("the {name} of {}", whole.label);
    (name, long)
}

/// Days counted from the edge of the whole. The last stretch may be shorter than the others (days 29 to 31 are the fifth
/// week of a month), but never empty.
fn from_edge(place: Place, count: i64, length: i64, whole: &Found) -> Result<Option<(Date, Date)>, Fault> {
    let days = count.saturating_mul(length);
    match place {
        Place::Last => {
            let start = plus_days(whole.end, days.saturating_neg())?;
            Ok((start >= whole.start).then_some((start, whole.end)))
        }
        Place::Nth(n) => {
            let start = plus_days(whole.start, n.saturating_sub(1).saturating_mul(length))?;
            let end = plus_days(start, days)?;
            let short = length > 1 && count == 1 && n > 1;
            let inside = start < whole.end && (end <= whole.end || short);
            Ok(inside.then(|| (start, end.min(whole.end))))
        }
    }
}

/// The first or second half: of whole months where they can be halved, else of days (a month's are 1 to 15 and 16 on).
fn half(place: Place, count: i64, whole: &Found) -> Result<Option<(Date, Date)>, Fault> {
    let months = i32::from(whole.end.year() - whole.start.year()) * 12
        + i32::from(whole.end.month() - whole.start.month());
    let whole_months = whole.start.day() == 1 && whole.end.day() == 1;
    let days = whole.start.until(whole.end).map_err(|_| too_large())?.get_days();
    let middle = if whole_months && months == 1 {
        plus_days(whole.start, 15)?
    } else if whole_months && months % 2 == 0 {
        plus_months(whole.start, i64::from(months / 2))?
    } else {
        plus_days(whole.start, i64::from(days / 2))?
    };
    Ok(match place {
        _ if count != 1 || middle == whole.start => None,
        Place::Nth(1) => Some((whole.start, middle)),
        Place::Nth(2) | Place::Last => Some((middle, whole.end)),
        Place::Nth(_) => None,
    })
}
