//! How figures are made, and the one function that works them out.

use std::collections::HashMap;

use bigdecimal::{BigDecimal, Signed, ToPrimitive, Zero};

use crate::{
    evidence::{Cell, Evidence},
    metric_kinds::{Combined, kind},
    number::{Number, Unit, print_number, quotient},
};

/// One cell of evidence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CellRef {
    /// The query's id.
    pub evidence: String,
    /// The row's group key (values of its first columns), which does not depend on the order of rows.
    pub key: Vec<Cell>,
    /// The column's name.
    pub column: String,
}

/// How a figure is made.
#[derive(Clone, Debug, PartialEq)]
pub enum Working {
    /// The number in a cell; no such row, or NULL, is no number.
    Cell(CellRef),
    /// A number of the definition itself.
    Constant(Number),
    /// Nothing, for a reason: the first step of a trend has none before it.
    Nothing(String),
    /// The inner working, or zero where there are no rows: an empty sum is zero inside arithmetic.
    OrZero(Box<Self>),
    /// A sum; parts without rows are left out, and a sum of none is none.
    Add(Vec<Self>),
    /// A difference; none when either side is.
    Subtract(Box<Self>, Box<Self>),
    /// A product.
    Multiply(Box<Self>, Box<Self>),
    /// A quotient; undefined over zero.
    Divide(Box<Self>, Box<Self>),
    /// The inner working times ten to a power: cents to whole units.
    Scale(Box<Self>, i64),
    /// The change from the second to the first, in percent of the second.
    Change(Box<Self>, Box<Self>),
    /// What share the first is of the second, in percent.
    Share(Box<Self>, Box<Self>),
    /// The parts of a kind of metric, combined as its file says.
    Combine(&'static str, Vec<Self>),
    /// The inner working, where at least one of the counts is of any rows; else there are none.
    IfAny {
        /// How many rows each aggregate counted.
        rows: Vec<Self>,
        /// The working.
        inner: Box<Self>,
    },
    /// The inner working, withheld where fewer rows than `minimum` were counted.
    Guard {
        /// How many rows were counted.
        rows: Box<Self>,
        /// The fewest that may be shown.
        minimum: u64,
        /// The working.
        inner: Box<Self>,
    },
}

/// What came of a working.
#[derive(Clone, Debug, PartialEq)]
pub enum FigureValue {
    /// An exact number.
    Number(Number),
    /// No number can be given, and why.
    Undefined(String),
    /// No rows, so nothing to add up.
    NoRows,
    /// Fewer rows than may be shown.
    Withheld,
}

impl FigureValue {
    /// How a person reads it, with its unit.
    #[must_use]
    pub fn shown(&self, unit: &Unit) -> String {
        match self {
            Self::Number(n) => match unit.suffix() {
                "" => print_number(n, unit),
                suffix => format!("{} {suffix}", print_number(n, unit)),
            },
            Self::Undefined(reason) => format!("undefined ({reason})"),
            Self::NoRows => "no rows".to_owned(),
            Self::Withheld => "withheld (too few rows)".to_owned(),
        }
    }

    /// The number, if it is one.
    #[must_use]
    pub fn number(&self) -> Option<&Number> {
        match self {
            Self::Number(n) => Some(n),
            Self::Undefined(_) | Self::NoRows | Self::Withheld => None,
        }
    }
}

/// Why a working cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unworkable {
    /// The evidence it names is not there.
    #[error("there is no evidence {0}")]
    NoEvidence(String),
    /// The column it names is not in the evidence.
    #[error("evidence {0} has no column {1}")]
    NoColumn(String, String),
    /// The cell holds something that is not a number.
    #[error("evidence {0}, column {1}: {2} is not a finite number")]
    NotANumber(String, String, String),
}

/// Evidence opened for reading: each row is found by its key without a scan.
pub struct Book<'a> {
    pages: HashMap<&'a str, Page<'a>>,
}

struct Page<'a> {
    evidence: &'a Evidence,
    rows: HashMap<&'a [Cell], usize>,
}

impl<'a> Book<'a> {
    /// Opens the evidence.
    #[must_use]
    pub fn open(evidence: &'a [Evidence]) -> Self {
        let pages = evidence
            .iter()
            .map(|e| {
                let width = e.key_columns();
                let rows = e.rows().rows.iter().enumerate();
                let rows = rows.filter_map(|(i, row)| Some((row.get(..width)?, i))).collect();
                (e.id(), Page { evidence: e, rows })
            })
            .collect();
        Self { pages }
    }

    fn read(&self, cell: &CellRef) -> Result<Option<&'a Cell>, Unworkable> {
        let page = self
            .pages
            .get(cell.evidence.as_str())
            .ok_or_else(|| Unworkable::NoEvidence(cell.evidence.clone()))?;
        let rows = page.evidence.rows();
        let place = rows
            .column(&cell.column)
            .ok_or_else(|| Unworkable::NoColumn(cell.evidence.clone(), cell.column.clone()))?;
        Ok(page.rows.get(cell.key.as_slice()).and_then(|i| rows.rows.get(*i)?.get(place)))
    }
}

/// Works a figure out from the evidence.
///
/// # Errors
/// When the evidence or column it names is not there, or holds no finite number.
pub fn work_out(working: &Working, book: &Book<'_>) -> Result<FigureValue, Unworkable> {
    let inner = |w: &Working| work_out(w, book);
    Ok(match working {
        Working::Cell(cell) => read_cell(cell, book)?,
        Working::Constant(n) => FigureValue::Number(n.clone()),
        Working::Nothing(reason) => FigureValue::Undefined(reason.clone()),
        Working::OrZero(w) => match inner(w)? {
            FigureValue::NoRows => FigureValue::Number(BigDecimal::zero()),
            other @ (FigureValue::Number(_) | FigureValue::Undefined(_) | FigureValue::Withheld) => other,
        },
        Working::Add(parts) => {
            let values = parts.iter().map(inner).collect::<Result<Vec<_>, _>>()?;
            add(values)
        }
        Working::Subtract(a, b) => both(inner(a)?, inner(b)?, |a, b| FigureValue::Number(a - b)),
        Working::Multiply(a, b) => both(inner(a)?, inner(b)?, |a, b| FigureValue::Number(a * b)),
        Working::Divide(a, b) => both(inner(a)?, inner(b)?, |a, b| match quotient(&a, &b) {
            Some(q) => FigureValue::Number(q),
            None => FigureValue::Undefined("it would divide by zero".to_owned()),
        }),
        Working::Scale(w, tens) => match inner(w)? {
            FigureValue::Number(n) => FigureValue::Number(shift(&n, *tens)),
            other @ (FigureValue::Undefined(_) | FigureValue::NoRows | FigureValue::Withheld) => other,
        },
        Working::Change(a, b) => both(inner(a)?, inner(b)?, change),
        Working::Share(a, b) => both(inner(a)?, inner(b)?, share),
        Working::Combine(kind, parts) => {
            let values = parts.iter().map(inner).collect::<Result<Vec<_>, _>>()?;
            combine(kind, values)
        }
        Working::IfAny { rows, inner: w } => {
            let counts = rows.iter().map(inner).collect::<Result<Vec<_>, _>>()?;
            if counts.iter().all(nothing) { FigureValue::NoRows } else { inner(w)? }
        }
        Working::Guard { rows, minimum, inner: w } => guard(inner(rows)?, *minimum, inner(w)?),
    })
}

fn nothing(count: &FigureValue) -> bool {
    match count {
        FigureValue::NoRows => true,
        FigureValue::Number(n) => n.is_zero(),
        FigureValue::Undefined(_) | FigureValue::Withheld => false,
    }
}

fn combine(name: &str, values: Vec<FigureValue>) -> FigureValue {
    let Some(kind) = kind(name) else { return FigureValue::Undefined(format!("there is no kind {name}")) };
    let mut parts = Vec::with_capacity(values.len());
    for value in values {
        match value {
            FigureValue::Number(n) => parts.push(Some(n)),
            FigureValue::NoRows => parts.push(None),
            other @ (FigureValue::Undefined(_) | FigureValue::Withheld) => return other,
        }
    }
    match (kind.combine)(&parts) {
        Combined::Value(n) => FigureValue::Number(n),
        Combined::Undefined(reason) => FigureValue::Undefined(reason.to_owned()),
        Combined::None => FigureValue::NoRows,
    }
}

/// `n` times ten to the power of `tens`, exactly.
pub(super) fn shift(n: &Number, tens: i64) -> Number {
    let (digits, scale) = n.as_bigint_and_exponent();
    Number::new(digits, scale - tens)
}

/// Percent change is (value - baseline) / baseline × 100, and says nothing over a base of zero or below.
fn change(value: Number, baseline: Number) -> FigureValue {
    if baseline.is_zero() {
        return FigureValue::Undefined("the base is zero".to_owned());
    }
    if baseline.is_negative() {
        return FigureValue::Undefined("the base is negative".to_owned());
    }
    let hundred = BigDecimal::from(100);
    match quotient(&((value - &baseline) * hundred), &baseline) {
        Some(q) => FigureValue::Number(q),
        None => FigureValue::Undefined("the base is zero".to_owned()),
    }
}

fn share(part: Number, whole: Number) -> FigureValue {
    match quotient(&(part * BigDecimal::from(100)), &whole) {
        Some(q) => FigureValue::Number(q),
        None => FigureValue::Undefined("the whole is zero".to_owned()),
    }
}

fn add(values: Vec<FigureValue>) -> FigureValue {
    let mut sum = None;
    for value in values {
        match value {
            FigureValue::Number(n) => sum = Some(sum.map_or_else(|| n.clone(), |s: Number| s + &n)),
            FigureValue::NoRows => {}
            other @ (FigureValue::Undefined(_) | FigureValue::Withheld) => return other,
        }
    }
    sum.map_or(FigureValue::NoRows, FigureValue::Number)
}

fn both(a: FigureValue, b: FigureValue, with: impl FnOnce(Number, Number) -> FigureValue) -> FigureValue {
    match (a, b) {
        (FigureValue::Number(a), FigureValue::Number(b)) => with(a, b),
        (FigureValue::Withheld, _) | (_, FigureValue::Withheld) => FigureValue::Withheld,
        (FigureValue::Undefined(reason), _) | (_, FigureValue::Undefined(reason)) => {
            FigureValue::Undefined(reason)
        }
        (FigureValue::NoRows, FigureValue::NoRows) => FigureValue::NoRows,
        (FigureValue::NoRows, FigureValue::Number(_)) => {
            FigureValue::Undefined("there are no rows to compare".to_owned())
        }
        (FigureValue::Number(_), FigureValue::NoRows) => {
            FigureValue::Undefined("there are no rows to compare with".to_owned())
        }
    }
}

fn guard(rows: FigureValue, minimum: u64, inner: FigureValue) -> FigureValue {
    match rows {
        FigureValue::Number(n) if n.to_u64().is_none_or(|counted| counted >= minimum) => inner,
        FigureValue::NoRows => inner,
        FigureValue::Number(_) | FigureValue::Undefined(_) | FigureValue::Withheld => FigureValue::Withheld,
    }
}

fn read_cell(cell: &CellRef, book: &Book<'_>) -> Result<FigureValue, Unworkable> {
    let Some(value) = book.read(cell)? else { return Ok(FigureValue::NoRows) };
    match value {
        Cell::Number(n) => Ok(FigureValue::Number(n.clone())),
        Cell::Null => Ok(FigureValue::NoRows),
        Cell::NotFinite(_) => Ok(FigureValue::Undefined("a value in it is not a finite number".to_owned())),
        other @ (Cell::Boolean(_) | Cell::Text(_) | Cell::Date(_) | Cell::DateTime(_) | Cell::Instant(_)) => {
            Err(Unworkable::NotANumber(cell.evidence.clone(), cell.column.clone(), other.shown()))
        }
    }
}

impl Working {
    /// The cells it is made from, in order.
    #[must_use]
    pub fn cells(&self) -> Vec<&CellRef> {
        match self {
            Self::Cell(cell) => vec![cell],
            Self::Constant(_) | Self::Nothing(_) => Vec::new(),
            Self::OrZero(w)
            | Self::Scale(w, _)
            | Self::Guard { inner: w, .. }
            | Self::IfAny { inner: w, .. } => w.cells(),
            Self::Add(parts) | Self::Combine(_, parts) => parts.iter().flat_map(Self::cells).collect(),
            Self::Subtract(a, b)
            | Self::Multiply(a, b)
            | Self::Divide(a, b)
            | Self::Change(a, b)
            | Self::Share(a, b) => {
                let mut cells = a.cells();
                cells.extend(b.cells());
                cells
            }
        }
    }

    /// The cell, when the figure is one cell as it came back and nothing was worked out.
    #[must_use]
    pub fn as_cell(&self) -> Option<&CellRef> {
        match self {
            Self::Cell(cell) => Some(cell),
            Self::Scale(w, _)
            | Self::OrZero(w)
            | Self::Guard { inner: w, .. }
            | Self::IfAny { inner: w, .. } => w.as_cell(),
            Self::Combine(_, parts) => match parts.as_slice() {
                [only] => only.as_cell(),
                _ => None,
            },
            Self::Constant(_)
            | Self::Nothing(_)
            | Self::Add(_)
            | Self::Subtract(..)
            | Self::Multiply(..)
            | Self::Divide(..)
            | Self::Change(..)
            | Self::Share(..) => None,
        }
    }
}
