//! Whether an expression is in a currency's smallest unit: cents plus cents are cents, cents by cents are not.
//!
//! Deliberately absent: which unit that is. What cannot be told is said to be so, never guessed: a wrong guess would be
//! wrong by a hundred.

use std::ops::ControlFlow;

use tieout_sql::{
    Dialect, Returns,
    sqlparser::ast::{BinaryOperator, Expr, visit_expressions},
};

use super::typing;
use crate::catalogue::Dataset;

/// How often the smallest unit of a currency is a factor of an expression: 1 for cents, 0 for anything plain. None when
/// it cannot be told, as of cents plus dollars.
pub(super) fn degree(expr: &Expr, dataset: &Dataset, dialect: &Dialect) -> Option<u8> {
    let inner = |expr: &Expr| degree(expr, dataset, dialect);
    match expr {
        Expr::Identifier(name) => Some(u8::from(is_minor(&name.value, dataset))),
        Expr::Nested(a)
        | Expr::UnaryOp { expr: a, .. }
        | Expr::Cast { expr: a, .. }
        | Expr::Ceil { expr: a, .. }
        | Expr::Floor { expr: a, .. } => inner(a),
        Expr::BinaryOp { left, op: BinaryOperator::Multiply, right } => {
            inner(left)?.checked_add(inner(right)?)
        }
        Expr::BinaryOp { left, op: BinaryOperator::Divide, right } => inner(left)?.checked_sub(inner(right)?),
        Expr::BinaryOp { left, op, right } if typing::is_arithmetic(op) => {
            let (left, right) = (inner(left)?, inner(right)?);
            (left == right).then_some(left)
        }
        Expr::Case { conditions, else_result, .. } => {
            let results =
                conditions.iter().map(|when| &when.result).chain(else_result.iter().map(AsRef::as_ref));
            chosen(results, &inner)
        }
        Expr::Function(function) if typing::returns(function, dialect) == Some(Returns::First) => {
            chosen(typing::arguments(function).into_iter(), &inner)
        }
        other => (!names_minor(other, dataset)).then_some(0),
    }
}

/// The degree of a value that is one of several. A constant among them has none of its own: `coalesce(cents, 0)`.
fn chosen<'e>(values: impl Iterator<Item = &'e Expr>, degree: &dyn Fn(&Expr) -> Option<u8>) -> Option<u8> {
    let mut found = None;
    for value in values.filter(|value| !is_constant(value)) {
        let one = degree(value)?;
        if found.is_some_and(|other| other != one) {
            return None;
        }
        found = Some(one);
    }
    Some(found.unwrap_or(0))
}

fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Value(_) => true,
        Expr::Nested(a) | Expr::UnaryOp { expr: a, .. } => is_constant(a),
        _ => false,
    }
}

fn is_minor(name: &str, dataset: &Dataset) -> bool {
    typing::field(dataset, name).and_then(|field| field.unit.as_ref()).is_some_and(|unit| unit.minor)
}

fn names_minor(expr: &Expr, dataset: &Dataset) -> bool {
    let found = visit_expressions(expr, |expr| match expr {
        Expr::Identifier(name) if is_minor(&name.value, dataset) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    found.is_break()
}
