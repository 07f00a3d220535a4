//! Owns the rewriting of a built tree into what a dialect has: its quotes, its placeholders, and
//! equivalents of NULLS LAST, FILTER and null-safe equality where it lacks them.
//!
//! Deliberately absent: any change of meaning, and any rewriting of what a person or a model wrote
//! beyond the numbering of placeholders.

use std::ops::ControlFlow;

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Ident, OrderBy,
    OrderByExpr, OrderByKind, Query, Value, ValueWithSpan, VisitMut, VisitorMut,
};

use crate::build;
use crate::dialect::{Dialect, NullSafeEqual, Placeholders, Support};

/// Rewrites a built tree for a dialect.
pub(crate) fn for_dialect(query: &mut Query, dialect: &Dialect) {
    let _: ControlFlow<()> = query.visit(&mut Lowering { dialect });
}

/// Gives every placeholder of a parsed text its number, as the tree's own spelling has it.
pub(crate) fn number_placeholders(query: &mut Query, dialect: &Dialect) {
    if dialect.placeholders == Placeholders::Question {
        let _: ControlFlow<()> = query.visit(&mut Numbering { next: 1 });
    }
}

/// The tree's own spelling of the placeholder for a 0-based index.
pub(crate) fn placeholder(index: usize, dialect: &Dialect) -> String {
    let number = index.saturating_add(1);
    match dialect.placeholders {
        Placeholders::Dollar => format!("${number}"),
        Placeholders::QuestionNumbered | Placeholders::Question => format!("?{number}"),
    }
}

/// The 0-based index of a placeholder in a tree; `None` when it is not one of ours.
pub(crate) fn placeholder_index(name: &str) -> Option<usize> {
    let digits = name.strip_prefix(['$', '?'])?;
    let plain = !digits.is_empty() && !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| digits.parse::<usize>().ok()).flatten()?.checked_sub(1)
}

struct Numbering {
    next: usize,
}

impl VisitorMut for Numbering {
    type Break = ();

    fn pre_visit_value(&mut self, value: &mut ValueWithSpan) -> ControlFlow<()> {
        if let Value::Placeholder(name) = &mut value.value
            && name == "?"
        {
            *name = format!("?{}", self.next);
            self.next = self.next.saturating_add(1);
        }
        ControlFlow::Continue(())
    }
}

struct Lowering<'a> {
    dialect: &'a Dialect,
}

impl VisitorMut for Lowering<'_> {
    type Break = ();

    fn pre_visit_value(&mut self, value: &mut ValueWithSpan) -> ControlFlow<()> {
        if let Value::Placeholder(name) = &mut value.value
            && let Some(index) = placeholder_index(name)
        {
            *name = placeholder(index, self.dialect);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_ident(&mut self, ident: &mut Ident) -> ControlFlow<()> {
        let folds = ident.quote_style.is_none() && self.dialect.folds_away(&ident.value);
        if ident.quote_style == Some('"') || folds {
            *ident = crate::spelling::quoted(self.dialect.quote, &crate::spelling::plain(ident));
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &mut Expr) -> ControlFlow<()> {
        if self.dialect.null_safe == NullSafeEqual::Spaceship
            && let Expr::IsNotDistinctFrom(left, right) = expr
        {
            *expr = build::binary((**left).clone(), BinaryOperator::Spaceship, (**right).clone());
        }
        if self.dialect.filter_clause == Support::Missing
            && let Expr::Function(function) = expr
        {
            filter_to_case(function);
        }
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, query: &mut Query) -> ControlFlow<()> {
        if self.dialect.nulls_last == Support::Missing
            && let Some(OrderBy { kind: OrderByKind::Expressions(items), interpolate: _ }) =
                &mut query.order_by
        {
            *items = std::mem::take(items).into_iter().flat_map(nulls_apart).collect();
        }
        ControlFlow::Continue(())
    }
}

/// `agg(x) FILTER (WHERE c)` as `agg(CASE WHEN c THEN x END)`.
fn filter_to_case(function: &mut Function) {
    let FunctionArguments::List(list) = &mut function.args else { return };
    let [FunctionArg::Unnamed(argument)] = list.args.as_mut_slice() else { return };
    let value = match argument {
        FunctionArgExpr::Expr(expr) => expr.clone(),
        FunctionArgExpr::Wildcard => build::int(1),
        FunctionArgExpr::QualifiedWildcard(_) | FunctionArgExpr::WildcardWithOptions(_) => return,
    };
    if let Some(filter) = function.filter.take() {
        *argument = FunctionArgExpr::Expr(build::case_when(vec![(*filter, value)], None));
    }
}

/// `e NULLS LAST` as `e IS NULL, e`.
fn nulls_apart(mut item: OrderByExpr) -> Vec<OrderByExpr> {
    let Some(first) = item.options.nulls_first.take() else { return vec![item] };
    let mut apart = OrderByExpr { expr: build::is_null(item.expr.clone()), ..item.clone() };
    apart.options.sort = first.then_some(sqlparser::ast::OrderBySort::Desc);
    vec![apart, item]
}
