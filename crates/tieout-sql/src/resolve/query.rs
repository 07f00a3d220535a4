//! Owns whole queries: WITH, set operations, VALUES, and the limits around them.
//!
//! Deliberately absent: single SELECTs (`select`).

use smallvec::smallvec;
use std::rc::Rc;

use sqlparser::ast::{
    Cte, Expr, Fetch, Ident, LimitClause, LockClause, Offset, OrderBy, Parens, Query, SetExpr, SetOperator,
    SetQuantifier, TableAlias, Value as Literal, Values, With,
};

use super::frame::{CteScope, Frame, Source};
use super::grain::{AttrInfo, Attrs, Dependency, OutColumn, Relation, merge};
use super::name::Name;
use super::ties::Ties;
use super::{Resolver, blank, place_of};
use crate::facts::{ConditionKind, LimitUse, NameKind, Write};
use crate::flow::Block;
use crate::schema::SqlType;

impl<'a> Resolver<'a> {
    /// Resolves a query.
    pub(super) fn query(&mut self, query: &'a Query) -> Relation<'a> {
        self.deeper(Relation::default(), |resolver| resolver.whole_query(query))
    }

    /// Resolves a query inside another, and gives what it reaches out for.
    pub(super) fn nested(&mut self, query: &'a Query) -> (Relation<'a>, Attrs) {
        let outside = std::mem::take(&mut self.reached);
        let counting = self.frame().counting;
        let inside = self.frame().inside_aggregate;
        let relation = self.query(query);
        self.frame().counting = counting;
        self.frame().inside_aggregate = inside;
        let reached = std::mem::replace(&mut self.reached, outside);
        (relation, reached)
    }

    fn whole_query(&mut self, query: &'a Query) -> Relation<'a> {
        let Query {
            with,
            body,
            order_by,
            limit_clause,
            fetch,
            locks,
            for_clause,
            settings,
            format_clause,
            pipe_operators,
        } = query;
        for LockClause { lock_type, of: _, nonblock: _ } in locks {
            self.facts.writes.push(Write { what: format!("FOR {lock_type}"), place: None });
        }
        let plain = for_clause.is_none()
            && settings.is_none()
            && format_clause.is_none()
            && pipe_operators.is_empty();
        if !plain {
            self.unsupported("FOR XML, SETTINGS, FORMAT or pipes", None);
        }
        self.ctes.push(CteScope::new());
        if let Some(with) = with {
            self.with(with);
        }
        self.ordered_by.clear();
        let mut relation = self.body(body, order_by.as_ref());
        self.ctes.pop();
        self.limited(&mut relation, order_by.as_ref(), limit_clause.as_ref(), fetch.as_ref());
        self.record_query(query, relation.block);
        relation
    }

    fn limited(
        &mut self,
        relation: &mut Relation<'a>,
        order_by: Option<&'a OrderBy>,
        limit_clause: Option<&'a LimitClause>,
        fetch: Option<&'a Fetch>,
    ) {
        let order = std::mem::take(&mut self.ordered_by);
        let mut rows = None;
        match limit_clause {
            None => {}
            Some(LimitClause::LimitOffset { limit, offset, limit_by }) => {
                if !limit_by.is_empty() {
                    self.unsupported("LIMIT … BY", None);
                }
                if let Some(Offset { value, rows: _ }) = offset {
                    self.count_of(value);
                }
                rows = limit.as_ref().map(|limit| self.count_of(limit));
            }
            Some(LimitClause::OffsetCommaLimit { offset, limit }) => {
                self.count_of(offset);
                rows = Some(self.count_of(limit));
            }
        }
        if let Some(Fetch { with_ties: _, percent: _, quantity }) = fetch {
            rows = Some(quantity.as_ref().map_or(Some(1), |quantity| self.count_of(quantity)));
        }
        let Some(count) = rows else { return };
        let one_row =
            super::grain::Closure::of(&[], &relation.dependencies, self.attrs.len()).has_all(&relation.rows);
        let total = super::grain::Closure::trusting(
            &order,
            &relation.dependencies,
            self.attrs.len(),
            super::grain::Trust::Assumed,
        )
        .has_all(&relation.rows);
        self.facts.limits.push(LimitUse { ordered: order_by.is_some(), one_row, total });
        if count == Some(1) {
            relation.dependencies.push(Dependency::always(Attrs::new(), relation.rows.clone()));
        }
    }

    /// The number of rows that a limit names; placeholders and arithmetic on constants are let through.
    fn count_of(&mut self, expr: &'a Expr) -> Option<u64> {
        match expr {
            Expr::Value(value) => match &value.value {
                Literal::Number(digits, _) => digits.parse().ok(),
                Literal::Placeholder(_) | Literal::Null => None,
                _ => {
                    self.unsupported("this kind of limit", super::place_of_expr(expr));
                    None
                }
            },
            _ => {
                self.frames.push(Frame::new());
                self.expr(expr);
                if let Some(frame) = self.frames.pop() {
                    merge(&mut self.reached, &frame.outer);
                }
                None
            }
        }
    }

    fn with(&mut self, with: &'a With) {
        let With { with_token: _, recursive, cte_tables } = with;
        for cte in cte_tables {
            let Cte { alias, query, from, materialized: _, closing_paren_token: _ } = cte;
            if from.is_some() {
                self.unsupported("WITH … FROM", place_of(&alias.name));
            }
            let key = self.dialect.fold(&alias.name);
            let read_before = self.facts.tables.len();
            let relation = match (*recursive, query.body.as_ref()) {
                (true, SetExpr::SetOperation { left, op: SetOperator::Union, set_quantifier, right }) => {
                    self.recursive(query, alias, (left, set_quantifier, right))
                }
                _ => self.query(query),
            };
            self.shadowed(&alias.name, read_before);
            let relation = self.renamed_columns(relation, alias);
            match self.ctes.last_mut() {
                Some(scope) if scope.contains_key(&*key) => {
                    let hint = "give each named query its own name".to_owned();
                    self.problem(
                        NameKind::DuplicateSource,
                        alias.name.value.clone(),
                        hint,
                        place_of(&alias.name),
                    );
                }
                Some(scope) => {
                    scope.insert(key.into(), Rc::new(relation));
                }
                None => {}
            }
        }
    }

    /// Notes a named query that has the name of a table, and reads others since `read_before` but not this one.
    fn shadowed(&mut self, name: &Ident, read_before: usize) {
        let Some(index) = self.base_table(&[name]) else { return };
        let Some((_, table)) = self.schema.tables.get_index(index) else { return };
        let read = self.facts.tables.iter().skip(read_before);
        if read.clone().next().is_some() && read.clone().all(|used| used.table != table.name) {
            let kind = ConditionKind::Shadowed(table.name.clone());
            self.condition_fact(kind, place_of(name));
        }
    }

    /// A query that may name itself: its first branch gives the columns that the second one sees.
    fn recursive(
        &mut self,
        query: &'a Query,
        alias: &'a TableAlias,
        (left, quantifier, right): (&'a SetExpr, &'a SetQuantifier, &'a SetExpr),
    ) -> Relation<'a> {
        let plain = query.with.is_none()
            && query.order_by.is_none()
            && query.fetch.is_none()
            && query.locks.is_empty()
            && query.pipe_operators.is_empty()
            && query.for_clause.is_none()
            && query.settings.is_none()
            && query.format_clause.is_none();
        if !plain {
            return self.query(query);
        }
        self.deeper(Relation::default(), |resolver| {
            let anchor = resolver.body(left, None);
            let width = anchor.columns.len();
            let seen = resolver.united(&anchor, &anchor, SetQuantifier::Distinct);
            let seen = resolver.renamed_columns(seen, alias);
            let key = resolver.dialect.fold(&alias.name);
            resolver.ctes.push(CteScope::from([(key.into(), Rc::new(seen))]));
            let step = resolver.body(right, None);
            resolver.ctes.pop();
            if step.columns.len() != width {
                resolver.column_count(&alias.name);
            }
            let block = resolver.record_block(Block::Other("a query that names itself"));
            // Functions that give rows would show as rows of their own.
            let plain = anchor.rows.len() == 1 && step.rows.len() == 2;
            let key = resolver.tree_key(alias, left, right).filter(|_| plain);
            let mut whole = resolver.united(&anchor, &step, *quantifier);
            if let Some(column) = key.and_then(|place| whole.columns.get(place)) {
                let once = Dependency::always(smallvec![column.attr], whole.rows.clone());
                whole.dependencies.push(once);
            }
            Relation { block, ..whole }
        })
    }

    fn column_count(&mut self, ident: &Ident) {
        let hint = "select as many columns on each side".to_owned();
        self.problem(NameKind::ColumnCount, ident.value.clone(), hint, place_of(ident));
    }

    fn renamed_columns(&mut self, mut relation: Relation<'a>, alias: &'a TableAlias) -> Relation<'a> {
        let TableAlias { explicit: _, name, columns, at } = alias;
        if at.is_some() || columns.len() > relation.columns.len() {
            self.column_count(name);
        }
        for (column, renamed) in relation.columns.iter_mut().zip(columns) {
            column.key = Some(self.dialect.fold(&renamed.name).into());
            column.name = crate::spelling::plain(&renamed.name).into();
        }
        relation
    }

    pub(super) fn body(&mut self, body: &'a SetExpr, order_by: Option<&'a OrderBy>) -> Relation<'a> {
        let relation = match body {
            SetExpr::Select(select) => return self.select(select, order_by),
            SetExpr::Query(query) => self.query(query),
            SetExpr::SetOperation { left, op, set_quantifier, right } => self
                .deeper(Relation::default(), |resolver| {
                    resolver.set_operation(left, *op, *set_quantifier, right)
                }),
            SetExpr::Values(values) => self.values(values),
            SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_) => {
                self.facts.writes.push(Write { what: "a statement that writes".into(), place: None });
                Relation::default()
            }
            SetExpr::Table(_) => {
                self.unsupported("TABLE name", None);
                Relation::default()
            }
        };
        if let Some(order_by) = order_by {
            self.order_of_result(&relation, order_by);
        }
        relation
    }

    /// ORDER BY of a set operation sees the result's columns only.
    fn order_of_result(&mut self, relation: &Relation<'a>, order_by: &'a OrderBy) {
        let mut frame = Frame::new();
        frame.sources.push(Source {
            key: "".into(),
            label: "the result".into(),
            columns: relation.columns.clone(),
            attrs: Attrs::new(),
            rows: relation.rows.clone(),
            spines: Attrs::new(),
            constant: false,
            grouped: true,
            lateral: false,
            nearest: false,
            named: false,
            place: None,
            hidden: Vec::new(),
            table_use: None,
            unknown: false,
        });
        self.frames.push(frame);
        self.order(order_by, &relation.columns);
        self.record_result_order(relation, order_by);
        self.frames.pop();
    }

    /// Rows as they are written: constant, unless they read columns of the sources before them.
    fn values(&mut self, values: &'a Values) -> Relation<'a> {
        let Values { explicit_row: _, value_keyword: _, rows } = values;
        self.frames.push(Frame::new());
        let row = self.row("the values");
        let mut found: Vec<(SqlType, Attrs)> = Vec::new();
        for Parens { opening_token: _, content, closing_token: _ } in rows {
            for (position, expr) in content.iter().enumerate() {
                let value = self.expr(expr);
                match found.get_mut(position) {
                    Some((_, read)) => merge(read, &value.inputs),
                    None => found.push((value.ty, value.inputs)),
                }
            }
        }
        if let Some(frame) = self.frames.pop() {
            merge(&mut self.reached, &frame.outer);
        }
        let mut columns: Vec<OutColumn<'a>> = Vec::new();
        let mut read_by_any = Attrs::new();
        for (position, (ty, read)) in found.into_iter().enumerate() {
            let name = Name::from(format!("column{}", position.saturating_add(1)));
            let (lineage, picked) = (self.lineage_of(&read), read.is_empty());
            let attr =
                self.attr(AttrInfo { ty, lineage, units: smallvec![row], picked, ..blank(name.clone()) });
            columns.push(OutColumn { key: Some(name.clone()), name, attr });
            merge(&mut read_by_any, &read);
        }
        let attrs: Attrs = columns.iter().map(|column| column.attr).collect();
        let mut dependencies = vec![Dependency::always(smallvec![row], attrs.clone())];
        let (mut ties, of, constant) = (Ties::default(), self.units(&read_by_any), read_by_any.is_empty());
        match constant {
            true => dependencies
                .extend(attrs.into_iter().map(|attr| Dependency::always(smallvec![attr], smallvec![row]))),
            // Each of its rows is made for one row of the sources before it.
            false => {
                dependencies.push(Dependency::always(smallvec![row], of.clone()));
                ties.stand_for(row, &of);
            }
        }
        if rows.len() == 1 {
            dependencies.push(Dependency::always(of, smallvec![row]));
        }
        let block = self.record_block(Block::Other("VALUES"));
        Relation { columns, rows: smallvec![row], dependencies, ties, constant, grouped: false, block }
    }
}
