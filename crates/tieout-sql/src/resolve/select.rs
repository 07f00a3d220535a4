//! Owns one SELECT: its clauses in the order a database works them out, and the grain of its result.
//!
//! Deliberately absent: FROM (`from`) and expressions (`expr`).

use sqlparser::ast::{
    Distinct, ExcludeSelectItem, Expr, GroupByExpr, GroupByWithModifier, NamedWindowDefinition,
    NamedWindowExpr, ObjectName, ObjectNamePart, OrderBy, OrderByExpr, OrderByKind, OrderByOptions,
    OrderBySort, Select, SelectFlavor, SelectItem, SelectItemQualifiedWildcardKind, Value as Literal,
    WildcardAdditionalOptions,
};

use super::expr::Value;
use super::frame::{Clause, Found, Frame, Grouping};
use super::grain::{Attr, Closure, Dependency, OutColumn, Relation, Trust, merge};
use super::predicate::peel;
use super::{Resolver, place_of, place_of_expr};
use crate::facts::{Additivity, ConditionKind, Link, NameKind, Write};
use crate::rejection::Place;
use crate::schema::SqlType;
use crate::spelling;

impl<'a> Resolver<'a> {
    pub(super) fn select(&mut self, select: &'a Select, order_by: Option<&'a OrderBy>) -> Relation {
        self.frames.push(Frame::new());
        let relation = self.clauses(select, order_by);
        if let Some(frame) = self.frames.pop() {
            if !frame.correlated.is_empty() {
                self.facts.links.push(Link { pairs: frame.correlated, place: None });
            }
            merge(&mut self.reached, &frame.outer);
        }
        relation
    }

    fn clauses(&mut self, select: &'a Select, order_by: Option<&'a OrderBy>) -> Relation {
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
            && select_modifiers.is_none()
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
        self.remember_aliases(projection);
        if let Some(condition) = selection {
            self.frame().clause = Clause::Where;
            self.condition(condition);
        }
        self.join_block();
        self.group(group_by, projection);
        self.named_windows(named_window);
        self.frame().clause = Clause::Select;
        let columns = match flavor {
            SelectFlavor::Standard | SelectFlavor::FromFirst => self.projection(projection),
            SelectFlavor::FromFirstNoSelect => self.every_column(&[]),
        };
        self.frame().clause = Clause::Having;
        if let Some(condition) = having {
            self.expr(condition);
        }
        if let Some(condition) = qualify {
            self.condition(condition);
        }
        let on = self.distinct_on(distinct.as_ref());
        self.frame().clause = Clause::Order;
        if let Some(order_by) = order_by {
            self.order(order_by, columns.len());
        }
        self.held_by_group();
        let relation = self.grouped(columns);
        self.distinct_rows(relation, distinct.as_ref(), on)
    }

    fn distinct_rows(
        &mut self,
        mut relation: Relation,
        distinct: Option<&Distinct>,
        on: Vec<Attr>,
    ) -> Relation {
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
                    let partition = self.window_spec(spec);
                    let key = self.dialect.fold(name);
                    self.frame().windows.push((key, partition));
                }
            }
        }
    }

    fn distinct_on(&mut self, distinct: Option<&'a Distinct>) -> Vec<Attr> {
        let Some(Distinct::On(exprs)) = distinct else { return Vec::new() };
        let mut attrs = Vec::new();
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
                self.frame().aliases.push((key, expr));
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
        let mut attrs = Vec::new();
        for key in keys {
            let expr = self.referred_item(key, projection);
            let value = self.expr(expr);
            let label = expr.to_string();
            let attr = self.attribute(&value, &label, expr);
            if value.pure.is_none() {
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

    fn projection(&mut self, projection: &'a [SelectItem]) -> Vec<OutColumn> {
        let mut columns = Vec::new();
        for item in projection {
            match item {
                SelectItem::UnnamedExpr(expr) => {
                    let name = item_name(expr);
                    let key = match peel(expr) {
                        Expr::Identifier(ident) => Some(self.dialect.fold(ident)),
                        Expr::CompoundIdentifier(parts) => parts.last().map(|ident| self.dialect.fold(ident)),
                        Expr::Function(_) | Expr::Cast { .. } => Some(name.to_lowercase()),
                        _ => None,
                    };
                    columns.push(self.item(expr, key, name));
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    let key = Some(self.dialect.fold(alias));
                    columns.push(self.item(expr, key, spelling::plain(alias)));
                }
                SelectItem::ExprWithAliases { expr, aliases: _ } => {
                    self.unsupported("several aliases of one value", place_of_expr(expr));
                }
                SelectItem::Wildcard(options) => {
                    let excluded = self.star_options(options);
                    columns.extend(self.every_column(&excluded));
                }
                SelectItem::QualifiedWildcard(kind, options) => {
                    let excluded = self.star_options(options);
                    match kind {
                        SelectItemQualifiedWildcardKind::ObjectName(name) => {
                            columns.extend(self.columns_of(name, &excluded));
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

    fn item(&mut self, expr: &'a Expr, key: Option<String>, name: String) -> OutColumn {
        let value = self.expr(expr);
        let attr = self.attribute(&value, &name, expr);
        OutColumn { key, name, attr }
    }

    /// The names that a star leaves out.
    fn star_options(&mut self, options: &'a WildcardAdditionalOptions) -> Vec<String> {
        let WildcardAdditionalOptions {
            wildcard_token: _,
            opt_ilike,
            opt_exclude,
            opt_except,
            opt_replace,
            opt_rename,
            opt_alias,
        } = options;
        let plain = opt_ilike.is_none()
            && opt_except.is_none()
            && opt_replace.is_none()
            && opt_rename.is_none()
            && opt_alias.is_none();
        if !plain {
            self.unsupported("REPLACE, RENAME or ILIKE of a star", None);
        }
        let names: Vec<&ObjectName> = match opt_exclude {
            None => Vec::new(),
            Some(ExcludeSelectItem::Single(name)) => vec![name],
            Some(ExcludeSelectItem::Multiple(names)) => names.iter().collect(),
        };
        let mut keys = Vec::new();
        for name in names {
            match name.0.as_slice() {
                [ObjectNamePart::Identifier(ident)] => keys.push(self.dialect.fold(ident)),
                _ => self.unsupported("a qualified name in EXCLUDE", None),
            }
        }
        keys
    }

    fn every_column(&mut self, excluded: &[String]) -> Vec<OutColumn> {
        let frame = self.frame();
        let mut columns: Vec<OutColumn> = frame.merged.iter().map(|merged| merged.shown.clone()).collect();
        let merged: Vec<Attr> = frame.merged.iter().flat_map(|merged| merged.parts.clone()).collect();
        let sources = frame.sources.iter().flat_map(|source| &source.columns);
        columns.extend(sources.filter(|column| !merged.contains(&column.attr)).cloned());
        columns.retain(|column| !column.key.as_ref().is_some_and(|key| excluded.contains(key)));
        columns
    }

    fn columns_of(&mut self, name: &'a ObjectName, excluded: &[String]) -> Vec<OutColumn> {
        let [ObjectNamePart::Identifier(ident)] = name.0.as_slice() else {
            self.unsupported("a qualified name before a star", None);
            return Vec::new();
        };
        let key = self.dialect.fold(ident);
        let source = self.frame().sources.iter().find(|source| source.key == key);
        let Some(mut columns) = source.map(|source| source.columns.clone()) else {
            let hint = "qualify the star with a source of this FROM".to_owned();
            self.problem(NameKind::UnknownTable, ident.value.clone(), hint, place_of(ident));
            return Vec::new();
        };
        columns.retain(|column| !column.key.as_ref().is_some_and(|key| excluded.contains(key)));
        columns
    }

    /// Records that whatever these columns plainly show is read. Stars inside other queries read nothing yet.
    pub(super) fn shown(&mut self, columns: &[OutColumn]) {
        for column in columns {
            let Some(info) = self.info(column.attr) else { continue };
            if info.aggregates.is_empty() {
                for (table, column) in info.lineage.clone() {
                    self.used(table, column, None);
                }
            }
        }
    }

    pub(super) fn order(&mut self, order_by: &'a OrderBy, columns: usize) {
        let OrderBy { kind, interpolate } = order_by;
        if interpolate.is_some() {
            self.unsupported("INTERPOLATE", None);
        }
        match kind {
            OrderByKind::All(_) => {}
            OrderByKind::Expressions(items) => {
                for item in items {
                    match ordinal(&item.expr) {
                        Some(position) if position == 0 || position > columns => {
                            let hint = "refer to a column of the SELECT by its number from 1".to_owned();
                            let place = place_of_expr(&item.expr);
                            self.problem(NameKind::UnknownColumn, position.to_string(), hint, place);
                        }
                        Some(_) => {}
                        None => {
                            self.ordered(item);
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

    /// Holds the columns that stand beside aggregates against the grouping.
    fn held_by_group(&mut self) {
        let size = self.attrs.len();
        let frame = self.frame();
        let Some(grouping) = frame.grouping.clone() else { return };
        let mut start = grouping.keys;
        start.push(grouping.row);
        let closure = frame.closure(&start, size);
        let assumed = frame.closure_trusting(&start, size, Trust::Assumed);
        let loose: Vec<(Attr, Option<Place>)> = frame
            .beside
            .iter()
            .filter(|(attr, _)| !closure.has(*attr) && !assumed.has(*attr))
            .copied()
            .collect();
        for (attr, place) in loose {
            let label = self.label(attr);
            self.condition_fact(ConditionKind::Ungrouped(label), place);
        }
    }

    /// The relation that a SELECT gives, before DISTINCT.
    fn grouped(&mut self, columns: Vec<OutColumn>) -> Relation {
        let size = self.attrs.len();
        let frame = self.frame();
        let constant = frame.sources.iter().all(|source| source.constant);
        let Some(Grouping { row, keys }) = frame.grouping.clone() else {
            let grouped = frame.sources.len() == 1 && frame.sources.iter().all(|source| source.grouped);
            return Relation {
                columns,
                rows: frame.rows(),
                dependencies: frame.dependencies.clone(),
                constant,
                grouped,
            };
        };
        let mut kept = keys.clone();
        kept.push(row);
        merge(&mut kept, &frame.expanded);
        let closure = Closure::of(&kept, &frame.dependencies, size);
        let mut dependencies = surviving(&frame.dependencies, &closure, &frame.outer);
        dependencies.push(Dependency::always(keys.clone(), vec![row]));
        let mut all = keys;
        columns.iter().for_each(|column| merge(&mut all, &[column.attr]));
        let mut rows = vec![row];
        merge(&mut rows, &frame.expanded);
        dependencies.push(Dependency::always(rows.clone(), all));
        Relation { columns, rows, dependencies, constant, grouped: true }
    }

    /// A relation with each row once.
    pub(super) fn deduplicated(&mut self, relation: Relation) -> Relation {
        let row = self.row("the distinct rows");
        let Relation { columns, rows: _, dependencies, constant, grouped: _ } = relation;
        let attrs: Vec<Attr> = columns.iter().map(|column| column.attr).collect();
        let closure = Closure::of(&attrs, &dependencies, self.attrs.len());
        let mut dependencies = surviving(&dependencies, &closure, &[]);
        dependencies.push(Dependency::always(attrs.clone(), vec![row]));
        dependencies.push(Dependency::always(vec![row], attrs));
        Relation { columns, rows: vec![row], dependencies, constant, grouped: true }
    }

    /// How far values of a branch of a set operation may be added up, seen from outside.
    pub(super) fn branch_additivity(&self, relation: &Relation, attr: Attr) -> Additivity {
        let Some(info) = self.info(attr) else { return Additivity::Additive };
        let mut start = info.units.clone();
        if start.is_empty() || info.ty == SqlType::Text {
            return info.additivity.clone();
        }
        start.push(attr);
        let closure = Closure::of(&start, &relation.dependencies, self.attrs.len());
        match relation.rows.iter().find(|row| !closure.has(**row)) {
            Some(row) => Additivity::Repeated(self.label(*row)),
            None => info.additivity.clone(),
        }
    }
}

/// The dependencies among attributes that have one value in every group.
fn surviving(dependencies: &[Dependency], closure: &Closure, outer: &[Attr]) -> Vec<Dependency> {
    let stays = |attr: &Attr| closure.has(*attr) || outer.contains(attr);
    dependencies
        .iter()
        .filter(|dependency| dependency.from.iter().chain(&dependency.when).all(stays))
        .filter_map(|dependency| {
            let to: Vec<Attr> = dependency.to.iter().copied().filter(|attr| closure.has(*attr)).collect();
            let present: Vec<Attr> =
                dependency.present.iter().copied().filter(|row| closure.has(*row)).collect();
            let says = !to.is_empty() || !present.is_empty();
            says.then(|| Dependency { to, present, ..dependency.clone() })
        })
        .collect()
}

fn ordinal(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Value(value) => match &value.value {
            Literal::Number(digits, _) => digits.parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

fn item_name(expr: &Expr) -> String {
    match peel(expr) {
        Expr::Identifier(ident) => spelling::plain(ident),
        Expr::CompoundIdentifier(parts) => parts.last().map(spelling::plain).unwrap_or_default(),
        Expr::Function(function) => function.name.to_string(),
        Expr::Cast { expr, .. } => item_name(expr),
        other => other.to_string(),
    }
}
