//! Owns the resolver: from a syntax tree to facts, scope by scope, as a database would.
//!
//! It fails closed: what it does not know it records as unsupported, which is a rejection. Deliberately absent:
//! verdicts. Rules give those, from the facts.

mod aggregate;
mod block;
mod call;
mod cast;
mod expr;
mod flow;
mod frame;
mod from;
mod grain;
mod name;
mod parts;
mod passed;
mod notes;
mod predicate;
mod query;
mod result;
mod select;
mod sets;
mod shape;
mod star;
mod tables;
mod ties;
mod tree;
mod value;
mod window;

use std::collections::HashMap;

use smallvec::{SmallVec, smallvec};
use sqlparser::ast::{Expr, Ident, Query, Spanned, TableFactor};
use sqlparser::tokenizer::Span;

use crate::dialect::Dialect;
use crate::facts::{Additivity, Facts, Lineage, NameKind, NameProblem, Unsupported};
use crate::rejection::Place;
use crate::schema::{Schema, SqlType, ViewBody};
use crate::size::DEPTH_MAX;
pub(crate) use flow::Record;
use flow::Recorder;
pub(crate) use frame::Clause;
use frame::{CteScope, Frame};
use grain::{Attr, AttrInfo, Attrs, Bases, Columns, Relation};
use name::Name;
pub(crate) use predicate::split;

/// How many attributes one statement may need; chains of queries that each use the last twice grow without end.
const ATTRIBUTES_MAX: usize = 20_000;

/// Which names a statement is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// Logical tables and columns.
    Logical,
    /// Physical paths and columns, as in a finished statement.
    Physical,
}

/// What resolving gave: the facts, and for every table reference, by its address, the base table's index.
pub(crate) struct Resolved {
    pub facts: Facts,
    pub references: HashMap<usize, Reference>,
    /// For every reference to a base table, which of its columns that can be seen the statement names.
    pub reads: Vec<Vec<bool>>,
    /// For a SELECT, by its address, the columns beside aggregates that its groups fix without naming them.
    pub fixed: HashMap<usize, Vec<Expr>>,
}

/// What a table reference stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reference {
    /// A base table, by its index in the schema, and the index of what is read of it.
    Table(usize, usize),
    /// A view, by its index in the schema.
    View(usize),
    /// A named query or another thing that needs no scoping.
    Named,
}

impl Reference {
    /// The index of a base table.
    pub(crate) fn table(self) -> Option<usize> {
        match self {
            Reference::Table(index, _) => Some(index),
            Reference::View(_) | Reference::Named => None,
        }
    }

    /// How many views stand on one another in a view.
    pub(crate) fn depth(self, schema: &Schema) -> Option<usize> {
        let Reference::View(index) = self else { return None };
        match &schema.views.get_index(index)?.1.body {
            ViewBody::Query { query: _, bytes: _, depth } => Some(*depth),
            ViewBody::Unseen(_) => None,
        }
    }
}

/// Resolves a query.
pub(crate) fn resolve(
    query: &Query,
    schema: &Schema,
    dialect: &Dialect,
    level: Level,
    record: Record,
) -> Resolved {
    let mut resolver = Resolver {
        schema,
        dialect,
        level,
        attrs: Vec::new(),
        frames: Vec::new(),
        ctes: Vec::new(),
        facts: Facts::default(),
        references: HashMap::new(),
        reads: Vec::new(),
        fixed: HashMap::new(),
        depth: 0,
        reached: Attrs::new(),
        recorder: match record {
            Record::Flow => Some(Recorder::default()),
            Record::Nothing => None,
        },
        ordering: Vec::new(),
        ordered_by: Vec::new(),
        parameters: Vec::new(),
    };
    let relation = resolver.query(query);
    resolver.shown(&relation.columns);
    resolver.same_for_all(&relation);
    resolver.facts.output = resolver.output(&relation);
    if let Some(Recorder { mut flow, .. }) = resolver.recorder.take() {
        flow.root = relation.block;
        resolver.facts.flow = flow;
    }
    let Resolver { attrs, facts, references, reads, fixed, .. } = resolver;
    let reads = reads.into_iter().map(|columns| attrs.get(columns).unwrap_or_default());
    let reads = reads.map(|columns| columns.iter().map(|info| info.named).collect()).collect();
    Resolved { facts, references, reads, fixed }
}

/// The address of a table reference in a tree that stays where it is.
pub(crate) fn address(factor: &TableFactor) -> usize {
    std::ptr::from_ref(factor).addr()
}

struct Resolver<'a> {
    schema: &'a Schema,
    dialect: &'a Dialect,
    level: Level,
    attrs: Vec<AttrInfo<'a>>,
    frames: Vec<Frame<'a>>,
    ctes: Vec<CteScope<'a>>,
    facts: Facts,
    references: HashMap<usize, Reference>,
    /// The attributes of the columns of every reference to a base table.
    reads: Vec<std::ops::Range<Attr>>,
    fixed: HashMap<usize, Vec<Expr>>,
    depth: usize,
    /// What the query that was resolved last reaches out for.
    reached: Attrs,
    recorder: Option<Recorder>,
    /// Names that stand for the parameters of lambdas.
    parameters: Vec<Name<'a>>,
    /// What the query that is resolved is ordered by.
    ordered_by: Vec<Attr>,
    /// The order of the set operation resolved last, until its query takes it.
    ordering: Vec<crate::flow::Ordering>,
}

impl<'a> Resolver<'a> {
    fn output(&self, relation: &Relation<'a>) -> Vec<Lineage> {
        relation
            .columns
            .iter()
            .map(|column| {
                let info = self.info(column.attr);
                Lineage {
                    name: column.name.to_string(),
                    ty: info.map_or(SqlType::Unknown, |info| info.ty),
                    columns: info.map(|info| self.lineage(info)).unwrap_or_default(),
                    aggregates: info
                        .map(|info| info.aggregates.iter().map(ToString::to_string).collect())
                        .unwrap_or_default(),
                }
            })
            .collect()
    }

    fn lineage(&self, info: &AttrInfo<'a>) -> Vec<(String, String)> {
        info.lineage.iter().filter_map(|(table, column)| self.base_name(*table, *column)).collect()
    }

    fn base_name(&self, table: usize, column: usize) -> Option<(String, String)> {
        let (_, table) = self.schema.tables.get_index(table)?;
        let (_, column) = table.columns.get_index(column)?;
        Some((table.name.clone(), column.name.clone()))
    }

    fn info(&self, attr: Attr) -> Option<&AttrInfo<'a>> {
        self.attrs.get(attr)
    }

    fn label(&self, attr: Attr) -> String {
        self.info(attr).map(|info| info.label.to_string()).unwrap_or_default()
    }

    /// Adds an attribute. Past the limit, the statement is recorded as unsupported and the last one is shared.
    fn attr(&mut self, info: AttrInfo<'a>) -> Attr {
        if self.attrs.len() >= ATTRIBUTES_MAX {
            self.too_large();
            return self.attrs.len().saturating_sub(1);
        }
        self.attrs.push(info);
        self.attrs.len().saturating_sub(1)
    }

    fn too_large(&mut self) {
        let what = "so large a combination of queries";
        if self.facts.unsupported.iter().all(|known| known.what != what) {
            self.unsupported(what, None);
        }
    }

    /// Adds the identity of the rows of a source.
    fn row(&mut self, label: impl Into<Name<'a>>) -> Attr {
        let next = self.attrs.len();
        self.attr(AttrInfo { units: smallvec![next], ..blank(label) })
    }

    /// The statement names an attribute.
    fn name_it(&mut self, attr: Attr) {
        if let Some(info) = self.attrs.get_mut(attr) {
            info.named = true;
        }
    }

    fn unsupported(&mut self, what: &str, place: Option<Place>) {
        self.facts.unsupported.push(Unsupported { what: what.to_owned(), place });
    }

    fn problem(&mut self, kind: NameKind, name: String, hint: String, place: Option<Place>) {
        self.facts.names.push(NameProblem { kind, name, hint, place });
    }

    /// Goes one level down, or records that the statement is too deep.
    fn deeper<T>(&mut self, otherwise: T, work: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= DEPTH_MAX {
            self.unsupported("so deep a nesting", None);
            return otherwise;
        }
        self.depth = self.depth.saturating_add(1);
        let result = work(self);
        self.depth = self.depth.saturating_sub(1);
        result
    }
}

/// An attribute of which nothing is known yet.
fn blank<'a>(label: impl Into<Name<'a>>) -> AttrInfo<'a> {
    AttrInfo {
        label: label.into(),
        ty: SqlType::Unknown,
        nullable: true,
        base: Bases::new(),
        chosen: Bases::new(),
        lineage: Columns::new(),
        aggregates: SmallVec::new(),
        units: Attrs::new(),
        additivity: Additivity::Additive,
        shape: None,
        whole_days: false,
        picked: false,
        named: false,
    }
}

/// The place of a span; `None` when the tree was not read from a text.
pub(crate) fn place(span: Span) -> Option<Place> {
    if span.start.line == 0 {
        return None;
    }
    let length = match span.start.line == span.end.line {
        true => span.end.column.saturating_sub(span.start.column).max(1),
        false => 1,
    };
    Some(Place { line: span.start.line, column: span.start.column, length })
}

fn place_of(ident: &Ident) -> Option<Place> {
    place(ident.span)
}

fn place_of_expr(expr: &sqlparser::ast::Expr) -> Option<Place> {
    place(expr.span())
}
