//! Owns the flow of rows through a statement as plain data: blocks that read sources, join, filter, group and give
//! columns, and the terms they do it by. Recorded by the resolver on demand, for whatever compares or describes a
//! statement as a whole.
//!
//! Deliberately absent: syntax trees, and any simplification; what two terms have in common is for readers to say.

use std::rc::Rc;

use crate::rejection::Place;
use crate::schema::SqlType;
use crate::value::Value;

/// How rows flow through a statement.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    /// Every block, inner ones before those that read them.
    pub blocks: Vec<Block>,
    /// The block whose rows are the result.
    pub root: Option<usize>,
}

/// One query or one branch of it.
#[derive(Clone, Debug)]
pub enum Block {
    /// A SELECT.
    Select(Box<SelectBlock>),
    /// Rows of several blocks.
    Union(UnionBlock),
    /// Something whose rows are not followed further; says what.
    Other(&'static str),
}

/// Rows of several blocks, one after the other or each once.
#[derive(Clone, Debug)]
pub struct UnionBlock {
    /// The blocks; `None` where one is not followed.
    pub branches: Vec<Option<usize>>,
    /// Whether equal rows are kept.
    pub all: bool,
    /// ORDER BY, LIMIT and OFFSET around it.
    pub cut: Cut,
}

/// A SELECT.
#[derive(Clone, Debug, Default)]
pub struct SelectBlock {
    /// What it reads.
    pub sources: Vec<FlowSource>,
    /// How the sources are joined, in order; the first source of each FROM item has no join.
    pub joins: Vec<FlowJoin>,
    /// Conditions of WHERE.
    pub filter: Vec<Condition>,
    /// What it groups by; `None` when rows are not grouped, empty when all rows are one group.
    pub keys: Option<Vec<Term>>,
    /// Whether grouping sets add subtotal rows.
    pub subtotals: bool,
    /// Conditions of HAVING.
    pub having: Vec<Condition>,
    /// Conditions of QUALIFY.
    pub qualify: Vec<Condition>,
    /// Its columns.
    pub outputs: Vec<Output>,
    /// Whether it drops repeated rows.
    pub distinct: bool,
    /// Whether it keeps one row for each key of DISTINCT ON.
    pub distinct_on: bool,
    /// ORDER BY, LIMIT and OFFSET.
    pub cut: Cut,
}

/// ORDER BY, LIMIT and OFFSET.
#[derive(Clone, Debug, Default)]
pub struct Cut {
    /// By what the rows are ordered.
    pub order: Vec<Ordering>,
    /// How many rows are kept; `None` for all.
    pub limit: Option<Term>,
    /// Whether rows are passed over first.
    pub offset: bool,
    /// Whether rows that tie with the last one are kept, or a share of all rows is.
    pub odd: bool,
}

/// One item of ORDER BY.
#[derive(Clone, Debug)]
pub struct Ordering {
    /// What is ordered by.
    pub by: OrderedBy,
    /// Whether the largest comes first.
    pub descending: bool,
}

/// What is ordered by.
#[derive(Clone, Debug)]
pub enum OrderedBy {
    /// An output, from 0.
    Output(usize),
    /// A term of the block.
    Term(Term),
}

/// A column of a block.
#[derive(Clone, Debug)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// What it is.
    pub term: Term,
    /// Where.
    pub place: Option<Place>,
}

/// A condition and its place.
#[derive(Clone, Debug)]
pub struct Condition {
    /// What must be true.
    pub term: Term,
    /// Where.
    pub place: Option<Place>,
}

/// One source of a FROM clause.
#[derive(Clone, Debug)]
pub struct FlowSource {
    /// What it is called.
    pub label: String,
    /// What it reads.
    pub origin: Origin,
    /// The attributes of its columns, in order.
    pub columns: Vec<usize>,
    /// Where.
    pub place: Option<Place>,
}

/// What a source reads.
#[derive(Clone, Debug)]
pub enum Origin {
    /// A base table, with the logical names of the columns.
    Table(String, Vec<String>),
    /// The rows of a block.
    Block(usize),
    /// Something that is not followed (a table function).
    Other,
}

/// How rows of two sides are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairing {
    /// Pairs that meet the condition.
    Inner,
    /// Those, and rows of the left side without a partner.
    Left,
    /// Those, and rows of the right side without a partner.
    Right,
    /// Those, and rows of either side without a partner.
    Full,
    /// Rows of the left side that have a partner.
    Semi,
    /// Rows of the left side that have none.
    Anti,
}

/// A join of the sources `left` (a range) with the sources `right`.
#[derive(Clone, Debug)]
pub struct FlowJoin {
    /// The sources on the left.
    pub left: std::ops::Range<usize>,
    /// The sources on the right.
    pub right: std::ops::Range<usize>,
    /// How they are paired.
    pub pairing: Pairing,
    /// The conditions.
    pub on: Vec<Condition>,
}

/// An expression with its names resolved.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A column of a source, by its attribute.
    Attr(usize),
    /// A literal.
    Constant(Value, SqlType),
    /// A bound value, by its 0-based index.
    Bind(usize),
    /// An operator or a scalar function, by its name in lower case.
    Call(Rc<str>, Vec<Term>),
    /// A cast.
    Cast(Box<Term>, SqlType),
    /// An aggregate.
    Aggregate(Box<Aggregated>),
    /// A function over a window.
    Window(Rc<str>),
    /// `[NOT] EXISTS (block)`.
    Exists(usize),
    /// `subject IN (block)`.
    Member(Box<Term>, usize),
    /// A block used as a value.
    Query(usize),
    /// Something that is equal to nothing, not even itself; says what.
    Unknown(Rc<str>),
}

/// An aggregate in a term.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregated {
    /// The function in lower case.
    pub name: Rc<str>,
    /// Whether equal values count once.
    pub distinct: bool,
    /// Whether it is over rows rather than over a value (`count(*)`).
    pub star: bool,
    /// Its arguments, then what WITHIN GROUP orders by.
    pub arguments: Vec<Term>,
    /// Its FILTER.
    pub filter: Option<Term>,
    /// Where.
    pub place: Option<Place>,
}
