//! What the grammar makes of a question: clauses, and the phrases inside them.
//!
//! Indexes are places in the catalogue. Nothing here is bound yet: a field phrase still holds every field it may name.

use tieout_core::{
    reading::{Comparison, Sort},
    time::Grain,
};

use crate::{
    language::numbers::WrittenUnit,
    lattice::{FieldSense, Shut, Span, TimeItem},
    lexicon::{FieldId, ValueEntry},
};

/// A run of words that names a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldPhrase {
    /// The run.
    pub span: Span,
    /// The fields it may name.
    pub senses: Vec<FieldSense>,
    /// The ambiguous term behind it.
    pub term: Option<usize>,
    /// The relationship that it names by its role: `shipping region`.
    pub link: Option<usize>,
}

/// A run of words that names a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuePhrase {
    /// The run.
    pub span: Span,
    /// The fields that have it.
    pub senses: Vec<ValueEntry>,
}

/// How many of a thing are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Plain: `claims`, `all claims`, `the claims`.
    Plain,
    /// One at a time: `each claim`.
    Each,
    /// Any one: `a claim`.
    One,
}

/// The thing that a noun phrase is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    /// Rows of a dataset.
    Dataset(usize),
    /// Members of a population.
    Population(usize),
}

/// Rows that are named, with the adjectives before them.
#[derive(Clone, Debug, PartialEq)]
pub struct NounPhrase {
    /// The whole run.
    pub span: Span,
    /// The head alone.
    pub head_span: Span,
    /// What is named.
    pub head: Head,
    /// `open` and `urgent` of `open urgent tickets`.
    pub adjectives: Vec<Filter>,
    /// How many.
    pub quantity: Quantity,
    /// The ambiguous term behind it.
    pub term: Option<usize>,
}

/// A word for how figures are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AggregateWord {
    /// Added up.
    Total,
    /// The mean.
    Average,
    /// The middle one.
    Median,
    /// The least.
    Minimum,
    /// The greatest.
    Maximum,
    /// How many there are.
    Count,
    /// How many different ones there are.
    Distinct,
}

/// What is measured.
#[derive(Clone, Debug, PartialEq)]
pub enum MeasureCore {
    /// One of these metrics.
    Metrics(Vec<usize>),
    /// How many rows there are.
    Count(NounPhrase),
    /// A field.
    Field(FieldPhrase),
}

/// A measure that is named.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasurePhrase {
    /// The whole run.
    pub span: Span,
    /// The core alone.
    pub core_span: Span,
    /// `total`, `average`.
    pub aggregates: Vec<(Span, AggregateWord)>,
    /// What is measured.
    pub core: MeasureCore,
    /// `marketplace` of `marketplace revenue`.
    pub adjectives: Vec<Filter>,
    /// The ambiguous term behind it.
    pub term: Option<usize>,
}

/// One thing in a list of things asked for, or of groupings.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// Rows.
    Thing(NounPhrase),
    /// A field.
    Field(FieldPhrase),
    /// A measure.
    Measure(MeasurePhrase),
    /// A step of time.
    Grain(Span, Grain),
}

impl Target {
    /// Its run.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Thing(phrase) => phrase.span,
            Self::Field(phrase) => phrase.span,
            Self::Measure(phrase) => phrase.span,
            Self::Grain(span, _) => *span,
        }
    }
}

/// Something that a field is compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// A number.
    Number {
        /// The run.
        span: Span,
        /// How much.
        value: bigdecimal::BigDecimal,
        /// The unit written beside it.
        unit: WrittenUnit,
    },
    /// Words or an identifier, as typed.
    Text(Span, String),
    /// A time.
    Time(TimeItem),
}

impl Literal {
    /// Its run.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Number { span, .. } | Self::Text(span, _) => *span,
            Self::Time(item) => item.span,
        }
    }
}

/// What a filter asks of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// One of these values, of the field if it is named.
    Values {
        /// The named field.
        field: Option<FieldPhrase>,
        /// The values.
        values: Vec<ValuePhrase>,
    },
    /// A field equal to something typed that is not among the known values, or is a number or an identifier.
    Literal {
        /// The field.
        field: FieldPhrase,
        /// The literals.
        literals: Vec<Literal>,
    },
    /// A row of a dataset by its identifier: `customer 42`.
    Row {
        /// The dataset.
        dataset: usize,
        /// The run of its name.
        span: Span,
        /// Which row.
        literal: Literal,
    },
    /// A comparison; without a field, the field must be found.
    Compare {
        /// The field.
        field: Option<FieldPhrase>,
        /// How.
        comparison: Comparison,
        /// With what.
        literal: Literal,
    },
    /// Between two, both inside.
    Between {
        /// The field.
        field: Option<FieldPhrase>,
        /// The least.
        low: Literal,
        /// The greatest.
        high: Literal,
    },
    /// The field has no value.
    Missing(FieldPhrase),
    /// A date field, named by its verb or its name, lies in a time.
    InTime {
        /// The run of the verb or name.
        span: Span,
        /// The fields it may be.
        fields: Vec<FieldSense>,
        /// Whether a verb names it, and so an event of the rows that are spoken of.
        by: NamedBy,
        /// When.
        time: TimeItem,
    },
    /// A true boolean field.
    Flag(Span, Vec<FieldId>),
    /// Members of a population.
    Member(Span, Vec<usize>, Option<usize>),
    /// Rows that are mentioned beside what is asked: `of all policies`, `for customers`.
    Mention(NounPhrase),
    /// Related rows exist; negated, do not.
    Related(RelatedPhrase),
    /// At least one holds.
    Any(Vec<Filter>),
}

/// How a date field was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedBy {
    /// By its name.
    Name,
    /// By the verb of its event.
    Verb,
}

/// Related rows that must exist or not.
#[derive(Clone, Debug, PartialEq)]
pub struct RelatedPhrase {
    /// The words that name them: a noun, or a verb that implies them.
    pub span: Span,
    /// The datasets they may be of.
    pub datasets: Vec<usize>,
    /// The noun with its adjectives, when it is named by one.
    pub noun: Option<NounPhrase>,
    /// The relationships that the verb names.
    pub relationships: Vec<usize>,
    /// The run of the verb.
    pub verb: Option<Span>,
    /// When the related rows must lie.
    pub time: Option<TimeItem>,
}

/// A filter.
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// The whole run.
    pub span: Span,
    /// Whether it leaves out what it names.
    pub negated: bool,
    /// What it asks.
    pub test: Test,
}

/// How a filter is joined to what comes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    /// By a preposition, or not at all.
    Plainly,
    /// By a verb: `are open`, `came from direct`.
    ByVerb,
    /// Values set against each other: `direct vs marketplace`.
    AsContrast,
}

/// A ranking: `top 5`, `highest`, `ten latest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankPhrase {
    /// The run.
    pub span: Span,
    /// Which way.
    pub sort: Sort,
    /// How many.
    pub limit: Option<u64>,
    /// By size, or by time.
    pub by: RankKind,
}

/// What a ranking word ranks by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankKind {
    /// Size.
    Size,
    /// Time.
    Time,
}

/// `sorted by net revenue, highest first`.
#[derive(Clone, Debug, PartialEq)]
pub struct SortPhrase {
    /// What by; none when only a direction is given.
    pub by: Option<Target>,
    /// Which way, when it is said.
    pub sort: Option<Sort>,
}

/// `with revenue above 1000`.
#[derive(Clone, Debug, PartialEq)]
pub struct HavingPhrase {
    /// The measure; none for `above 1000` behind a measure.
    pub measure: MeasurePhrase,
    /// How.
    pub comparison: Comparison,
    /// With what.
    pub literal: Literal,
    /// The second bound of `between`.
    pub high: Option<Literal>,
}

/// The formula of a definition given in the question.
#[derive(Clone, Debug, PartialEq)]
pub enum Formula {
    /// A sum of these.
    Sum(Vec<MeasurePhrase>),
    /// The first divided by the second.
    Quotient(Box<MeasurePhrase>, Box<MeasurePhrase>),
    /// The first less the second.
    Difference(Box<MeasurePhrase>, Box<MeasurePhrase>),
}

/// A definition given in the question.
#[derive(Clone, Debug, PartialEq)]
pub struct DefinitionPhrase {
    /// The whole run.
    pub span: Span,
    /// The words that are defined; none when it is the measure before.
    pub subject: Option<Span>,
    /// The metrics that the subject names.
    pub metrics: Vec<usize>,
    /// The formula.
    pub formula: Formula,
}

/// A question about the catalogue.
#[derive(Clone, Debug, PartialEq)]
pub enum AboutPhrase {
    /// How something is defined.
    Definition(Target),
    /// What can be asked.
    Everything,
    /// Which values a field has.
    Values(FieldPhrase),
    /// By what a metric can be split.
    Dimensions(MeasurePhrase),
}

/// How a question opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// `what is`, `how much`.
    What,
    /// `show`, `give me`.
    Show,
    /// `list`, `return`.
    List,
    /// `which`, `who`.
    Which,
    /// `compare`.
    Compare,
    /// `the difference between`.
    Difference,
    /// `how`.
    How,
    /// `how many`, of something that is not counted as it stands.
    HowMany,
}

/// Words that end the matter: they are understood, and cannot be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopper {
    /// An order to change something, or to set the rules aside.
    Order,
    /// A cause is asked for.
    Why,
    /// The future is asked for.
    Forecast,
    /// A tenant is named.
    Tenant,
    /// A word that is not recorded or hidden, and its run.
    Shut(Span, Shut),
}

/// One clause. A question is a sequence of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Clause {
    /// A word that is not understood.
    Unknown,
    /// Words without content.
    Stop,
    /// Courtesy, who asks, what it is for.
    Wrapping,
    /// How the question opens.
    Ask(Ask),
    /// Things that are asked for.
    Named(Vec<Target>),
    /// What is shown beside: `with order number and status`.
    Showing(Vec<Target>),
    /// What it is split by.
    By(Vec<Target>),
    /// What it is split by, one at a time: `each customer`.
    Each(Vec<Target>),
    /// A filter.
    Where(Filter, Joined),
    /// Only the filter that follows or precedes.
    Only,
    /// In a unit: `in euros`.
    Unit(Span, WrittenUnit),
    /// A time, a step of time or a zone.
    When(TimeItem),
    /// Against a time: `vs August`.
    Versus(TimeItem, Opening),
    /// Between two times.
    Contrast(TimeItem, TimeItem),
    /// `growth`, `change`.
    Change,
    /// Over time, without saying the step.
    Trend,
    /// A ranking.
    Rank(RankPhrase),
    /// An order.
    Sort(SortPhrase),
    /// A condition on a figure.
    Having(HavingPhrase),
    /// `above 1000` behind a measure or a thing.
    Bound(Comparison, Literal, Option<Literal>),
    /// `what share of`.
    Share,
    /// `of the total`.
    OfTotal,
    /// A definition.
    Definition(DefinitionPhrase),
    /// About the catalogue.
    About(AboutPhrase),
    /// Words that go on from the previous answer.
    Follow,
    /// Beside what was there.
    Add,
    /// Instead of what was there.
    Instead,
    /// A reason not to answer.
    Stopped(Stopper),
}

/// How a comparison with a time opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// `vs`, `compared with`: can be nothing else.
    Plain,
    /// `with`, `to`, `and`: only after `compare`.
    AfterCompare,
}

impl Clause {
    /// What the clause's own words do, for the account of every word.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Stop | Self::Wrapping => "wrapping",
            Self::Ask(Ask::Compare | Ask::Difference) => "compare",
            Self::Ask(_) => "ask",
            Self::Named(_) => "measure",
            Self::Showing(_) => "column",
            Self::By(_) | Self::Each(_) | Self::Trend => "grouping",
            Self::Where(..) | Self::Only => "filter",
            Self::Unit(..) => "unit",
            Self::When(_) => "time",
            Self::Versus(..) | Self::Contrast(..) | Self::Change => "compare",
            Self::Rank(_) | Self::Sort(_) => "order",
            Self::Having(_) | Self::Bound(..) => "condition",
            Self::Share | Self::OfTotal => "share",
            Self::Definition(_) => "definition",
            Self::About(_) => "about",
            Self::Follow | Self::Add | Self::Instead => "follow-up",
            Self::Stopped(_) => "stop",
        }
    }
}
