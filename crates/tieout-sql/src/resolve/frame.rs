//! Owns scopes: the sources a SELECT can name, the named queries in reach, and looking names up.
//!
//! Deliberately absent: how sources come to be (`from`), and what expressions mean (`expr`).

use std::collections::HashMap;
use std::rc::Rc;

use sqlparser::ast::{Expr, Ident};

use super::grain::{Attr, Attrs, Base, Closure, Dependency, OutColumn, Relation, Trust, merge};
use super::name::Name;
use super::ties::Ties;
use super::window::Windowed;
use super::{ATTRIBUTES_MAX, Reference, Resolver, place_of};
use crate::facts::{ColumnUse, NameKind, Pair, Usage};
use crate::flow::{Condition, SelectBlock};
use crate::nearest::nearest_hint;
use crate::rejection::Place;
use crate::schema::Access;
use crate::spelling;

/// The named queries that one WITH brings into reach.
pub(super) type CteScope<'a> = HashMap<Name<'a>, Rc<Relation<'a>>>;

/// A source of a FROM clause.
#[derive(Clone, Debug)]
pub(super) struct Source<'a> {
    /// The name it can be qualified by, as the dialect compares it.
    pub key: Name<'a>,
    /// Whether it has such a name at all.
    pub named: bool,
    pub label: Name<'a>,
    pub columns: Vec<OutColumn<'a>>,
    /// Every column, also those that a semi-join hides from the rest of the SELECT.
    pub attrs: Attrs,
    pub rows: Attrs,
    /// Rows of constants inside it.
    pub spines: Attrs,
    pub constant: bool,
    pub grouped: bool,
    pub lateral: bool,
    /// Whether each row of the sources before it has one row of this at most: the nearest.
    pub nearest: bool,
    pub place: Option<Place>,
    /// Columns of a base table that exist but are hidden, as the dialect compares names.
    pub hidden: Vec<(Name<'a>, usize, usize)>,
    /// The index in `facts.tables` of a direct reference to a base table.
    pub table_use: Option<usize>,
    /// Whether its table is not known, so that nothing more is said about its columns.
    pub unknown: bool,
}

/// A column that USING or NATURAL merged.
#[derive(Clone, Debug)]
pub(super) struct Merged<'a> {
    pub key: Name<'a>,
    pub shown: OutColumn<'a>,
    pub parts: Attrs,
}

/// Whether siblings in FROM can be seen while a nested query is resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    Open,
    Closed,
}

/// In which clause an expression stands, as far as names in SELECT can be used there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clause {
    On,
    Where,
    Group,
    Select,
    Having,
    Order,
}

/// An equality, traced to attributes.
#[derive(Clone, Debug)]
pub(super) struct Equality {
    pub left: Attrs,
    pub right: Attrs,
}

/// How the rows of a SELECT are grouped.
#[derive(Clone, Debug)]
pub(super) struct Grouping {
    pub row: Attr,
    pub keys: Attrs,
}

/// One SELECT while it is resolved.
#[derive(Clone, Debug)]
pub(super) struct Frame<'a> {
    pub sources: Vec<Source<'a>>,
    pub merged: Vec<Merged<'a>>,
    pub dependencies: Vec<Dependency>,
    /// What follows from the rows and groups for the values of SELECT. Apart from the others, since nothing that is judged
    /// within this SELECT follows from them, and there may be thousands.
    pub results: Vec<Dependency>,
    pub equalities: Vec<Equality>,
    /// Which rows belong together.
    pub ties: Ties,
    /// Rows that belong together for the aggregate that is being resolved.
    pub tied_within: Vec<Attrs>,
    pub aliases: Vec<(Name<'a>, &'a Expr)>,
    pub clause: Clause,
    pub sight: Sight,
    pub grouping: Option<Grouping>,
    /// Attributes of queries around this one that it uses.
    pub outer: Attrs,
    /// Rows that may be missing because of an outer join.
    pub optional: Attrs,
    /// Equalities between this query and the ones around it.
    pub correlated: Vec<Pair>,
    /// Two columns of which one is held to be no greater than the other, and whether they may be equal does not matter.
    pub ordered: Vec<(Attr, Attr)>,
    /// Those of them that are between this query and the ones around it.
    pub ranged: Vec<Pair>,
    /// Aliases being resolved, lest one stand for itself.
    pub busy: Vec<Name<'a>>,
    pub counting: Usage,
    /// Whether the arguments of an aggregate are being resolved.
    pub inside_aggregate: bool,
    /// Expressions that are grouped by, and their attributes.
    pub group_exprs: Vec<(&'a Expr, Attr)>,
    /// Whether grouping sets add subtotal rows.
    pub subtotals: bool,
    /// Columns read beside aggregates, to be held against the grouping.
    pub beside: Vec<(Attr, Option<Place>)>,
    /// Whether the arguments of a function that gives rows are being resolved.
    pub expanding: bool,
    /// Rows that functions in SELECT add to every row.
    pub expanded: Attrs,
    /// Named windows.
    pub windows: Vec<(Name<'a>, Windowed)>,
    /// Conditions under which values are worked out: a divisor that one speaks of is looked after.
    pub guards: Vec<&'a Expr>,
    /// Columns with a bound, and where.
    pub bounded: Vec<(Attr, Option<Place>)>,
    /// The block that is recorded, when one is.
    pub flow: SelectBlock,
    /// Equalities of USING and NATURAL, until their join takes them.
    pub merging: Vec<Condition>,
}

impl Frame<'_> {
    pub(super) fn new() -> Self {
        Frame {
            sources: Vec::new(),
            merged: Vec::new(),
            dependencies: Vec::new(),
            results: Vec::new(),
            equalities: Vec::new(),
            ties: Ties::default(),
            tied_within: Vec::new(),
            aliases: Vec::new(),
            clause: Clause::On,
            sight: Sight::Open,
            grouping: None,
            outer: Attrs::new(),
            optional: Attrs::new(),
            correlated: Vec::new(),
            ordered: Vec::new(),
            ranged: Vec::new(),
            busy: Vec::new(),
            counting: Usage::Read,
            inside_aggregate: false,
            group_exprs: Vec::new(),
            subtotals: false,
            expanding: false,
            expanded: Attrs::new(),
            beside: Vec::new(),
            windows: Vec::new(),
            guards: Vec::new(),
            bounded: Vec::new(),
            flow: SelectBlock::default(),
            merging: Vec::new(),
        }
    }

    /// Every row of every source.
    pub(super) fn rows(&self) -> Attrs {
        let mut rows = Attrs::new();
        self.sources.iter().for_each(|source| merge(&mut rows, &source.rows));
        merge(&mut rows, &self.expanded);
        rows
    }

    /// What `start` determines here; what comes from around the query counts as given.
    pub(super) fn closure(&self, start: &[Attr], size: usize) -> Closure {
        self.closure_trusting(start, size, Trust::Stated)
    }

    /// The same, trusting dependencies so far.
    pub(super) fn closure_trusting(&self, start: &[Attr], size: usize, trust: Trust) -> Closure {
        let mut start: Attrs = start.into();
        merge(&mut start, &self.outer);
        Closure::trusting(&start, &self.dependencies, size, trust)
    }
}

/// What a name stands for.
pub(super) enum Found<'a> {
    Column(Attr),
    Alias(Name<'a>, &'a Expr),
    Nothing,
}

impl<'a> Resolver<'a> {
    pub(super) fn frame(&mut self) -> &mut Frame<'a> {
        if self.frames.is_empty() {
            self.frames.push(Frame::new());
        }
        let last = self.frames.len().saturating_sub(1);
        &mut self.frames[last]
    }

    /// A named query in reach, with attributes of its own.
    pub(super) fn named_query(&mut self, key: &str) -> Option<Relation<'a>> {
        let known = Rc::clone(self.ctes.iter().rev().find_map(|scope| scope.get(key))?);
        let size = known.dependencies.len().saturating_add(known.columns.len());
        if self.attrs.len().saturating_add(size) > ATTRIBUTES_MAX {
            self.too_large();
            return Some(Relation { constant: true, ..Relation::default() });
        }
        Some(self.fresh(&known))
    }

    /// The same relation with attributes of its own, so that two uses of it are two sets of rows.
    pub(super) fn fresh(&mut self, relation: &Relation<'a>) -> Relation<'a> {
        let old = relation.attributes();
        let mut renamed: Vec<(Attr, Attr)> = Vec::with_capacity(old.len());
        for attr in old {
            let Some(info) = self.info(attr).cloned() else { continue };
            renamed.push((attr, self.attr(info)));
        }
        let rename = |attr: Attr| match renamed.binary_search_by_key(&attr, |(old, _)| *old) {
            Ok(place) => renamed.get(place).map_or(attr, |(_, new)| *new),
            Err(_) => attr,
        };
        for (_, new) in &renamed {
            if let Some(info) = self.attrs.get_mut(*new) {
                info.units.iter_mut().for_each(|unit| *unit = rename(*unit));
                info.base.iter_mut().for_each(|base: &mut Base| base.row = rename(base.row));
            }
        }
        relation.renamed(&rename)
    }

    /// An unqualified name.
    pub(super) fn name(&mut self, ident: &'a Ident) -> Found<'a> {
        let key = self.dialect.fold(ident);
        let here = self.frames.len().saturating_sub(1);
        for level in (0..self.frames.len()).rev() {
            let Some(frame) = self.frames.get(level) else { break };
            if frame.sight == Sight::Closed {
                continue;
            }
            let clause = frame.clause;
            if level == here
                && clause == Clause::Order
                && let Some(found) = alias(frame, &key)
            {
                return found;
            }
            match columns_named(frame, &key) {
                Candidates::One(attr) => {
                    self.noted(level, attr, ident);
                    return Found::Column(attr);
                }
                Candidates::Many(labels) => {
                    let hint = format!("qualify it: {}", qualified(&labels, &ident.value));
                    self.problem(NameKind::AmbiguousColumn, ident.value.clone(), hint, place_of(ident));
                    return Found::Nothing;
                }
                Candidates::Hidden(table, column) => {
                    self.used(table, column, place_of(ident));
                    return Found::Nothing;
                }
                Candidates::None => {}
            }
            if level == here
                && self.dialect.aliases.reach(clause)
                && let Some(frame) = self.frames.get(level)
                && let Some(found) = alias(frame, &key)
            {
                return found;
            }
        }
        if self.frames.iter().flat_map(|frame| &frame.sources).any(|source| source.unknown) {
            return Found::Nothing;
        }
        let hint = self.columns_hint(&ident.value);
        self.problem(NameKind::UnknownColumn, ident.value.clone(), hint, place_of(ident));
        Found::Nothing
    }

    /// `qualifier.name`.
    pub(super) fn qualified_name(&mut self, qualifier: &'a Ident, ident: &'a Ident) -> Option<Attr> {
        let (source_key, key) = (self.dialect.fold(qualifier), self.dialect.fold(ident));
        for level in (0..self.frames.len()).rev() {
            let Some(frame) = self.frames.get(level) else { break };
            if frame.sight == Sight::Closed {
                continue;
            }
            let Some(source) = frame.sources.iter().find(|source| *source.key == *source_key) else {
                continue;
            };
            if source.unknown {
                return None;
            }
            let named: Attrs = source.columns.iter().filter(|c| c.is(&key)).map(|c| c.attr).collect();
            if let [attr] = named.as_slice() {
                self.noted(level, *attr, ident);
                return Some(*attr);
            }
            if let Some((_, table, column)) = source.hidden.iter().find(|(name, _, _)| **name == *key) {
                let (table, column) = (*table, *column);
                self.used(table, column, place_of(ident));
                return None;
            }
            let kind = match named.is_empty() {
                true => NameKind::UnknownColumn,
                false => NameKind::AmbiguousColumn,
            };
            let hint = self.near(&ident.value, source.columns.iter().map(|column| &*column.name));
            self.problem(kind, format!("{}.{}", qualifier.value, ident.value), hint, place_of(ident));
            return None;
        }
        let labels: Vec<String> = self.frames.last().map(sources_shown).unwrap_or_default();
        let hint = self.near(&qualifier.value, labels.iter().map(String::as_str));
        self.problem(NameKind::UnknownTable, qualifier.value.clone(), hint, place_of(qualifier));
        None
    }

    /// Records a read, and that the queries in between reach out to the one the column belongs to.
    fn noted(&mut self, level: usize, attr: Attr, ident: &Ident) {
        self.name_it(attr);
        for frame in self.frames.iter_mut().skip(level.saturating_add(1)) {
            merge(&mut frame.outer, &[attr]);
        }
        if let Some(frame) = self.frames.get_mut(level)
            && matches!(frame.clause, Clause::Select | Clause::Having | Clause::Order)
            && !frame.inside_aggregate
        {
            frame.beside.push((attr, place_of(ident)));
        }
        let base = self.info(attr).map(|info| info.base.clone()).unwrap_or_default();
        for base in base {
            self.used(base.table, base.column, place_of(ident));
        }
    }

    /// Records a read of a base column.
    pub(super) fn used(&mut self, table: usize, column: usize, place: Option<Place>) {
        let Some((_, table)) = self.schema.tables.get_index(table) else { return };
        let Some((_, column)) = table.columns.get_index(column) else { return };
        let usage = self.frames.last().map_or(Usage::Read, |frame| frame.counting);
        let known = |used: &ColumnUse| {
            used.table == table.name && used.column == column.name && used.usage == usage && place.is_none()
        };
        if column.access == Access::Open || self.facts.columns.iter().any(known) {
            return;
        }
        self.facts.columns.push(ColumnUse {
            table: table.name.clone(),
            column: column.name.clone(),
            access: column.access,
            usage,
            place,
        });
    }

    /// A hint that offers the nearest names. One that differs in capitals alone, where these count, is offered in quotes.
    pub(super) fn near<'n>(&self, name: &str, known: impl Iterator<Item = &'n str> + Clone) -> String {
        let alike =
            known.clone().find(|other| self.dialect.folds_away(other) && other.eq_ignore_ascii_case(name));
        match alike {
            Some(other) => format!("did you mean `{}`?", spelling::quoted(self.dialect.quote, other)),
            None => nearest_hint(name, known),
        }
    }

    fn columns_hint(&self, name: &str) -> String {
        let names: Vec<&str> = self
            .frames
            .iter()
            .rev()
            .flat_map(|frame| &frame.sources)
            .flat_map(|source| &source.columns)
            .map(|column| &*column.name)
            .collect();
        self.near(name, names.iter().copied())
    }

    /// Remembers what a table reference stands for.
    pub(super) fn refer(&mut self, factor: &sqlparser::ast::TableFactor, reference: Reference) {
        self.references.insert(super::address(factor), reference);
    }
}

enum Candidates {
    None,
    One(Attr),
    Many(Vec<String>),
    Hidden(usize, usize),
}

fn columns_named(frame: &Frame, key: &str) -> Candidates {
    if let Some(merged) = frame.merged.iter().find(|merged| *merged.key == *key) {
        let all_parts = frame
            .sources
            .iter()
            .flat_map(|source| &source.columns)
            .filter(|column| column.is(key))
            .all(|column| merged.parts.contains(&column.attr));
        if all_parts {
            return Candidates::One(merged.shown.attr);
        }
    }
    let mut found: Vec<(&str, Attr)> = Vec::new();
    for source in &frame.sources {
        let named = source.columns.iter().filter(|column| column.is(key));
        found.extend(named.map(|column| (&*source.label, column.attr)));
    }
    match found.as_slice() {
        [] => {
            let hidden =
                frame.sources.iter().flat_map(|source| &source.hidden).find(|(name, _, _)| **name == *key);
            hidden.map_or(Candidates::None, |(_, table, column)| Candidates::Hidden(*table, *column))
        }
        [(_, attr)] => Candidates::One(*attr),
        many => Candidates::Many(many.iter().map(|(label, _)| (*label).to_owned()).collect()),
    }
}

fn alias<'a>(frame: &Frame<'a>, key: &str) -> Option<Found<'a>> {
    if frame.busy.iter().any(|busy| **busy == *key) {
        return None;
    }
    frame.aliases.iter().find(|(name, _)| **name == *key).map(|(name, expr)| Found::Alias(name.clone(), expr))
}

fn qualified(labels: &[String], name: &str) -> String {
    labels.iter().map(|label| format!("`{label}.{name}`")).collect::<Vec<_>>().join(" or ")
}

fn sources_shown(frame: &Frame) -> Vec<String> {
    frame.sources.iter().map(|source| source.label.to_string()).collect()
}
