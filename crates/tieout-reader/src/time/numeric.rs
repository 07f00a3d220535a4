//! Dates in digits: `2026-09-03`, `2026-09`, `3/9/2026`, `2026-W36`, `2026q3`.
//!
//! A date of day, month and year whose first two parts could both be the month is read as the language's file says for
//! its sign, and the other reading is named. Deliberately absent: dates in digits without a year, which look like shares.

use super::{
    atoms::Atom,
    parser::{Parsed, Parser},
    unit::{DayOrder, Kind, Unit, Year},
};

impl Parser<'_> {
    /// A date that starts with digits and is written in one piece.
    pub(super) fn numeric(&self, at: usize) -> Parsed<Unit> {
        let length = self.atoms.get(at).filter(|atom| atom.is_digits())?.text.len();
        match length {
            1 | 2 => self.day_or_month_first(at).or_else(|| self.number_then_letter(at)),
            _ => self.year_first(at),
        }
    }

    /// The number of a glued atom, when it has at most so many digits.
    fn short_number(&self, at: usize, digits_max: usize) -> Option<i64> {
        self.atoms.get(at).filter(|atom| atom.glued && atom.text.len() <= digits_max).and_then(Atom::number)
    }

    fn year_first(&self, at: usize) -> Parsed<Unit> {
        let digits = self.atoms.get(at)?.text.len();
        let year = self.atoms.get(at)?.number()?;
        if digits < 4 {
            return None;
        }
        if let Some(unit) = self.year_then_letter(at, year) {
            return Some(unit);
        }
        let sign = self.glued(at + 1).filter(|sign| matches!(*sign, "-" | "/" | "."))?;
        if let Some(unit) = self.year_then_letter(at + 1, year).filter(|_| sign == "-") {
            return Some(unit);
        }
        let month = self.short_number(at + 2, 2)?;
        if self.glued(at + 3) == Some(sign)
            && let Some(day) = self.short_number(at + 4, 2)
        {
            let date = Unit::Digits { year, month, day, order: DayOrder::Certain };
            return self.ends_number(at + 5).then_some((date, at + 5));
        }
        // `2025-26` is rather a season than a month, and `2026.5` a number.
        let season = month > 12 && month == year.saturating_add(1) % 100;
        if sign == "." || season || !self.ends_number(at + 3) {
            return None;
        }
        Some((Unit::Month { year: Some(Year::Stated(year)), month }, at + 3))
    }

    /// `2026q3`, `2026-W36`, `2026-h1`; `at` is the place before the letter.
    fn year_then_letter(&self, at: usize, year: i64) -> Parsed<Unit> {
        let letter = self.glued(at + 1)?;
        let number = self.short_number(at + 2, 2)?;
        let stated = Some(Year::Stated(year));
        let is = |letters: &[String]| letters.iter().any(|l| l == letter);
        let unit = if is(&self.words.quarter_letters) {
            Unit::Quarter { year: stated, number, kind: Kind::Calendar }
        } else if is(&self.words.half_letters) {
            Unit::Half { year: stated, number, kind: Kind::Calendar }
        } else if is(&self.words.week_letters) {
            Unit::IsoWeek { year, week: number }
        } else {
            return None;
        };
        self.ends_number(at + 3).then_some((unit, at + 3))
    }

    /// `3q26`, `1h2026`.
    fn number_then_letter(&self, at: usize) -> Parsed<Unit> {
        let number = self.atoms.get(at)?.number()?;
        let letter = self.glued(at + 1)?;
        let digits = self.atoms.get(at + 2).filter(|atom| atom.glued && matches!(atom.text.len(), 2 | 4))?;
        let year = Some(Year::Stated(in_full(digits.number()?, digits.text.len())));
        let is = |letters: &[String]| letters.iter().any(|l| l == letter);
        let unit = if is(&self.words.quarter_letters) {
            Unit::Quarter { year, number, kind: Kind::Calendar }
        } else if is(&self.words.half_letters) {
            Unit::Half { year, number, kind: Kind::Calendar }
        } else {
            return None;
        };
        self.ends_number(at + 3).then_some((unit, at + 3))
    }

    /// `3/9/2026`, `03.09.26`, `09/2026`.
    fn day_or_month_first(&self, at: usize) -> Parsed<Unit> {
        let a = self.atoms.get(at)?.number()?;
        let sign = self.glued(at + 1)?;
        let month_first = *self.words.month_first.get(sign)?;
        let second = self.atoms.get(at + 2).filter(|atom| atom.glued)?;
        if second.text.len() == 4 && sign != "." {
            let month = Unit::Month { year: Some(Year::Stated(second.number()?)), month: a };
            return self.ends_number(at + 3).then_some((month, at + 3));
        }
        let b = self.short_number(at + 2, 2)?;
        if self.glued(at + 3) != Some(sign) {
            return None;
        }
        let digits = self.atoms.get(at + 4).filter(|atom| atom.glued)?;
        let length = digits.text.len();
        if !matches!(length, 2 | 4) || (length == 2 && sign == "-") || !self.ends_number(at + 5) {
            return None;
        }
        let year = in_full(digits.number()?, length);
        let (month, day, order) = match (a <= 12, b <= 12) {
            (true, true) if a == b => (a, b, DayOrder::Certain),
            (true, true) if month_first => (a, b, DayOrder::MonthFirst),
            (true, true) => (b, a, DayOrder::DayFirst),
            (true, false) => (a, b, DayOrder::Certain),
            (false, _) => (b, a, DayOrder::Certain),
        };
        Some((Unit::Digits { year, month, day, order }, at + 5))
    }
}

/// A year of two digits is one of this century.
pub(super) fn in_full(year: i64, digits: usize) -> i64 {
    if digits == 2 { 2_000 + year } else { year }
}
