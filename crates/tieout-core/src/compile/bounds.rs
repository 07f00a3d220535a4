//! Half-open bounds of a period on a time field, bound as values of the field's own kind.

use tieout_sql::sqlparser::ast::Expr;
use tieout_sql::{
    SqlType, Value,
    build::{and, case_when, cast, ge, int, lt},
};

use super::source::Source;
use crate::{
    catalogue::Datatype,
    halt::Halt,
    plan::TimeField,
    reading::{Problem, ReasonCode},
    time::{Bucket, Period},
};

/// A moment at which a period begins or ends, as the field writes it.
pub(super) fn bound(source: &mut Source<'_>, datatype: Datatype, value: Value) -> Expr {
    let placeholder = source.bind(value);
    let dialect = source.catalogue.dialect;
    match datatype {
        Datatype::Date => cast(placeholder, SqlType::Date, dialect),
        Datatype::Timestamp => cast(placeholder, SqlType::DateTime, dialect),
        Datatype::Instant => cast(placeholder, SqlType::Instant, dialect),
        Datatype::String | Datatype::Integer | Datatype::Decimal | Datatype::Float | Datatype::Boolean => {
            placeholder
        }
    }
}

/// The first moment of a period and the first after it, as values of the field's kind.
///
/// # Errors
/// A refusal when the field holds no times, or the period lies outside the years that can be counted.
pub(super) fn bounds(
    source: &Source<'_>,
    datatype: Datatype,
    period: &Period,
) -> Result<(Value, Value), Halt> {
    let midnight = |d: jiff::civil::Date| d.at(0, 0, 0, 0);
    let elsewhere = period.zone() != source.zone;
    match datatype {
        Datatype::Date if elsewhere => Err(refuse(
            "the rows are dated by civil days, which cannot be cut by the days of another time zone",
        )),
        Datatype::Timestamp if elsewhere => match period.instants() {
            Some((start, end)) => {
                let local = |moment: jiff::Timestamp| moment.to_zoned(source.zone.clone()).datetime();
                Ok((Value::DateTime(local(start)), Value::DateTime(local(end))))
            }
            None => Err(refuse("the period lies outside the years that can be counted")),
        },
        Datatype::Date => Ok((Value::Date(period.start()), Value::Date(period.end_exclusive()))),
        Datatype::Timestamp => {
            Ok((Value::DateTime(midnight(period.start())), Value::DateTime(midnight(period.end_exclusive()))))
        }
        Datatype::Instant => match period.instants() {
            Some((start, end)) => Ok((Value::Instant(start), Value::Instant(end))),
            None => Err(refuse("the period lies outside the years that can be counted")),
        },
        Datatype::String | Datatype::Integer | Datatype::Decimal | Datatype::Float | Datatype::Boolean => {
            Err(refuse("the field holds no dates"))
        }
    }
}

/// `field >= start AND field < end`.
///
/// # Errors
/// As [`bounds`].
pub(super) fn within(
    source: &mut Source<'_>,
    field: Expr,
    datatype: Datatype,
    period: &Period,
) -> Result<Expr, Halt> {
    let (start, end) = bounds(source, datatype, period)?;
    let from = ge(field.clone(), bound(source, datatype, start));
    let until = lt(field, bound(source, datatype, end));
    and(vec![from, until]).ok_or_else(|| refuse("the period holds no day"))
}

/// `field >= start`.
///
/// # Errors
/// As [`bounds`].
pub(super) fn from_start(
    source: &mut Source<'_>,
    field: Expr,
    datatype: Datatype,
    period: &Period,
) -> Result<Expr, Halt> {
    let (start, _) = bounds(source, datatype, period)?;
    Ok(ge(field, bound(source, datatype, start)))
}

/// `field < end`.
///
/// # Errors
/// As [`bounds`].
pub(super) fn before_end(
    source: &mut Source<'_>,
    field: Expr,
    datatype: Datatype,
    period: &Period,
) -> Result<Expr, Halt> {
    let (_, end) = bounds(source, datatype, period)?;
    Ok(lt(field, bound(source, datatype, end)))
}

/// The number of the step of time that a row falls into: a balanced tree of comparisons with bound boundaries, so
/// that no engine truncates a date. Rows before the first step are numbered -1.
///
/// # Errors
/// As [`bounds`].
pub(super) fn step_number(
    source: &mut Source<'_>,
    field: &Expr,
    time: &TimeField,
    buckets: &[Bucket],
) -> Result<Expr, Halt> {
    let Some(first) = buckets.first() else { return Err(refuse("the period holds no step")) };
    let (start, _) = bounds(source, time.datatype, &first.period)?;
    let before = lt(field.clone(), bound(source, time.datatype, start));
    let inside = tree(source, field, time, buckets)?;
    Ok(case_when(vec![(before, int(-1))], Some(inside)))
}

fn tree(source: &mut Source<'_>, field: &Expr, time: &TimeField, buckets: &[Bucket]) -> Result<Expr, Halt> {
    match buckets {
        [] => Err(refuse("the period holds no step")),
        [only] => Ok(int(i64::try_from(only.index).unwrap_or(i64::MAX))),
        many => {
            let (left, right) = many.split_at(many.len() / 2);
            let (boundary, _) = bounds(source, time.datatype, &right[0].period)?;
            let earlier = lt(field.clone(), bound(source, time.datatype, boundary));
            let left = tree(source, field, time, left)?;
            let right = tree(source, field, time, right)?;
            Ok(case_when(vec![(earlier, left)], Some(right)))
        }
    }
}

fn refuse(message: &str) -> Halt {
    Halt::Refuse(vec![Problem::new(
        ReasonCode::Unsupported,
        message,
        "ask for another period or another field",
    )])
}
