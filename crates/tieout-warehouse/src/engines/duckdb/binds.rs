//! Owns how bound values become DuckDB's. Deliberately absent: text; a value never becomes part of a statement.

use ::duckdb::types::{Decimal, TimeUnit, Value as Bound};
use bigdecimal::ToPrimitive;
use jiff::{Timestamp, civil::Date, civil::DateTime};
use tieout_core::halt::Fault;
use tieout_sql::Value;

use crate::fault;

/// A value for a placeholder.
pub(super) fn bound(value: &Value) -> Result<Bound, Fault> {
    Ok(match value {
        Value::Null => Bound::Null,
        Value::Boolean(value) => Bound::Boolean(*value),
        Value::Integer(value) => match i64::try_from(*value) {
            Ok(small) => Bound::BigInt(small),
            Err(_) => Bound::HugeInt(*value),
        },
        Value::Decimal(value) => decimal(value)?,
        Value::Text(value) => Bound::Text(value.clone()),
        Value::Date(value) => Bound::Date32(days(*value)?),
        Value::DateTime(value) => Bound::Timestamp(TimeUnit::Microsecond, civil_micros(*value)?),
        Value::Instant(value) => instant(*value),
    })
}

fn decimal(value: &bigdecimal::BigDecimal) -> Result<Bound, Fault> {
    let too_large = || {
        fault::data(
            format!("the number {value} has more digits than DuckDB keeps"),
            "use a number of at most 38 digits",
        )
    };
    let plain = value.normalized();
    let (digits, scale) = plain.as_bigint_and_exponent();
    let (digits, scale) = match u8::try_from(scale) {
        Ok(scale) => (digits, scale),
        // Digits before the point only, and zeros that were left out.
        Err(_) => (plain.with_scale(0).as_bigint_and_exponent().0, 0),
    };
    let digits = digits.to_i128().ok_or_else(too_large)?;
    let count = digits.unsigned_abs().checked_ilog10().map_or(1, |log| log + 1);
    let width = u8::try_from(count).ok().map(|width| width.max(scale).max(1)).ok_or_else(too_large)?;
    Decimal::new(width, scale, digits).map(Bound::Decimal).map_err(|_| too_large())
}

fn days(date: Date) -> Result<i32, Fault> {
    let epoch = Date::constant(1970, 1, 1);
    let span =
        epoch.until(date).map_err(|error| fault::internal(format!("a date cannot be bound: {error}")))?;
    Ok(span.get_days())
}

fn civil_micros(moment: DateTime) -> Result<i64, Fault> {
    let zoned = moment
        .to_zoned(jiff::tz::TimeZone::UTC)
        .map_err(|error| fault::internal(format!("a time cannot be bound: {error}")))?;
    Ok(zoned.timestamp().as_microsecond())
}

/// There is no way to bind a moment; its text with an offset is read as one wherever a moment is meant.
fn instant(moment: Timestamp) -> Bound {
    Bound::Text(moment.to_string())
}
