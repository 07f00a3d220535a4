//! Owns what is known of a statement once it is resolved, as plain data that rules read.
//!
//! Deliberately absent: syntax trees. Rules never walk one.

mod aggregates;
mod conditions;
mod joins;

pub use aggregates::{Additivity, Aggregate, AggregateKind, Doubt, Grain};
pub use conditions::{Condition, ConditionKind};
pub use joins::{End, JoinBlock, Link, Pair, SourceFact};

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
    /// A view that cannot be looked through.
    UnseenView,
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
