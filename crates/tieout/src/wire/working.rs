//! How a figure is made: enough to work it out again, by us or by anybody.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tieout_core::{figures, metric_kinds};

use super::{Cell, values::digits};

/// How a figure is made from cells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Working {
    /// One cell, as it came back.
    Cell(CellRef),
    /// A number of the definition.
    Constant {
        /// All its digits.
        value: String,
    },
    /// Nothing, for a reason: the first step of a trend has none before it.
    Nothing {
        /// The reason.
        reason: String,
    },
    /// What is inside, or zero where there are no rows.
    OrZero {
        /// What is inside.
        of: Box<Self>,
    },
    /// A sum; parts without rows are left out.
    Add {
        /// The parts.
        of: Vec<Self>,
    },
    /// The first less the second.
    Subtract {
        /// Both.
        of: Box<[Self; 2]>,
    },
    /// A product.
    Multiply {
        /// Both.
        of: Box<[Self; 2]>,
    },
    /// The first divided by the second; undefined over zero.
    Divide {
        /// Both.
        of: Box<[Self; 2]>,
    },
    /// What is inside times ten to a power.
    Scale {
        /// What is inside.
        of: Box<Self>,
        /// The power.
        tens: i64,
    },
    /// The change from the second to the first, in percent of the second.
    Change {
        /// Both.
        of: Box<[Self; 2]>,
    },
    /// What share the first is of the second, in percent.
    Share {
        /// Both.
        of: Box<[Self; 2]>,
    },
    /// The parts of a kind of metric, combined as that kind says.
    Combine {
        /// The kind's name.
        kind: String,
        /// The parts.
        of: Vec<Self>,
    },
    /// What is inside, where at least one of the counts is of any rows.
    IfAny {
        /// How many rows each aggregate counted.
        rows: Vec<Self>,
        /// What is inside.
        of: Box<Self>,
    },
    /// What is inside, withheld where fewer rows than a minimum were counted.
    Guard {
        /// How many rows were counted.
        rows: Box<Self>,
        /// The fewest that may be shown.
        minimum: u64,
        /// What is inside.
        of: Box<Self>,
    },
}

/// One cell of a query's result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CellRef {
    /// The query's id.
    pub query: String,
    /// The row's key.
    pub key: Vec<Cell>,
    /// The column.
    pub column: String,
}

impl From<&figures::Working> for Working {
    fn from(working: &figures::Working) -> Self {
        use figures::Working as W;
        let one = |w: &W| Box::new(Self::from(w));
        let two = |a: &W, b: &W| Box::new([Self::from(a), Self::from(b)]);
        let all = |parts: &[W]| parts.iter().map(Self::from).collect();
        match working {
            W::Cell(cell) => Self::Cell(CellRef {
                query: cell.evidence.clone(),
                key: cell.key.iter().map(Cell::from).collect(),
                column: cell.column.clone(),
            }),
            W::Constant(n) => Self::Constant { value: digits(n) },
            W::Nothing(reason) => Self::Nothing { reason: reason.clone() },
            W::OrZero(w) => Self::OrZero { of: one(w) },
            W::Add(parts) => Self::Add { of: all(parts) },
            W::Subtract(a, b) => Self::Subtract { of: two(a, b) },
            W::Multiply(a, b) => Self::Multiply { of: two(a, b) },
            W::Divide(a, b) => Self::Divide { of: two(a, b) },
            W::Scale(w, tens) => Self::Scale { of: one(w), tens: *tens },
            W::Change(a, b) => Self::Change { of: two(a, b) },
            W::Share(a, b) => Self::Share { of: two(a, b) },
            W::Combine(kind, parts) => Self::Combine { kind: (*kind).to_owned(), of: all(parts) },
            W::IfAny { rows, inner } => Self::IfAny { rows: all(rows), of: one(inner) },
            W::Guard { rows, minimum, inner } => {
                Self::Guard { rows: one(rows), minimum: *minimum, of: one(inner) }
            }
        }
    }
}

impl Working {
    /// The working as the pipe knows it; none when a word of it is not known.
    #[must_use]
    pub fn back(&self) -> Option<figures::Working> {
        use figures::Working as W;
        let one = |w: &Self| w.back().map(Box::new);
        let two = |pair: &[Self; 2]| Some((one(&pair[0])?, one(&pair[1])?));
        let all = |parts: &[Self]| parts.iter().map(Self::back).collect::<Option<Vec<_>>>();
        Some(match self {
            Self::Cell(cell) => W::Cell(figures::CellRef {
                evidence: cell.query.clone(),
                key: cell.key.iter().map(Cell::back).collect::<Option<Vec<_>>>()?,
                column: cell.column.clone(),
            }),
            Self::Constant { value } => W::Constant(value.parse().ok()?),
            Self::Nothing { reason } => W::Nothing(reason.clone()),
            Self::OrZero { of } => W::OrZero(one(of)?),
            Self::Add { of } => W::Add(all(of)?),
            Self::Subtract { of } => two(of).map(|(a, b)| W::Subtract(a, b))?,
            Self::Multiply { of } => two(of).map(|(a, b)| W::Multiply(a, b))?,
            Self::Divide { of } => two(of).map(|(a, b)| W::Divide(a, b))?,
            Self::Scale { of, tens } => W::Scale(one(of)?, *tens),
            Self::Change { of } => two(of).map(|(a, b)| W::Change(a, b))?,
            Self::Share { of } => two(of).map(|(a, b)| W::Share(a, b))?,
            Self::Combine { kind, of } => W::Combine(metric_kinds::kind(kind)?.name, all(of)?),
            Self::IfAny { rows, of } => W::IfAny { rows: all(rows)?, inner: one(of)? },
            Self::Guard { rows, minimum, of } => {
                W::Guard { rows: one(rows)?, minimum: *minimum, inner: one(of)? }
            }
        })
    }
}
