//! Owns units of time as spans of a column: `date_trunc(month) = …`, a year, a year and a month beside each other.
//!
//! Deliberately absent: points in time, whose day depends on a zone.

use super::canon::{self, Canon, Constant};
use super::formula::{All, Comparison, Formula, and, or};
use super::rows::Reader;
use super::truth::against_constant;
use crate::schema::SqlType;

impl Reader<'_> {
    /// A comparison of the unit of time that a column falls into, as a range of the column.
    pub(super) fn ranged(&mut self, comparison: Comparison, a: &Canon, bound: &Constant) -> Option<Formula> {
        let Canon::Call(name, arguments) = a else { return None };
        let [of] = arguments.as_slice() else { return None };
        let ty = self.type_of(of);
        if !matches!(ty, SqlType::Date | SqlType::DateTime) {
            return None;
        }
        let (start, end) = match (&**name, bound) {
            ("extract year", Constant::Number(year)) => {
                let year: i16 = year.to_plain_string().parse().ok()?;
                canon::unit_around("year", jiff::civil::Date::new(year, 1, 1).ok()?)?
            }
            (name, bound) => {
                let unit = name.strip_prefix("trunc ")?;
                let Constant::Date(day) = bound.coerced(SqlType::Date)? else { return None };
                let (start, end) = canon::unit_around(unit, day)?;
                if start != day {
                    return None;
                }
                (start, end)
            }
        };
        let at = |day: jiff::civil::Date| Constant::Date(day).coerced(ty);
        let (start, end) = (at(start)?, at(end)?);
        let kind = (ty, self.rigour);
        let bounded = |comparison, bound| against_constant(comparison, of.clone(), bound, kind);
        Some(match comparison {
            Comparison::Equal => and([bounded(Comparison::AtLeast, start), bounded(Comparison::Less, end)]),
            Comparison::Unequal => or([bounded(Comparison::Less, start), bounded(Comparison::AtLeast, end)]),
            Comparison::AtLeast => bounded(Comparison::AtLeast, start),
            Comparison::Less => bounded(Comparison::Less, start),
            Comparison::AtMost => bounded(Comparison::Less, end),
            Comparison::More => bounded(Comparison::AtLeast, end),
        })
    }
}

/// A year and a month of the same column, beside each other, as the month that they are.
pub(super) fn months(all: All) -> All {
    let mut found = None;
    for part in &all {
        let Formula::OneOf(Canon::Call(name, arguments), values) = part else { continue };
        let unit = match &**name {
            "extract month" => "month",
            "extract quarter" => "quarter",
            _ => continue,
        };
        let ([of], [Constant::Number(number)]) =
            (arguments.as_slice(), values.iter().collect::<Vec<_>>().as_slice())
        else {
            continue;
        };
        let start = all.iter().find_map(|other| match other {
            Formula::Compare(Comparison::AtLeast, known, Canon::Constant(start)) if known == of => {
                Some(start)
            }
            _ => None,
        });
        let end = all.iter().find_map(|other| match other {
            Formula::Compare(Comparison::Less, known, Canon::Constant(end)) if known == of => Some(end),
            _ => None,
        });
        let range = start.zip(end).and_then(|(start, end)| within_year(start, end, unit, number));
        if let Some((from, to)) = range {
            found = Some((part.clone(), of.clone(), from, to));
        }
    }
    let Some((part, of, from, to)) = found else { return all };
    let mut all = all;
    all.remove(&part);
    let narrowed = [
        Formula::Compare(Comparison::AtLeast, of.clone(), Canon::Constant(from)),
        Formula::Compare(Comparison::Less, of, Canon::Constant(to)),
    ];
    super::formula::conjuncts(and(all.into_iter().chain(narrowed)))
}

fn within_year(
    start: &Constant,
    end: &Constant,
    unit: &str,
    number: &bigdecimal::BigDecimal,
) -> Option<(Constant, Constant)> {
    let day = |constant: &Constant| match constant.coerced(SqlType::Date)? {
        Constant::Date(day) => Some(day),
        _ => None,
    };
    let (first, last) = (day(start)?, day(end)?);
    if canon::unit_around("year", first)? != (first, last) {
        return None;
    }
    let number: i8 = number.to_plain_string().parse().ok()?;
    let month = match unit {
        "month" => number,
        _ => number.checked_sub(1)?.checked_mul(3)?.checked_add(1)?,
    };
    let (from, to) = canon::unit_around(unit, jiff::civil::Date::new(first.year(), month, 1).ok()?)?;
    let ty = match start {
        Constant::Date(_) => SqlType::Date,
        _ => SqlType::DateTime,
    };
    Some((Constant::Date(from).coerced(ty)?, Constant::Date(to).coerced(ty)?))
}
