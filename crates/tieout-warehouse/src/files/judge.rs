//! Owns the judgement of one field: whether its text is a value of the declared type, and which.
//!
//! A text is the same when every engine reads it as the value it plainly is; it is rewritten when its value is certain
//! but its form is not the plain one (`1 234,50`, `31/12/2026`); it is refused otherwise. Nothing is rounded and
//! nothing is cut off. Deliberately absent: guessing a type.

use std::{borrow::Cow, str::FromStr};

use bigdecimal::BigDecimal;
use jiff::{
    Timestamp,
    civil::{Date, DateTime},
};
use tieout_core::catalogue::Datatype;

/// The most digits a number may have, on both sides of the point together.
pub(crate) const DIGITS_MAX: usize = 38;
/// How much of a refused text is shown, in characters.
const SHOWN_CHARACTERS_MAX: usize = 60;
/// The years a date written in a format of one's own may have; a year of two digits is none of them.
const YEARS: std::ops::RangeInclusive<i16> = 1000..=9999;

/// How the fields of one column are judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judge {
    /// What they must be.
    pub(crate) datatype: Datatype,
    /// The separator between thousands.
    pub(crate) thousands: Option<char>,
    /// The decimal separator, a point when absent.
    pub(crate) decimal: Option<char>,
    /// How dates are written, when not as ISO 8601 has them.
    pub(crate) date_format: Option<String>,
}

/// How many digits a number has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Shape {
    /// Before the point.
    pub(crate) whole: usize,
    /// Behind it, without zeros at the end.
    pub(crate) fraction: usize,
}

/// What is thought of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// No value.
    Null,
    /// A value, plainly written.
    Same(Shape),
    /// A value that needs to be written plainly.
    Rewritten(String, Shape),
    /// No value of the type: why, as the end of a sentence that names the text.
    Refused(&'static str),
}

impl Judge {
    /// Judges text as values of a type, written plainly.
    pub(crate) fn plain(datatype: Datatype) -> Judge {
        Judge { datatype, thousands: None, decimal: None, date_format: None }
    }

    /// Whether the file must be written anew whatever its fields hold.
    pub(crate) fn rewrites(&self) -> bool {
        match self.datatype {
            Datatype::Integer => self.thousands.is_some(),
            Datatype::Decimal | Datatype::Float => {
                self.thousands.is_some() || self.decimal.is_some_and(|c| c != '.')
            }
            Datatype::Date | Datatype::Timestamp | Datatype::Instant => self.date_format.is_some(),
            Datatype::String | Datatype::Boolean => false,
        }
    }

    /// Judges a text.
    pub(crate) fn judge(&self, text: &str) -> Verdict {
        if text.is_empty() {
            return Verdict::Null;
        }
        if self.datatype == Datatype::String {
            return Verdict::Same(Shape::default());
        }
        if let Some(verdict) = self.at_once(text) {
            return verdict;
        }
        let trimmed = text.trim();
        if trimmed.is_empty() || trimmed.eq_ignore_ascii_case("null") || trimmed == "\\N" {
            return Verdict::Rewritten(String::new(), Shape::default());
        }
        let same = trimmed.len() == text.len();
        match self.datatype {
            Datatype::String => Verdict::Same(Shape::default()),
            Datatype::Integer => self.integer(trimmed),
            Datatype::Decimal => self.decimal(trimmed),
            Datatype::Float => self.float(trimmed, same),
            Datatype::Boolean => boolean(trimmed, same),
            Datatype::Date => self.date(trimmed, same),
            Datatype::Timestamp => self.timestamp(trimmed, same),
            Datatype::Instant => self.instant(trimmed),
        }
    }

    /// The verdict on the commonest forms, without taking the text apart.
    fn at_once(&self, text: &str) -> Option<Verdict> {
        match self.datatype {
            Datatype::Integer | Datatype::Decimal if !self.rewrites() => plain_number(text.as_bytes())
                .filter(|shape| self.datatype == Datatype::Decimal || !shape.1)
                .map(|shape| Verdict::Same(shape.0)),
            Datatype::Date if self.date_format.is_none() && text.len() == 10 => {
                iso_date(text.as_bytes()).then_some(Verdict::Same(Shape::default()))
            }
            Datatype::Timestamp if self.date_format.is_none() && text.len() >= 19 => {
                iso_date_time(text.as_bytes()).then_some(Verdict::Same(Shape::default()))
            }
            Datatype::Instant => {
                let civil = text.strip_suffix('Z')?.as_bytes();
                iso_date_time(civil).then_some(Verdict::Same(Shape::default()))
            }
            _ => None,
        }
    }

    fn integer(&self, text: &str) -> Verdict {
        match self.exact(text) {
            Some(number) if number.is_integer() => rewritten_number(&number, "is too large"),
            Some(_) => Verdict::Refused("is not a whole number"),
            None => Verdict::Refused(not_a_number(text, "is not a whole number")),
        }
    }

    fn decimal(&self, text: &str) -> Verdict {
        match self.exact(text) {
            Some(number) => rewritten_number(&number, "has more than 38 digits"),
            None => Verdict::Refused(not_a_number(text, "is not a number")),
        }
    }

    fn float(&self, text: &str, same: bool) -> Verdict {
        let Some(plain) = self.ungrouped(text) else { return Verdict::Refused("is not a number") };
        match f64::from_str(&plain) {
            Ok(value) if value.is_finite() => match same && plain == text && starts_and_ends_with_digit(text)
            {
                true => Verdict::Same(Shape::default()),
                false => Verdict::Rewritten(format!("{value:e}"), Shape::default()),
            },
            Ok(_) => Verdict::Refused("is not a finite number"),
            Err(_) => Verdict::Refused("is not a number"),
        }
    }

    /// The number a text stands for, if it certainly is one.
    fn exact(&self, text: &str) -> Option<BigDecimal> {
        let plain = self.ungrouped(text)?;
        let plain = plain.strip_prefix('+').unwrap_or(&plain);
        let allowed = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e' | 'E');
        let number = plain.chars().all(allowed) && plain.bytes().any(|b| b.is_ascii_digit());
        let exponent = plain.split(['e', 'E']).nth(1).map_or(0, str::len);
        if !number || exponent > 4 {
            return None;
        }
        BigDecimal::from_str(plain).ok()
    }

    /// The text with its own separators replaced by the plain ones; none when groups are not of three.
    fn ungrouped<'t>(&self, text: &'t str) -> Option<Cow<'t, str>> {
        let decimal = self.decimal.unwrap_or('.');
        if self.thousands.is_none() && decimal == '.' {
            return Some(Cow::Borrowed(text));
        }
        let (whole, fraction) = match text.split_once(decimal) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (text, None),
        };
        let mut plain = match self.thousands.filter(|mark| whole.contains(*mark)) {
            None => whole.to_owned(),
            Some(mark) => {
                let (sign, digits) = whole.split_at(usize::from(whole.starts_with(['-', '+'])));
                let groups: Vec<&str> = digits.split(mark).collect();
                let (first, others) = groups.split_first()?;
                if !(1..=3).contains(&first.len()) || others.iter().any(|group| group.len() != 3) {
                    return None;
                }
                format!("{sign}{}", groups.concat())
            }
        };
        if plain.contains('.') {
            return None;
        }
        if let Some(fraction) = fraction {
            plain.push('.');
            plain.push_str(fraction);
        }
        Some(Cow::Owned(plain))
    }

    fn date(&self, text: &str, same: bool) -> Verdict {
        let form = |date: Date| Verdict::Rewritten(date.to_string(), Shape::default());
        if let Some(format) = &self.date_format {
            if let Ok(date) = Date::strptime(format, text) {
                return if YEARS.contains(&date.year()) {
                    form(date)
                } else {
                    Verdict::Refused("has a year of fewer than four digits")
                };
            }
            if format.starts_with("%Y") {
                return Verdict::Refused("is not a date of the file's format");
            }
        }
        let Some((moment, offset)) = civil(text) else { return Verdict::Refused("is not a date") };
        match (offset, moment.time() == jiff::civil::Time::midnight()) {
            (true, _) => Verdict::Refused("has an offset from UTC, which a date has not"),
            (false, false) => Verdict::Refused("has a time of day, which a date has not"),
            (false, true) if same && iso_date(text.as_bytes()) => Verdict::Same(Shape::default()),
            (false, true) => form(moment.date()),
        }
    }

    fn timestamp(&self, text: &str, same: bool) -> Verdict {
        let form = |moment: DateTime| Verdict::Rewritten(moment.to_string(), Shape::default());
        if let Some(format) = &self.date_format {
            let found = [" %H:%M:%S%.f", "T%H:%M:%S%.f", " %H:%M"]
                .iter()
                .find_map(|time| DateTime::strptime(format!("{format}{time}"), text).ok())
                .or_else(|| Date::strptime(format, text).ok().map(Date::into));
            match found {
                Some(moment) if YEARS.contains(&moment.year()) => return form(moment),
                Some(_) => return Verdict::Refused("has a year of fewer than four digits"),
                None => {}
            }
        }
        match civil(text) {
            Some((_, true)) => {
                Verdict::Refused("has an offset from UTC; its field is a timestamp without one")
            }
            Some((moment, false)) if same && iso_date_time(text.get(..19).unwrap_or_default().as_bytes()) => {
                match moment.subsec_nanosecond() % 1000 {
                    0 => Verdict::Same(Shape::default()),
                    _ => Verdict::Refused("is finer than a microsecond"),
                }
            }
            Some((moment, false)) => form(moment),
            None => Verdict::Refused("is not a date and time"),
        }
    }

    fn instant(&self, text: &str) -> Verdict {
        let spaced = text.strip_suffix(" UTC").map(|civil| format!("{civil}Z"));
        let text = spaced.as_deref().unwrap_or(text);
        match (Timestamp::from_str(text), civil(text)) {
            (Ok(moment), _) if moment.subsec_nanosecond() % 1000 == 0 => {
                Verdict::Rewritten(moment.to_string(), Shape::default())
            }
            (Ok(_), _) => Verdict::Refused("is finer than a microsecond"),
            (Err(_), Some((_, false))) => Verdict::Refused("has no offset from UTC, so it is no moment"),
            (Err(_), _) => Verdict::Refused("is not a moment"),
        }
    }
}

/// A text as shown in a sentence: quoted, in one line, and not too long.
pub(crate) fn shown(text: &str) -> String {
    let mut line: String =
        text.chars().take(SHOWN_CHARACTERS_MAX).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().count() > SHOWN_CHARACTERS_MAX {
        line.push('…');
    }
    format!("`{line}`")
}

/// The shape of digits with at most a sign and a point between digits, and whether there was a point. A number whose
/// digits could be too many is left to be looked at closely.
fn plain_number(bytes: &[u8]) -> Option<(Shape, bool)> {
    let digits = match bytes.first()? {
        b'-' => bytes.get(1..)?,
        _ => bytes,
    };
    let mut point = None;
    for (place, byte) in digits.iter().enumerate() {
        match byte {
            b'0'..=b'9' => {}
            b'.' if point.is_none() => point = Some(place),
            _ => return None,
        }
    }
    let whole = point.unwrap_or(digits.len());
    let fraction = match point {
        None => 0,
        Some(place) => digits.len() - place - 1,
    };
    let sound = whole > 0 && (point.is_none() || fraction > 0) && whole + fraction <= DIGITS_MAX;
    sound.then_some((Shape { whole, fraction }, point.is_some()))
}

/// Whether ten bytes are a date of the Gregorian calendar.
fn iso_date(bytes: &[u8]) -> bool {
    let &[a, b, c, d, b'-', e, f, b'-', g, h] = bytes else { return false };
    let digits = [a, b, c, d, e, f, g, h];
    if !digits.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let two = |tens: u8, ones: u8| u16::from(tens - b'0') * 10 + u16::from(ones - b'0');
    let (year, month, day) = (two(a, b) * 100 + two(c, d), two(e, f), two(g, h));
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        _ => return false,
    };
    year > 0 && (1..=days).contains(&day)
}

/// Whether bytes are a date and a time to the second, with at most six digits behind it.
fn iso_date_time(bytes: &[u8]) -> bool {
    let Some((date, rest)) = bytes.split_at_checked(10) else { return false };
    let Some((&[b' ' | b'T', a, b, b':', c, d, b':', e, f], fraction)) = rest.split_first_chunk::<9>() else {
        return false;
    };
    let digits = [a, b, c, d, e, f].iter().all(u8::is_ascii_digit);
    let within = (a, b) < (b'2', b'4') && c < b'6' && e < b'6';
    let fine = match fraction {
        [] => true,
        [b'.', digits @ ..] => (1..=6).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    digits && within && fine && iso_date(date)
}

/// A date, or a date and time, written year first; and whether an offset from UTC follows.
fn civil(text: &str) -> Option<(DateTime, bool)> {
    let (day, time) = match text.split_once(['T', ' ']) {
        Some((day, time)) => (day, Some(time)),
        None => (text, None),
    };
    let date = year_first(day)?;
    let Some(time) = time else { return Some((DateTime::from(date), false)) };
    let clock = time.trim_end_matches(['Z', 'z']);
    let (clock, offset) = match clock.find(['+', '-']) {
        Some(at) => (clock.get(..at)?, true),
        None => (clock, clock.len() != time.len()),
    };
    let clock = clock.trim_end();
    let long = if clock.matches(':').count() == 1 { format!("{clock}:00") } else { clock.to_owned() };
    let two_digits = long.as_bytes().get(2) == Some(&b':');
    let time = jiff::civil::Time::from_str(if two_digits { &long } else { return None }).ok()?;
    // A sixtieth second is a leap second, which no engine keeps.
    (long.get(6..8)? != "60").then_some((DateTime::from_parts(date, time), offset))
}

fn year_first(text: &str) -> Option<Date> {
    let mark = if text.contains('/') { '/' } else { '-' };
    let parts: Vec<&str> = text.split(mark).collect();
    let &[year, month, day] = parts.as_slice() else { return None };
    let short = |part: &str| (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    if year.len() != 4 || !year.bytes().all(|b| b.is_ascii_digit()) || !short(month) || !short(day) {
        return None;
    }
    let date = Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()?;
    (date.year() > 0).then_some(date)
}

fn rewritten_number(number: &BigDecimal, too_large: &'static str) -> Verdict {
    let plain = number.normalized().to_plain_string();
    let digits = plain.trim_start_matches('-');
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let shape = Shape { whole: whole.len(), fraction: fraction.len() };
    match shape.whole + shape.fraction <= DIGITS_MAX {
        true => Verdict::Rewritten(plain, shape),
        false => Verdict::Refused(too_large),
    }
}

/// Why a text is no number: one that floating point knows by name is told apart.
fn not_a_number(text: &str, otherwise: &'static str) -> &'static str {
    match f64::from_str(text) {
        Ok(value) if !value.is_finite() && !text.contains(|c: char| c.is_ascii_digit()) => {
            "is not a finite number"
        }
        _ => otherwise,
    }
}

fn boolean(text: &str, same: bool) -> Verdict {
    let value = match text.to_ascii_lowercase().as_str() {
        "true" | "t" | "yes" | "y" | "1" => "true",
        "false" | "f" | "no" | "n" | "0" => "false",
        _ => return Verdict::Refused("is neither true nor false"),
    };
    match same && text.len() != 2 && text.len() != 3 {
        true => Verdict::Same(Shape::default()),
        false => Verdict::Rewritten(value.to_owned(), Shape::default()),
    }
}

fn starts_and_ends_with_digit(text: &str) -> bool {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    digit(text.trim_start_matches('-').chars().next()) && digit(text.chars().last())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(judge: &Judge, text: &str) -> String {
        match judge.judge(text) {
            Verdict::Null => "null".to_owned(),
            Verdict::Same(shape) => format!("same {}.{}", shape.whole, shape.fraction),
            Verdict::Rewritten(plain, _) => format!("-> {plain}"),
            Verdict::Refused(reason) => reason.to_owned(),
        }
    }

    fn check(judge: &Judge, cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            assert_eq!(&told(judge, text), expected, "{:?} of {text:?}", judge.datatype);
        }
    }

    #[test]
    fn whole_numbers() {
        check(
            &Judge::plain(Datatype::Integer),
            &[
                ("", "null"),
                ("  ", "-> "),
                ("NULL", "-> "),
                ("0", "same 1.0"),
                ("-12", "same 2.0"),
                ("007", "same 3.0"),
                ("9007199254740993", "same 16.0"),
                ("+4", "-> 4"),
                (" 2 ", "-> 2"),
                ("1.0", "-> 1"),
                ("1e3", "-> 1000"),
                ("1.5", "is not a whole number"),
                ("1,000", "is not a whole number"),
                ("0x10", "is not a whole number"),
                ("1_000", "is not a whole number"),
                ("--1", "is not a whole number"),
                ("n/a", "is not a whole number"),
                ("inf", "is not a finite number"),
                ("NaN", "is not a finite number"),
                ("1e99", "is too large"),
                ("1e999999999", "is not a whole number"),
            ],
        );
    }

    #[test]
    fn decimals() {
        check(
            &Judge::plain(Datatype::Decimal),
            &[
                ("1.50", "same 1.2"),
                (".5", "-> 0.5"),
                ("5.", "-> 5"),
                ("1e-7", "-> 0.0000001"),
                ("$5", "is not a number"),
                ("(5)", "is not a number"),
                ("12%", "is not a number"),
                ("1,000.50", "is not a number"),
                ("Infinity", "is not a finite number"),
                ("12345678901234567890123456789012345678.9", "has more than 38 digits"),
            ],
        );
    }

    #[test]
    fn separators_of_ones_own() {
        let english = Judge { thousands: Some(','), ..Judge::plain(Datatype::Decimal) };
        check(
            &english,
            &[
                ("1,000.50", "-> 1000.5"),
                ("-1,234,567", "-> -1234567"),
                ("12", "-> 12"),
                ("1,00", "is not a number"),
                ("1,0000", "is not a number"),
                ("1.5,000", "is not a number"),
                (",500", "is not a number"),
            ],
        );
        let german = Judge { thousands: Some('.'), decimal: Some(','), ..Judge::plain(Datatype::Decimal) };
        check(&german, &[("1.234,50", "-> 1234.5"), ("1,5", "-> 1.5"), ("1.5", "is not a number")]);
        let comma = Judge { decimal: Some(','), ..Judge::plain(Datatype::Decimal) };
        check(&comma, &[("1,5", "-> 1.5"), ("1.5", "is not a number"), ("1.000,5", "is not a number")]);
    }

    #[test]
    fn floats_and_booleans() {
        check(
            &Judge::plain(Datatype::Float),
            &[
                ("0.1", "same 0.0"),
                ("-1e5", "same 0.0"),
                (".5", "-> 5e-1"),
                ("nan", "is not a finite number"),
                ("-Infinity", "is not a finite number"),
                ("1e400", "is not a finite number"),
                ("x", "is not a number"),
            ],
        );
        check(
            &Judge::plain(Datatype::Boolean),
            &[
                ("true", "same 0.0"),
                ("F", "same 0.0"),
                ("yes", "-> true"),
                ("No", "-> false"),
                ("2", "is neither true nor false"),
            ],
        );
    }

    #[test]
    fn dates() {
        check(
            &Judge::plain(Datatype::Date),
            &[
                ("2024-02-29", "same 0.0"),
                ("2023-02-29", "is not a date"),
                ("2024-1-5", "-> 2024-01-05"),
                ("2024/01/31", "-> 2024-01-31"),
                ("2024-01-31 00:00:00", "-> 2024-01-31"),
                ("2024-01-31T00:00:00.000", "-> 2024-01-31"),
                ("2024-01-31 12:00:00", "has a time of day, which a date has not"),
                ("2024-01-31T00:00:00Z", "has an offset from UTC, which a date has not"),
                ("31/01/2024", "is not a date"),
                ("24-01-31", "is not a date"),
                ("20240131", "is not a date"),
                ("infinity", "is not a date"),
                ("0000-01-01", "is not a date"),
            ],
        );
        let british = Judge { date_format: Some("%d/%m/%Y".into()), ..Judge::plain(Datatype::Date) };
        check(
            &british,
            &[
                ("31/01/2024", "-> 2024-01-31"),
                ("1/2/2024", "-> 2024-02-01"),
                ("31/01/24", "has a year of fewer than four digits"),
                ("01/31/2024", "is not a date"),
                ("2024-01-31", "same 0.0"),
            ],
        );
    }

    #[test]
    fn moments() {
        check(
            &Judge::plain(Datatype::Timestamp),
            &[
                ("2024-02-28 12:00:00", "same 0.0"),
                ("2024-02-28T12:00:00.123456", "same 0.0"),
                ("2024-02-28 12:00", "-> 2024-02-28T12:00:00"),
                ("2024-02-28", "-> 2024-02-28T00:00:00"),
                ("2024-02-28 12:00:00Z", "has an offset from UTC; its field is a timestamp without one"),
                ("2024-02-28 12:00+02", "has an offset from UTC; its field is a timestamp without one"),
                ("2024-02-28 25:00:00", "is not a date and time"),
                ("2024-02-28 23:59:60", "is not a date and time"),
                ("2024-02-28 12:00:00.123456789", "is finer than a microsecond"),
            ],
        );
        check(
            &Judge::plain(Datatype::Instant),
            &[
                ("2024-02-28T12:00:00Z", "same 0.0"),
                ("2024-02-28 12:00:00+02:00", "-> 2024-02-28T10:00:00Z"),
                ("2024-02-28 12:00:00 UTC", "-> 2024-02-28T12:00:00Z"),
                ("2024-02-28 12:00:00", "has no offset from UTC, so it is no moment"),
                ("noon", "is not a moment"),
            ],
        );
        let british = Judge { date_format: Some("%d/%m/%Y".into()), ..Judge::plain(Datatype::Timestamp) };
        check(
            &british,
            &[("31/01/2024 14:05", "-> 2024-01-31T14:05:00"), ("31/01/2024", "-> 2024-01-31T00:00:00")],
        );
    }

    #[test]
    fn a_refused_text_is_shown_in_one_line() {
        assert_eq!(shown("a\nb"), "`a b`");
        assert_eq!(shown(&"x".repeat(100)).chars().count(), 63);
    }
}
