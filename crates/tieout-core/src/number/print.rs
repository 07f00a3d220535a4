//! How an exact number is printed: rounded by its unit, grouped by thousands, never in scientific notation.

use bigdecimal::RoundingMode;

use super::{Number, Rounding, Unit};

/// The digits of `number` as its unit shows them, without the unit's suffix: `1,234.50`.
#[must_use]
pub fn print_number(number: &Number, unit: &Unit) -> String {
    let shown = match unit.scale {
        Some(scale) => number.with_scale_round(i64::from(scale), mode(unit.rounding)),
        None => number.normalized(),
    };
    group_thousands(&plain(&shown))
}

fn mode(rounding: Rounding) -> RoundingMode {
    match rounding {
        Rounding::HalfEven => RoundingMode::HalfEven,
        Rounding::HalfUp => RoundingMode::HalfUp,
        Rounding::Down => RoundingMode::Down,
    }
}

/// All digits, no exponent; a zero has no sign.
fn plain(number: &Number) -> String {
    let text = if number.fractional_digit_count() < 0 {
        number.with_scale(0).to_plain_string()
    } else {
        number.to_plain_string()
    };
    if text.bytes().all(|b| matches!(b, b'-' | b'0' | b'.')) { text.replace('-', "") } else { text }
}

fn group_thousands(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(w, f)| (w, Some(f)));
    let mut grouped = String::with_capacity(text.len() + whole.len() / 3);
    for (i, c) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            grouped.push(',');
        }
        grouped.push(c);
    }
    match fraction {
        Some(f) => format!("{sign}{grouped}.{f}"),
        None => format!("{sign}{grouped}"),
    }
}

#[cfg(test)]
mod tests {
    use std::str::FromStr;

    use super::*;

    fn shown(text: &str, scale: Option<u32>) -> String {
        print_number(&Number::from_str(text).unwrap(), &Unit { scale, ..Unit::none() })
    }

    #[test]
    fn prints_exactly_and_groups() {
        assert_eq!(shown("9007199254740993", Some(0)), "9,007,199,254,740,993");
        assert_eq!(shown("1234.565", Some(2)), "1,234.56");
        assert_eq!(shown("-0.001", Some(2)), "0.00");
        assert_eq!(shown("-1234567", None), "-1,234,567");
        assert_eq!(shown("1e3", None), "1,000");
        assert_eq!(shown("0.2962962", Some(4)), "0.2963");
        assert_eq!(shown("12345678901234567890123456789012345678", None).len(), 50);
    }
}
