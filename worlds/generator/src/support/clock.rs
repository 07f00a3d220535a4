//! Owns moments: minutes since 1970 in UTC, and how they are written on an Amsterdam clock.

use crate::days::Day;

const MINUTES_PER_DAY: i64 = 1_440;

/// A moment, to the minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment(i64);

impl Moment {
    /// Midnight UTC of a day, and so many minutes.
    pub(super) fn utc(day: Day, minutes: i64) -> Self {
        Self(day.since(Day::of(1970, 1, 1)) * MINUTES_PER_DAY + minutes)
    }

    /// So many minutes later.
    pub(super) fn plus(self, minutes: i64) -> Self {
        Self(self.0 + minutes)
    }

    /// The day and the minute of the day in Amsterdam, and the hours that its clock is ahead of UTC.
    pub(super) fn amsterdam(self) -> (Day, i64, i64) {
        let ahead = if self.is_summer() { 2 } else { 1 };
        let local = self.0 + ahead * 60;
        (
            Day::of(1970, 1, 1).plus(local.div_euclid(MINUTES_PER_DAY)),
            local.rem_euclid(MINUTES_PER_DAY),
            ahead,
        )
    }

    /// With Amsterdam's offset, such as `2025-10-26T02:30:00+02:00`.
    pub(super) fn written(self) -> String {
        let (day, minute, ahead) = self.amsterdam();
        format!("{day}T{:02}:{:02}:00+{ahead:02}:00", minute / 60, minute % 60)
    }

    /// In UTC, such as `2025-10-26T00:30:00Z`, as another system writes it.
    pub(super) fn written_utc(self) -> String {
        let day = Day::of(1970, 1, 1).plus(self.0.div_euclid(MINUTES_PER_DAY));
        let minute = self.0.rem_euclid(MINUTES_PER_DAY);
        format!("{day}T{:02}:{:02}:00Z", minute / 60, minute % 60)
    }

    /// Summer time runs from 01:00 UTC on the last Sunday of March to 01:00 UTC on the last Sunday of October.
    fn is_summer(self) -> bool {
        let (year, _, _) = Day::of(1970, 1, 1).plus(self.0.div_euclid(MINUTES_PER_DAY)).civil();
        let change = |month| Self::utc(last_sunday(year, month), 60);
        (change(3)..change(10)).contains(&self)
    }
}

/// The last Sunday of a month of 31 days.
fn last_sunday(year: i64, month: i64) -> Day {
    let last = Day::of(year, month, 31);
    // 1970-01-04 was a Sunday.
    last.plus(-last.since(Day::of(1970, 1, 4)).rem_euclid(7))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_change_when_amsterdam_changes_them() {
        assert_eq!(last_sunday(2025, 10).to_string(), "2025-10-26");
        assert_eq!(last_sunday(2026, 3).to_string(), "2026-03-29");
        let night = Moment::utc(Day::of(2025, 10, 26), 30);
        assert_eq!(night.written(), "2025-10-26T02:30:00+02:00");
        assert_eq!(night.plus(60).written(), "2025-10-26T02:30:00+01:00");
        assert_eq!(night.written_utc(), "2025-10-26T00:30:00Z");
        assert_eq!(Moment::utc(Day::of(2026, 3, 29), 60).written(), "2026-03-29T03:00:00+02:00");
    }
}
