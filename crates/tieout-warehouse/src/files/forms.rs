//! Owns the plain forms of numbers, dates and times, as ISO 8601 and every engine have them.
//!
//! Deliberately absent: forms of one's own, and verdicts.

use std::str::FromStr;

use jiff::civil::{Date, DateTime};

use super::judge::{DIGITS_MAX, Shape};

/// The shape of digits with at most a sign and a point between digits, and whether there was a point. A number whose
/// digits could be too many is left to be looked at closely.
pub(super) fn plain_number(bytes: &[u8]) -> Option<(Shape, bool)> {
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
pub(super) fn iso_date(bytes: &[u8]) -> bool {
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
pub(super) fn iso_date_time(bytes: &[u8]) -> bool {
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
pub(super) fn civil(text: &str) -> Option<(DateTime, bool)> {
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
