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

use super::forms::{civil, iso_date, iso_date_time, plain_number};

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

/// What is thought of a text at first sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plain {
    /// No value.
    Null,
    /// A value, plainly written.
    Same(Shape),
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
        match self.at_once(text.as_bytes()) {
            Some(Plain::Null) => return Verdict::Null,
            Some(Plain::Same(shape)) => return Verdict::Same(shape),
            None => {}
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

    /// The verdict on the commonest forms, without taking the text apart; none when it must be looked at closely.
    #[inline]
    pub(crate) fn at_once(&self, text: &[u8]) -> Option<Plain> {
        if text.is_empty() {
            return Some(Plain::Null);
        }
        let same = Some(Plain::Same(Shape::default()));
        match self.datatype {
            Datatype::String => same,
            Datatype::Integer | Datatype::Decimal if !self.rewrites() => plain_number(text)
                .filter(|shape| self.datatype == Datatype::Decimal || !shape.1)
                .map(|shape| Plain::Same(shape.0)),
            Datatype::Date if self.date_format.is_none() && iso_date(text) => same,
            Datatype::Timestamp if self.date_format.is_none() && iso_date_time(text) => same,
            Datatype::Boolean => match text {
                b"true" | b"false" | b"True" | b"False" | b"TRUE" | b"FALSE" | b"t" | b"f" | b"1" | b"0" => {
                    same
                }
                _ => None,
            },
            Datatype::Instant if iso_date_time(text.strip_suffix(b"Z")?) => same,
            Datatype::Integer | Datatype::Decimal | Datatype::Float => None,
            Datatype::Date | Datatype::Timestamp | Datatype::Instant => None,
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
mod tests;
