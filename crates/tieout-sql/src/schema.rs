//! Owns the schema a statement is judged by: logical tables, how each maps on a physical relation,
//! their keys, and the stated relationships among them.
//!
//! Deliberately absent: metrics, populations, units and everything else a catalogue knows beyond
//! columns and keys; reading a schema from a database.

use indexmap::IndexMap;
use sqlparser::ast::Query;

use crate::fragment::Fragment;

/// What kind of value a column or an expression has, as far as the checker needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SqlType {
    /// True or false.
    Boolean,
    /// A whole number.
    Integer,
    /// An exact decimal.
    Decimal,
    /// A floating-point number.
    Float,
    /// Text.
    Text,
    /// A calendar date.
    Date,
    /// A time of day.
    Time,
    /// A date and time without a zone.
    DateTime,
    /// A point in time, with a zone.
    Instant,
    /// Bytes.
    Blob,
    /// A length of time.
    Interval,
    /// A known type that the checker does not judge (lists, structures, JSON, …).
    Other,
    /// Not known.
    Unknown,
}

/// Who may see a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Access {
    /// Everyone in scope.
    #[default]
    Open,
    /// May be counted, but not shown or rebuilt.
    Sensitive,
    /// In no clause at all: the scoped form of the table does not even list it.
    Hidden,
}

/// Where a logical column's values come from.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnSource {
    /// A column of the physical relation, by its physical name.
    Physical(String),
    /// An expression over physical fields of the same table, named by their logical names.
    Computed(Fragment),
}

/// One logical column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The logical name, as a query writes it.
    pub name: String,
    /// Where its values come from.
    pub source: ColumnSource,
    /// Its type.
    pub ty: SqlType,
    /// Whether it may hold NULL.
    pub nullable: bool,
    /// Whether it names a thing rather than measures one; never summed or averaged.
    pub identifier: bool,
    /// Whether it is a balance: the state at a moment, which may be added over things but not over time.
    pub balance: bool,
    /// Who may see it.
    pub access: Access,
    /// The values it takes, when it is categorical and they are known.
    pub values: Option<Vec<String>>,
}

impl Column {
    /// An open, nullable column that is its physical namesake.
    pub fn plain(name: &str, ty: SqlType) -> Column {
        Column {
            name: name.to_owned(),
            source: ColumnSource::Physical(name.to_owned()),
            ty,
            nullable: true,
            identifier: false,
            balance: false,
            access: Access::Open,
            values: None,
        }
    }
}

/// One logical table and how it maps on a physical relation.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The logical name, as a query writes it.
    pub name: String,
    /// The physical path, for example `["main", "ledger"]`.
    pub relation: Vec<String>,
    /// Its columns by logical name, in their order.
    pub columns: IndexMap<String, Column>,
    /// Logical names of the primary key's columns; empty when none is stated.
    pub primary_key: Vec<String>,
    /// Further unique keys, each a list of logical names.
    pub unique_keys: Vec<Vec<String>>,
    /// The *physical* name of the column that holds the tenant.
    pub tenant: Option<String>,
    /// Logical name of the column that says when a row happened: periods are meant to be of this one.
    pub time: Option<String>,
    /// A condition over logical names that is part of the dataset's definition.
    pub row_filter: Option<Fragment>,
}

impl Table {
    /// A table of the given columns that is its physical namesake, without keys, tenant or filter.
    pub fn plain(name: &str, columns: Vec<Column>) -> Table {
        Table {
            name: name.to_owned(),
            relation: vec![name.to_owned()],
            columns: columns.into_iter().map(|column| (column.name.clone(), column)).collect(),
            primary_key: Vec::new(),
            unique_keys: Vec::new(),
            tenant: None,
            time: None,
            row_filter: None,
        }
    }

    /// The place of a column by a name that something other than a statement calls it: a column of just that name, else
    /// the first that differs from it by case alone.
    pub fn spelled(&self, name: &str) -> Option<usize> {
        let alike = || self.columns.keys().position(|known| known.eq_ignore_ascii_case(name));
        self.columns.get_index_of(name).or_else(alike)
    }

    /// Every stated key: the primary key first, then the unique keys; empty ones left out.
    pub fn keys(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.primary_key).chain(&self.unique_keys).filter(|key| !key.is_empty())
    }
}

/// A stated relationship: many rows of `from` belong to one row of `to`.
#[derive(Clone, Debug, PartialEq)]
pub struct Relationship {
    /// Its name, used in messages.
    pub name: String,
    /// Logical name of the table on the many side.
    pub from: String,
    /// Logical name of the table on the one side.
    pub to: String,
    /// Columns of `from`, paired by position with `to_columns`.
    pub from_columns: Vec<String>,
    /// Columns of `to`; together they must be a key of it.
    pub to_columns: Vec<String>,
    /// Whether every row of `from` has its row of `to`.
    pub required: bool,
}

/// Everything a statement may name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// Tables by logical name.
    pub tables: IndexMap<String, Table>,
    /// The stated relationships; joins run along these only.
    pub relationships: Vec<Relationship>,
    /// Views by logical name; a statement over one is judged as the query that it is.
    pub views: IndexMap<String, View>,
    /// Types of labels, each by its path on the engine: a value cast to one is a text.
    pub labels: Vec<Vec<String>>,
}

impl Schema {
    /// The same schema, which believes nothing of the data that nobody looked at: any column may hold NULL, and any row
    /// may be without the one that it belongs to. Keys are still keys; whoever joins along them asks the data.
    #[must_use]
    pub fn doubting(&self) -> Schema {
        let mut schema = self.clone();
        for column in schema.tables.values_mut().flat_map(|table| table.columns.values_mut()) {
            column.nullable = true;
        }
        for relationship in &mut schema.relationships {
            relationship.required = false;
        }
        schema
    }
}

/// A view.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Its logical name.
    pub name: String,
    /// Its path on the engine.
    pub relation: Vec<String>,
    /// The names that it gives to its first columns; empty where its query names them.
    pub columns: Vec<String>,
    /// The tables that it reads.
    pub reads: Vec<String>,
    /// What it is.
    pub body: ViewBody,
}

/// What a view is.
#[derive(Clone, Debug, PartialEq)]
pub enum ViewBody {
    /// A query over tables, with the views below it written out.
    Query {
        /// The query; its parts have no places.
        query: Box<Query>,
        /// How long it is as a text.
        bytes: usize,
        /// How many views stand on one another in it.
        depth: usize,
    },
    /// It cannot be looked through; says why.
    Unseen(String),
}
