//! Owns the shape of an expression: its text with every column left out, so that two buckets computed the
//! same way from different columns can be recognised as alike.
//!
//! Deliberately absent: any claim that two expressions of one shape are equal in value.

use std::ops::ControlFlow;

use sqlparser::ast::{Expr, Ident, visit_expressions_mut};

/// The shape of an expression.
pub(super) fn of(expr: &Expr) -> String {
    let mut copy = expr.clone();
    let _: ControlFlow<()> = visit_expressions_mut(&mut copy, |node| {
        if matches!(node, Expr::Identifier(_) | Expr::CompoundIdentifier(_)) {
            *node = Expr::Identifier(Ident::new("_"));
        }
        ControlFlow::Continue(())
    });
    copy.to_string().to_lowercase()
}

/// Whether two expressions have the same shape.
pub(super) fn alike(one: &Expr, other: &Expr) -> bool {
    one == other || of(one) == of(other)
}
