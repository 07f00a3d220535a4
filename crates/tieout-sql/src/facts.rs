//! Owns what is known of a statement once it is resolved, as plain data that rules read.
//!
//! Deliberately absent: syntax trees. Rules never walk one.

use crate::schema::SqlType;

/// Where one output column comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lineage {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: SqlType,
    /// Logical table and column of everything it is made of.
    pub columns: Vec<(String, String)>,
    /// The aggregates it passed through, innermost first.
    pub aggregates: Vec<String>,
}
