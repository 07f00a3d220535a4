//! Owns values in their simplest form: terms over rows, with constants worked out.
//!
//! Deliberately absent: conditions (`formula`), and where rows come from (`rows`).

use std::rc::Rc;
use std::str::FromStr;

use bigdecimal::{BigDecimal, One, Zero};
use jiff::ToSpan;
use jiff::civil::{Date, DateTime};

use crate::schema::SqlType;
use crate::value::Value;

/// A constant that can be compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Constant {
    Null,
    Boolean(bool),
    Number(BigDecimal),
    Text(String),
    Date(Date),
    DateTime(DateTime),
    Instant(jiff::Timestamp),
    /// Months, days and seconds.
    Interval(i64, i64, i64),
}

/// A term in its simplest form. Two that are equal have equal values on the same rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Canon {
    Constant(Constant),
    /// A column of a row.
    Column(usize, Rc<str>),
    Call(Rc<str>, Vec<Canon>),
    /// A figure over many rows, by its number.
    Figure(usize),
    /// Something that is equal to itself only.
    Opaque(usize, Rc<str>),
}

impl Constant {
    pub(crate) fn of(value: &Value) -> Constant {
        match value {
            Value::Null => Constant::Null,
            Value::Boolean(value) => Constant::Boolean(*value),
            Value::Integer(value) => Constant::Number(BigDecimal::from(*value)),
            Value::Decimal(value) => Constant::Number(value.normalized()),
            Value::Text(value) => Constant::Text(value.clone()),
            Value::Date(value) => Constant::Date(*value),
            Value::DateTime(value) => Constant::DateTime(*value),
            Value::Instant(value) => Constant::Instant(*value),
        }
    }

    /// The constant as a type of value would hold it; `None` when that is not certain.
    pub(crate) fn coerced(&self, ty: SqlType) -> Option<Constant> {
        use SqlType as T;
        Some(match (self, ty) {
            (Constant::Null, _) => Constant::Null,
            (Constant::Text(text), T::Date) => Constant::Date(date(text)?),
            (Constant::Text(text), T::DateTime) => Constant::DateTime(date_time(text)?),
            (Constant::Text(text), T::Integer | T::Decimal | T::Float) => {
                Constant::Number(BigDecimal::from_str(text.trim()).ok()?.normalized())
            }
            (Constant::Text(text), T::Instant) => Constant::Instant(text.trim().parse().ok()?),
            (Constant::Text(text), T::Boolean) => match text.to_ascii_lowercase().as_str() {
                "true" | "t" => Constant::Boolean(true),
                "false" | "f" => Constant::Boolean(false),
                _ => return None,
            },
            (Constant::Number(number), T::Boolean) if number.is_zero() => Constant::Boolean(false),
            (Constant::Number(number), T::Boolean) if number.is_one() => Constant::Boolean(true),
            (Constant::Boolean(value), T::Integer) => Constant::Number(BigDecimal::from(u8::from(*value))),
            (Constant::Date(date), T::DateTime) => Constant::DateTime(date.at(0, 0, 0, 0)),
            // A date and a midnight are the same day; any other time of day is not a date.
            (Constant::DateTime(at), T::Date) if at.time() == jiff::civil::Time::midnight() => {
                Constant::Date(at.date())
            }
            (Constant::Boolean(_), T::Boolean)
            | (Constant::Number(_), T::Integer | T::Decimal | T::Float)
            | (Constant::Text(_), T::Text | T::Unknown | T::Other)
            | (Constant::Date(_), T::Date)
            | (Constant::DateTime(_), T::DateTime)
            | (Constant::Instant(_), T::Instant) => self.clone(),
            (_, T::Unknown) => self.clone(),
            (_, _) => return None,
        })
    }

    /// The next value of a type whose values are apart: a day or a whole number.
    pub(crate) fn next(&self, ty: SqlType) -> Option<Constant> {
        match (self, ty) {
            (Constant::Date(date), SqlType::Date) => Some(Constant::Date(date.tomorrow().ok()?)),
            (Constant::Number(number), SqlType::Integer) if number.is_integer() => {
                Some(Constant::Number((number + BigDecimal::from(1)).normalized()))
            }
            _ => None,
        }
    }

    /// The same for SQL's own comparison; `None` for constants of different kinds.
    pub(crate) fn compared(&self, other: &Constant) -> Option<std::cmp::Ordering> {
        match (self, other) {
            (Constant::Number(_), Constant::Number(_))
            | (Constant::Date(_), Constant::Date(_))
            | (Constant::DateTime(_), Constant::DateTime(_))
            | (Constant::Instant(_), Constant::Instant(_))
            | (Constant::Boolean(_), Constant::Boolean(_)) => Some(self.cmp(other)),
            // Texts sort by an engine's own rules; only whether they are equal is certain.
            (Constant::Text(a), Constant::Text(b)) if a == b => Some(std::cmp::Ordering::Equal),
            (Constant::Date(date), Constant::DateTime(at)) => Some(date.at(0, 0, 0, 0).cmp(at)),
            (Constant::DateTime(at), Constant::Date(date)) => Some(at.cmp(&date.at(0, 0, 0, 0))),
            _ => None,
        }
    }
}

fn date(text: &str) -> Option<Date> {
    let text = text.trim();
    let day = text.get(..10)?;
    let rest = text.get(10..)?;
    let midnight = rest.is_empty() || ["00:00:00", "00:00"].contains(&rest.trim_start_matches(['T', ' ']));
    let shaped = day.len() == 10 && day.as_bytes().get(4) == Some(&b'-');
    (midnight && shaped).then(|| day.parse().ok()).flatten()
}

fn date_time(text: &str) -> Option<DateTime> {
    let text = text.trim();
    match text.len() {
        10 => date(text).map(|date| date.at(0, 0, 0, 0)),
        _ if text.contains(['Z', '+']) => None,
        _ => text.parse().ok(),
    }
}

/// The start of the unit of time that an instant falls into, and the start of the next.
pub(crate) fn unit_around(unit: &str, day: Date) -> Option<(Date, Date)> {
    let first = |month: i8| Date::new(day.year(), month, 1).ok();
    let (start, step) = match unit {
        "day" => (day, 1.day()),
        "week" => {
            let back = i64::from(day.weekday().to_monday_zero_offset());
            (day.checked_sub(back.days()).ok()?, 1.week())
        }
        "month" => (first(day.month())?, 1.month()),
        "quarter" => {
            (first(day.month().checked_sub(1)?.checked_div(3)?.checked_mul(3)?.checked_add(1)?)?, 3.months())
        }
        "year" => (first(1)?, 1.year()),
        _ => return None,
    };
    Some((start, start.checked_add(step).ok()?))
}

/// A call worked out as far as its arguments are constants.
pub(crate) fn folded(name: &str, mut arguments: Vec<Canon>) -> Canon {
    let constants: Option<Vec<&Constant>> = arguments
        .iter()
        .map(|argument| match argument {
            Canon::Constant(constant) => Some(constant),
            _ => None,
        })
        .collect();
    if let Some(constant) = constants.and_then(|constants| worked_out(name, &constants)) {
        return Canon::Constant(constant);
    }
    let zero = Canon::Constant(Constant::Number(BigDecimal::from(0)));
    let one = Canon::Constant(Constant::Number(BigDecimal::from(1).normalized()));
    match (name, arguments.as_slice()) {
        ("+" | "-", [a, b]) if *b == zero => return a.clone(),
        ("*" | "/", [a, b]) if *b == one => return a.clone(),
        ("+", [a, b]) if *a == zero => return b.clone(),
        ("*", [a, b]) if *a == one => return b.clone(),
        ("coalesce" | "ifnull", [only]) => return only.clone(),
        _ => {}
    }
    let name = match name {
        "+" | "*" | "=" | "<>" | "same" => {
            arguments.sort();
            name
        }
        "date_part" | "datepart" | "date_trunc" | "datetrunc" => return dated(name, arguments),
        "ifnull" => "coalesce",
        "ceiling" => "ceil",
        "pow" => "power",
        "substr" => "substring",
        "char_length" | "character_length" | "len" => "length",
        "year" | "quarter" | "month" | "day" | "dayofmonth" if arguments.len() == 1 => {
            let unit = if name == "dayofmonth" { "day" } else { name };
            return Canon::Call(Rc::from(format!("extract {unit}")), arguments);
        }
        other => other,
    };
    Canon::Call(Rc::from(name), arguments)
}

/// Functions that take the unit of time as a text.
fn dated(name: &str, arguments: Vec<Canon>) -> Canon {
    let [Canon::Constant(Constant::Text(unit)), of] = arguments.as_slice() else {
        return Canon::Call(Rc::from(name), arguments);
    };
    let unit = unit.to_lowercase();
    let name = match name {
        "date_part" | "datepart" => format!("extract {unit}"),
        _ => format!("trunc {unit}"),
    };
    Canon::Call(Rc::from(name), vec![of.clone()])
}

fn worked_out(name: &str, constants: &[&Constant]) -> Option<Constant> {
    use Constant as C;
    let number = |number: BigDecimal| Some(C::Number(number.normalized()));
    match (name, constants) {
        ("+", [C::Number(a), C::Number(b)]) => number(a + b),
        ("-", [C::Number(a), C::Number(b)]) => number(a - b),
        ("*", [C::Number(a), C::Number(b)]) => number(a * b),
        ("neg", [C::Number(a)]) => number(-a.clone()),
        ("+", [a, C::Interval(m, d, s)]) | ("+", [C::Interval(m, d, s), a]) => shifted(a, *m, *d, *s),
        ("-", [a, C::Interval(m, d, s)]) => shifted(a, m.checked_neg()?, d.checked_neg()?, s.checked_neg()?),
        ("+", [C::Date(date), C::Number(days)]) => {
            shifted(&C::Date(*date), 0, whole(days)?, 0).and_then(dated_only)
        }
        ("-", [C::Date(date), C::Number(days)]) => {
            shifted(&C::Date(*date), 0, whole(days)?.checked_neg()?, 0).and_then(dated_only)
        }
        ("make_date", [C::Number(y), C::Number(m), C::Number(d)]) => {
            let part = |number: &BigDecimal| whole(number).and_then(|value| i8::try_from(value).ok());
            Some(C::Date(Date::new(i16::try_from(whole(y)?).ok()?, part(m)?, part(d)?).ok()?))
        }
        ("date", [value]) => value.coerced(SqlType::Date),
        ("lower" | "lcase", [C::Text(text)]) => Some(C::Text(text.to_lowercase())),
        ("upper" | "ucase", [C::Text(text)]) => Some(C::Text(text.to_uppercase())),
        ("||", [C::Text(a), C::Text(b)]) => Some(C::Text(format!("{a}{b}"))),
        (name, [value]) if name.starts_with("interval") => interval(name, value),
        _ => None,
    }
}

fn whole(number: &BigDecimal) -> Option<i64> {
    number.is_integer().then(|| number.to_plain_string().split('.').next()?.parse().ok()).flatten()
}

/// A midnight as the date it is.
fn dated_only(constant: Constant) -> Option<Constant> {
    constant.coerced(SqlType::Date)
}

fn interval(name: &str, value: &Constant) -> Option<Constant> {
    let (count, unit) = match value {
        Constant::Number(number) => (whole(number)?, name.strip_prefix("interval ")?.to_owned()),
        Constant::Text(text) => {
            let mut words = text.split_whitespace();
            let count = words.next()?.parse().ok()?;
            let unit = match words.next() {
                Some(unit) => unit.to_owned(),
                None => name.strip_prefix("interval ")?.to_owned(),
            };
            if words.next().is_some() {
                return None;
            }
            (count, unit)
        }
        _ => return None,
    };
    let times = |number: i64| count.checked_mul(number);
    let unit = unit.to_lowercase();
    Some(match unit.trim_end_matches('s') {
        "year" => Constant::Interval(times(12)?, 0, 0),
        "quarter" => Constant::Interval(times(3)?, 0, 0),
        "month" | "mon" => Constant::Interval(count, 0, 0),
        "week" => Constant::Interval(0, times(7)?, 0),
        "day" => Constant::Interval(0, count, 0),
        "hour" => Constant::Interval(0, 0, times(3600)?),
        "minute" => Constant::Interval(0, 0, times(60)?),
        "second" => Constant::Interval(0, 0, count),
        _ => return None,
    })
}

fn shifted(from: &Constant, months: i64, days: i64, seconds: i64) -> Option<Constant> {
    let at = match from {
        Constant::Date(date) => date.at(0, 0, 0, 0),
        Constant::DateTime(at) => *at,
        _ => return None,
    };
    let calendar = jiff::Span::new().try_months(months).ok()?.try_days(days).ok()?;
    let clock = jiff::Span::new().try_seconds(seconds).ok()?;
    let moved = at.checked_add(calendar).ok()?.checked_add(clock).ok()?;
    Some(Constant::DateTime(moved))
}

impl std::fmt::Display for Constant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Constant::Null => f.write_str("null"),
            Constant::Boolean(value) => write!(f, "{value}"),
            Constant::Number(number) => f.write_str(&number.to_plain_string()),
            Constant::Text(text) => write!(f, "'{text}'"),
            Constant::Date(date) => write!(f, "{date}"),
            Constant::DateTime(at) if at.time() == jiff::civil::Time::midnight() => {
                write!(f, "{}", at.date())
            }
            Constant::DateTime(at) => write!(f, "{} {}", at.date(), at.time()),
            Constant::Instant(at) => write!(f, "{at}"),
            Constant::Interval(months, days, seconds) => {
                let parts = [(*months, "month"), (*days, "day"), (*seconds, "second")];
                let parts = parts.iter().filter(|(count, _)| *count != 0).map(|(count, unit)| match count {
                    1 => format!("1 {unit}"),
                    count => format!("{count} {unit}s"),
                });
                f.write_str(&parts.collect::<Vec<_>>().join(" "))
            }
        }
    }
}
