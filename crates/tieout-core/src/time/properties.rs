//! What must hold for every period, unit, bucket and zone, tried on many. The expected sides are worked out day by
//! day or taken from the history of the zones, never by the code under test.

use jiff::{
    Timestamp, ToSpan,
    civil::{Date, Weekday, date},
    tz::TimeZone,
};
use proptest::prelude::*;

use super::*;

const GRAINS: [Grain; 7] = [
    Grain::Day,
    Grain::Week,
    Grain::Month,
    Grain::Quarter,
    Grain::Year,
    Grain::FiscalQuarter,
    Grain::FiscalYear,
];

const WEEKDAYS: [Weekday; 7] = [
    Weekday::Monday,
    Weekday::Tuesday,
    Weekday::Wednesday,
    Weekday::Thursday,
    Weekday::Friday,
    Weekday::Saturday,
    Weekday::Sunday,
];

fn calendar(zone: &str, week_start: Weekday, fiscal_start_month: i8) -> Calendar {
    Calendar { zone: TimeZone::get(zone).unwrap(), week_start, fiscal_start_month }
}

fn any_calendar() -> impl Strategy<Value = Calendar> {
    let zones = ["UTC", "America/New_York", "Europe/Amsterdam", "Asia/Kolkata", "Australia/Lord_Howe"];
    (0..zones.len(), 0..7usize, 1..=12i8).prop_map(move |(z, w, f)| calendar(zones[z], WEEKDAYS[w], f))
}

fn any_day() -> impl Strategy<Value = Date> {
    (0..3_000_000i64).prop_map(|n| date(1, 2, 1).checked_add(n.days()).unwrap())
}

fn any_grain() -> impl Strategy<Value = Grain> {
    (0..GRAINS.len()).prop_map(|i| GRAINS[i])
}

/// Whether a unit of the grain may begin on the day, said without arithmetic on units.
fn begins(calendar: &Calendar, grain: Grain, day: Date) -> bool {
    let fiscal = (0..4).map(|q| (calendar.fiscal_start_month - 1 + 3 * q) % 12 + 1).collect::<Vec<_>>();
    match grain {
        Grain::Day => true,
        Grain::Week => day.weekday() == calendar.week_start,
        Grain::Month => day.day() == 1,
        Grain::Quarter => day.day() == 1 && [1, 4, 7, 10].contains(&day.month()),
        Grain::Year => day.day() == 1 && day.month() == 1,
        Grain::FiscalQuarter => day.day() == 1 && fiscal.contains(&day.month()),
        Grain::FiscalYear => day.day() == 1 && day.month() == calendar.fiscal_start_month,
    }
}

proptest! {
    #[test]
    fn a_unit_holds_its_day_and_no_other_beginning(c in any_calendar(), grain in any_grain(), day in any_day()) {
        let unit = c.unit(grain, day).unwrap();
        prop_assert!(unit.start() <= day && day < unit.end_exclusive());
        prop_assert!(begins(&c, grain, unit.start()));
        prop_assert!(begins(&c, grain, unit.end_exclusive()));
        let mut inside = unit.start().tomorrow().unwrap();
        while inside < unit.end_exclusive() {
            prop_assert!(!begins(&c, grain, inside), "{grain} also begins on {inside}");
            inside = inside.tomorrow().unwrap();
        }
    }

    #[test]
    fn going_back_and_forth_returns(c in any_calendar(), grain in any_grain(), day in any_day(), n in -400..400i32) {
        let Some(there) = c.unit_at(grain, day, n) else { return Ok(()) };
        let back = c.unit_at(grain, there.start(), -n).unwrap();
        prop_assert_eq!(&back, &c.unit(grain, day).unwrap());
        let from_its_last_day = c.unit_at(grain, there.last_day(), -n).unwrap();
        prop_assert_eq!(back, from_its_last_day);
    }

    #[test]
    fn neighbours_abut(c in any_calendar(), grain in any_grain(), day in any_day()) {
        let unit = c.unit(grain, day).unwrap();
        prop_assert_eq!(c.unit_at(grain, day, 1).unwrap().start(), unit.end_exclusive());
        prop_assert_eq!(c.unit_at(grain, day, -1).unwrap().end_exclusive(), unit.start());
        prop_assert!(unit.overlap(&c.unit_at(grain, day, 1).unwrap()).is_none());
    }

    #[test]
    fn any_number_of_steps_is_survived(c in any_calendar(), grain in any_grain(), day in any_day(), n in any::<i32>()) {
        if let Some(unit) = c.unit_at(grain, day, n) {
            prop_assert_eq!((unit.start() > day).then_some(true), (n > 0).then_some(true));
        }
        if let Some(period) = c.unit(grain, day).and_then(|unit| c.shifted(&unit, n)) {
            prop_assert!(period.start() < period.end_exclusive());
        }
    }

    #[test]
    fn buckets_cover_exactly(c in any_calendar(), grain in any_grain(), day in any_day(), days in 1..900i64) {
        let end = day.checked_add(days.days()).unwrap();
        let period = c.period(day, end).unwrap();
        let buckets = c.buckets(grain, &period).unwrap();
        prop_assert_eq!(buckets[0].period.start(), period.start());
        prop_assert_eq!(buckets[buckets.len() - 1].period.end_exclusive(), period.end_exclusive());
        prop_assert_eq!(buckets.iter().map(|b| b.period.days()).sum::<i64>(), days);
        for (i, bucket) in buckets.iter().enumerate() {
            prop_assert_eq!(bucket.index, i);
            let whole = begins(&c, grain, bucket.period.start()) && begins(&c, grain, bucket.period.end_exclusive());
            prop_assert_eq!(bucket.partial, !whole);
            let mut inside = bucket.period.start().tomorrow().unwrap();
            while inside < bucket.period.end_exclusive() {
                prop_assert!(!begins(&c, grain, inside));
                inside = inside.tomorrow().unwrap();
            }
            if i > 0 {
                prop_assert_eq!(buckets[i - 1].period.end_exclusive(), bucket.period.start());
                prop_assert!(buckets[i - 1].label != bucket.label);
            }
        }
    }

    #[test]
    fn shifting_never_empties_and_keeps_whole_months(
        c in any_calendar(), day in any_day(), days in 1..400i64, months in -60..60i32,
    ) {
        let period = c.period(day, day.checked_add(days.days()).unwrap()).unwrap();
        let Some(moved) = c.shifted(&period, months) else { return Ok(()) };
        prop_assert!(moved.days() >= 1);
        let index = |d: Date| i32::from(d.year()) * 12 + i32::from(d.month());
        prop_assert_eq!(index(moved.start()), index(period.start()) + months);
        let run = c.unit(Grain::Quarter, day).unwrap();
        if let Some(moved) = c.shifted(&run, months) {
            prop_assert_eq!(moved.start().day(), 1);
            prop_assert_eq!(index(moved.end_exclusive()) - index(moved.start()), 3);
        }
    }

    #[test]
    fn a_fiscal_year_is_named_after_the_year_in_which_it_ends(c in any_calendar(), day in any_day()) {
        let unit = c.unit(Grain::FiscalYear, day).unwrap();
        prop_assert_eq!(c.fiscal_year_name(day), unit.last_day().year());
        prop_assert_eq!(c.fiscal_year_start(c.fiscal_year_name(day)).unwrap(), unit.start());
    }
}

/// Every zone that is bundled: the end of a day is the instant the next one begins, and today is the day it is in.
#[test]
fn days_abut_in_every_zone() {
    let mut zones = 0;
    let mut changed = 0;
    for name in jiff::tz::db().available() {
        let zone = TimeZone::get(name.as_str()).unwrap();
        zones += 1;
        for first in
            [date(2011, 12, 20), date(2020, 3, 1), date(2020, 10, 1), date(2026, 3, 1), date(2026, 10, 1)]
        {
            let mut day = first;
            let mut last: Option<Timestamp> = None;
            for _ in 0..60 {
                let next = day.tomorrow().unwrap();
                let (from, to) = Period::new(day, next, zone.clone()).unwrap().instants().unwrap();
                assert!(last.is_none_or(|end| end == from), "{} {day}: a gap or an overlap", name.as_str());
                assert!(from <= to, "{} {day} ends before it begins", name.as_str());
                let hours = to.duration_since(from).as_secs();
                changed += usize::from(hours != 86_400);
                if hours > 0 {
                    let calendar =
                        Calendar { zone: zone.clone(), week_start: Weekday::Monday, fiscal_start_month: 1 };
                    let before = to.checked_sub(1.nanosecond()).unwrap();
                    assert_eq!(calendar.today(from), day, "{}", name.as_str());
                    assert_eq!(calendar.today(before), day, "{}", name.as_str());
                }
                last = Some(to);
                day = next;
            }
        }
    }
    assert!(zones > 400 && changed > 400, "{zones} zones, {changed} days that are not 24 hours long");
}

fn hours(zone: &str, day: Date) -> i64 {
    let period = Period::new(day, day.tomorrow().unwrap(), TimeZone::get(zone).unwrap()).unwrap();
    let (from, to) = period.instants().unwrap();
    to.duration_since(from).as_secs() / 3_600
}

#[test]
fn long_short_and_missing_days() {
    assert_eq!(hours("Europe/Amsterdam", date(2020, 10, 25)), 25);
    assert_eq!(hours("Europe/Amsterdam", date(2020, 3, 29)), 23);
    assert_eq!(hours("America/New_York", date(2026, 3, 8)), 23);
    assert_eq!(hours("America/New_York", date(2026, 11, 1)), 25);
    // Midnight does not exist on this day in São Paulo, and comes twice on that one in Havana.
    assert_eq!(hours("America/Sao_Paulo", date(2018, 11, 4)), 23);
    assert_eq!(hours("America/Havana", date(2020, 11, 1)), 25);
    // Samoa crossed the date line: there was no 30 December 2011.
    assert_eq!(hours("Pacific/Apia", date(2011, 12, 30)), 0);
    assert_eq!(hours("Pacific/Apia", date(2011, 12, 31)), 24);
}

#[test]
fn the_instants_of_a_long_day() {
    let day = date(2020, 10, 25);
    let period = Period::new(day, date(2020, 10, 26), TimeZone::get("Europe/Amsterdam").unwrap()).unwrap();
    let (from, to) = period.instants().unwrap();
    assert_eq!(from.to_string(), "2020-10-24T22:00:00Z");
    assert_eq!(to.to_string(), "2020-10-25T23:00:00Z");
}

#[test]
fn weeks_that_start_on_monday_and_on_sunday() {
    let wednesday = date(2026, 10, 7);
    let monday = calendar("UTC", Weekday::Monday, 1);
    let sunday = calendar("UTC", Weekday::Sunday, 1);
    assert_eq!(monday.unit(Grain::Week, wednesday).unwrap().to_string(), "2026-10-05 to 2026-10-11");
    assert_eq!(sunday.unit(Grain::Week, wednesday).unwrap().to_string(), "2026-10-04 to 2026-10-10");
    assert_eq!(sunday.unit(Grain::Week, date(2026, 10, 4)).unwrap().start(), date(2026, 10, 4));
    assert_eq!(monday.unit(Grain::Week, date(2026, 10, 4)).unwrap().start(), date(2026, 9, 28));
    assert_eq!(sunday.unit_at(Grain::Week, wednesday, -1).unwrap().to_string(), "2026-09-27 to 2026-10-03");
}

#[test]
fn month_ends_and_leap_years() {
    let c = calendar("UTC", Weekday::Monday, 1);
    let shifted = |from: Date, to: Date, months: i32| {
        c.shifted(&c.period(from, to).unwrap(), months).unwrap().to_string()
    };
    assert_eq!(shifted(date(2026, 3, 31), date(2026, 4, 1), -1), "2026-02-28");
    assert_eq!(shifted(date(2026, 3, 30), date(2026, 3, 31), -1), "2026-02-28");
    assert_eq!(shifted(date(2026, 3, 1), date(2026, 3, 31), -1), "2026-02-01 to 2026-02-28");
    assert_eq!(shifted(date(2026, 2, 1), date(2026, 3, 1), -1), "2026-01-01 to 2026-01-31");
    assert_eq!(shifted(date(2024, 2, 1), date(2024, 3, 1), -12), "2023-02-01 to 2023-02-28");
    assert_eq!(shifted(date(2023, 2, 1), date(2023, 3, 1), 12), "2024-02-01 to 2024-02-29");
    assert_eq!(shifted(date(2024, 2, 29), date(2024, 3, 1), 12), "2025-02-28");
    assert_eq!(c.unit(Grain::Month, date(2024, 2, 10)).unwrap().days(), 29);
    assert_eq!(c.unit(Grain::Month, date(1900, 2, 10)).unwrap().days(), 28);
    assert_eq!(c.unit(Grain::Year, date(2000, 2, 29)).unwrap().days(), 366);
}

#[test]
fn fiscal_units_of_a_year_that_starts_in_february() {
    let c = calendar("America/New_York", Weekday::Monday, 2);
    let now = date(2026, 10, 7);
    let quarter = c.unit(Grain::FiscalQuarter, now).unwrap();
    assert_eq!(quarter.to_string(), "2026-08-01 to 2026-10-31");
    assert_eq!(c.label(Grain::FiscalQuarter, quarter.start()), "FY2027 Q3");
    let year = c.unit(Grain::FiscalYear, now).unwrap();
    assert_eq!(year.to_string(), "2026-02-01 to 2027-01-31");
    assert_eq!(c.label(Grain::FiscalYear, year.start()), "FY2027");
    assert_eq!(c.fiscal_year_name(date(2026, 1, 31)), 2026);
    assert_eq!(c.fiscal_year_start(2026), Some(date(2025, 2, 1)));
    assert_eq!(calendar("UTC", Weekday::Monday, 1).fiscal_year_start(2026), Some(date(2026, 1, 1)));
    assert_eq!(c.fiscal_year_start(i16::MIN), None);
}

#[test]
fn the_edges_of_what_can_be_counted() {
    let c = calendar("UTC", Weekday::Monday, 2);
    assert_eq!(c.unit(Grain::Year, date(9999, 6, 1)), None);
    assert_eq!(c.unit_at(Grain::Day, date(2026, 1, 1), i32::MIN), None);
    assert_eq!(c.unit_at(Grain::Quarter, date(2026, 1, 1), i32::MAX), None);
    assert_eq!(c.buckets(Grain::Day, &c.period(date(2020, 1, 1), date(2026, 1, 1)).unwrap()), None);
    let most = c.period(date(2020, 1, 1), date(2020, 1, 1).checked_add(1_000.days()).unwrap()).unwrap();
    assert_eq!(c.buckets(Grain::Day, &most).unwrap().len(), BUCKETS_MAX);
    assert_eq!(c.period(date(2026, 1, 1), date(2026, 1, 1)), None);
    assert_eq!(c.period(date(2026, 1, 2), date(2026, 1, 1)), None);
    let open = c.period(OPEN_START, date(2026, 10, 1)).unwrap();
    assert!(open.is_open() && open.instants().is_some());
    assert_eq!(open.to_string(), "up to 2026-09-30");
}

#[test]
fn zones_have_names() {
    assert_eq!(zone_name(&TimeZone::get("america/new_york").unwrap()), "America/New_York");
    assert_eq!(zone_name(&TimeZone::UTC), "UTC");
    let offset = |seconds| TimeZone::fixed(jiff::tz::Offset::from_seconds(seconds).unwrap());
    assert_eq!(zone_name(&offset(19_800)), "+05:30");
    assert_eq!(zone_name(&offset(-12_600)), "-03:30");
}
