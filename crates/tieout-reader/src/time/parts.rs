//! Parts of a whole: its first week, its last ten days, its second half.
//!
//! Weeks and days are counted from the edge of the whole unless `full` or `calendar` was said; months, quarters and years
//! are calendar units. Deliberately absent: how the whole is found (`resolve`).

use jiff::civil::Date;

use super::{
    lexicon::GrainWord,
    resolve::{Context, Fault, Found, Outcome, empty, plus_days, plus_months, too_large},
    say::{counted, grain_name, place_name},
    unit::{Fit, Kind, Place},
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
