//! Owns the statement as it comes to the checker: a tree, and the values bound beside it.
//!
//! Deliberately absent: any promise. A `Select` has passed nothing; a `CheckedQuery` has.

use sqlparser::ast::Query;

use crate::value::Value;

/// A query and its bound values, not yet checked.
///
/// Placeholders in the tree are `$1`, `$2`, … whatever the dialect; `$n` is `binds[n - 1]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Select {
    /// The query, over logical tables and columns.
    pub query: Query,
    /// The values of its placeholders.
    pub binds: Vec<Value>,
}
