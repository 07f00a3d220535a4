//! Owns what a statement is held against: settled definitions in terms of SQL, tables and relationships.
//!
//! Deliberately absent: metrics, units, and everything else a catalogue knows; whoever has definitions makes this of them.

use crate::fragment::Fragment;
use crate::value::Value;

/// What a statement claims to work out.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The logical table whose rows are counted.
    pub base: String,
    /// The figures, each in a column of the result; none when the rows themselves are listed.
    pub figures: Vec<ExpectedFigure>,
    /// Conditions that every figure has.
    pub conditions: Vec<ExpectedCondition>,
    /// The period.
    pub period: Option<ExpectedPeriod>,
    /// What the rows are grouped by.
    pub groupings: Vec<ExpectedGrouping>,
    /// The order that decides which rows a limit keeps.
    pub order: Vec<ExpectedOrder>,
    /// How many rows of the result are kept.
    pub limit: Option<u64>,
}

impl Expected {
    /// Whether some figure is a quotient.
    pub(crate) fn divides(&self) -> bool {
        self.figures.iter().any(|figure| {
            matches!(figure.aggregate, ExpectedAggregate::Ratio(_, _) | ExpectedAggregate::Average(_))
        })
    }
}

/// One figure.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedFigure {
    /// What people call it.
    pub name: String,
    /// How it is worked out.
    pub aggregate: ExpectedAggregate,
    /// Conditions of its own.
    pub conditions: Vec<ExpectedCondition>,
}

/// How a figure is worked out; expressions are over columns of the base table.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpectedAggregate {
    /// How many rows there are.
    CountRows,
    /// How many rows have a value.
    Count(Fragment),
    /// How many different values there are.
    CountDistinct(Fragment),
    /// The sum.
    Sum(Fragment),
    /// The average.
    Average(Fragment),
    /// The least.
    Minimum(Fragment),
    /// The greatest.
    Maximum(Fragment),
    /// The median.
    Median(Fragment),
    /// One divided by the other.
    Ratio(Box<ExpectedAggregate>, Box<ExpectedAggregate>),
}

/// What a condition is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The table that is counted.
    Base,
    /// It belongs to the metric.
    Metric,
    /// Who or what is counted.
    Population,
    /// What is left out.
    Exclusion,
    /// What was asked for beside.
    Filter,
    /// When.
    Period,
    /// What the figures are grouped by.
    Grouping,
    /// By what the rows are ordered.
    Order,
    /// How many rows are kept.
    Limit,
    /// It narrows rows, and nothing asks for it.
    Unasked,
}

/// A condition that rows must meet.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedCondition {
    /// What it is there for.
    pub role: Role,
    /// It in words, for messages.
    pub words: String,
    /// The test.
    pub test: Test,
}

/// A step along a stated relationship.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hop {
    /// From the many side to the one row it belongs to.
    ToOne(String),
    /// From one row to the many that belong to it.
    ToMany(String),
}

/// A test of one row.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// The expression is true.
    Holds(Fragment),
    /// The expression is not true: false, or NULL.
    HoldsNot(Fragment),
    /// A column, reached by steps to one row each, passes a test.
    Field {
        /// The steps; none for a column of the row itself.
        path: Vec<Hop>,
        /// The column.
        column: String,
        /// The test.
        is: FieldTest,
    },
    /// A related row that passes all the tests exists, or none does.
    Related {
        /// The steps; at least one.
        path: Vec<Hop>,
        /// Whether one must be there.
        presence: Presence,
        /// What it must pass, as a row of the last table.
        tests: Vec<Test>,
    },
    /// One of the tests is passed.
    Any(Vec<Test>),
    /// All of them are.
    All(Vec<Test>),
}

/// Whether a related row must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// At least one.
    Exists,
    /// None.
    Absent,
}

/// A test of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldTest {
    /// It is one of the values.
    OneOf(Vec<Value>),
    /// It is none of them; a NULL passes.
    NoneOf(Vec<Value>),
    /// It is less.
    Below(Value),
    /// It is at most that.
    AtMost(Value),
    /// It is at least that.
    AtLeast(Value),
    /// It is more.
    Above(Value),
    /// It lies in `[start, end)`.
    Within(Value, Value),
    /// It is NULL, or the row it would be of is not there.
    Missing,
    /// It is not.
    Present,
}

/// A half-open period.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedPeriod {
    /// The column of the base table.
    pub column: String,
    /// Its first instant or day.
    pub start: Value,
    /// The first instant or day after it.
    pub end: Value,
}

/// What rows are grouped by.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpectedGrouping {
    /// A column, reached by steps to one row each.
    Field {
        /// The steps.
        path: Vec<Hop>,
        /// The column.
        column: String,
    },
    /// The unit of time that a column of the base table falls into: `day`, `week`, `month`, `quarter` or `year`.
    Bucket {
        /// The column.
        column: String,
        /// The unit.
        unit: String,
    },
    /// The step of time that a column of the base table falls into, by where each step starts; what lies before the
    /// first is a step of its own.
    Steps {
        /// The column.
        column: String,
        /// Where the steps start, in order.
        starts: Vec<Value>,
    },
    /// An expression over columns of the base table.
    Expression(Fragment),
}

/// One item of an order.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectedOrder {
    /// What is ordered by.
    pub by: ExpectedOrderBy,
    /// Whether the largest comes first.
    pub descending: bool,
}

/// What is ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedOrderBy {
    /// A figure, by its place.
    Figure(usize),
    /// A grouping, by its place.
    Grouping(usize),
}
