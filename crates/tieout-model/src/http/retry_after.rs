//! `Retry-After`, in both forms of RFC 9110, section 10.2.3.

use std::time::Duration;

/// How long the endpoint wants to be left alone. A date counts from the endpoint's own `Date`, so that our clock and
/// its may differ; without one it says nothing.
pub(super) fn retry_after(value: Option<&str>, date: Option<&str>) -> Option<Duration> {
    let value = value?.trim();
    if let Ok(seconds) = value.parse::<u32>() {
        return Some(Duration::from_secs(seconds.into()));
    }
    let moment = |text: &str| jiff::fmt::rfc2822::parse(text.trim()).ok().map(|zoned| zoned.timestamp());
    let wait = moment(value)?.duration_since(moment(date?)?);
    Some(Duration::try_from(wait).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_dates_are_read() {
        let noon = Some("Mon, 30 Nov 2026 12:00:00 GMT");
        for (value, date, expected) in [
            (Some("7"), None, Some(7)),
            (Some(" 0 "), noon, Some(0)),
            (Some("Mon, 30 Nov 2026 12:01:30 GMT"), noon, Some(90)),
            (Some("Mon, 30 Nov 2026 11:00:00 GMT"), noon, Some(0)),
            (Some("Mon, 30 Nov 2026 12:01:30 GMT"), None, None),
            (Some("soon"), noon, None),
            (Some("-3"), noon, None),
            (None, noon, None),
        ] {
            assert_eq!(retry_after(value, date), expected.map(Duration::from_secs), "{value:?}");
        }
    }
}
