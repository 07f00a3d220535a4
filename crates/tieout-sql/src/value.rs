//! Owns bound values: what travels beside a statement's text and never inside it.
//!
//! Deliberately absent: floating point (figures are exact), and any conversion to an engine's own
//! types, which belongs to the engine's adapter.

use std::fmt;

use bigdecimal::BigDecimal;

/// One value bound to a placeholder.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// SQL NULL.
    Null,
    /// True or false.
    Boolean(bool),
    /// A whole number; wide enough for DuckDB's HUGEINT.
    Integer(i128),
    /// An exact decimal.
    Decimal(BigDecimal),
    /// Text, bound as it is; it can never become syntax.
    Text(String),
    /// A calendar date.
    Date(jiff::civil::Date),
    /// A date and time without a zone.
    DateTime(jiff::civil::DateTime),
    /// A point in time.
    Instant(jiff::Timestamp),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Boolean(value) => write!(f, "{value}"),
            Value::Integer(value) => write!(f, "{value}"),
            Value::Decimal(value) => f.write_str(&value.to_plain_string()),
            Value::Text(value) => f.write_str(value),
            Value::Date(value) => write!(f, "{value}"),
            Value::DateTime(value) => write!(f, "{value}"),
            Value::Instant(value) => write!(f, "{value}"),
        }
    }
}
