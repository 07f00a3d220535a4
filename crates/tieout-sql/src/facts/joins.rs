//! Owns what is known of joins: sources, and columns of two of them that a condition holds against one another.
//!
//! Deliberately absent: judging them.

use crate::rejection::Place;

/// One FROM clause with its WHERE: the sources and the equalities between them.
#[derive(Clone, Debug, Default)]
pub struct JoinBlock {
    /// The sources.
    pub sources: Vec<SourceFact>,
    /// Equalities between two different sources.
    pub pairs: Vec<Pair>,
    /// Two columns of different sources of which one is held to be no greater than the other.
    pub ranges: Vec<Pair>,
}

/// One source of a FROM clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFact {
    /// How messages call it.
    pub label: String,
    /// Whether it is provably one row.
    pub one_row: bool,
    /// Whether it would be, if the columns of tables without any stated key were unique.
    pub one_row_assumed: bool,
    /// Whether it is made of constants only.
    pub constant: bool,
    /// Whether it depends on the sources before it, row by row.
    pub lateral: bool,
    /// Whether each row of the sources before it has one row of this at most: the nearest by some order.
    pub nearest: bool,
    /// Where.
    pub place: Option<Place>,
}

/// One side of an equality, traced to where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The source's index in its block.
    pub source: usize,
    /// The identity of the base row it is read from; ends with equal rows belong together.
    pub row: usize,
    /// The base table and column, when it is a copy of one.
    pub base: Option<(String, String)>,
    /// For computed values, the expression without its columns.
    pub shape: Option<String>,
    /// Whether its value is picked from constants (a bucket, a spine).
    pub picked: bool,
    /// Whether the source groups or removes duplicates.
    pub grouped: bool,
    /// Whether it is one of the values of its column (the first, the greatest), and not each of them.
    pub chosen: bool,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.base, &self.shape) {
            (Some((table, column)), _) => write!(f, "{table}.{column}"),
            (None, Some(shape)) => f.write_str(shape),
            (None, None) => f.write_str("a computed value"),
        }
    }
}

/// An equality between two sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// One side.
    pub left: End,
    /// The other.
    pub right: End,
}

/// How a subquery is tied to the query around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The equalities, inner side first.
    pub pairs: Vec<Pair>,
    /// Two columns of which one is held to be no greater than the other, inner side first.
    pub ranges: Vec<Pair>,
    /// Where.
    pub place: Option<Place>,
}
