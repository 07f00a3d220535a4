//! What type an expression of the catalogue has, as far as that can be told from its tree.
//!
//! What cannot be told is `Unknown` and is let through: the checker sees the whole query later. Deliberately absent:
//! which type a key wants.

use std::ops::ControlFlow;

use tieout_sql::{
    Dialect, Lookup, Returns, SqlType, Volatility,
    sqlparser::ast::{
        BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, UnaryOperator,
        Value, visit_expressions,
    },
};

use crate::catalogue::{Dataset, Field};

/// A field of a dataset, by the name that an expression calls it.
pub(super) fn field<'d>(dataset: &'d Dataset, name: &str) -> Option<&'d Field> {
    dataset
        .fields
        .get(name)
        .or_else(|| dataset.fields.values().find(|field| field.name.eq_ignore_ascii_case(name)))
}

/// The type of an expression.
pub(super) fn type_of(expr: &Expr, dataset: &Dataset, dialect: &Dialect) -> SqlType {
    let inner = |expr: &Expr| type_of(expr, dataset, dialect);
    match expr {
        Expr::Identifier(name) => {
            field(dataset, &name.value).map_or(SqlType::Unknown, |field| field.datatype.sql())
        }
        Expr::Value(value) => literal(&value.value),
        Expr::Nested(a) => inner(a),
        Expr::UnaryOp { op: UnaryOperator::Not, .. } => SqlType::Boolean,
        Expr::UnaryOp { expr: a, .. } | Expr::Ceil { expr: a, .. } | Expr::Floor { expr: a, .. } => inner(a),
        Expr::BinaryOp { left, op, right } => binary(op, inner(left), inner(right)),
        Expr::IsNull(_)
        | Expr::IsNotNull(_)
        | Expr::IsTrue(_)
        | Expr::IsNotTrue(_)
        | Expr::IsFalse(_)
        | Expr::IsNotFalse(_)
        | Expr::IsDistinctFrom(..)
        | Expr::IsNotDistinctFrom(..)
        | Expr::Between { .. }
        | Expr::Like { .. }
        | Expr::ILike { .. }
        | Expr::In { .. } => SqlType::Boolean,
        Expr::Case { conditions, else_result, .. } => conditions
            .iter()
            .map(|when| inner(&when.result))
            .chain(else_result.iter().map(|other| inner(other)))
            .find(|ty| *ty != SqlType::Unknown)
            .unwrap_or(SqlType::Unknown),
        Expr::Substring { .. } | Expr::Trim { .. } => SqlType::Text,
        Expr::Position { .. } | Expr::Extract { .. } => SqlType::Integer,
        Expr::Function(function) => call(function, dataset, dialect),
        _ => SqlType::Unknown,
    }
}

/// The fields whose values become values of the expression, rather than conditions or arguments of a function that
/// makes something else of them: `a` and `b` of `case when c then a else coalesce(b, 0) end`.
pub(super) fn value_fields(expr: &Expr, dialect: &Dialect) -> Vec<String> {
    let mut found = Vec::new();
    let mut left = vec![expr];
    while let Some(expr) = left.pop() {
        match expr {
            Expr::Identifier(name) => found.push(name.value.clone()),
            Expr::Nested(a)
            | Expr::UnaryOp { expr: a, .. }
            | Expr::Cast { expr: a, .. }
            | Expr::Ceil { expr: a, .. }
            | Expr::Floor { expr: a, .. } => {
                left.push(a);
            }
            Expr::BinaryOp { left: a, op, right: b } if is_arithmetic(op) => {
                left.extend([b.as_ref(), a.as_ref()])
            }
            Expr::Case { conditions, else_result, .. } => {
                left.extend(else_result.iter().map(AsRef::as_ref));
                left.extend(conditions.iter().rev().map(|when| &when.result));
            }
            Expr::Function(function) if returns(function, dialect) == Some(Returns::First) => {
                left.extend(arguments(function).into_iter().rev());
            }
            _ => {}
        }
    }
    found
}

/// A function whose value is another each time it is called, if the expression calls one.
pub(super) fn unstable_call(expr: &Expr, dialect: &Dialect) -> Option<String> {
    let found = visit_expressions(expr, |expr| match expr {
        Expr::Function(function) => {
            let name = function.name.to_string();
            match dialect.function(&name, arguments(function).len()) {
                Lookup::Found(entry) if entry.volatility == Volatility::Stable => ControlFlow::Break(name),
                Lookup::Found(_) | Lookup::WrongArguments(_) | Lookup::Absent => ControlFlow::Continue(()),
            }
        }
        _ => ControlFlow::Continue(()),
    });
    match found {
        ControlFlow::Break(name) => Some(name),
        ControlFlow::Continue(()) => None,
    }
}

/// Whether a type is a number's.
pub(super) fn is_number(ty: SqlType) -> bool {
    matches!(ty, SqlType::Integer | SqlType::Decimal | SqlType::Float)
}

fn literal(value: &Value) -> SqlType {
    match value {
        Value::Number(text, _) if text.bytes().all(|byte| byte.is_ascii_digit()) => SqlType::Integer,
        Value::Number(..) => SqlType::Decimal,
        Value::SingleQuotedString(_) => SqlType::Text,
        Value::Boolean(_) => SqlType::Boolean,
        _ => SqlType::Unknown,
    }
}

pub(super) fn is_arithmetic(op: &BinaryOperator) -> bool {
    use BinaryOperator as B;
    matches!(op, B::Plus | B::Minus | B::Multiply | B::Divide | B::Modulo)
}

fn binary(op: &BinaryOperator, left: SqlType, right: SqlType) -> SqlType {
    use BinaryOperator as B;
    match op {
        B::StringConcat => SqlType::Text,
        B::Plus | B::Minus | B::Multiply | B::Divide | B::Modulo => match (left, right) {
            (SqlType::Text | SqlType::Boolean, _) => left,
            (_, SqlType::Text | SqlType::Boolean) => right,
            (SqlType::Integer, SqlType::Integer) if *op != B::Divide => SqlType::Integer,
            (SqlType::Float, other) | (other, SqlType::Float) if is_number(other) => SqlType::Float,
            (a, b) if is_number(a) && is_number(b) => SqlType::Decimal,
            _ => SqlType::Unknown,
        },
        B::Gt | B::Lt | B::GtEq | B::LtEq | B::Eq | B::NotEq | B::And | B::Or | B::Spaceship => {
            SqlType::Boolean
        }
        _ => SqlType::Unknown,
    }
}

fn call(function: &Function, dataset: &Dataset, dialect: &Dialect) -> SqlType {
    let arguments = arguments(function);
    let taken = match returns(function, dialect) {
        Some(Returns::Type(ty)) => return ty,
        Some(Returns::First) => arguments.first(),
        Some(Returns::Last) => arguments.last(),
        None => None,
    };
    taken.map_or(SqlType::Unknown, |argument| type_of(argument, dataset, dialect))
}

/// What a call gives, as the allow-list says.
pub(super) fn returns(function: &Function, dialect: &Dialect) -> Option<Returns> {
    match dialect.function(&function.name.to_string(), arguments(function).len()) {
        Lookup::Found(entry) => Some(entry.returns),
        Lookup::WrongArguments(_) | Lookup::Absent => None,
    }
}

/// The arguments of a call, in order.
pub(super) fn arguments(function: &Function) -> Vec<&Expr> {
    match &function.args {
        FunctionArguments::List(list) => list
            .args
            .iter()
            .filter_map(|argument| match argument {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(expr),
                _ => None,
            })
            .collect(),
        FunctionArguments::None | FunctionArguments::Subquery(_) => Vec::new(),
    }
}
