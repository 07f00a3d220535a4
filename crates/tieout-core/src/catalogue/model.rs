//! The catalogue as the rest of the product sees it: checked, with every name resolved.

use indexmap::IndexMap;
use jiff::civil::Date;
use tieout_sql::{Dialect, Fragment, Schema};

use crate::{number::Unit, time::Calendar};

/// A project: its settings and its catalogue.
#[derive(Clone, Debug)]
pub struct Project {
    /// The project's name.
    pub name: String,
    /// Which engine holds the data, and where.
    pub warehouse: WarehouseSettings,
    /// Zone, week start and fiscal year.
    pub calendar: Calendar,
    /// Limits and what must be confirmed.
    pub policy: Policy,
    /// A language model, when one may be asked.
    pub model: Option<crate::model::ModelUse>,
    /// What the words mean.
    pub catalogue: Catalogue,
}

/// Where the data is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarehouseSettings {
    /// The engine's name, such as `duckdb`.
    pub engine: String,
    /// Source name to file path, relative to the project's folder.
    pub files: IndexMap<String, FileSource>,
    /// A database file, relative to the project's folder.
    pub path: Option<String>,
    /// The environment variable that holds a connection URL.
    pub url_env: Option<String>,
}

/// A data file, and what must be known to read it. Every setting that is absent is sniffed once and reported.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FileSource {
    /// Path relative to the project's folder, or to `TIEOUT_DATA` where it starts with `$TIEOUT_DATA/`.
    pub path: String,
    /// `csv`, `tsv`, `parquet`, `json`; by the file's ending when absent.
    pub format: Option<String>,
    /// The one-character separator of a delimited file.
    pub delimiter: Option<char>,
    /// `utf-8` or `latin-1`.
    pub encoding: Option<String>,
    /// How dates are written, such as `%d/%m/%Y`.
    pub date_format: Option<String>,
    /// The separator between thousands in numbers.
    pub thousands: Option<char>,
    /// The decimal separator in numbers.
    pub decimal: Option<char>,
    /// How many lines at the end are totals, not rows.
    pub skip_trailing: u64,
    /// Whether the first line names the columns.
    pub header: Option<bool>,
}

/// The project's limits, and which readings stop for confirmation when they are assumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Fields of the block that may not be assumed without asking.
    pub confirm: Vec<BlockField>,
    /// A group of fewer rows is withheld.
    pub minimum_group: u64,
    /// The most rows one query may return.
    pub rows_max: u64,
    /// The longest one query may take, in milliseconds.
    pub timeout_ms: u64,
    /// The longest period that may be asked for, in days; none means no limit.
    pub period_days_max: Option<i64>,
}

/// The five fields of the reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BlockField {
    /// What is counted or added up.
    Metric,
    /// Whose rows.
    Population,
    /// Which days.
    Period,
    /// What one figure stands for.
    Grain,
    /// What is left out.
    Exclusions,
}

impl BlockField {
    /// All five, in the order in which they are shown.
    pub const ALL: [Self; 5] = [Self::Metric, Self::Population, Self::Period, Self::Grain, Self::Exclusions];

    /// The field's name as shown and as written in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Metric => "metric",
            Self::Population => "population",
            Self::Period => "period",
            Self::Grain => "grain",
            Self::Exclusions => "exclusions",
        }
    }
}

/// The checked catalogue. Every name that one entry uses of another exists.
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// By name, in the order of the files.
    pub datasets: IndexMap<String, Dataset>,
    /// Many-to-one links along which joins may run.
    pub relationships: IndexMap<String, Relationship>,
    /// Named sets of rows.
    pub populations: IndexMap<String, Population>,
    /// Named measures.
    pub metrics: IndexMap<String, Metric>,
    /// Words that mean more than one thing, or nothing here.
    pub terms: IndexMap<String, Term>,
    /// What the SQL checker resolves against; made from the above.
    pub schema: Schema,
    /// The SQL of the warehouse that expressions are written in.
    pub dialect: &'static Dialect,
    /// SHA-256 over the catalogue's canonical form, in hexadecimal.
    pub digest: String,
}

/// Rows of one kind.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// The dataset's name; queries are written over it.
    pub name: String,
    /// The table or file it is read from.
    pub source: String,
    /// What a person calls one row, in the plural: `ledger entries`. The name with spaces when not declared.
    pub label: String,
    /// Other words for it.
    pub synonyms: Vec<String>,
    /// One sentence for a person.
    pub description: Option<String>,
    /// Fields whose values together name one row.
    pub primary_key: Vec<String>,
    /// Other keys.
    pub unique_keys: Vec<Vec<String>>,
    /// The column bound to the session's tenant; a physical column, often not a field.
    pub tenant: Option<String>,
    /// The field that says when.
    pub time: Option<String>,
    /// How fresh the rows are, and since when there are any.
    pub freshness: Option<Freshness>,
    /// Rows that belong to the dataset at all: a condition that is part of its definition.
    pub filter: Option<Fragment>,
    /// The field that names a row to a person, shown and grouped by when the dataset's own name is used so.
    pub display: Option<String>,
    /// By name.
    pub fields: IndexMap<String, Field>,
}

/// How fresh a dataset is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Freshness {
    /// The field whose latest value says when rows last arrived.
    pub column: Option<String>,
    /// How late rows may be, in seconds.
    pub max_lag_s: Option<i64>,
    /// The first day for which there are rows.
    pub history_start: Option<Date>,
}

/// One column of a dataset as a person knows it.
#[derive(Clone, Debug)]
pub struct Field {
    /// The field's name; queries use it.
    pub name: String,
    /// What a person calls it; the name with spaces when not declared.
    pub label: String,
    /// Other words for it.
    pub synonyms: Vec<String>,
    /// One sentence for a person.
    pub description: Option<String>,
    /// What its values are.
    pub datatype: Datatype,
    /// The column in the source, when it is not the field's name.
    pub column: Option<String>,
    /// An expression over other fields of the dataset, instead of a column.
    pub expression: Option<Fragment>,
    /// What its numbers count.
    pub unit: Option<Unit>,
    /// The values it may have, when they are few and known.
    pub values: Vec<FieldValue>,
    /// Whether its distinct values may be looked up in the data, so that they can be named in a question.
    pub lookup: bool,
    /// Whether it names things, and so is never added up.
    pub identifier: bool,
    /// Whether it may be NULL.
    pub nullable: bool,
    /// Who may see it.
    pub access: tieout_sql::Access,
}

/// A value of a categorical field, as stored, and other words for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldValue {
    /// As stored.
    pub value: String,
    /// Other words for it.
    pub synonyms: Vec<String>,
}

/// What a field's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Datatype {
    /// Text.
    String,
    /// Whole numbers.
    Integer,
    /// Exact decimals.
    Decimal,
    /// Binary floating point, as the source stores it; never money.
    Float,
    /// True or false.
    Boolean,
    /// A civil date.
    Date,
    /// A civil date and time in the project's zone.
    Timestamp,
    /// A moment, with its offset from UTC.
    Instant,
}

impl Dataset {
    /// The date or moment that is called like a state: `paid_on` for `paid`.
    #[must_use]
    pub fn date_called(&self, state: &str) -> Option<&str> {
        let dated = |datatype| match datatype {
            Datatype::Date | Datatype::Timestamp | Datatype::Instant => true,
            Datatype::String
            | Datatype::Integer
            | Datatype::Decimal
            | Datatype::Float
            | Datatype::Boolean => false,
        };
        let state = state.to_lowercase();
        let called = |name: &str| name.to_lowercase().split(['_', ' ']).next() == Some(state.as_str());
        let names = |f: &Field| called(&f.name) || f.synonyms.iter().any(|name| called(name));
        self.fields.values().find(|f| dated(f.datatype) && names(f)).map(|f| f.name.as_str())
    }
}

impl Datatype {
    /// As the catalogue writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Decimal => "decimal",
            Self::Float => "float",
            Self::Boolean => "boolean",
            Self::Date => "date",
            Self::Timestamp => "timestamp",
            Self::Instant => "instant",
        }
    }

    /// What the SQL checker takes it for.
    #[must_use]
    pub fn sql(self) -> tieout_sql::SqlType {
        match self {
            Self::String => tieout_sql::SqlType::Text,
            Self::Integer => tieout_sql::SqlType::Integer,
            Self::Decimal => tieout_sql::SqlType::Decimal,
            Self::Float => tieout_sql::SqlType::Float,
            Self::Boolean => tieout_sql::SqlType::Boolean,
            Self::Date => tieout_sql::SqlType::Date,
            Self::Timestamp => tieout_sql::SqlType::DateTime,
            Self::Instant => tieout_sql::SqlType::Instant,
        }
    }

    /// Whether its values say when.
    #[must_use]
    pub fn says_when(self) -> bool {
        match self {
            Self::Date | Self::Timestamp | Self::Instant => true,
            Self::String | Self::Integer | Self::Decimal | Self::Float | Self::Boolean => false,
        }
    }
}

/// A stated many-to-one link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relationship {
    /// The link's name.
    pub name: String,
    /// The dataset on the many side.
    pub from: String,
    /// The dataset on the one side.
    pub to: String,
    /// Fields of `from`, in the order of `to_columns`.
    pub from_columns: Vec<String>,
    /// Fields of `to`: one of its keys, whole.
    pub to_columns: Vec<String>,
    /// Whether every row of `from` has its row of `to`.
    pub required: bool,
    /// Words for the link seen from the many side (`placed by`) or the one side (`ordered`, `placed`).
    pub synonyms: Vec<String>,
}

/// A named set of rows of a dataset.
#[derive(Clone, Debug)]
pub struct Population {
    /// The population's name.
    pub name: String,
    /// What a person calls it; the name with spaces when not declared.
    pub label: String,
    /// Whose rows.
    pub dataset: String,
    /// Which of them.
    pub membership: Membership,
    /// Other words for it.
    pub synonyms: Vec<String>,
    /// One sentence for a person.
    pub description: Option<String>,
}

/// What makes a row a member. All that are given must hold.
#[derive(Clone, Debug, Default)]
pub struct Membership {
    /// A condition on the row's own fields.
    pub filter: Option<Fragment>,
    /// Related rows that must exist, or must not.
    pub related: Vec<Related>,
}

/// The existence or absence of related rows, compiled as a semi-join.
#[derive(Clone, Debug)]
pub struct Related {
    /// From the population's dataset to the related one: names of relationships, in order.
    pub via: Vec<String>,
    /// The dataset that must hold a related row.
    pub dataset: String,
    /// Whether a row must exist or must not.
    pub presence: Presence,
    /// A further condition on the related row's fields.
    pub filter: Option<Fragment>,
    /// Whether the related row must lie in the asked period, by its own time field.
    pub within_period: bool,
}

/// Whether something must be there or must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Presence {
    /// At least one.
    Exists,
    /// None.
    Absent,
}

/// How far a definition has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Being worked on; never answers without a doubt.
    Draft,
    /// In use.
    Approved,
    /// Replaced.
    Deprecated {
        /// The metric to use instead.
        superseded_by: Option<String>,
    },
}

/// A named measure.
#[derive(Clone, Debug)]
pub struct Metric {
    /// The metric's name.
    pub name: String,
    /// What a person calls it; the name with spaces when not declared.
    pub label: String,
    /// Counts up when the meaning changes.
    pub version: u32,
    /// How far it has come.
    pub status: Status,
    /// Who answers for it.
    pub owner: Option<String>,
    /// One sentence for a person.
    pub description: Option<String>,
    /// Other words for it.
    pub synonyms: Vec<String>,
    /// How it is worked out.
    pub measure: Measure,
    /// What is left out, in words and as a condition that must not hold.
    pub exclusions: Vec<Exclusion>,
    /// What one row stands for, in words.
    pub grain: Option<String>,
    /// What its figures count. They are in whole units: `minor` is false, and [`Aggregate::minor_digits`] says how
    /// stored amounts become such.
    pub unit: Unit,
    /// The groupings it may be split by; none given means any that a stated relationship reaches.
    pub dimensions: Option<Vec<Dimension>>,
    /// A group of fewer rows is withheld; the project's policy when absent.
    pub minimum_group: Option<u64>,
}

/// How a metric is worked out. Each variant's rules live in one file of `metric_kinds/`.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "most metrics are aggregates, and there are few metrics")]
pub enum Measure {
    /// One aggregate over the rows of one dataset.
    Aggregate(Aggregate),
    /// One metric divided by another, each aggregated at home.
    Ratio {
        /// What is divided.
        numerator: String,
        /// What it is divided by.
        denominator: String,
    },
    /// An exact arithmetic expression over other metrics, each aggregated at home.
    Derived {
        /// The expression.
        expression: crate::metric_kinds::Arithmetic,
    },
}

/// One aggregate over a dataset.
#[derive(Clone, Debug)]
pub struct Aggregate {
    /// The name of its kind: a row of the table in `metric_kinds/`.
    pub kind: &'static str,
    /// Whose rows.
    pub dataset: String,
    /// What is aggregated: an expression over the dataset's fields; none for a plain count.
    pub of: Option<Fragment>,
    /// Which rows.
    pub filter: Option<Fragment>,
    /// The population whose members alone count, if any.
    pub population: Option<String>,
    /// The field that places a row in time: as declared, else the dataset's; none when the metric has no time.
    pub time: Option<String>,
    /// By which power of ten the aggregate, as the engine gives it, is divided to be a figure in the metric's unit:
    /// 2 for amounts stored in cents, else 0. Worked out once, when the catalogue is loaded.
    pub minor_digits: u32,
    /// `latest` only: the fields whose last row each is taken.
    pub per: Vec<String>,
    /// `cumulative` only: the calendar unit at whose start the running total begins again; none for never.
    pub restart: Option<crate::time::Grain>,
}

/// Something left out, with the words that say so.
#[derive(Clone, Debug)]
pub struct Exclusion {
    /// In words.
    pub text: String,
    /// The rows left out, where it is not the metric's filter that leaves them out already.
    pub filter: Option<Fragment>,
}

/// A grouping that a metric allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// The field's dataset.
    pub dataset: String,
    /// The field.
    pub field: String,
    /// The relationships to walk from the metric's dataset, in order, where more than one way leads there.
    pub via: Option<Vec<String>>,
}

/// A word that means more than one thing, or nothing here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The words.
    pub term: String,
    /// What they mean here.
    pub meaning: TermMeaning,
}

/// What a term means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermMeaning {
    /// One of these metrics, populations or fields (`dataset.field`); the asker must say which.
    Ambiguous(Vec<String>),
    /// Nothing that is recorded, and why.
    Absent(String),
}
