//! Exact numbers worked out from evidence, each with its working, so that it can be worked out again.
//!
//! A [`Figure`] holds how it was made ([`Working`]) beside what came of it; [`work_out`] is the one function that
//! turns the first into the second, and `tether` calls it again. Deliberately absent: SQL, and any choice of what to
//! show, which the plan made.

mod assemble;
mod caveats;
mod cut;
mod print;
mod working;

pub use assemble::{assemble, assemble_list};
pub use caveats::{caveats, rows_counted};
pub use working::{Book, CellRef, FigureValue, Unworkable, Working, work_out};

use crate::{
    evidence::Cell,
    number::{Unit, UnitKind},
};

/// What a figure is beside its measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The measure itself.
    Value,
    /// The measure in the period compared with (or the step before).
    Baseline,
    /// Value less baseline.
    Difference,
    /// Difference in percent of the baseline.
    Change,
    /// The part that meets the conditions, of a share.
    Part,
    /// The whole, of a share.
    Whole,
    /// A share in percent.
    Share,
}

impl Role {
    /// The role as shown and as written in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Baseline => "baseline",
            Self::Difference => "difference",
            Self::Change => "change",
            Self::Part => "part",
            Self::Whole => "whole",
            Self::Share => "share",
        }
    }
}

/// A column of figures.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureColumn {
    /// The measure's name in the catalogue.
    pub measure: String,
    /// What a person calls it.
    pub label: String,
    /// What it is beside the measure.
    pub role: Role,
    /// Its unit.
    pub unit: Unit,
    /// The period it is of, in words, when the columns differ in it.
    pub period: Option<String>,
}

/// One figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// `f1`, `f2`, … within the answer.
    pub id: String,
    /// Which column of the table, from 0.
    pub column: usize,
    /// How it is made.
    pub working: Working,
    /// What came of it.
    pub value: FigureValue,
}

/// One line of the table: the keys of its group, and a figure for each column.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The values of the groupings, in order, as they came back and as shown.
    pub keys: Vec<Key>,
    /// One for each column.
    pub figures: Vec<Figure>,
}

/// A group's key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// As it came back; for a step of time, its number.
    pub cell: Cell,
    /// As shown.
    pub shown: String,
}

/// A list's rows, as they stand in one evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    /// The evidence.
    pub evidence: String,
    /// The columns shown.
    pub columns: Vec<ListColumn>,
    /// The evidence that counts all rows, limit or not.
    pub counted_by: String,
}

/// A column of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListColumn {
    /// What a person calls it.
    pub label: String,
    /// Where it stands in the evidence, from 0.
    pub place: usize,
    /// Its unit.
    pub unit: Unit,
    /// The power of ten that turns the stored number into the unit's.
    pub tens: i64,
}

impl ListColumn {
    /// A cell as this column shows it. A number without a unit may be an identifier, whose digits are not grouped.
    #[must_use]
    pub fn shown(&self, cell: &Cell) -> String {
        match cell {
            Cell::Number(_) if self.unit.kind == UnitKind::None && self.unit.scale.is_none() => cell.shown(),
            Cell::Number(n) => FigureValue::Number(working::shift(n, self.tens)).shown(&self.unit),
            Cell::Null
            | Cell::Boolean(_)
            | Cell::NotFinite(_)
            | Cell::Text(_)
            | Cell::Date(_)
            | Cell::DateTime(_)
            | Cell::Instant(_) => cell.shown(),
        }
    }
}

/// All figures of an answer.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Figures {
    /// The groupings' labels, outermost first.
    pub groupings: Vec<String>,
    /// The columns.
    pub columns: Vec<FigureColumn>,
    /// The total over all groups, or the only line when nothing is grouped.
    pub total: Option<Line>,
    /// The groups, in the order shown.
    pub lines: Vec<Line>,
    /// The rows of a list, instead.
    pub listing: Option<Listing>,
    /// How many groups there were before an order or a condition on a figure cut them; none when nothing was cut.
    pub groups_before_cut: Option<usize>,
    /// Names that sentences may copy beside the labels and keys above: periods in words, datasets' labels.
    pub names: Vec<String>,
}

impl Figures {
    /// Every figure, the total's first.
    pub fn all(&self) -> impl Iterator<Item = (&Line, &Figure)> {
        self.total.iter().chain(&self.lines).flat_map(|line| line.figures.iter().map(move |f| (line, f)))
    }

    /// Whether a sentence may copy a name: a label, a grouping, a key, or a name of the reading.
    #[must_use]
    pub fn may_name(&self, name: &str) -> bool {
        let labels = self.columns.iter().flat_map(|c| std::iter::once(&c.label).chain(&c.period));
        let keys = self.lines.iter().chain(&self.total).flat_map(|l| l.keys.iter().map(|k| &k.shown));
        labels.chain(&self.groupings).chain(&self.names).chain(keys).any(|known| known == name)
    }

    /// A figure by its id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<(&Line, &Figure)> {
        self.all().find(|(_, f)| f.id == id)
    }
}
