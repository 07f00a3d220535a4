//! What is true and how we know.
//!
//! Owns the values that pass along the pipe, from the scope of a session to the outcome of a question, and the pure
//! functions between them. Deliberately absent: IO, clocks, the environment and luck; whatever is needed of those is
//! handed in through [`ports`].
//!
//! The order of the `mod` lines is the order of the pipe and the import rule: a module imports only from those above
//! it (a test holds us to that).

pub mod scope;
pub mod number;
pub mod time;
pub mod attempt;
pub mod model;
pub mod metric_kinds;
pub mod catalogue;
pub mod question;
pub mod reading;
pub mod halt;
pub mod definitions;
pub mod plan;
pub mod compile;
pub mod evidence;
pub mod freshness;
pub mod figures;
pub mod claim;
pub mod outcome;
pub mod ports;
