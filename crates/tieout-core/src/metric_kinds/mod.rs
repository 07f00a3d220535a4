//! How each kind of metric is worked out: one file a kind, one line each in the table.
//!
//! A kind says which aggregates it fetches, how our code combines them, how it adds up, how it reads in words and
//! which groupings it forbids. Deliberately absent: SQL text, any engine's own arithmetic, and the catalogue, which
//! stands after this module and asks it.

mod arithmetic;
mod average;
mod count;
mod count_distinct;
mod cumulative;
mod derived;
mod kind;
mod latest;
mod maximum;
mod median;
mod minimum;
mod ratio;
mod sum;

pub use arithmetic::{Arithmetic, ArithmeticError};
pub use kind::{Accepts, Additivity, Combined, MadeOf, MetricKind, Need, Part, RowsTaken, Split, SplitBy};

/// Every kind, in the order in which they are listed to a person. A new kind is one file and one line here.
pub static KINDS: [&MetricKind; 11] = [
    &sum::KIND,
    &count::KIND,
    &count_distinct::KIND,
    &average::KIND,
    &minimum::KIND,
    &maximum::KIND,
    &median::KIND,
    &ratio::KIND,
    &derived::KIND,
    &latest::KIND,
    &cumulative::KIND,
];

/// The kind of that name, as the catalogue writes it.
#[must_use]
pub fn kind(name: &str) -> Option<&'static MetricKind> {
    KINDS.into_iter().find(|kind| kind.name == name)
}

#[cfg(test)]
mod tests;
