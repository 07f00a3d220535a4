//! Owns one SELECT: its clauses in the order a database works them out, and the grain of its result.
//!
//! Deliberately absent: FROM (`from`) and expressions (`expr`).

use sqlparser::ast::{
    Distinct, Expr, GroupByExpr, GroupByWithModifier, NamedWindowDefinition, NamedWindowExpr, OrderBy,
    OrderByExpr, OrderByKind, OrderByOptions, OrderBySort, Select, SelectFlavor, SelectItem,
    SelectItemQualifiedWildcardKind, SelectModifiers, Value as Literal,
};

use super::frame::{Clause, Found, Frame, Grouping};
use super::grain::{Attrs, Dependency, OutColumn, Relation, merge};
use super::name::Name;
use super::predicate::peel;
use super::value::Value;
use super::{Resolver, place_of, place_of_expr};
use crate::facts::{ConditionKind, Link, NameKind, Write};
use crate::spelling;

impl<'a> Resolver<'a> {
    pub(super) fn select(&mut self, select: &'a Select, order_by: Option<&'a OrderBy>) -> Relation<'a> {
        self.frames.push(Frame::new());
        let relation = self.clauses(select, order_by);
        if let Some(frame) = self.frames.pop() {
            if !frame.correlated.is_empty() {
                self.facts.links.push(Link { pairs: frame.correlated, ranges: frame.ranged, place: None });
            }
            merge(&mut self.reached, &frame.outer);
        }
        relation
    }

    fn clauses(&mut self, select: &'a Select, order_by: Option<&'a OrderBy>) -> Relation<'a> {
        let Select {
            select_token: _,
            optimizer_hints,
            distinct,
            select_modifiers,
            top,
            top_before_distinct: _,
            projection,
            exclude,
            into,
            from,
            lateral_views,
            prewhere,
            selection,
            connect_by,
            group_by,
            cluster_by,
            distribute_by,
            sort_by,
            having,
            named_window,
            qualify,
            window_before_qualify: _,
            value_table_mode,
            flavor,
        } = select;
        let plain = optimizer_hints.is_empty()
            && select_modifiers.as_ref().is_none_or(is_harmless)
            && top.is_none()
            && exclude.is_none()
            && lateral_views.is_empty()
            && prewhere.is_none()
            && connect_by.is_empty()
            && cluster_by.is_empty()
            && distribute_by.is_empty()
            && sort_by.is_empty()
            && value_table_mode.is_none();
        if !plain {
            self.unsupported("hints, TOP, PREWHERE, CONNECT BY or other clauses of this kind", None);
        }
        let into = into.iter().map(|_| Write { what: "SELECT INTO".into(), place: None });
        self.facts.writes.extend(into);
        self.from(from);
        self.frame().guards.extend(selection.iter().chain(having));
        self.remember_aliases(projection);
        if let Some(condition) = selection {
            self.frame().clause = Clause::Where;
            self.condition(condition);
            self.record_filter(condition);
        }
        self.join_block();
        self.group(group_by, projection);
        self.named_windows(named_window);
        let columns = self.selected(flavor, projection);
        self.frame().clause = Clause::Having;
        self.kept_groups(having.as_ref(), qualify.as_ref());
        let on = self.distinct_on(distinct.as_ref());
        self.frame().clause = Clause::Order;
        if let Some(order_by) = order_by {
            self.order(order_by, &columns);
        }
        self.other_times();
        self.held_by_group(select);
        let relation = self.grouped(columns);
        let block = self.record_select(distinct.as_ref());
        Relation { block, ..self.distinct_rows(relation, distinct.as_ref(), on) }
    }

    fn kept_groups(&mut self, having: Option<&'a Expr>, qualify: Option<&'a Expr>) {
        if let Some(condition) = having {
            let value = self.expr(condition);
            if !value.aggregated {
                self.condition_fact(ConditionKind::HavingRows, place_of_expr(condition));
            }
            self.record_having(condition);
        }
        if let Some(condition) = qualify {
            self.condition(condition);
            self.record_qualify(condition);
        }
    }

    /// The columns of SELECT.
    fn selected(&mut self, flavor: &SelectFlavor, projection: &'a [SelectItem]) -> Vec<OutColumn<'a>> {
        self.frame().clause = Clause::Select;
        match flavor {
            SelectFlavor::Standard | SelectFlavor::FromFirst => self.projection(projection),
            SelectFlavor::FromFirstNoSelect => {
                let columns = self.every_column(&[]);
                self.record_star(&columns);
                columns
            }
        }
    }

    fn distinct_rows(
        &mut self,
        mut relation: Relation<'a>,
        distinct: Option<&Distinct>,
        on: Attrs,
    ) -> Relation<'a> {
        match distinct {
            None | Some(Distinct::All) => relation,
            Some(Distinct::Distinct) => self.deduplicated(relation),
            Some(Distinct::On(_)) => {
                relation.dependencies.push(Dependency::always(on, relation.rows.clone()));
                relation
            }
        }
    }

    fn named_windows(&mut self, named_window: &'a [NamedWindowDefinition]) {
        for NamedWindowDefinition(name, definition) in named_window {
            match definition {
                NamedWindowExpr::NamedWindow(_) => {
                    self.unsupported("a window named after another", place_of(name))
                }
                NamedWindowExpr::WindowSpec(spec) => {
                    let window = self.window_spec(spec);
                    let key = self.dialect.fold(name);
                    self.frame().windows.push((key.into(), window));
                }
            }
        }
    }

    fn distinct_on(&mut self, distinct: Option<&'a Distinct>) -> Attrs {
        let Some(Distinct::On(exprs)) = distinct else { return Attrs::new() };
        let mut attrs = Attrs::new();
        for expr in exprs {
            let value = self.expr(expr);
            attrs.push(self.attribute(&value, "the distinct key", expr));
        }
        attrs
    }

    fn remember_aliases(&mut self, projection: &'a [SelectItem]) {
        for item in projection {
            if let SelectItem::ExprWithAlias { expr, alias } = item {
                let key = self.dialect.fold(alias);
                self.frame().aliases.push((key.into(), expr));
            }
        }
    }

    fn group(&mut self, group_by: &'a GroupByExpr, projection: &'a [SelectItem]) {
        self.frame().clause = Clause::Group;
        let (exprs, modifiers): (Vec<&Expr>, &Vec<GroupByWithModifier>) = match group_by {
            GroupByExpr::All(modifiers) => (self.plain_items(projection), modifiers),
            GroupByExpr::Expressions(exprs, modifiers) => (exprs.iter().collect(), modifiers),
        };
        if exprs.is_empty() && modifiers.is_empty() {
            return;
        }
        let mut subtotals = false;
        let mut keys: Vec<&Expr> = Vec::new();
        for expr in exprs {
            match expr {
                Expr::GroupingSets(sets) | Expr::Cube(sets) | Expr::Rollup(sets) => {
                    subtotals = true;
                    keys.extend(sets.iter().flatten());
                }
                Expr::Tuple(parts) => keys.extend(parts),
                other => keys.push(other),
            }
        }
        for modifier in modifiers {
            match modifier {
                GroupByWithModifier::Rollup | GroupByWithModifier::Cube => subtotals = true,
                GroupByWithModifier::Totals | GroupByWithModifier::GroupingSets(_) => {
                    self.unsupported("this modifier of GROUP BY", None);
                }
            }
        }
        let mut attrs = Attrs::new();
        for key in keys {
            let expr = self.referred_item(key, projection);
            let value = self.expr(expr);
            let attr = match value.pure {
                Some(attr) => attr,
                None => self.attribute(&value, Name::from(expr.to_string()), expr),
            };
            self.record_key(expr);
            if !matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_)) {
                self.frame().group_exprs.push((expr, attr));
            }
            merge(&mut attrs, &[attr]);
        }
        let row = self.row("the group");
        let frame = self.frame();
        frame.subtotals = subtotals;
        frame.grouping = Some(Grouping { row, keys: attrs });
    }

    /// The items of GROUP BY ALL: those without an aggregate.
    fn plain_items(&mut self, projection: &'a [SelectItem]) -> Vec<&'a Expr> {
        let mut plain = Vec::new();
        for item in projection {
            if let SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, alias: _ } = item {
                let value = self.quietly(|resolver| resolver.expr(expr));
                self.frame().grouping = None;
                if !value.aggregated {
                    plain.push(expr);
                }
            }
        }
        plain
    }

    /// The item that a number refers to; the expression itself otherwise.
    fn referred_item(&mut self, expr: &'a Expr, projection: &'a [SelectItem]) -> &'a Expr {
        if let Expr::Identifier(ident) = peel(expr)
            && let Found::Alias(_, aliased) = self.quietly(|resolver| resolver.name(ident))
        {
            return peel(aliased);
        }
        let Some(position) = ordinal(expr) else { return peel(expr) };
        match position.checked_sub(1).and_then(|position| projection.get(position)) {
            Some(SelectItem::UnnamedExpr(item) | SelectItem::ExprWithAlias { expr: item, alias: _ }) => {
                peel(item)
            }
            Some(_) => {
                self.unsupported("a number that refers to a star", place_of_expr(expr));
                expr
            }
            None => {
                let hint = "refer to a column of the SELECT by its number from 1".to_owned();
                self.problem(NameKind::UnknownColumn, position.to_string(), hint, place_of_expr(expr));
                expr
            }
        }
    }

    fn projection(&mut self, projection: &'a [SelectItem]) -> Vec<OutColumn<'a>> {
        let mut columns = Vec::new();
        for item in projection {
            match item {
                SelectItem::UnnamedExpr(expr) => {
                    let name = item_name(expr);
                    let key = match peel(expr) {
                        Expr::Identifier(ident) => Some(self.dialect.fold(ident).into()),
                        Expr::CompoundIdentifier(parts) => {
                            parts.last().map(|ident| self.dialect.fold(ident).into())
                        }
                        Expr::Function(_) | Expr::Cast { .. } => Some(name.to_lowercase().into()),
                        _ => None,
                    };
                    columns.push(self.item(expr, key, name));
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    let key = Some(self.dialect.fold(alias).into());
                    columns.push(self.item(expr, key, spelling::plain(alias).into()));
                }
                SelectItem::ExprWithAliases { expr, aliases: _ } => {
                    self.unsupported("several aliases of one value", place_of_expr(expr));
                }
                SelectItem::Wildcard(options) => {
                    let excluded = self.star_options(options);
                    let mut found = self.every_column(&excluded);
                    self.replaced(options, &mut found);
                    self.renamed(options, &mut found);
                    self.record_star(&found);
                    columns.extend(found);
                }
                SelectItem::QualifiedWildcard(kind, options) => {
                    let excluded = self.star_options(options);
                    match kind {
                        SelectItemQualifiedWildcardKind::ObjectName(name) => {
                            let mut found = self.columns_of(name, &excluded);
                            self.replaced(options, &mut found);
                            self.renamed(options, &mut found);
                            self.record_star(&found);
                            columns.extend(found);
                        }
                        SelectItemQualifiedWildcardKind::Expr(expr) => {
                            self.unsupported("a star of a value", place_of_expr(expr));
                        }
                    }
                }
            }
        }
        columns
    }

    fn item(&mut self, expr: &'a Expr, key: Option<Name<'a>>, name: Name<'a>) -> OutColumn<'a> {
        let value = self.expr(expr);
        let known = self.frame().dependencies.len();
        let attr = self.attribute(&value, name.clone(), expr);
        let frame = self.frame();
        frame.results.extend(frame.dependencies.drain(known..));
        self.record_output(&name, expr);
        OutColumn { key, name, attr }
    }

    pub(super) fn order(&mut self, order_by: &'a OrderBy, columns: &[OutColumn<'a>]) {
        let OrderBy { kind, interpolate } = order_by;
        if interpolate.is_some() {
            self.unsupported("INTERPOLATE", None);
        }
        match kind {
            OrderByKind::All(_) => {
                let all = columns.iter().map(|column| column.attr).collect::<Vec<_>>();
                self.ordered_by.extend(all);
            }
            OrderByKind::Expressions(items) => {
                for item in items {
                    self.record_order(item);
                    match ordinal(&item.expr) {
                        Some(position) if position == 0 || position > columns.len() => {
                            let hint = "refer to a column of the SELECT by its number from 1".to_owned();
                            let place = place_of_expr(&item.expr);
                            self.problem(NameKind::UnknownColumn, position.to_string(), hint, place);
                        }
                        Some(position) => {
                            let column = position.checked_sub(1).and_then(|position| columns.get(position));
                            self.ordered_by.extend(column.map(|column| column.attr));
                        }
                        None => {
                            let value = self.ordered(item);
                            self.ordered_by.extend(value.pure);
                        }
                    }
                }
            }
        }
    }

    /// Resolves one item of an ORDER BY.
    pub(super) fn ordered(&mut self, item: &'a OrderByExpr) -> Value {
        let OrderByExpr { expr, options: OrderByOptions { sort, nulls_first: _ }, with_fill } = item;
        match sort {
            None | Some(OrderBySort::Asc | OrderBySort::Desc) => {}
            Some(OrderBySort::Using(_)) => self.unsupported("ORDER BY … USING", place_of_expr(expr)),
        }
        if with_fill.is_some() {
            self.unsupported("WITH FILL", place_of_expr(expr));
        }
        self.expr(expr)
    }
}

/// Whether modifiers of a SELECT change only how it is worked out.
fn is_harmless(modifiers: &SelectModifiers) -> bool {
    let SelectModifiers {
        high_priority: _,
        straight_join: _,
        sql_small_result: _,
        sql_big_result: _,
        sql_buffer_result,
        sql_no_cache: _,
        sql_calc_found_rows,
    } = modifiers;
    !sql_buffer_result && !sql_calc_found_rows
}

pub(super) fn ordinal(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Value(value) => match &value.value {
            Literal::Number(digits, _) => digits.parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// What the column of an item without an alias is called.
fn item_name(expr: &Expr) -> Name<'_> {
    match peel(expr) {
        Expr::Identifier(ident) => spelling::plain(ident).into(),
        Expr::CompoundIdentifier(parts) => {
            parts.last().map_or(Name::Known(""), |ident| spelling::plain(ident).into())
        }
        Expr::Function(function) => function.name.to_string().into(),
        Expr::Cast { expr, .. } => item_name(expr),
        other => other.to_string().into(),
    }
}
