//! Conditions on rows as expressions: joined where the way keeps rows apart, semi-joins where it would repeat them.

use tieout_sql::sqlparser::ast::Expr;
use tieout_sql::{
    SqlType, Value,
    build::{
        SelectBuilder, and, cast, col, eq, ge, gt, in_list, int, is_not_null, is_null, le, lt, ne, not, or,
    },
};

use super::{
    bounds::within,
    source::{Need, Source},
};
use crate::{
    catalogue::{Hop, JoinPath, Presence},
    halt::Halt,
    plan::{FieldTest, RowTest, flipped, membership_tests},
    reading::{Comparison, Polarity, Problem, ReasonCode},
};

/// The most digits before the point of a number that is compared with: what DECIMAL(38, 10) holds.
const WHOLE_DIGITS_MAX: u64 = 28;

/// Every test as an expression on the source's rows.
///
/// # Errors
/// A refusal when a test names what the catalogue does not have.
pub(super) fn row_tests(source: &mut Source<'_>, tests: &[RowTest]) -> Result<Vec<Expr>, Halt> {
    let alias = source.base_alias().to_owned();
    tests.iter().map(|t| row_test(source, &alias, Place::Base, t)).collect()
}

/// Whether the rows under test are the query's own, to which more can be joined, or those of a semi-join.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Base,
    Inside,
}

fn row_test(source: &mut Source<'_>, alias: &str, place: Place, test: &RowTest) -> Result<Expr, Halt> {
    match test {
        RowTest::Field { way, field, test, .. } => field_at(source, alias, place, way, field, test),
        RowTest::Member { way, population, polarity, period } => {
            let found = source.catalogue.populations.get(population);
            let population = found.ok_or_else(|| refuse(format!("there is no population {population}")))?;
            let related = membership_tests(
                source.catalogue,
                &population.dataset,
                &population.membership.related,
                period.as_ref(),
            )?;
            let filter = population.membership.filter.clone();
            let inner = move |source: &mut Source<'_>, alias: &str| {
                let mut all: Vec<Expr> = filter.iter().map(|f| f.qualified(alias)).collect();
                for test in &related {
                    all.push(row_test(source, alias, Place::Inside, test)?);
                }
                Ok(all)
            };
            member(source, alias, way, *polarity, inner)
        }
        RowTest::Related { way, presence, filter, tests, period } => {
            let inner = |source: &mut Source<'_>, alias: &str| {
                let mut all: Vec<Expr> = filter.iter().map(|f| f.qualified(alias)).collect();
                for test in tests {
                    all.push(row_test(source, alias, Place::Inside, test)?);
                }
                if let Some((time, period)) = period {
                    all.push(within(source, col(alias, &time.field), time.datatype, period)?);
                }
                Ok(all)
            };
            semi_join(source, alias, &way.hops, *presence, &inner)
        }
        RowTest::Any(any) => {
            let parts = any
                .iter()
                .map(|t| row_test(source, alias, Place::Inside, t))
                .collect::<Result<Vec<_>, _>>()?;
            or(parts).ok_or_else(|| refuse("there is nothing to choose between".to_owned()))
        }
    }
}

fn member(
    source: &mut Source<'_>,
    alias: &str,
    way: &JoinPath,
    polarity: Polarity,
    inner: impl Fn(&mut Source<'_>, &str) -> Result<Vec<Expr>, Halt>,
) -> Result<Expr, Halt> {
    if !way.hops.is_empty() {
        return semi_join(source, alias, &way.hops, flipped(Presence::Exists, polarity), &inner);
    }
    let all =
        and(inner(source, alias)?).ok_or_else(|| refuse("the population has no condition".to_owned()))?;
    Ok(match polarity {
        Polarity::Is => all,
        Polarity::IsNot => Expr::IsNotTrue(Box::new(Expr::Nested(Box::new(all)))),
    })
}

/// A test on a field: on the base, on a joined dataset, or within a semi-join where the way walks through the many
/// side and the query does not join it anyway.
fn field_at(
    source: &mut Source<'_>,
    alias: &str,
    place: Place,
    way: &JoinPath,
    field: &str,
    test: &FieldTest,
) -> Result<Expr, Halt> {
    if way.hops.is_empty() {
        return field_test(source, col(alias, field), test);
    }
    if place == Place::Base && (way.to_one() || source.has(way)) {
        let need = if keeps_missing(test) { Need::MayMiss } else { Need::MustMatch };
        let joined = source.alias(way, need);
        return field_test(source, col(&joined, field), test);
    }
    let (presence, positive) = positive(test);
    let inner =
        |source: &mut Source<'_>, alias: &str| Ok(vec![field_test(source, col(alias, field), &positive)?]);
    semi_join(source, alias, &way.hops, presence, &inner)
}

/// Whether a row without the related row passes the test.
fn keeps_missing(test: &FieldTest) -> bool {
    match test {
        FieldTest::OneOf(_, polarity) => *polarity == Polarity::IsNot,
        FieldTest::Missing(polarity) => *polarity == Polarity::Is,
        FieldTest::Compare(comparison, _) => *comparison == Comparison::NotEqual,
        FieldTest::Between(..) | FieldTest::In(..) => false,
    }
}

/// A test through the many side, as the existence of a row that passes or the absence of one that fails.
pub(super) fn positive(test: &FieldTest) -> (Presence, FieldTest) {
    match test {
        FieldTest::OneOf(values, Polarity::IsNot) => {
            (Presence::Absent, FieldTest::OneOf(values.clone(), Polarity::Is))
        }
        FieldTest::Compare(Comparison::NotEqual, value) => {
            (Presence::Absent, FieldTest::Compare(Comparison::Equal, value.clone()))
        }
        FieldTest::Missing(Polarity::Is) => (Presence::Absent, FieldTest::Missing(Polarity::IsNot)),
        FieldTest::OneOf(_, Polarity::Is)
        | FieldTest::Compare(..)
        | FieldTest::Between(..)
        | FieldTest::Missing(Polarity::IsNot)
        | FieldTest::In(..) => (Presence::Exists, test.clone()),
    }
}

fn field_test(source: &mut Source<'_>, field: Expr, test: &FieldTest) -> Result<Expr, Halt> {
    Ok(match test {
        FieldTest::OneOf(values, polarity) => {
            let bound =
                values.iter().map(|v| bind_typed(source, v.clone())).collect::<Result<Vec<_>, _>>()?;
            let is = match <[Expr; 1]>::try_from(bound) {
                Ok([only]) => eq(field.clone(), only),
                Err(many) => in_list(field.clone(), many),
            };
            match polarity {
                Polarity::Is => is,
                Polarity::IsNot => kept_when_missing(not(is), field),
            }
        }
        FieldTest::Compare(comparison, value) => {
            let bound = bind_typed(source, value.clone())?;
            match comparison {
                Comparison::Below => lt(field, bound),
                Comparison::AtMost => le(field, bound),
                Comparison::Equal => eq(field, bound),
                Comparison::NotEqual => kept_when_missing(ne(field.clone(), bound), field),
                Comparison::AtLeast => ge(field, bound),
                Comparison::Above => gt(field, bound),
            }
        }
        FieldTest::Between(low, high) => {
            let low = ge(field.clone(), bind_typed(source, low.clone())?);
            let high = le(field, bind_typed(source, high.clone())?);
            and(vec![low, high]).ok_or_else(|| refuse("there is nothing between".to_owned()))?
        }
        FieldTest::Missing(Polarity::Is) => is_null(field),
        FieldTest::Missing(Polarity::IsNot) => is_not_null(field),
        FieldTest::In(period, datatype) => within(source, field, *datatype, period)?,
    })
}

/// `test OR field IS NULL`: a NULL is neither equal nor unequal, and what is left out by name must not take it along.
fn kept_when_missing(test: Expr, field: Expr) -> Expr {
    let missing = is_null(field);
    or(vec![test, missing.clone()]).unwrap_or(missing)
}

/// A bound value with its type, where an engine could take the placeholder for text.
///
/// # Errors
/// A refusal when a number is larger than any engine compares exactly.
fn bind_typed(source: &mut Source<'_>, value: Value) -> Result<Expr, Halt> {
    if let Value::Decimal(number) = &value
        && number.with_scale(0).digits() > WHOLE_DIGITS_MAX
    {
        return Err(refuse(format!("{} is larger than can be compared exactly", number.to_plain_string())));
    }
    let ty = match &value {
        Value::Date(_) => Some(SqlType::Date),
        Value::DateTime(_) => Some(SqlType::DateTime),
        Value::Instant(_) => Some(SqlType::Instant),
        Value::Decimal(_) => Some(SqlType::Decimal),
        Value::Null | Value::Boolean(_) | Value::Integer(_) | Value::Text(_) => None,
    };
    let placeholder = source.bind(value);
    Ok(match ty {
        Some(ty) => cast(placeholder, ty, source.catalogue.dialect),
        None => placeholder,
    })
}

type Inner<'f> = dyn Fn(&mut Source<'_>, &str) -> Result<Vec<Expr>, Halt> + 'f;

/// `[NOT] EXISTS (SELECT 1 FROM next WHERE key = key AND …)`, one inside the other for each hop.
fn semi_join(
    source: &mut Source<'_>,
    alias: &str,
    hops: &[Hop],
    presence: Presence,
    inner: &Inner<'_>,
) -> Result<Expr, Halt> {
    let Some((hop, rest)) = hops.split_first() else {
        return Err(refuse("a related row must lie behind a relationship".to_owned()));
    };
    let next = source.fresh_alias(&hop.to);
    let mut all = vec![source.on(hop, alias, &next)?];
    if rest.is_empty() {
        all.extend(inner(source, &next)?);
    } else {
        all.push(semi_join(source, &next, rest, Presence::Exists, inner)?);
    }
    let mut select = SelectBuilder::new().from_table(&hop.to, &next).column(int(1), "one");
    if let Some(condition) = and(all) {
        select = select.filter(condition);
    }
    let negated = match presence {
        Presence::Exists => false,
        Presence::Absent => true,
    };
    Ok(Expr::Exists { subquery: Box::new(select.build()), negated })
}

fn refuse(message: String) -> Halt {
    Halt::Refuse(vec![Problem::new(ReasonCode::Unsupported, message, "ask in other words")])
}
