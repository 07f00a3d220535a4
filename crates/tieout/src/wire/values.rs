//! Cells, bound values and units. A number is a string here, so that no reader of JSON rounds it.

use bigdecimal::BigDecimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tieout_core::{evidence, number};

/// One value of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
pub enum Cell {
    /// No value.
    Null,
    /// True or false.
    Boolean(bool),
    /// An exact number, all its digits.
    Number(String),
    /// NaN or an infinity, as the engine writes it.
    NotFinite(String),
    /// Text.
    Text(String),
    /// `2026-09-30`.
    Date(String),
    /// `2026-09-30T23:59:59`.
    Datetime(String),
    /// RFC 3339.
    Instant(String),
}

/// One bound value of a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
pub enum Bind {
    /// No value.
    Null,
    /// True or false.
    Boolean(bool),
    /// A whole number.
    Integer(String),
    /// An exact decimal.
    Decimal(String),
    /// Text.
    Text(String),
    /// `2026-09-30`.
    Date(String),
    /// `2026-09-30T23:59:59`.
    Datetime(String),
    /// RFC 3339.
    Instant(String),
}

/// What a number counts, and how it is rounded for the eye.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unit {
    /// `currency`, `percent`, `ratio`, `named` or `none`.
    pub kind: String,
    /// The currency's ISO 4217 code, or the plural noun of what is counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Digits shown after the point; all that there are when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<u32>,
    /// `half_even`, `half_up` or `down`.
    pub rounding: String,
}

impl From<&evidence::Cell> for Cell {
    fn from(cell: &evidence::Cell) -> Self {
        match cell {
            evidence::Cell::Null => Self::Null,
            evidence::Cell::Boolean(b) => Self::Boolean(*b),
            evidence::Cell::Number(n) => Self::Number(digits(n)),
            evidence::Cell::NotFinite(t) => Self::NotFinite(t.clone()),
            evidence::Cell::Text(t) => Self::Text(t.clone()),
            evidence::Cell::Date(d) => Self::Date(d.to_string()),
            evidence::Cell::DateTime(d) => Self::Datetime(d.to_string()),
            evidence::Cell::Instant(t) => Self::Instant(t.to_string()),
        }
    }
}

impl Cell {
    /// The value as the pipe knows it; none when the text is not of its type.
    #[must_use]
    pub fn back(&self) -> Option<evidence::Cell> {
        Some(match self {
            Self::Null => evidence::Cell::Null,
            Self::Boolean(b) => evidence::Cell::Boolean(*b),
            Self::Number(n) => evidence::Cell::Number(n.parse().ok()?),
            Self::NotFinite(t) => evidence::Cell::NotFinite(t.clone()),
            Self::Text(t) => evidence::Cell::Text(t.clone()),
            Self::Date(d) => evidence::Cell::Date(d.parse().ok()?),
            Self::Datetime(d) => evidence::Cell::DateTime(d.parse().ok()?),
            Self::Instant(t) => evidence::Cell::Instant(t.parse().ok()?),
        })
    }
}

impl From<&tieout_sql::Value> for Bind {
    fn from(value: &tieout_sql::Value) -> Self {
        match value {
            tieout_sql::Value::Null => Self::Null,
            tieout_sql::Value::Boolean(b) => Self::Boolean(*b),
            tieout_sql::Value::Integer(n) => Self::Integer(n.to_string()),
            tieout_sql::Value::Decimal(n) => Self::Decimal(digits(n)),
            tieout_sql::Value::Text(t) => Self::Text(t.clone()),
            tieout_sql::Value::Date(d) => Self::Date(d.to_string()),
            tieout_sql::Value::DateTime(d) => Self::Datetime(d.to_string()),
            tieout_sql::Value::Instant(t) => Self::Instant(t.to_string()),
        }
    }
}

impl Bind {
    /// The value as the checker knows it; none when the text is not of its type.
    #[must_use]
    pub fn back(&self) -> Option<tieout_sql::Value> {
        Some(match self {
            Self::Null => tieout_sql::Value::Null,
            Self::Boolean(b) => tieout_sql::Value::Boolean(*b),
            Self::Integer(n) => tieout_sql::Value::Integer(n.parse().ok()?),
            Self::Decimal(n) => tieout_sql::Value::Decimal(n.parse().ok()?),
            Self::Text(t) => tieout_sql::Value::Text(t.clone()),
            Self::Date(d) => tieout_sql::Value::Date(d.parse().ok()?),
            Self::Datetime(d) => tieout_sql::Value::DateTime(d.parse().ok()?),
            Self::Instant(t) => tieout_sql::Value::Instant(t.parse().ok()?),
        })
    }

    /// As a person reads it.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Null => "NULL".to_owned(),
            Self::Boolean(b) => b.to_string(),
            Self::Text(t) => format!("'{}'", t.replace('\'', "''")),
            Self::Integer(t) | Self::Decimal(t) | Self::Date(t) | Self::Datetime(t) | Self::Instant(t) => {
                t.clone()
            }
        }
    }
}

impl From<&number::Unit> for Unit {
    fn from(unit: &number::Unit) -> Self {
        let (kind, name) = match &unit.kind {
            number::UnitKind::Currency(code) => ("currency", Some(code.clone())),
            number::UnitKind::Percent => ("percent", None),
            number::UnitKind::Ratio => ("ratio", None),
            number::UnitKind::Named(noun) => ("named", Some(noun.clone())),
            number::UnitKind::None => ("none", None),
        };
        let rounding = match unit.rounding {
            number::Rounding::HalfEven => "half_even",
            number::Rounding::HalfUp => "half_up",
            number::Rounding::Down => "down",
        };
        Self { kind: kind.to_owned(), name, scale: unit.scale, rounding: rounding.to_owned() }
    }
}

impl Unit {
    /// The unit as the pipe knows it; none when a word of it is not known.
    #[must_use]
    pub fn back(&self) -> Option<number::Unit> {
        let kind = match (self.kind.as_str(), &self.name) {
            ("currency", Some(code)) => number::UnitKind::Currency(code.clone()),
            ("percent", _) => number::UnitKind::Percent,
            ("ratio", _) => number::UnitKind::Ratio,
            ("named", Some(noun)) => number::UnitKind::Named(noun.clone()),
            ("none", _) => number::UnitKind::None,
            _ => return None,
        };
        let rounding = match self.rounding.as_str() {
            "half_even" => number::Rounding::HalfEven,
            "half_up" => number::Rounding::HalfUp,
            "down" => number::Rounding::Down,
            _ => return None,
        };
        Some(number::Unit { kind, scale: self.scale, rounding, minor: false })
    }
}

/// All digits, no exponent.
pub(super) fn digits(number: &BigDecimal) -> String {
    number.normalized().to_plain_string()
}
