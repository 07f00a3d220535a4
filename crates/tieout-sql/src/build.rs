//! Owns the small builder that tieout's compiler makes trees with.
//!
//! Deliberately absent: text literals (values are bound), text splicing of any kind, and anything
//! that an engine alone has. Operands are bracketed wherever precedence could tell a tree from its text.

use sqlparser::ast::helpers::attached_token::AttachedToken;
use sqlparser::ast::{
    BinaryOperator, CaseWhen, CastKind, DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr,
    FunctionArgumentList, FunctionArguments, Ident, InTarget, ObjectName, ObjectNamePart, Query,
    UnaryOperator, Value, ValueWithSpan,
};

use crate::dialect::{Dialect, is_keyword, is_plain};
use crate::schema::SqlType;

mod select;

pub use select::{JoinKind, Order, SelectBuilder, union_all};
pub(crate) use select::{empty_select, limit_clause, plain_query, relation};

/// Whether an aggregate counts equal values once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distinct {
    /// Every value.
    All,
    /// Each value once.
    Distinct,
}

/// An identifier, quoted with `"` when it could not stand alone; the checker prints the dialect's own quotes.
pub fn ident(name: &str) -> Ident {
    match is_plain(name) && !is_keyword(name) {
        true => Ident::new(name),
        false => crate::spelling::quoted('"', name),
    }
}

/// `alias.name`.
pub fn col(alias: &str, name: &str) -> Expr {
    Expr::CompoundIdentifier(vec![ident(alias), ident(name)])
}

/// The placeholder of the bound value at a 0-based index.
pub fn bind(index: usize) -> Expr {
    literal(Value::Placeholder(format!("${}", index.saturating_add(1))))
}

/// A whole number.
pub fn int(value: i64) -> Expr {
    let digits = literal(Value::Number(value.unsigned_abs().to_string(), false));
    match value < 0 {
        true => Expr::UnaryOp { op: UnaryOperator::Minus, expr: Box::new(digits) },
        false => digits,
    }
}

/// `CAST(expr AS type)`; the expression itself where the kind of value has no name in the dialect.
pub fn cast(expr: Expr, ty: SqlType, dialect: &Dialect) -> Expr {
    match dialect.type_name(ty) {
        Some(data_type) => Expr::Cast { kind: CastKind::Cast, expr: Box::new(expr), data_type, format: None },
        None => expr,
    }
}

/// A function call.
pub fn func(name: &str, arguments: &[Expr]) -> Expr {
    call(name, arguments.iter().cloned().map(FunctionArgExpr::Expr).collect(), None, None)
}

/// An aggregate call, counted once per value or not, perhaps of the rows that a filter keeps.
pub fn agg(name: &str, arguments: &[Expr], distinct: Distinct, filter: Option<Expr>) -> Expr {
    let treatment = match distinct {
        Distinct::All => None,
        Distinct::Distinct => Some(DuplicateTreatment::Distinct),
    };
    call(name, arguments.iter().cloned().map(FunctionArgExpr::Expr).collect(), treatment, filter)
}

/// `COUNT(*)`.
pub fn count_star() -> Expr {
    call("count", vec![FunctionArgExpr::Wildcard], None, None)
}

/// `COUNT(*) FILTER (WHERE …)`.
pub fn count_star_where(filter: Expr) -> Expr {
    call("count", vec![FunctionArgExpr::Wildcard], None, Some(filter))
}

fn call(
    name: &str,
    arguments: Vec<FunctionArgExpr>,
    duplicate_treatment: Option<DuplicateTreatment>,
    filter: Option<Expr>,
) -> Expr {
    let name = Ident::new(name);
    let args = arguments.into_iter().map(FunctionArg::Unnamed).collect();
    Expr::Function(Function {
        name: ObjectName(vec![ObjectNamePart::Identifier(name)]),
        uses_odbc_syntax: false,
        parameters: FunctionArguments::None,
        args: FunctionArguments::List(FunctionArgumentList {
            duplicate_treatment,
            args,
            clauses: Vec::new(),
        }),
        within_group: Vec::new(),
        filter: filter.map(Box::new),
        null_treatment: None,
        over: None,
    })
}

/// `a = b`.
pub fn eq(a: Expr, b: Expr) -> Expr {
    binary(a, BinaryOperator::Eq, b)
}

/// `a <> b`.
pub fn ne(a: Expr, b: Expr) -> Expr {
    binary(a, BinaryOperator::NotEq, b)
}

/// `a < b`.
pub fn lt(a: Expr, b: Expr) -> Expr {
    binary(a, BinaryOperator::Lt, b)
}

/// `a <= b`.
pub fn le(a: Expr, b: Expr) -> Expr {
    binary(a, BinaryOperator::LtEq, b)
}

/// `a > b`.
pub fn gt(a: Expr, b: Expr) -> Expr {
    binary(a, BinaryOperator::Gt, b)
}

/// `a >= b`.
pub fn ge(a: Expr, b: Expr) -> Expr {
    binary(a, BinaryOperator::GtEq, b)
}

/// `a + b`.
pub fn add(a: Expr, b: Expr) -> Expr {
    binary(a, BinaryOperator::Plus, b)
}

/// `a - b`.
pub fn sub(a: Expr, b: Expr) -> Expr {
    binary(a, BinaryOperator::Minus, b)
}

/// `a * b`.
pub fn mul(a: Expr, b: Expr) -> Expr {
    binary(a, BinaryOperator::Multiply, b)
}

/// `a / b`.
pub fn div(a: Expr, b: Expr) -> Expr {
    binary(a, BinaryOperator::Divide, b)
}

/// Every condition holds; `None` when there is none.
pub fn and(conditions: Vec<Expr>) -> Option<Expr> {
    conditions.into_iter().reduce(|left, right| chain(left, BinaryOperator::And, right))
}

/// Some condition holds; `None` when there is none.
pub fn or(conditions: Vec<Expr>) -> Option<Expr> {
    conditions.into_iter().reduce(|left, right| chain(left, BinaryOperator::Or, right))
}

/// `NOT (…)`.
pub fn not(condition: Expr) -> Expr {
    Expr::UnaryOp { op: UnaryOperator::Not, expr: Box::new(operand(condition)) }
}

/// `expr IS NULL`.
pub fn is_null(expr: Expr) -> Expr {
    Expr::IsNull(Box::new(operand(expr)))
}

/// `expr IS NOT NULL`.
pub fn is_not_null(expr: Expr) -> Expr {
    Expr::IsNotNull(Box::new(operand(expr)))
}

/// Equality that also holds between two NULLs.
pub fn same(a: Expr, b: Expr) -> Expr {
    Expr::IsNotDistinctFrom(Box::new(operand(a)), Box::new(operand(b)))
}

/// `EXISTS (…)`.
pub fn exists(query: Query) -> Expr {
    Expr::Exists { subquery: Box::new(query), negated: false }
}

/// `expr IN (…)`.
pub fn in_list(expr: Expr, values: Vec<Expr>) -> Expr {
    Expr::In { expr: Box::new(operand(expr)), target: InTarget::List(values), negated: false, global: false }
}

/// `CASE WHEN … THEN … ELSE … END`.
pub fn case_when(branches: Vec<(Expr, Expr)>, otherwise: Option<Expr>) -> Expr {
    let conditions = branches.into_iter().map(|(condition, result)| CaseWhen { condition, result }).collect();
    Expr::Case {
        case_token: AttachedToken::empty(),
        end_token: AttachedToken::empty(),
        operand: None,
        conditions,
        else_result: otherwise.map(Box::new),
    }
}

/// A whole row of values, for row comparisons.
pub fn tuple(parts: Vec<Expr>) -> Expr {
    Expr::Tuple(parts)
}

/// A query that gives one value, used as a value.
pub fn subquery(query: Query) -> Expr {
    Expr::Subquery(Box::new(query))
}

pub(crate) fn literal(value: Value) -> Expr {
    Expr::Value(ValueWithSpan { value, span: sqlparser::tokenizer::Span::empty() })
}

pub(crate) fn binary(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    Expr::BinaryOp { left: Box::new(operand(left)), op, right: Box::new(operand(right)) }
}

/// Joins two conditions with AND or OR without brackets around a left operand of the same kind, so that
/// a chain prints as people write it and parses back to the same, left-leaning tree.
fn chain(left: Expr, op: BinaryOperator, right: Expr) -> Expr {
    let left = match &left {
        Expr::BinaryOp { op: inner, .. } if *inner == op => left,
        Expr::BinaryOp { op: inner, .. } if is_comparison(inner) => left,
        _ => operand(left),
    };
    let right = match &right {
        Expr::BinaryOp { op: inner, .. } if is_comparison(inner) => right,
        _ => operand(right),
    };
    Expr::BinaryOp { left: Box::new(left), op, right: Box::new(right) }
}

fn is_comparison(op: &BinaryOperator) -> bool {
    matches!(
        op,
        BinaryOperator::Eq
            | BinaryOperator::NotEq
            | BinaryOperator::Lt
            | BinaryOperator::LtEq
            | BinaryOperator::Gt
            | BinaryOperator::GtEq
    )
}

/// Brackets an expression unless it stands on its own in every position.
pub(crate) fn operand(expr: Expr) -> Expr {
    match expr {
        Expr::Identifier(_)
        | Expr::CompoundIdentifier(_)
        | Expr::Value(_)
        | Expr::Nested(_)
        | Expr::Tuple(_)
        | Expr::Subquery(_)
        | Expr::Function(_)
        | Expr::Case { .. }
        | Expr::Exists { negated: false, .. }
        | Expr::Cast { kind: CastKind::Cast | CastKind::TryCast, .. } => expr,
        other => Expr::Nested(Box::new(other)),
    }
}
