//! What will be fetched, and how the fetched numbers become figures.
//!
//! A [`Plan`] is drawn from [`Settled`] and the catalogue: every metric taken apart into aggregates at home, every
//! period half-open, every grouping and condition with the stated relationships that lead to it. Deliberately
//! absent: SQL (the next stage), and any second look at the question.

mod access;
mod atoms;
mod draw;
mod legs;
mod print;
mod rows;
mod row_tests;
mod ways;
mod windows;

use tieout_sql::{Fragment, Value};

pub(crate) use draw::own_total;
pub use draw::{LEGS_MAX, draw};
pub(crate) use row_tests::{flipped, membership_tests};

use crate::{
    catalogue::{JoinPath, Presence},
    metric_kinds::MetricKind,
    number::{Number, Unit},
    reading::{Comparison, FigureCondition, Polarity, Ranking},
    time::{Bucket, Grain, Period},
};

/// What will be done.
#[derive(Clone, Debug)]
pub enum Plan {
    /// Figures.
    Figures(FiguresPlan),
    /// A list.
    Rows(RowsPlan),
}

/// How figures are fetched and worked out.
#[derive(Clone, Debug)]
pub struct FiguresPlan {
    /// The aggregates that are fetched at home, each once.
    pub atoms: Vec<Atom>,
    /// The measures that were asked for, in order, over the atoms.
    pub measures: Vec<MeasurePlan>,
    /// The groupings, outermost first.
    pub groupings: Vec<GroupingPlan>,
    /// The asked period, and the one it is compared with.
    pub windows: Vec<Window>,
    /// What is worked out beside the plain figures.
    pub beside: Beside,
    /// Conditions on the figures.
    pub having: Vec<FigureCondition>,
    /// Order and limit of the groups.
    pub ranking: Option<Ranking>,
    /// The queries, in order.
    pub legs: Vec<Leg>,
}

/// What is worked out beside the plain figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// Nothing.
    Nothing,
    /// The difference and the change against the second window.
    Against,
    /// The difference and the change from each step of time to the next.
    StepByStep,
    /// The share of the part's rows in all.
    PartOfWhole,
    /// Each group's share of the total.
    GroupOfTotal,
}

/// One aggregate over the rows of one dataset.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The name of the metric that states it, or `count(dataset)`, or `average(dataset.field)`.
    pub name: String,
    /// What a person calls it.
    pub label: String,
    /// Its kind.
    pub kind: &'static MetricKind,
    /// Whose rows.
    pub dataset: String,
    /// What is aggregated; none counts rows.
    pub of: Option<Fragment>,
    /// Whether what is aggregated is a binary float and must be made a decimal before it is summed.
    pub of_float: bool,
    /// Conditions that must be true of a row.
    pub filters: Vec<Fragment>,
    /// Conditions that must not be true of a row.
    pub exclusions: Vec<Fragment>,
    /// Populations, relationships and asked conditions that a row must meet.
    pub tests: Vec<RowTest>,
    /// Further tests that make the part, when a share is asked for.
    pub part_tests: Vec<RowTest>,
    /// The field that places a row in time.
    pub time: Option<TimeField>,
    /// Whether the asked period is about related rows (customers without an order in September) and not these.
    pub period_elsewhere: bool,
    /// `latest` only: the key whose last row each is taken.
    pub per: Vec<String>,
    /// `cumulative` only: when the running total begins again.
    pub restart: Option<Grain>,
    /// `cumulative` only: for each window, at which of its steps the running total begins again.
    pub restarts_at: Vec<Vec<bool>>,
    /// The power of ten that turns the fetched number into the figure's unit (cents: -2).
    pub tens: i64,
    /// The way to each field grouping, in the order of the plan's groupings; none for a step of time.
    pub ways: Vec<Option<JoinPath>>,
    /// The fewest rows that may be shown.
    pub minimum_group: u64,
}

impl Atom {
    /// Whether each row falls into exactly one group: no way walks through the many side.
    #[must_use]
    pub fn partitions(&self) -> bool {
        self.ways.iter().flatten().all(JoinPath::to_one)
    }
}

/// A field that places a row in time, and what its values are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeField {
    /// The field of the atom's dataset.
    pub field: String,
    /// What its values are.
    pub datatype: crate::catalogue::Datatype,
}

/// A measure over atoms.
#[derive(Clone, Debug)]
pub struct MeasurePlan {
    /// Its name.
    pub name: String,
    /// What a person calls it.
    pub label: String,
    /// Its unit.
    pub unit: Unit,
    /// How the atoms make it.
    pub formula: Formula,
}

/// How atoms make a measure.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// One atom, by its place.
    Atom(usize),
    /// A number of the definition.
    Constant(Number),
    /// A sum.
    Add(Box<Self>, Box<Self>),
    /// A difference.
    Subtract(Box<Self>, Box<Self>),
    /// A product.
    Multiply(Box<Self>, Box<Self>),
    /// A quotient.
    Divide(Box<Self>, Box<Self>),
}

/// One grouping.
#[derive(Clone, Debug)]
pub struct GroupingPlan {
    /// What a person calls it.
    pub label: String,
    /// By what.
    pub by: GroupBy,
}

/// What a grouping is by.
#[derive(Clone, Debug)]
pub enum GroupBy {
    /// The values of a field.
    Field {
        /// Its dataset.
        dataset: String,
        /// The field.
        field: String,
        /// What its numbers count.
        unit: Unit,
        /// The power of ten that turns the stored number into the unit's.
        tens: i64,
    },
    /// Steps of time over the asked period. Each window has its own steps, matched by their place.
    Time(Grain),
}

/// A period to fetch.
#[derive(Clone, Debug)]
pub struct Window {
    /// In words.
    pub words: String,
    /// The days; none for all there are.
    pub period: Option<Period>,
    /// The steps of time in it, when a trend is asked for.
    pub buckets: Vec<Bucket>,
    /// The place of the first step that begins after today, when there is one.
    pub ahead: Option<usize>,
}

/// Which rows of a share a leg fetches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slice {
    /// All that meet the request's conditions.
    Whole,
    /// Those that meet the part's conditions too.
    Part,
}

/// Whether a leg fetches groups or the total over them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// One row for each group.
    Grouped,
    /// One row in all.
    Total,
}

/// One query: an atom, over a window, in groups or in total.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Leg {
    /// The query's id within the answer.
    pub id: String,
    /// Which atom.
    pub atom: usize,
    /// Which window.
    pub window: usize,
    /// Which rows.
    pub slice: Slice,
    /// Groups or total.
    pub level: Level,
    /// The one step of time that this leg is for, when a state at its end is fetched; none fetches all at once.
    pub step: Option<usize>,
}

/// A condition on a row, with the way to the field it looks at.
#[derive(Clone, Debug, PartialEq)]
pub enum RowTest {
    /// On a field.
    Field {
        /// From the row's dataset to the field's.
        way: JoinPath,
        /// The field's dataset.
        dataset: String,
        /// The field.
        field: String,
        /// The test.
        test: FieldTest,
    },
    /// Membership of a population.
    Member {
        /// From the row's dataset to the population's.
        way: JoinPath,
        /// The population.
        population: String,
        /// Members asked for, or left out.
        polarity: Polarity,
        /// The asked period, for a population whose related rows must lie in it.
        period: Option<Period>,
    },
    /// Related rows exist or do not.
    Related {
        /// From the row's dataset to the related one.
        way: JoinPath,
        /// Exists or not.
        presence: Presence,
        /// A condition of the catalogue on the related row.
        filter: Option<Fragment>,
        /// Tests on the related row.
        tests: Vec<RowTest>,
        /// A period on the related row's own time field.
        period: Option<(TimeField, Period)>,
    },
    /// At least one holds.
    Any(Vec<RowTest>),
}

/// A test on a field's value.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldTest {
    /// One of the values, or none of them (a NULL is kept).
    OneOf(Vec<Value>, Polarity),
    /// Compares with a value; not equal keeps a NULL.
    Compare(Comparison, Value),
    /// Between two values, both inside.
    Between(Value, Value),
    /// Has no value, or has one.
    Missing(Polarity),
    /// Lies in a period; the field's datatype says how its bounds are bound.
    In(Period, crate::catalogue::Datatype),
}

/// A list.
#[derive(Clone, Debug)]
pub struct RowsPlan {
    /// Whose rows.
    pub dataset: String,
    /// What is shown: label, way, field and unit.
    pub columns: Vec<ColumnPlan>,
    /// Conditions.
    pub tests: Vec<RowTest>,
    /// The time field and the period, when one was asked for.
    pub period: Option<(TimeField, Period)>,
    /// Order: column by its place in `columns`, or none for the primary key.
    pub order: Option<(ColumnPlan, crate::reading::Sort)>,
    /// How many are kept.
    pub limit: Option<u64>,
    /// The primary key, which every list is ordered by last.
    pub key: Vec<String>,
}

/// A column of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnPlan {
    /// What a person calls it.
    pub label: String,
    /// From the list's dataset to the field's.
    pub way: JoinPath,
    /// The field's dataset.
    pub dataset: String,
    /// The field.
    pub field: String,
    /// Its unit.
    pub unit: Unit,
    /// The power of ten that turns the stored number into the unit's.
    pub tens: i64,
}
