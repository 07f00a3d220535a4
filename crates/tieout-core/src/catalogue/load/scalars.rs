//! Scalars with a form of their own: names, dates, lengths of time, zones, codes.
//!
//! Deliberately absent: which key takes which form, which the table in `keys` says.

use jiff::{civil::Date, tz::TimeZone};

/// The longest name, in bytes.
const NAME_BYTES_MAX: usize = 100;
/// The longest text for people, in bytes.
pub(super) const TEXT_BYTES_MAX: usize = 10_000;
/// The longest length of time, in milliseconds: ten years.
const DURATION_MS_MAX: u64 = 10 * 366 * 86_400_000;

/// The units of a length of time, the longer spelling of two with a common start first.
const DURATION_UNITS: [(&str, u64); 5] =
    [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

/// Whether a text can be the name of an entry.
pub(super) fn is_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    text.len() <= NAME_BYTES_MAX
        && bytes.next().is_some_and(|first| first.is_ascii_lowercase())
        && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Whether a text is a field's name, perhaps after its dataset's and a point.
pub(super) fn is_field_path(text: &str) -> bool {
    match text.split_once('.') {
        Some((dataset, field)) => is_name(dataset) && is_name(field),
        None => is_name(text),
    }
}

/// A civil date, as ISO 8601 writes it in full.
pub(super) fn date(text: &str) -> Option<Date> {
    let plain = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    plain.then(|| text.parse().ok()).flatten()
}

/// A length of time in milliseconds: `30s`, `26h`, `1h30m`.
pub(super) fn duration_ms(text: &str) -> Option<u64> {
    let mut rest = text;
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number: u64 = rest.get(..digits)?.parse().ok()?;
        rest = rest.get(digits..)?;
        let (unit, ms) = DURATION_UNITS.into_iter().find(|(unit, _)| rest.starts_with(unit))?;
        rest = rest.get(unit.len()..)?;
        total = total.checked_add(number.checked_mul(ms)?)?;
    }
    (1..=DURATION_MS_MAX).contains(&total).then_some(total)
}

/// A time zone of the bundled table.
pub(super) fn zone(text: &str) -> Option<TimeZone> {
    if text.eq_ignore_ascii_case("utc") {
        return Some(TimeZone::UTC);
    }
    TimeZone::get(text).ok()
}

/// Whether a text has the form of an ISO 4217 code.
pub(super) fn is_currency(text: &str) -> bool {
    text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// The only character of a text; `\t` is a tab.
pub(super) fn character(text: &str) -> Option<char> {
    if text == "\\t" {
        return Some('\t');
    }
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}

/// Whether a path is one that can be opened: no control characters, and no variable but one `${TIEOUT_…}` at its start.
pub(super) fn is_path(text: &str) -> bool {
    let rest = match text.strip_prefix("${TIEOUT_") {
        Some(variable) => match variable.split_once("}/") {
            Some((name, rest))
                if name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_') =>
            {
                rest
            }
            Some(_) | None => return false,
        },
        None => text,
    };
    !rest.is_empty() && !rest.contains('$') && !text.contains(char::is_control)
}
