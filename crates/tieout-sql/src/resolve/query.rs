//! Owns whole queries: WITH, set operations, VALUES, and the limits around them.
//!
//! Deliberately absent: single SELECTs (`select`).

use sqlparser::ast::{
    Cte, Expr, Fetch, Ident, LimitClause, LockClause, Offset, OrderBy, Parens, Query, SetExpr, SetOperator,
    SetQuantifier, TableAlias, Value as Literal, Values, With,
};

use super::expr::worse;
use super::frame::{CteScope, Frame, Source};
use super::grain::{Attr, AttrInfo, Dependency, OutColumn, Relation, merge};
use super::ties::Ties;
use super::{Resolver, blank, place_of};
use crate::facts::{ConditionKind, LimitUse, NameKind, Write};
use crate::flow::Block;
use crate::schema::SqlType;

impl<'a> Resolver<'a> {
    /// Resolves a query.
    pub(super) fn query(&mut self, query: &'a Query) -> Relation {
        self.deeper(Relation::default(), |resolver| resolver.whole_query(query))
    }

    /// Resolves a query inside another, and gives what it reaches out for.
    pub(super) fn nested(&mut self, query: &'a Query) -> (Relation, Vec<Attr>) {
        let outside = std::mem::take(&mut self.reached);
        let counting = self.frame().counting;
        let inside = self.frame().inside_aggregate;
        let relation = self.query(query);
        self.frame().counting = counting;
        self.frame().inside_aggregate = inside;
        let reached = std::mem::replace(&mut self.reached, outside);
        (relation, reached)
    }

    fn whole_query(&mut self, query: &'a Query) -> Relation {
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
        relation: &mut Relation,
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
            relation.dependencies.push(Dependency::always(Vec::new(), relation.rows.clone()));
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
                Some(scope) if scope.contains_key(&key) => {
                    let hint = "give each named query its own name".to_owned();
                    self.problem(
                        NameKind::DuplicateSource,
                        alias.name.value.clone(),
                        hint,
                        place_of(&alias.name),
                    );
                }
                Some(scope) => {
                    scope.insert(key, relation);
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
    ) -> Relation {
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
            resolver.ctes.push(CteScope::from([(key, seen)]));
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
                let once = Dependency::always(vec![column.attr], whole.rows.clone());
                whole.dependencies.push(once);
            }
            Relation { block, ..whole }
        })
    }

    fn column_count(&mut self, ident: &Ident) {
        let hint = "select as many columns on each side".to_owned();
        self.problem(NameKind::ColumnCount, ident.value.clone(), hint, place_of(ident));
    }

    fn renamed_columns(&mut self, mut relation: Relation, alias: &'a TableAlias) -> Relation {
        let TableAlias { explicit: _, name, columns, at } = alias;
        if at.is_some() || columns.len() > relation.columns.len() {
            self.column_count(name);
        }
        for (column, renamed) in relation.columns.iter_mut().zip(columns) {
            column.key = Some(self.dialect.fold(&renamed.name));
            column.name = crate::spelling::plain(&renamed.name);
        }
        relation
    }

    fn body(&mut self, body: &'a SetExpr, order_by: Option<&'a OrderBy>) -> Relation {
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
    fn order_of_result(&mut self, relation: &Relation, order_by: &'a OrderBy) {
        let mut frame = Frame::new();
        frame.sources.push(Source {
            key: String::new(),
            label: "the result".into(),
            columns: relation.columns.clone(),
            attrs: Vec::new(),
            rows: relation.rows.clone(),
            spines: Vec::new(),
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

    /// A chain of set operations leans left; it is walked without recursion.
    fn set_operation(
        &mut self,
        left: &'a SetExpr,
        op: SetOperator,
        quantifier: SetQuantifier,
        right: &'a SetExpr,
    ) -> Relation {
        let mut steps = vec![(op, quantifier, right)];
        let mut first = left;
        while let SetExpr::SetOperation { left: inner, op, set_quantifier, right } = first {
            steps.push((*op, *set_quantifier, right));
            first = inner;
        }
        let mut relation = self.body(first, None);
        for (op, quantifier, right) in steps.into_iter().rev() {
            let mut next = self.body(right, None);
            match quantifier {
                SetQuantifier::All | SetQuantifier::Distinct | SetQuantifier::None => {}
                SetQuantifier::ByName | SetQuantifier::AllByName | SetQuantifier::DistinctByName => {
                    (relation, next) = self.by_name(relation, next);
                }
            }
            if next.columns.len() != relation.columns.len() {
                let hint = "select as many columns on each side".to_owned();
                self.problem(NameKind::ColumnCount, "the set operation".into(), hint, None);
            }
            if (op, quantifier) != (SetOperator::Union, SetQuantifier::All) {
                self.shown(&relation.columns);
                self.shown(&next.columns);
            }
            relation = match op {
                SetOperator::Union => self.united(&relation, &next, quantifier),
                SetOperator::Except | SetOperator::Minus | SetOperator::Intersect => {
                    let block = self.record_block(Block::Other("EXCEPT or INTERSECT"));
                    Relation { block, ..self.deduplicated(relation) }
                }
            };
        }
        relation
    }

    /// Both sides of a set operation by name, with the same columns in the same order: those of the left, then those that
    /// only the right has. A side that has not a column has NULL in it.
    fn by_name(&mut self, mut left: Relation, mut right: Relation) -> (Relation, Relation) {
        let named_once = |relation: &Relation| {
            relation.columns.iter().all(|column| {
                column.key.is_some()
                    && relation.columns.iter().filter(|other| other.key == column.key).count() == 1
            })
        };
        if !named_once(&left) || !named_once(&right) {
            self.unsupported("set operations by name with columns of no name, or of the same", None);
            return (left, right);
        }
        let has = |columns: &[OutColumn], key: &Option<String>| {
            columns.iter().find(|column| column.key == *key).cloned()
        };
        let mut all = left.columns.clone();
        let more = right.columns.iter().filter(|column| has(&left.columns, &column.key).is_none());
        all.extend(more.cloned());
        for side in [&mut left, &mut right] {
            let columns = all.iter().map(|column| match has(&side.columns, &column.key) {
                Some(own) => own,
                None => {
                    let attr = self.attr(blank(&column.name));
                    side.dependencies.push(Dependency::always(Vec::new(), vec![attr]));
                    OutColumn { attr, ..column.clone() }
                }
            });
            side.columns = columns.collect();
        }
        right.block = self.record_block(Block::Other("a set operation by name"));
        (left, right)
    }

    /// Rows of both.
    fn united(&mut self, left: &Relation, right: &Relation, quantifier: SetQuantifier) -> Relation {
        let row = self.row("the union");
        let mut columns = Vec::with_capacity(left.columns.len());
        for (a, b) in left.columns.iter().zip(&right.columns) {
            let attr = self.united_column(left, right, a, b, row);
            columns.push(OutColumn { attr, ..a.clone() });
        }
        let attrs: Vec<Attr> = columns.iter().map(|column| column.attr).collect();
        let mut dependencies = vec![Dependency::always(vec![row], attrs.clone())];
        let constant = left.constant && right.constant;
        match quantifier {
            SetQuantifier::All | SetQuantifier::AllByName | SetQuantifier::ByName => {}
            SetQuantifier::Distinct | SetQuantifier::DistinctByName | SetQuantifier::None => {
                dependencies.push(Dependency::always(attrs.clone(), vec![row]));
            }
        }
        if constant {
            dependencies.extend(attrs.into_iter().map(|attr| Dependency::always(vec![attr], vec![row])));
        }
        let block = self.record_union(left, right, quantifier);
        let mut ties = Ties::common(vec![left.ties.clone(), right.ties.clone()]);
        ties.spines.clear();
        let ends = |relation: &Relation| relation.ties.reach(&relation.rows);
        let (one, other) = (ends(left), ends(right));
        let mut with: Vec<Attr> = one.into_iter().filter(|end| other.contains(end)).collect();
        with.push(row);
        ties.tie(&with);
        Relation { columns, rows: vec![row], dependencies, ties, constant, grouped: false, block }
    }

    fn united_column(
        &mut self,
        left: &Relation,
        right: &Relation,
        a: &OutColumn,
        b: &OutColumn,
        row: Attr,
    ) -> Attr {
        let additivity = worse(&self.branch_additivity(left, a.attr), &self.branch_additivity(right, b.attr));
        let (Some(x), Some(y)) = (self.info(a.attr).cloned(), self.info(b.attr).cloned()) else {
            return a.attr;
        };
        let mut base = match (x.base.as_slice(), y.base.as_slice()) {
            ([one, ..], []) | ([], [one, ..]) if x.lineage.is_empty() || y.lineage.is_empty() => vec![*one],
            ([one, ..], [other, ..]) if (one.table, one.column) == (other.table, other.column) => vec![*one],
            ([one, ..], [_, ..]) => vec![*one],
            (_, _) => Vec::new(),
        };
        base.iter_mut().for_each(|base| base.row = row);
        let mut lineage = x.lineage;
        for column in y.lineage {
            if !lineage.contains(&column) {
                lineage.push(column);
            }
        }
        let mut aggregates = x.aggregates;
        for aggregate in y.aggregates {
            if !aggregates.contains(&aggregate) {
                aggregates.push(aggregate);
            }
        }
        let ty = match x.ty {
            crate::schema::SqlType::Unknown => y.ty,
            known => known,
        };
        self.attr(AttrInfo {
            ty,
            nullable: x.nullable || y.nullable,
            base,
            lineage,
            aggregates,
            units: vec![row],
            additivity,
            shape: x.shape.filter(|shape| y.shape.as_ref() == Some(shape)),
            picked: x.picked && y.picked,
            ..blank(&a.name)
        })
    }

    /// Rows as they are written: constant, unless they read columns of the sources before them.
    fn values(&mut self, values: &'a Values) -> Relation {
        let Values { explicit_row: _, value_keyword: _, rows } = values;
        self.frames.push(Frame::new());
        let row = self.row("the values");
        let mut found: Vec<(SqlType, Vec<Attr>)> = Vec::new();
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
        let mut columns: Vec<OutColumn> = Vec::new();
        let mut read_by_any = Vec::new();
        for (position, (ty, read)) in found.into_iter().enumerate() {
            let name = format!("column{}", position.saturating_add(1));
            let (lineage, picked) = (self.lineage_of(&read), read.is_empty());
            let attr = self.attr(AttrInfo { ty, lineage, units: vec![row], picked, ..blank(&name) });
            columns.push(OutColumn { key: Some(name.clone()), name, attr });
            merge(&mut read_by_any, &read);
        }
        let attrs: Vec<Attr> = columns.iter().map(|column| column.attr).collect();
        let mut dependencies = vec![Dependency::always(vec![row], attrs.clone())];
        let (mut ties, of, constant) = (Ties::default(), self.units(&read_by_any), read_by_any.is_empty());
        match constant {
            true => {
                dependencies.extend(attrs.into_iter().map(|attr| Dependency::always(vec![attr], vec![row])))
            }
            // Each of its rows is made for one row of the sources before it.
            false => {
                dependencies.push(Dependency::always(vec![row], of.clone()));
                ties.stand_for(row, &of);
            }
        }
        if rows.len() == 1 {
            dependencies.push(Dependency::always(of, vec![row]));
        }
        let block = self.record_block(Block::Other("VALUES"));
        Relation { columns, rows: vec![row], dependencies, ties, constant, grouped: false, block }
    }
}
