//! The typed request: all that later stages know of the question.

use crate::{
    catalogue::Presence,
    number::Number,
    time::{Grain, Period},
};
use tieout_sql::Value;

use super::Source;

/// A part of the request, and who said so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sourced<T> {
    /// The part.
    pub value: T,
    /// Who said so.
    pub source: Source,
}

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Figures: one or more measures, over a population and a period, perhaps in groups.
    Figures(FiguresRequest),
    /// Rows: a list or a look-up.
    Rows(RowsRequest),
    /// About the catalogue itself.
    About(AboutRequest),
}

impl Request {
    /// Every condition on rows, those of a share's part included.
    #[must_use]
    pub fn conditions(&self) -> Vec<&Condition> {
        match self {
            Self::Figures(figures) => {
                let own = figures.conditions.iter().map(|condition| &condition.value);
                own.chain(figures.derivation.part()).collect()
            }
            Self::Rows(rows) => rows.conditions.iter().map(|condition| &condition.value).collect(),
            Self::About(_) => Vec::new(),
        }
    }
}

/// A measure that is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum MeasureRef {
    /// A metric of the catalogue, by name.
    Metric(String),
    /// How many rows of a dataset there are, one for each primary key.
    Count {
        /// The dataset.
        dataset: String,
    },
    /// An aggregate of a field that no metric covers; its source is assumed, so it stops for confirmation.
    AdHoc {
        /// The kind's name, such as `average`.
        kind: &'static str,
        /// The dataset.
        dataset: String,
        /// The field.
        field: String,
    },
}

/// A field of a dataset, and the relationships to walk to it from the measure's own dataset when the asker or the
/// catalogue said which.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FieldRef {
    /// The field's dataset.
    pub dataset: String,
    /// The field.
    pub field: String,
    /// Relationship names from the measure's dataset, in order, when they had to be chosen.
    pub via: Option<Vec<String>>,
}

/// What the figures are split by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Grouping {
    /// The values of a field.
    Field(FieldRef),
    /// Steps of time, on each measure's own time field.
    Time(Grain),
}

/// A condition on rows. Text compares by value as stored.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// The field is one of the values (or, negated, none of them; a NULL is kept and said so).
    OneOf {
        /// The field.
        field: FieldRef,
        /// The values, at least one.
        values: Vec<Value>,
        /// Whether the values are asked for or left out.
        polarity: Polarity,
    },
    /// The field compares with a value.
    Compare {
        /// The field.
        field: FieldRef,
        /// How.
        comparison: Comparison,
        /// With what.
        value: Value,
    },
    /// The field lies between two values, both inside.
    Between {
        /// The field.
        field: FieldRef,
        /// The least.
        low: Value,
        /// The greatest.
        high: Value,
    },
    /// The field has no value (or, negated, has one).
    Missing {
        /// The field.
        field: FieldRef,
        /// Missing asked for, or left out.
        polarity: Polarity,
    },
    /// The field, a date, lies in a period other than the measure's own time.
    InPeriod {
        /// The field.
        field: FieldRef,
        /// The period.
        period: Period,
    },
    /// The row is (or is not) a member of a population.
    Member {
        /// The population.
        population: String,
        /// The relationships from the measure's dataset to the population's, when it is another one.
        via: Option<Vec<String>>,
        /// Members asked for, or left out.
        polarity: Polarity,
    },
    /// Related rows exist or do not.
    Related {
        /// The related dataset.
        dataset: String,
        /// The relationships from the base dataset, in order, when they had to be chosen.
        via: Option<Vec<String>>,
        /// Exists or not.
        presence: Presence,
        /// Conditions on the related row.
        conditions: Vec<Condition>,
        /// A period on the related row's own time field.
        period: Option<Period>,
    },
    /// At least one of these holds.
    Any(Vec<Condition>),
}

/// Asked for, or left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Polarity {
    /// Asked for.
    Is,
    /// Left out.
    IsNot,
}

/// How a number or a date compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// Less.
    Below,
    /// Less or equal.
    AtMost,
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
    /// Greater or equal.
    AtLeast,
    /// Greater.
    Above,
}

/// The period that is asked for, how it was read, and where it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct AskedPeriod {
    /// The days; none means all there are.
    pub period: Option<Period>,
    /// The reading in words, such as `September 2026` or `the last complete month`.
    pub words: String,
    /// Who said so.
    pub source: Source,
}

/// What the figures are compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct Contrast {
    /// The other period, with the same filters and definition.
    pub baseline: Period,
    /// In words.
    pub words: String,
}

/// What is worked out beside the plain figures.
#[derive(Clone, Debug, PartialEq)]
pub enum Derivation {
    /// Nothing.
    Plain,
    /// Against another period: difference and change in percent.
    Against(Contrast),
    /// Each step of time against the one before.
    StepByStep,
    /// What share the rows that meet the conditions have of all rows that do not need to.
    ShareOf {
        /// The conditions that make the part; the request's own conditions make the whole.
        part: Vec<Condition>,
    },
    /// Each group's share of the total.
    ShareOfTotal,
}

impl Derivation {
    /// What the part of a share must meet beside the whole's conditions; nothing where no share is asked for.
    #[must_use]
    pub fn part(&self) -> &[Condition] {
        match self {
            Self::ShareOf { part } => part,
            Self::Plain | Self::Against(_) | Self::StepByStep | Self::ShareOfTotal => &[],
        }
    }
}

/// A condition on a figure, after aggregation.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureCondition {
    /// Which of the request's measures, from 0.
    pub measure: usize,
    /// How.
    pub comparison: Comparison,
    /// With what, in the figure's own unit.
    pub value: Number,
}

/// Which way an order runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Smallest first.
    Ascending,
    /// Greatest first.
    Descending,
}

/// An order, and how many are kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    /// What is ordered by.
    pub by: RankBy,
    /// Which way.
    pub sort: Sort,
    /// How many are kept; ties with the last are kept too and said so.
    pub limit: Option<u64>,
}

/// What an order is by.
#[derive(Clone, Debug, PartialEq)]
pub enum RankBy {
    /// One of the request's measures, from 0.
    Measure(usize),
    /// The change against the other period, of a measure.
    Change(usize),
    /// A field: of a list, one of its columns; of figures, one of the groupings.
    Field(FieldRef),
}

/// Figures that are asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct FiguresRequest {
    /// At least one.
    pub measures: Vec<Sourced<MeasureRef>>,
    /// Outermost first.
    pub groupings: Vec<Sourced<Grouping>>,
    /// All must hold.
    pub conditions: Vec<Sourced<Condition>>,
    /// Which days.
    pub period: AskedPeriod,
    /// What is worked out beside.
    pub derivation: Derivation,
    /// Conditions on the figures.
    pub having: Vec<FigureCondition>,
    /// Order and limit of the groups.
    pub ranking: Option<Ranking>,
}

/// Rows that are asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct RowsRequest {
    /// Whose rows; one line for each of its rows (and each related row of a column behind the many side).
    pub dataset: String,
    /// What is shown of each, at least one.
    pub columns: Vec<Sourced<FieldRef>>,
    /// All must hold.
    pub conditions: Vec<Sourced<Condition>>,
    /// Which days, on the dataset's time field.
    pub period: AskedPeriod,
    /// Order and limit.
    pub ranking: Option<Ranking>,
}

/// A question about the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AboutRequest {
    /// How an entry is defined, by kind and name.
    Definition(EntryRef),
    /// What can be asked.
    Everything,
    /// Which values a field has in the catalogue.
    Values {
        /// The dataset.
        dataset: String,
        /// The field.
        field: String,
    },
    /// By what a metric can be split.
    Dimensions {
        /// The metric.
        metric: String,
    },
}

/// An entry of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EntryRef {
    /// A metric.
    Metric(String),
    /// A population.
    Population(String),
    /// A dataset.
    Dataset(String),
    /// A field, by dataset and name.
    Field(String, String),
    /// A term.
    Term(String),
}
