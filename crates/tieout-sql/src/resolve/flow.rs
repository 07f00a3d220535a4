//! Owns the recording of the flow of rows while a statement is resolved, for whoever asked for it.
//!
//! Deliberately absent: resolving anything. A nested query is looked up by where it stands; it was resolved before.

use std::collections::HashMap;

use sqlparser::ast::{
    Distinct, Expr, Ident, JoinOperator, OrderBy, OrderByExpr, OrderByKind, OrderBySort, Query, SetQuantifier,
};

use super::frame::Found;
use super::grain::{Attr, OutColumn, Relation};
use super::select::ordinal;
use super::{Resolver, place_of_expr};
use crate::flow::{
    Block, Condition, Cut, Flow, FlowJoin, FlowSource, OrderedBy, Ordering, Origin, Output, Pairing,
    SelectBlock, Term, UnionBlock,
};
use crate::rejection::Place;
use crate::terms::{self, Names, unknown};

/// Whether the flow of rows is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Record {
    /// It is.
    Flow,
    /// It is not needed.
    Nothing,
}

/// What is recorded.
#[derive(Default)]
pub(super) struct Recorder {
    pub flow: Flow,
    /// The block of every nested query, by its address.
    by_query: HashMap<usize, Option<usize>>,
}

impl<'a> Names<'a> for Resolver<'a> {
    fn name(&mut self, parts: &'a [Ident]) -> Term {
        match parts {
            [ident] => match self.name(ident) {
                Found::Column(attr) => Term::Attr(attr),
                Found::Alias(key, expr) => {
                    self.frame().busy.push(key);
                    let dialect = self.dialect;
                    let term = terms::term(expr, dialect, self);
                    self.frame().busy.pop();
                    term
                }
                Found::Nothing => unknown("a name"),
            },
            [qualifier, ident] => {
                self.qualified_name(qualifier, ident).map_or_else(|| unknown("a name"), Term::Attr)
            }
            _ => unknown("a name"),
        }
    }

    fn block(&mut self, query: &'a Query) -> Option<usize> {
        self.recorder.as_ref()?.by_query.get(&std::ptr::from_ref(query).addr()).copied().flatten()
    }
}

impl<'a> Resolver<'a> {
    /// The term of an expression that was resolved in this scope; leaves no other trace.
    fn term(&mut self, expr: &'a Expr) -> Term {
        let beside: Vec<usize> = self.frames.iter().map(|frame| frame.beside.len()).collect();
        let dialect = self.dialect;
        let term = self.quietly(|resolver| terms::term(expr, dialect, resolver));
        for (frame, length) in self.frames.iter_mut().zip(beside) {
            frame.beside.truncate(length);
        }
        term
    }

    fn condition_of(&mut self, expr: &'a Expr) -> Condition {
        Condition { term: self.term(expr), place: place_of_expr(expr) }
    }

    /// A source was added to this scope.
    pub(super) fn record_source(
        &mut self,
        label: &str,
        columns: &[OutColumn<'a>],
        block: Option<usize>,
        place: Option<Place>,
    ) {
        if self.recorder.is_none() {
            return;
        }
        let origin = block.map_or(Origin::Other, Origin::Block);
        let label = label.to_owned();
        let columns = columns.iter().map(|column| column.attr).collect();
        self.frame().flow.sources.push(FlowSource { label, origin, columns, place });
    }

    /// The source added last is this base table, by its index.
    pub(super) fn record_table(&mut self, index: usize) {
        if self.recorder.is_none() {
            return;
        }
        let schema = self.schema;
        let Some((_, table)) = schema.tables.get_index(index) else { return };
        let columns =
            self.frame().flow.sources.last().map(|source| source.columns.clone()).unwrap_or_default();
        let names = columns
            .iter()
            .map(|attr| {
                let base = self.info(*attr).and_then(|info| info.base.first());
                let name = base.and_then(|base| self.base_name(base.table, base.column));
                name.map(|(_, column)| column).unwrap_or_default()
            })
            .collect();
        if let Some(source) = self.frame().flow.sources.last_mut() {
            source.origin = Origin::Table(table.name.clone(), names);
        }
    }

    /// A column of USING or NATURAL holds two columns equal.
    pub(super) fn record_merge(&mut self, a: Attr, b: Attr, place: Option<Place>) {
        if self.recorder.is_some() {
            let term = terms::call("=", vec![Term::Attr(a), Term::Attr(b)]);
            self.frame().merging.push(Condition { term, place });
        }
    }

    /// A join was resolved; `condition` is its ON.
    pub(super) fn record_join(
        &mut self,
        operator: &JoinOperator,
        (first, middle, end): (usize, usize, usize),
        condition: Option<&'a Expr>,
    ) {
        if self.recorder.is_none() {
            return;
        }
        let mut on = std::mem::take(&mut self.frame().merging);
        on.extend(condition.map(|condition| self.condition_of(condition)));
        let pairing = pairing(operator);
        self.frame().flow.joins.push(FlowJoin { left: first..middle, right: middle..end, pairing, on });
    }

    pub(super) fn record_filter(&mut self, condition: &'a Expr) {
        if self.recorder.is_some() {
            let condition = self.condition_of(condition);
            self.frame().flow.filter.push(condition);
        }
    }

    pub(super) fn record_having(&mut self, condition: &'a Expr) {
        if self.recorder.is_some() {
            let condition = self.condition_of(condition);
            self.frame().flow.having.push(condition);
        }
    }

    pub(super) fn record_qualify(&mut self, condition: &'a Expr) {
        if self.recorder.is_some() {
            let condition = self.condition_of(condition);
            self.frame().flow.qualify.push(condition);
        }
    }

    pub(super) fn record_key(&mut self, key: &'a Expr) {
        if self.recorder.is_some() {
            let term = self.term(key);
            self.frame().flow.keys.get_or_insert_default().push(term);
        }
    }

    pub(super) fn record_output(&mut self, name: &str, expr: &'a Expr) {
        if self.recorder.is_some() {
            let term = self.term(expr);
            let place = place_of_expr(expr);
            self.frame().flow.outputs.push(Output { name: name.to_owned(), term, place });
        }
    }

    pub(super) fn record_star(&mut self, columns: &[OutColumn<'a>]) {
        if self.recorder.is_some() {
            let outputs = columns.iter().map(|column| Output {
                name: column.name.to_string(),
                term: Term::Attr(column.attr),
                place: None,
            });
            self.frame().flow.outputs.extend(outputs);
        }
    }

    pub(super) fn record_order(&mut self, item: &'a OrderByExpr) {
        if self.recorder.is_none() {
            return;
        }
        let by = match ordinal(&item.expr).and_then(|position| position.checked_sub(1)) {
            Some(position) => OrderedBy::Output(position),
            None => OrderedBy::Term(self.term(&item.expr)),
        };
        let descending = item.options.sort == Some(OrderBySort::Desc);
        self.frame().flow.cut.order.push(Ordering { by, descending });
    }

    /// The SELECT of this scope is resolved: its block.
    pub(super) fn record_select(&mut self, distinct: Option<&Distinct>) -> Option<usize> {
        self.recorder.as_ref()?;
        let grouped = self.frame().grouping.is_some();
        let subtotals = self.frame().subtotals;
        let mut block: SelectBlock = std::mem::take(&mut self.frame().flow);
        if grouped {
            block.keys.get_or_insert_default();
        }
        block.subtotals = subtotals;
        match distinct {
            None | Some(Distinct::All) => {}
            Some(Distinct::Distinct) => block.distinct = true,
            Some(Distinct::On(_)) => block.distinct_on = true,
        }
        self.record_block(Block::Select(Box::new(block)))
    }

    pub(super) fn record_block(&mut self, block: Block) -> Option<usize> {
        let recorder = self.recorder.as_mut()?;
        recorder.flow.blocks.push(block);
        recorder.flow.blocks.len().checked_sub(1)
    }

    pub(super) fn record_union(
        &mut self,
        left: &Relation<'a>,
        right: &Relation<'a>,
        quantifier: SetQuantifier,
    ) -> Option<usize> {
        let all = matches!(quantifier, SetQuantifier::All | SetQuantifier::AllByName);
        let recorder = self.recorder.as_mut()?;
        let mut branches = vec![left.block];
        if let Some(Block::Union(inner)) = left.block.and_then(|block| recorder.flow.blocks.get(block))
            && inner.all == all
            && inner.cut.limit.is_none()
            && !inner.cut.offset
        {
            branches.clone_from(&inner.branches);
        }
        branches.push(right.block);
        self.record_block(Block::Union(UnionBlock { branches, all, cut: Cut::default() }))
    }

    /// A whole query is resolved: what it orders and cuts, and where it stands.
    pub(super) fn record_query(&mut self, query: &'a Query, block: Option<usize>) {
        if self.recorder.is_none() {
            return;
        }
        let (limit, offset, odd) = self.cut_of(query);
        let order = std::mem::take(&mut self.ordering);
        let Some(recorder) = self.recorder.as_mut() else { return };
        let cut = match block.and_then(|block| recorder.flow.blocks.get_mut(block)) {
            Some(Block::Select(select)) => Some(&mut select.cut),
            Some(Block::Union(union)) => Some(&mut union.cut),
            Some(Block::Other(_)) | None => None,
        };
        if let Some(cut) = cut {
            // `(SELECT … LIMIT 5) LIMIT 10` is one block cut twice: that is not followed.
            cut.odd |= odd || (limit.is_some() && cut.limit.is_some());
            cut.limit = limit.or(cut.limit.take());
            cut.offset |= offset;
            if !order.is_empty() {
                cut.order = order;
            }
        }
        recorder.by_query.insert(std::ptr::from_ref(query).addr(), block);
    }

    fn cut_of(&mut self, query: &'a Query) -> (Option<Term>, bool, bool) {
        use sqlparser::ast::LimitClause as L;
        let odd = query.fetch.as_ref().is_some_and(|fetch| fetch.with_ties || fetch.percent);
        let (limit, offset) = match &query.limit_clause {
            None => (None, false),
            Some(L::LimitOffset { limit, offset, limit_by: _ }) => (limit.as_ref(), offset.is_some()),
            Some(L::OffsetCommaLimit { offset: _, limit }) => (Some(limit), true),
        };
        let fetched = query.fetch.as_ref().map(|fetch| fetch.quantity.as_ref());
        let limit = match (limit, fetched) {
            (Some(limit), _) | (None, Some(Some(limit))) => Some(match limit {
                Expr::Value(_) => self.term(limit),
                _ => unknown("a limit"),
            }),
            (None, Some(None)) => {
                Some(Term::Constant(crate::value::Value::Integer(1), crate::schema::SqlType::Integer))
            }
            (None, None) => None,
        };
        (limit.filter(|limit| *limit != terms::null()), offset, odd)
    }

    /// The order of a set operation, which sees its columns only.
    pub(super) fn record_result_order(&mut self, relation: &Relation<'a>, order_by: &'a OrderBy) {
        if self.recorder.is_none() {
            return;
        }
        let OrderByKind::Expressions(items) = &order_by.kind else { return };
        let mut order = Vec::new();
        for item in items {
            let position = match ordinal(&item.expr).and_then(|position| position.checked_sub(1)) {
                Some(position) => Some(position),
                None => match self.term(&item.expr) {
                    Term::Attr(attr) => relation.columns.iter().position(|column| column.attr == attr),
                    _ => None,
                },
            };
            let by = position.map_or_else(|| OrderedBy::Term(unknown("an order")), OrderedBy::Output);
            order.push(Ordering { by, descending: item.options.sort == Some(OrderBySort::Desc) });
        }
        self.ordering = order;
    }
}

fn pairing(operator: &JoinOperator) -> Pairing {
    match operator {
        JoinOperator::Join(_)
        | JoinOperator::Inner(_)
        | JoinOperator::CrossJoin(_)
        | JoinOperator::StraightJoin(_) => Pairing::Inner,
        JoinOperator::Left(_) | JoinOperator::LeftOuter(_) => Pairing::Left,
        JoinOperator::Right(_) | JoinOperator::RightOuter(_) => Pairing::Right,
        JoinOperator::FullOuter(_) => Pairing::Full,
        JoinOperator::Semi(_) | JoinOperator::LeftSemi(_) => Pairing::Semi,
        JoinOperator::Anti(_) | JoinOperator::LeftAnti(_) => Pairing::Anti,
        // These are rejected as unsupported; as a full join nothing follows from them.
        JoinOperator::RightSemi(_)
        | JoinOperator::RightAnti(_)
        | JoinOperator::CrossApply
        | JoinOperator::OuterApply
        | JoinOperator::AsOf { match_condition: _, constraint: _ }
        | JoinOperator::ArrayJoin
        | JoinOperator::LeftArrayJoin
        | JoinOperator::InnerArrayJoin => Pairing::Full,
    }
}
