//! Whether the rows that a period needs are there: loaded yet, still fresh, and since when there are any.
//!
//! Zero, none, not loaded, before history and stale are different states; this desk tells them apart. Deliberately
//! absent: whether any row matched, which the figures show.

use jiff::{Timestamp, Unit as TimeUnit, civil::Date, tz::TimeZone};

use crate::{
    catalogue::{Dataset, Project},
    evidence::{Caveat, Cell},
    halt::Halt,
    reading::{Problem, ReasonCode},
    time::Period,
};

/// When the rows of a dataset last arrived.
#[derive(Clone, Debug)]
pub struct Loaded<'a> {
    /// The dataset.
    pub dataset: &'a Dataset,
    /// The latest value of its freshness column: none when the catalogue names none.
    pub latest: Option<Cell>,
}

/// Judges the rows of one dataset for the periods that are asked for.
///
/// # Errors
/// A refusal when a period lies before history or after the last load, or when the rows are older than the catalogue
/// allows and the period is one that they should already reach into.
pub fn judge(
    loaded: &Loaded<'_>,
    periods: &[Option<Period>],
    now: Timestamp,
    project: &Project,
) -> Result<Vec<Caveat>, Halt> {
    let today = project.calendar.today(now);
    let zone = &project.calendar.zone;
    let mut caveats = Vec::new();
    for period in periods {
        before_history(loaded.dataset, period.as_ref(), &mut caveats)?;
        if let Some(latest) = &loaded.latest {
            arrived(loaded.dataset, latest, period.as_ref(), (now, zone), &mut caveats)?;
        }
        if let Some(period) = period
            && period.start() <= today
            && today < period.end_exclusive()
        {
            push(&mut caveats, "period_not_over", format!("{period} is not over: today is {today}"));
        }
        if let Some(period) = period.as_ref().filter(|p| p.start() > today) {
            let text =
                format!("{period} lies ahead: today is {today}; what is recorded for it so far is shown");
            push(&mut caveats, "period_ahead", text);
        }
    }
    Ok(caveats)
}

fn before_history(dataset: &Dataset, period: Option<&Period>, caveats: &mut Vec<Caveat>) -> Result<(), Halt> {
    let start = dataset.freshness.as_ref().and_then(|f| f.history_start);
    let (Some(start), Some(period)) = (start, period) else { return Ok(()) };
    if period.end_exclusive() <= start {
        return Err(Halt::Refuse(vec![Problem::new(
            ReasonCode::BeforeHistory,
            format!("{period} lies before the first {}, of {start}", dataset.label),
            format!("ask for a period from {start} on"),
        )]));
    }
    if period.start() < start {
        push(caveats, "history_begins_inside", format!("there are no {} before {start}", dataset.label));
    }
    Ok(())
}

fn arrived(
    dataset: &Dataset,
    latest: &Cell,
    period: Option<&Period>,
    (now, zone): (Timestamp, &TimeZone),
    caveats: &mut Vec<Caveat>,
) -> Result<(), Halt> {
    let label = &dataset.label;
    let Some(day) = civil_day(latest, zone) else {
        return Err(Halt::Refuse(vec![Problem::new(
            ReasonCode::NotLoaded,
            format!("no {label} have been loaded"),
            "load the data, then ask again",
        )]));
    };
    let late = lag_s(latest, now, zone);
    let lag_max = dataset.freshness.as_ref().and_then(|f| f.max_lag_s);
    let stale = matches!((late, lag_max), (Some(late), Some(max)) if late > max);
    match period {
        Some(period) if day < period.start() => Err(Halt::Refuse(vec![Problem::new(
            ReasonCode::NotLoaded,
            format!("{period} is not loaded yet: {label} last arrived on {day}"),
            format!("ask for a period up to {day}, or ask again later"),
        )])),
        Some(period) if day < period.last_day() && stale => Err(Halt::Refuse(vec![Problem::new(
            ReasonCode::Stale,
            format!("{label} last arrived on {day}, later than the catalogue allows"),
            "load the data, or ask for a period that ends before",
        )])),
        Some(period) if day < period.last_day() => {
            push(
                caveats,
                "incomplete_period",
                format!("{label} last arrived on {day}; {period} is not complete"),
            );
            Ok(())
        }
        None if stale => {
            push(caveats, "stale", format!("{label} last arrived on {day}, later than the catalogue allows"));
            Ok(())
        }
        Some(_) | None => Ok(()),
    }
}

fn civil_day(latest: &Cell, zone: &TimeZone) -> Option<Date> {
    match latest {
        Cell::Date(day) => Some(*day),
        Cell::DateTime(moment) => Some(moment.date()),
        Cell::Instant(moment) => Some(moment.to_zoned(zone.clone()).date()),
        Cell::Null | Cell::Boolean(_) | Cell::Number(_) | Cell::NotFinite(_) | Cell::Text(_) => None,
    }
}

/// How long ago, in seconds. A date counts from its end.
fn lag_s(latest: &Cell, now: Timestamp, zone: &TimeZone) -> Option<i64> {
    let moment = match latest {
        Cell::Date(day) => day.tomorrow().ok()?.to_zoned(zone.clone()).ok()?.timestamp(),
        Cell::DateTime(moment) => moment.to_zoned(zone.clone()).ok()?.timestamp(),
        Cell::Instant(moment) => *moment,
        Cell::Null | Cell::Boolean(_) | Cell::Number(_) | Cell::NotFinite(_) | Cell::Text(_) => return None,
    };
    moment.until((TimeUnit::Second, now)).ok().map(|span| span.get_seconds())
}

fn push(caveats: &mut Vec<Caveat>, code: &'static str, text: String) {
    let caveat = Caveat { code, text };
    if !caveats.contains(&caveat) {
        caveats.push(caveat);
    }
}
