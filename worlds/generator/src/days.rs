//! Owns civil days: counting them, and writing them.
//!
//! Deliberately absent: zones. What needs an offset writes it where it knows it.

use std::fmt;

/// A civil day, counted from 1970-01-01.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(i64);

impl Day {
    /// The day of a year, month (1 to 12) and day of the month.
    #[must_use]
    pub fn of(year: i64, month: i64, day: i64) -> Self {
        // Days from civil, after Howard Hinnant, "chrono-compatible low-level date algorithms".
        let year = if month <= 2 { year - 1 } else { year };
        let era = year.div_euclid(400);
        let of_era = year - era * 400;
        let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        Self(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
    }

    /// Its year, month and day of the month.
    #[must_use]
    pub fn civil(self) -> (i64, i64, i64) {
        let shifted = self.0 + 719_468;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted - era * 146_097;
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        (year_of_era + era * 400 + i64::from(month <= 2), month, day)
    }

    /// So many days later (or earlier, when negative).
    #[must_use]
    pub fn plus(self, days: i64) -> Self {
        Self(self.0 + days)
    }

    /// How many days from another day to this one.
    #[must_use]
    pub fn since(self, other: Self) -> i64 {
        self.0 - other.0
    }

    /// The same day of the month, so many months later; the month's last day when it has no such day.
    #[must_use]
    pub fn plus_months(self, months: i64) -> Self {
        let (year, month, day) = self.civil();
        let count = year * 12 + month - 1 + months;
        let first = Self::of(count.div_euclid(12), count.rem_euclid(12) + 1, 1);
        first.plus((day - 1).min(first.days_in_month() - 1))
    }

    /// How many days its month has.
    #[must_use]
    pub fn days_in_month(self) -> i64 {
        let (year, month, _) = self.civil();
        let next = if month == 12 { Self::of(year + 1, 1, 1) } else { Self::of(year, month + 1, 1) };
        next.since(Self::of(year, month, 1))
    }

    /// Whether it lies in the month.
    #[must_use]
    pub fn is_in(self, year: i64, month: i64) -> bool {
        let (y, m, _) = self.civil();
        (y, m) == (year, month)
    }

    /// As `03/09/2026`.
    #[must_use]
    pub fn day_first(self) -> String {
        let (year, month, day) = self.civil();
        format!("{day:02}/{month:02}/{year:04}")
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.civil();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

/// The first days of the months from one to another, both inside.
pub fn months(from: (i64, i64), to: (i64, i64)) -> impl Iterator<Item = (i64, i64)> {
    let (start, end) = (from.0 * 12 + from.1 - 1, to.0 * 12 + to.1 - 1);
    (start..=end).map(|count| (count.div_euclid(12), count.rem_euclid(12) + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_and_written() {
        assert_eq!(Day::of(1970, 1, 1), Day(0));
        assert_eq!(Day::of(2024, 2, 29).plus(1).to_string(), "2024-03-01");
        assert_eq!(Day::of(2026, 9, 30).civil(), (2026, 9, 30));
        assert_eq!(Day::of(2026, 2, 1).days_in_month(), 28);
        assert_eq!(Day::of(2024, 1, 31).plus_months(1).to_string(), "2024-02-29");
        assert_eq!(Day::of(2026, 9, 3).day_first(), "03/09/2026");
        assert_eq!(months((2025, 11), (2026, 1)).collect::<Vec<_>>(), [(2025, 11), (2025, 12), (2026, 1)]);
    }
}
