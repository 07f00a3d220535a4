//! Owns what is known of a statement once it is resolved, as plain data that rules read.
//!
//! Deliberately absent: syntax trees. Rules never walk one.

use crate::flow::Flow;
use crate::rejection::Place;
use crate::schema::{Access, SqlType};

/// Everything the rules may know of a statement.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The statements of the text.
    pub statements: Vec<StatementKind>,
    /// References to base tables.
    pub tables: Vec<TableUse>,
    /// Names that could not be resolved.
    pub names: Vec<NameProblem>,
    /// Reads of base columns.
    pub columns: Vec<ColumnUse>,
    /// Function calls.
    pub functions: Vec<FunctionUse>,
    /// Syntax that the resolver does not know.
    pub unsupported: Vec<Unsupported>,
    /// Whatever would write, lock or keep.
    pub writes: Vec<Write>,
    /// The FROM clauses: what they join and by what.
    pub joins: Vec<JoinBlock>,
    /// Links between a subquery and the query around it.
    pub links: Vec<Link>,
    /// Aggregates with their row grain.
    pub aggregates: Vec<Aggregate>,
    /// Conditions worth a second look.
    pub conditions: Vec<Condition>,
    /// LIMIT and ORDER BY of every query.
    pub limits: Vec<LimitUse>,
    /// The columns of the result.
    pub output: Vec<Lineage>,
    /// How rows flow through the statement, when that was asked for.
    pub flow: Flow,
}

/// What kind of statement a text holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// A query.
    Query,
    /// Anything else, by its first word as printed from the tree.
    Other(String),
}

/// How many facts of each kind there were.
pub(crate) struct Mark([usize; 11]);

impl Facts {
    /// How many facts there are now.
    pub(crate) fn mark(&self) -> Mark {
        Mark([
            self.tables.len(),
            self.names.len(),
            self.columns.len(),
            self.functions.len(),
            self.unsupported.len(),
            self.writes.len(),
            self.joins.len(),
            self.links.len(),
            self.aggregates.len(),
            self.conditions.len(),
            self.limits.len(),
        ])
    }

    /// Forgets every fact recorded since.
    pub(crate) fn forget_since(&mut self, mark: &Mark) {
        let Mark(
            [
                tables,
                names,
                columns,
                functions,
                unsupported,
                writes,
                joins,
                links,
                aggregates,
                conditions,
                limits,
            ],
        ) = mark;
        self.tables.truncate(*tables);
        self.names.truncate(*names);
        self.columns.truncate(*columns);
        self.functions.truncate(*functions);
        self.unsupported.truncate(*unsupported);
        self.writes.truncate(*writes);
        self.joins.truncate(*joins);
        self.links.truncate(*links);
        self.aggregates.truncate(*aggregates);
        self.conditions.truncate(*conditions);
        self.limits.truncate(*limits);
    }
}

/// Where one output column comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lineage {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: SqlType,
    /// Logical table and column of everything it is made of.
    pub columns: Vec<(String, String)>,
    /// The aggregates it passed through, innermost first.
    pub aggregates: Vec<String>,
}

/// One reference to a base table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableUse {
    /// The logical table.
    pub table: String,
    /// Whether the table has a tenant.
    pub tenant: Option<String>,
    /// Columns that the same SELECT holds equal to a placeholder: column name and 0-based index.
    pub bound: Vec<(String, usize)>,
    /// Where.
    pub place: Option<Place>,
}

/// What kind of name could not be resolved, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// No such table.
    UnknownTable,
    /// No such column.
    UnknownColumn,
    /// More than one column of that name.
    AmbiguousColumn,
    /// Two sources of one FROM share a name.
    DuplicateSource,
    /// A system catalogue.
    SystemCatalogue,
    /// The two sides do not have the same number of columns.
    ColumnCount,
}

/// A name that could not be resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameProblem {
    /// Why.
    pub kind: NameKind,
    /// The name as written.
    pub name: String,
    /// What to do.
    pub hint: String,
    /// Where.
    pub place: Option<Place>,
}

/// In what a column is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// Inside COUNT, directly.
    Counted,
    /// Anywhere else.
    Read,
}

/// A read of a base column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnUse {
    /// The logical table.
    pub table: String,
    /// The logical column.
    pub column: String,
    /// Who may see it.
    pub access: Access,
    /// In what.
    pub usage: Usage,
    /// Where.
    pub place: Option<Place>,
}

/// What the allow-list says of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// It may be called so.
    Allowed,
    /// It is on no list.
    Absent,
    /// Not with so many arguments.
    WrongArguments,
    /// Not in this position (a table function as a value, a window function without OVER, …).
    Misplaced,
}

/// A function call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionUse {
    /// Its name as written.
    pub name: String,
    /// What the allow-list says.
    pub permission: Permission,
    /// Where.
    pub place: Option<Place>,
}

/// Syntax that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// What it is, in words.
    pub what: String,
    /// Where.
    pub place: Option<Place>,
}

/// Something that would write, lock or keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// What it is, in words.
    pub what: String,
    /// Where.
    pub place: Option<Place>,
}

/// One FROM clause with its WHERE: the sources and the equalities between them.
#[derive(Clone, Debug, Default)]
pub struct JoinBlock {
    /// The sources.
    pub sources: Vec<SourceFact>,
    /// Equalities between two different sources.
    pub pairs: Vec<Pair>,
    /// Two columns of different sources of which one is held to be no greater than the other.
    pub ranges: Vec<Pair>,
}

/// One source of a FROM clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFact {
    /// How messages call it.
    pub label: String,
    /// Whether it is provably one row.
    pub one_row: bool,
    /// Whether it would be, if the columns of tables without any stated key were unique.
    pub one_row_assumed: bool,
    /// Whether it is made of constants only.
    pub constant: bool,
    /// Whether it depends on the sources before it, row by row.
    pub lateral: bool,
    /// Whether each row of the sources before it has one row of this at most: the nearest by some order.
    pub nearest: bool,
    /// Where.
    pub place: Option<Place>,
}

/// One side of an equality, traced to where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The source's index in its block.
    pub source: usize,
    /// The identity of the base row it is read from; ends with equal rows belong together.
    pub row: usize,
    /// The base table and column, when it is a copy of one.
    pub base: Option<(String, String)>,
    /// For computed values, the expression without its columns.
    pub shape: Option<String>,
    /// Whether its value is picked from constants (a bucket, a spine).
    pub picked: bool,
    /// Whether the source groups or removes duplicates.
    pub grouped: bool,
    /// Whether it is one of the values of its column (the first, the greatest), and not each of them.
    pub chosen: bool,
}

impl std::fmt::Display for End {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.base, &self.shape) {
            (Some((table, column)), _) => write!(f, "{table}.{column}"),
            (None, Some(shape)) => f.write_str(shape),
            (None, None) => f.write_str("a computed value"),
        }
    }
}

/// An equality between two sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// One side.
    pub left: End,
    /// The other.
    pub right: End,
}

/// How a subquery is tied to the query around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The equalities, inner side first.
    pub pairs: Vec<Pair>,
    /// Two columns of which one is held to be no greater than the other, inner side first.
    pub ranges: Vec<Pair>,
    /// Where.
    pub place: Option<Place>,
}

/// Whether values may be added up further.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Additivity {
    /// They may.
    #[default]
    Additive,
    /// A join already repeated the rows they come from; names what repeated them.
    Repeated(String),
    /// The same row counts in several groups; names what spreads it.
    Spread(String),
    /// An average, a ratio, a median, a share: names it.
    Never(&'static str),
}

/// What an aggregate does with rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AggregateKind {
    /// SUM and its like.
    Sum,
    /// COUNT of a value.
    Count,
    /// COUNT(*) and counts of constants.
    CountRows,
    /// AVG, MEDIAN, STDDEV and their like.
    Average,
    /// MIN, MAX, DISTINCT and their like: a repeated row does not matter.
    Idempotent,
}

/// Why it is not certain that rows are repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// A column that merely labels a row (a name) is grouped by; had its row been, each would count once.
    Label,
    /// A table has no stated key; if what it is joined on is unique, each counts once.
    Uniqueness,
}

/// What a join does to the rows an aggregate is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grain {
    /// Each row counts once.
    Once,
    /// Rows are repeated.
    Repeated {
        /// The source whose rows are repeated.
        unit: String,
        /// The sources that repeat them.
        by: Vec<String>,
        /// What makes it uncertain, if anything does.
        doubt: Option<Doubt>,
    },
    /// Every row is in every group, since no condition ties it to the constants that are grouped by.
    Everywhere {
        /// The source whose rows they are.
        unit: String,
        /// The sources of constants.
        by: Vec<String>,
    },
    /// Equal values of different rows were merged into one before.
    Merged {
        /// The source whose rows were merged.
        unit: String,
    },
    /// For COUNT(*): rows of this source are counted, which is not the first one named.
    Finest {
        /// The source that is counted.
        unit: String,
        /// The source named first.
        first: String,
    },
    /// For COUNT(*): a row without a partner in this source counts as one.
    Missing {
        /// The source that is counted.
        unit: String,
    },
    /// For COUNT(*): the rows are pairs of several sources, of none of them alone.
    Pairs {
        /// The sources.
        of: Vec<String>,
        /// What makes it uncertain, if anything does.
        doubt: Option<Doubt>,
    },
}

/// One aggregate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aggregate {
    /// The function's name.
    pub name: String,
    /// What it does with rows.
    pub kind: AggregateKind,
    /// Its row grain.
    pub grain: Grain,
    /// Whether what it adds may be added up.
    pub additivity: Additivity,
    /// An identifier column that it adds up or averages.
    pub identifier: Option<String>,
    /// Where.
    pub place: Option<Place>,
}

/// A condition worth a second look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConditionKind {
    /// `x = NULL`: never true.
    EqualsNull,
    /// `x NOT IN (SELECT nullable)`: no row at all once a NULL is there.
    NotInNullable(String),
    /// `a / b` between integers, cut off.
    IntegerDivision,
    /// A literal that is not among a column's values.
    UnknownValue {
        /// The column.
        column: String,
        /// The literal.
        value: String,
        /// What to do.
        hint: String,
    },
    /// A WHERE condition on the optional side of an outer join.
    OuterJoinUndone(String),
    /// A column beside a grouping that it does not depend on.
    Ungrouped(String),
    /// BETWEEN on a date and time closes the range.
    ClosedRange(String),
    /// Two kinds of values that no engine compares as they look, each in words.
    AcrossTypes(String, String),
    /// A text compared with a date that is no date.
    NoDate(String),
    /// A point in time that is cut to a unit in a zone that nobody names.
    ZonedTruncation(String),
    /// AND and OR beside each other without brackets.
    MixedLogic,
    /// A divisor that may be zero.
    UnguardedDivision(String),
    /// HAVING on something that is no aggregate.
    HavingRows,
    /// A period on another column than the declared one.
    OtherTime {
        /// The column.
        column: String,
        /// The declared one.
        declared: String,
    },
    /// A literal that one of a column's values is, but for its case.
    OtherCase {
        /// The column.
        column: String,
        /// The literal.
        value: String,
        /// The value.
        known: String,
    },
    /// A named query with the name of a table whose rows it does not read.
    Shadowed(String),
    /// A figure of the result that is the same for every row of some constants: the figure, and the constants.
    SameForAll(String, String),
    /// Balances of several moments added up: the column, and the one that says when.
    BalanceOverTime(String, String),
    /// Values that an aggregate cannot add up or average.
    NotANumber {
        /// The aggregate.
        aggregate: String,
        /// What it is over, in words.
        over: String,
    },
}

/// A condition and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// What about it.
    pub kind: ConditionKind,
    /// Where.
    pub place: Option<Place>,
}

/// LIMIT of one query, and whether an order makes it mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitUse {
    /// Whether there is an ORDER BY.
    pub ordered: bool,
    /// Whether the query gives at most one row anyhow.
    pub one_row: bool,
    /// Whether the order tells any two rows apart.
    pub total: bool,
}
