//! Figures and lists.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tieout_core::{evidence::Evidence, figures};

use super::{Cell, Unit, Working, values::digits};

/// All figures of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Table {
    /// The groupings' labels, outermost first.
    pub groupings: Vec<String>,
    /// The columns.
    pub columns: Vec<Column>,
    /// The total over all groups, or the only line when nothing is grouped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<Line>,
    /// The groups, in the order shown.
    pub lines: Vec<Line>,
    /// How many groups there were before an order or a condition on a figure left some out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups_before_cut: Option<usize>,
}

/// A column of figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Column {
    /// The measure's name in the catalogue.
    pub measure: String,
    /// What a person calls it.
    pub label: String,
    /// `value`, `baseline`, `difference`, `change`, `part`, `whole` or `share`.
    pub role: String,
    /// Its unit.
    pub unit: Unit,
    /// The period it is of, when the columns differ in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<String>,
}

/// One line: the keys of its group and a figure for each column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Line {
    /// The values of the groupings, in order; empty for the total.
    pub keys: Vec<Key>,
    /// One for each column.
    pub figures: Vec<Figure>,
}

/// A group's key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Key {
    /// As it came back; for a step of time, its number.
    pub cell: Cell,
    /// As shown.
    pub shown: String,
}

/// One figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Figure {
    /// Its id within the answer.
    pub id: String,
    /// What came of it.
    #[serde(flatten)]
    pub value: FigureValue,
    /// As shown, with its unit.
    pub shown: String,
    /// How it is made.
    pub working: Working,
}

/// What came of a working.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum FigureValue {
    /// An exact number, in the column's unit.
    Number {
        /// All its digits.
        value: String,
    },
    /// No number can be given.
    Undefined {
        /// Why.
        reason: String,
    },
    /// No rows, so nothing to add up.
    NoRows,
    /// Fewer rows than may be shown.
    Withheld,
}

/// The rows of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Listing {
    /// The query whose rows they are.
    pub query: String,
    /// The query that counts all rows, limit or not.
    pub counted_by: String,
    /// The columns shown.
    pub columns: Vec<ListColumn>,
    /// The rows, in the order shown.
    pub rows: Vec<Vec<ListCell>>,
}

/// A column of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ListColumn {
    /// What a person calls it.
    pub label: String,
    /// The column of the query.
    pub column: String,
    /// Its unit.
    pub unit: Unit,
}

/// A cell of a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ListCell {
    /// As stored; a number is in the stored unit (cents), before it is shown.
    #[serde(flatten)]
    pub cell: Cell,
    /// As shown, in the column's unit.
    pub shown: String,
}

impl Table {
    /// The figures of an answer; none when it has no column (a list, the catalogue).
    #[must_use]
    pub fn of(all: &figures::Figures) -> Option<Self> {
        if all.columns.is_empty() {
            return None;
        }
        let line = |l: &figures::Line| Line {
            keys: l.keys.iter().map(|k| Key { cell: Cell::from(&k.cell), shown: k.shown.clone() }).collect(),
            figures: l.figures.iter().map(|f| figure(f, all)).collect(),
        };
        Some(Self {
            groupings: all.groupings.clone(),
            columns: all.columns.iter().map(Column::from).collect(),
            total: all.total.as_ref().map(line),
            lines: all.lines.iter().map(line).collect(),
            groups_before_cut: all.groups_before_cut,
        })
    }
}

fn figure(figure: &figures::Figure, all: &figures::Figures) -> Figure {
    let shown = all.columns.get(figure.column).map(|column| figure.value.shown(&column.unit));
    Figure {
        id: figure.id.clone(),
        value: FigureValue::from(&figure.value),
        shown: shown.unwrap_or_default(),
        working: Working::from(&figure.working),
    }
}

impl From<&figures::FigureColumn> for Column {
    fn from(column: &figures::FigureColumn) -> Self {
        Self {
            measure: column.measure.clone(),
            label: column.label.clone(),
            role: column.role.name().to_owned(),
            unit: Unit::from(&column.unit),
            period: column.period.clone(),
        }
    }
}

impl From<&figures::FigureValue> for FigureValue {
    fn from(value: &figures::FigureValue) -> Self {
        match value {
            figures::FigureValue::Number(n) => Self::Number { value: digits(n) },
            figures::FigureValue::Undefined(reason) => Self::Undefined { reason: reason.clone() },
            figures::FigureValue::NoRows => Self::NoRows,
            figures::FigureValue::Withheld => Self::Withheld,
        }
    }
}

impl FigureValue {
    /// The value as the pipe knows it; none when its digits are none.
    #[must_use]
    pub fn back(&self) -> Option<figures::FigureValue> {
        Some(match self {
            Self::Number { value } => figures::FigureValue::Number(value.parse().ok()?),
            Self::Undefined { reason } => figures::FigureValue::Undefined(reason.clone()),
            Self::NoRows => figures::FigureValue::NoRows,
            Self::Withheld => figures::FigureValue::Withheld,
        })
    }
}

impl Listing {
    /// The rows of a list as they stand in their evidence; none when the evidence is not there.
    #[must_use]
    pub fn of(listing: &figures::Listing, evidence: &[Evidence]) -> Option<Self> {
        let rows = evidence.iter().find(|e| e.id() == listing.evidence)?.rows();
        let column = |c: &figures::ListColumn| {
            let name = rows.columns.get(c.place)?.clone();
            Some(ListColumn { label: c.label.clone(), column: name, unit: Unit::from(&c.unit) })
        };
        let cell = |c: &figures::ListColumn, row: &[tieout_core::evidence::Cell]| {
            let cell = row.get(c.place)?;
            Some(ListCell { cell: Cell::from(cell), shown: c.shown(cell) })
        };
        let line =
            |row: &Vec<tieout_core::evidence::Cell>| listing.columns.iter().map(|c| cell(c, row)).collect();
        Some(Self {
            query: listing.evidence.clone(),
            counted_by: listing.counted_by.clone(),
            columns: listing.columns.iter().map(column).collect::<Option<_>>()?,
            rows: rows.rows.iter().map(line).collect::<Option<_>>()?,
        })
    }
}
