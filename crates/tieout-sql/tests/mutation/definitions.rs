//! What a statement works out, as definitions: read from its syntax alone, for statements over one table and the rows it
//! belongs to. A statement of another shape has none. The checker has no part in this.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use tieout_sql::against::{
    Expected, ExpectedAggregate, ExpectedCondition, ExpectedFigure, ExpectedGrouping, ExpectedOrder,
    ExpectedOrderBy, FieldTest, Hop, Presence, Role, Test,
};
use tieout_sql::sqlparser::ast::{
    BinaryOperator, DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments,
    GroupByExpr, Ident, JoinConstraint, JoinOperator, LimitClause, OrderByKind, OrderBySort, Query, Select,
    SelectItem, SetExpr, TableFactor, Value as Literal, visit_expressions, visit_expressions_mut,
};
use tieout_sql::{Dialect, Fragment, Schema, Table, Value};

struct Source<'a> {
    alias: String,
    table: &'a Table,
    optional: bool,
}

struct Reading<'a> {
    schema: &'a Schema,
    dialect: &'a Dialect,
    sources: Vec<Source<'a>>,
    /// The steps from the table that is counted to each source.
    paths: BTreeMap<usize, Vec<Hop>>,
    root: usize,
}

/// The definitions of a statement.
pub fn of(query: &Query, binds: &[Value], schema: &Schema, dialect: &Dialect) -> Option<Expected> {
    let query = &with_literals(query, binds);
    let SetExpr::Select(select) = query.body.as_ref() else { return None };
    let plain = query.with.is_none()
        && query.fetch.is_none()
        && select.having.is_none()
        && select.qualify.is_none()
        && select.distinct.is_none()
        && select.named_window.is_empty();
    if !plain {
        return None;
    }
    let (reading, conjuncts) = sources(select, schema, dialect)?;
    let mut conditions = Vec::new();
    for (source, path) in &reading.paths {
        let Source { table, optional: false, .. } = &reading.sources[*source] else { continue };
        if *source != reading.root {
            let column = table.keys().next()?[0].clone();
            let test = Test::Field { path: path.clone(), column, is: FieldTest::Present };
            conditions.push(condition(Role::Population, "its row is there", test));
        }
    }
    for part in conjuncts {
        conditions.push(condition(Role::Filter, &part.to_string(), reading.test(part)?));
    }
    let (figures, groupings, shown) = reading.shown(select)?;
    let (order, limit) = cut(query, &shown)?;
    if limit.is_some() && figures.is_empty() {
        return None;
    }
    let base = reading.sources[reading.root].table.name.clone();
    Some(Expected { base, figures, conditions, period: None, groupings, order, limit })
}

fn condition(role: Role, words: &str, test: Test) -> ExpectedCondition {
    ExpectedCondition { role, words: words.to_owned(), test }
}

/// The statement with its bound values written into it.
pub fn with_literals(query: &Query, binds: &[Value]) -> Query {
    let mut copy = query.clone();
    let _: ControlFlow<()> = visit_expressions_mut(&mut copy, |expr| {
        if let Expr::Value(value) = expr
            && let Literal::Placeholder(name) = &value.value
            && let Some(bound) = name[1..].parse::<usize>().ok().and_then(|n| binds.get(n - 1))
        {
            value.value = match bound {
                Value::Null => Literal::Null,
                Value::Boolean(value) => Literal::Boolean(*value),
                Value::Integer(value) => Literal::Number(value.to_string(), false),
                Value::Decimal(value) => Literal::Number(value.to_string(), false),
                other => Literal::SingleQuotedString(other.to_string()),
            };
        }
        ControlFlow::Continue(())
    });
    copy
}

fn peel(expr: &Expr) -> &Expr {
    match expr {
        Expr::Nested(inner) => peel(inner),
        other => other,
    }
}

fn split<'a>(expr: &'a Expr, operator: &BinaryOperator, into: &mut Vec<&'a Expr>) {
    match peel(expr) {
        Expr::BinaryOp { left, op, right } if op == operator => {
            split(left, operator, into);
            split(right, operator, into);
        }
        other => into.push(other),
    }
}

/// The sources, the steps to each, and the conditions that are no joins.
fn sources<'a, 'q>(
    select: &'q Select,
    schema: &'a Schema,
    dialect: &'a Dialect,
) -> Option<(Reading<'a>, Vec<&'q Expr>)> {
    let mut found: Vec<Source> = Vec::new();
    let mut conjuncts = Vec::new();
    let mut optional_pairs = Vec::new();
    for from in &select.from {
        found.push(source(&from.relation, schema, false)?);
        for join in &from.joins {
            let (constraint, optional) = match &join.join_operator {
                JoinOperator::Join(c) | JoinOperator::Inner(c) => (c, false),
                JoinOperator::Left(c) | JoinOperator::LeftOuter(c) => (c, true),
                _ => return None,
            };
            let JoinConstraint::On(on) = constraint else { return None };
            found.push(source(&join.relation, schema, optional)?);
            split(on, &BinaryOperator::And, if optional { &mut optional_pairs } else { &mut conjuncts });
        }
    }
    if let Some(selection) = &select.selection {
        split(selection, &BinaryOperator::And, &mut conjuncts);
    }
    let mut reading = Reading { schema, dialect, sources: found, paths: BTreeMap::new(), root: 0 };
    let mut pairs: BTreeMap<(usize, usize), Vec<(String, String)>> = BTreeMap::new();
    let mut rest = Vec::new();
    for (part, must_join) in
        optional_pairs.into_iter().map(|part| (part, true)).chain(conjuncts.into_iter().map(|c| (c, false)))
    {
        match reading.pair(part) {
            Some(((a, x), (b, y))) => pairs.entry((a, b)).or_default().push((x, y)),
            None if must_join => return None,
            None => rest.push(part),
        }
    }
    reading.follow(&pairs)?;
    Some((reading, rest))
}

fn source<'a>(factor: &TableFactor, schema: &'a Schema, optional: bool) -> Option<Source<'a>> {
    let TableFactor::Table { name, alias, args: None, .. } = factor else { return None };
    let last = name.0.last()?.as_ident()?.value.clone();
    let table = schema.tables.values().find(|table| table.name.eq_ignore_ascii_case(&last))?;
    let alias = alias.as_ref().map_or(last, |alias| alias.name.value.clone()).to_lowercase();
    Some(Source { alias, table, optional })
}

impl Reading<'_> {
    /// The source and column that a name is.
    fn column(&self, expr: &Expr) -> Option<(usize, String)> {
        let (position, name) = match peel(expr) {
            Expr::CompoundIdentifier(parts) => {
                let [alias, name] = parts.as_slice() else { return None };
                let alias = alias.value.to_lowercase();
                (self.sources.iter().position(|source| source.alias == alias)?, name)
            }
            Expr::Identifier(name) => {
                let has = |source: &Source| spelled(source.table, name).is_some();
                let mut having = self.sources.iter().enumerate().filter(|(_, source)| has(source));
                let (position, _) = having.next()?;
                if having.next().is_some() {
                    return None;
                }
                (position, name)
            }
            _ => return None,
        };
        Some((position, spelled(self.sources[position].table, name)?))
    }

    fn pair(&self, part: &Expr) -> Option<((usize, String), (usize, String))> {
        let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = part else { return None };
        let (a, b) = (self.column(left)?, self.column(right)?);
        match a.0.cmp(&b.0) {
            std::cmp::Ordering::Less => Some((a, b)),
            std::cmp::Ordering::Greater => Some((b, a)),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// Works out the steps from the one source that belongs to all the others.
    fn follow(&mut self, pairs: &BTreeMap<(usize, usize), Vec<(String, String)>>) -> Option<()> {
        let mut steps: Vec<(usize, usize, String)> = Vec::new();
        for ((a, b), columns) in pairs {
            let flipped: Vec<(String, String)> =
                columns.iter().map(|(x, y)| (y.clone(), x.clone())).collect();
            let step = self.stated(*a, *b, columns).map(|name| (*a, *b, name));
            steps.push(step.or_else(|| self.stated(*b, *a, &flipped).map(|name| (*b, *a, name)))?);
        }
        let inner: BTreeSet<usize> = steps.iter().map(|(_, to, _)| *to).collect();
        if inner.len() != steps.len() || steps.len() + 1 != self.sources.len() {
            return None;
        }
        self.root = (0..self.sources.len()).find(|source| !inner.contains(source))?;
        self.paths.insert(self.root, Vec::new());
        for _ in 0..steps.len() {
            for (from, to, name) in &steps {
                if let Some(path) = self.paths.get(from).cloned() {
                    let path = path.into_iter().chain([Hop::ToOne(name.clone())]).collect();
                    self.paths.insert(*to, path);
                }
            }
        }
        (self.paths.len() == self.sources.len()).then_some(())
    }

    fn stated(&self, from: usize, to: usize, columns: &[(String, String)]) -> Option<String> {
        let (from, to) = (&self.sources[from].table.name, &self.sources[to].table.name);
        let known = self.schema.relationships.iter().find(|known| {
            known.from == *from
                && known.to == *to
                && known.from_columns.len() == columns.len()
                && known
                    .from_columns
                    .iter()
                    .zip(&known.to_columns)
                    .all(|(a, b)| columns.contains(&(a.clone(), b.clone())))
        })?;
        let key = self.schema.tables[to].keys().any(|key| *key == known.to_columns);
        key.then(|| known.name.clone())
    }

    /// The one source that an expression is over, and the expression over its columns alone.
    fn fragment(&self, expr: &Expr) -> Option<(usize, Fragment)> {
        let mut owners = BTreeSet::new();
        let mut copy = expr.clone();
        let outcome = visit_expressions_mut(&mut copy, |node| {
            if matches!(node, Expr::Identifier(_) | Expr::CompoundIdentifier(_)) {
                let Some((source, column)) = self.column(node) else { return ControlFlow::Break(()) };
                owners.insert(source);
                *node = Expr::Identifier(Ident::new(column));
            }
            ControlFlow::Continue(())
        });
        let [owner] = owners.into_iter().collect::<Vec<_>>().try_into().ok()?;
        let fragment = Fragment::parse(&copy.to_string(), self.dialect).ok()?;
        outcome.is_continue().then_some((owner, fragment))
    }

    fn test(&self, part: &Expr) -> Option<Test> {
        let part = peel(part);
        if let Some((owner, fragment)) = self.fragment(part) {
            let holds = Test::Holds(fragment);
            return Some(match owner == self.root {
                true => holds,
                false => {
                    let path = self.paths.get(&owner)?.clone();
                    Test::Related { path, presence: Presence::Exists, tests: vec![holds] }
                }
            });
        }
        match part {
            Expr::Exists { subquery, negated } => self.related(subquery, *negated),
            Expr::IsNotTrue(inner) => {
                let (owner, fragment) = self.fragment(peel(inner))?;
                (owner == self.root).then_some(Test::HoldsNot(fragment))
            }
            Expr::BinaryOp { op: op @ (BinaryOperator::Or | BinaryOperator::And), .. } => {
                let mut parts = Vec::new();
                split(part, op, &mut parts);
                let tests = parts.into_iter().map(|part| self.test(part)).collect::<Option<Vec<_>>>()?;
                Some(if *op == BinaryOperator::Or { Test::Any(tests) } else { Test::All(tests) })
            }
            _ => None,
        }
    }

    /// `EXISTS (SELECT … FROM child WHERE child.key = source.key AND …)`.
    fn related(&self, query: &Query, negated: bool) -> Option<Test> {
        let SetExpr::Select(select) = query.body.as_ref() else { return None };
        let [from] = select.from.as_slice() else { return None };
        let plain = query.with.is_none() && query.limit_clause.is_none() && from.joins.is_empty();
        if !plain
            || select.having.is_some()
            || !matches!(&select.group_by, GroupByExpr::Expressions(e, _) if e.is_empty())
        {
            return None;
        }
        let child = source(&from.relation, self.schema, false)?;
        let mut parts = Vec::new();
        split(select.selection.as_ref()?, &BinaryOperator::And, &mut parts);
        let inner = Reading {
            schema: self.schema,
            dialect: self.dialect,
            sources: vec![child],
            paths: BTreeMap::from([(0, Vec::new())]),
            root: 0,
        };
        let (mut tests, mut links) = (Vec::new(), Vec::new());
        for part in parts {
            let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = part else {
                tests.push(inner.test(part)?);
                continue;
            };
            match (inner.column(left), self.column(right), inner.column(right), self.column(left)) {
                (Some((_, own)), Some(outer), None, _) | (_, _, Some((_, own)), Some(outer)) => {
                    links.push((own, outer));
                }
                _ => tests.push(inner.test(part)?),
            }
        }
        let [owner] = links
            .iter()
            .map(|(_, (owner, _))| *owner)
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect::<Vec<_>>()
            .try_into()
            .ok()?;
        let columns: Vec<(String, String)> =
            links.into_iter().map(|(own, (_, outer))| (own, outer)).collect();
        let (child, parent) = (&inner.sources[0].table.name, &self.sources[owner].table.name);
        let name = self.schema.relationships.iter().find(|known| {
            let pairs: Vec<(String, String)> =
                known.from_columns.iter().cloned().zip(known.to_columns.iter().cloned()).collect();
            known.from == *child
                && known.to == *parent
                && pairs.len() == columns.len()
                && pairs.iter().all(|pair| columns.contains(pair))
        })?;
        let path = self.paths.get(&owner)?.iter().cloned().chain([Hop::ToMany(name.name.clone())]).collect();
        let presence = if negated { Presence::Absent } else { Presence::Exists };
        Some(Test::Related { path, presence, tests })
    }

    fn aggregate(&self, expr: &Expr) -> Option<(ExpectedAggregate, Vec<ExpectedCondition>)> {
        use ExpectedAggregate as A;
        match peel(expr) {
            Expr::Function(Function {
                name,
                args: FunctionArguments::List(list),
                filter,
                over: None,
                ..
            }) => {
                let distinct = list.duplicate_treatment == Some(DuplicateTreatment::Distinct);
                let of = match list.args.as_slice() {
                    [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)] => None,
                    [FunctionArg::Unnamed(FunctionArgExpr::Expr(expr))] => {
                        let (owner, fragment) = self.fragment(expr)?;
                        Some(fragment).filter(|_| owner == self.root)
                    }
                    _ => return None,
                };
                let aggregate = match (name.to_string().to_lowercase().as_str(), of, distinct) {
                    ("count", None, false) if list.to_string() == "(*)" || list.args.len() == 1 => {
                        A::CountRows
                    }
                    ("count", Some(of), false) => A::Count(of),
                    ("count", Some(of), true) => A::CountDistinct(of),
                    ("sum", Some(of), false) => A::Sum(of),
                    ("avg", Some(of), false) => A::Average(of),
                    ("min", Some(of), _) => A::Minimum(of),
                    ("max", Some(of), _) => A::Maximum(of),
                    ("median", Some(of), false) => A::Median(of),
                    _ => return None,
                };
                let own = match filter {
                    Some(filter) => vec![condition(Role::Metric, &filter.to_string(), self.test(filter)?)],
                    None => Vec::new(),
                };
                Some((aggregate, own))
            }
            _ => None,
        }
    }

    fn grouping(&self, expr: &Expr) -> Option<ExpectedGrouping> {
        if let Some((owner, column)) = self.column(expr) {
            return Some(ExpectedGrouping::Field { path: self.paths.get(&owner)?.clone(), column });
        }
        if let Expr::Function(Function { name, args: FunctionArguments::List(list), .. }) = peel(expr)
            && name.to_string().eq_ignore_ascii_case("date_trunc")
            && let [
                FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(unit))),
                FunctionArg::Unnamed(FunctionArgExpr::Expr(of)),
            ] = list.args.as_slice()
            && let Literal::SingleQuotedString(unit) = &unit.value
            && let Some((owner, column)) = self.column(of)
            && owner == self.root
        {
            return Some(ExpectedGrouping::Bucket { column, unit: unit.to_lowercase() });
        }
        let (owner, fragment) = self.fragment(expr)?;
        (owner == self.root).then_some(ExpectedGrouping::Expression(fragment))
    }

    /// The figures, the groupings, and for every item of SELECT its name, text and what it is.
    fn shown(&self, select: &Select) -> Option<(Vec<ExpectedFigure>, Vec<ExpectedGrouping>, Vec<Shown>)> {
        let GroupByExpr::Expressions(keys, modifiers) = &select.group_by else { return None };
        if !modifiers.is_empty() {
            return None;
        }
        let items: Vec<(Option<String>, &Expr)> = select
            .projection
            .iter()
            .map(|item| match item {
                SelectItem::UnnamedExpr(expr) => Some((None, expr)),
                SelectItem::ExprWithAlias { expr, alias } => Some((Some(alias.value.to_lowercase()), expr)),
                _ => None,
            })
            .collect::<Option<_>>()?;
        let (mut figures, mut groupings, mut shown) = (Vec::new(), Vec::new(), Vec::new());
        let mut grouped = Vec::new();
        for key in keys {
            let key = referred(key, &items);
            groupings.push(self.grouping(key)?);
            grouped.push(key.to_string());
        }
        for (name, expr) in &items {
            let text = expr.to_string();
            let by = match self.aggregate(expr) {
                Some((aggregate, conditions)) => {
                    let name = name.clone().unwrap_or_else(|| text.clone());
                    figures.push(ExpectedFigure { name, aggregate, conditions });
                    Some(ExpectedOrderBy::Figure(figures.len() - 1))
                }
                None if contains_aggregate(expr) => return None,
                None => grouped.iter().position(|key| *key == text).map(ExpectedOrderBy::Grouping),
            };
            shown.push(Shown { name: name.clone(), text, by });
        }
        Some((figures, groupings, shown))
    }
}

struct Shown {
    name: Option<String>,
    text: String,
    by: Option<ExpectedOrderBy>,
}

fn spelled(table: &Table, name: &Ident) -> Option<String> {
    table.columns.keys().find(|column| column.eq_ignore_ascii_case(&name.value)).cloned()
}

/// The item that a name or number of GROUP BY refers to.
fn referred<'q>(key: &'q Expr, items: &[(Option<String>, &'q Expr)]) -> &'q Expr {
    match peel(key) {
        Expr::Identifier(name) => {
            let name = name.value.to_lowercase();
            items.iter().find(|(known, _)| known.as_ref() == Some(&name)).map_or(key, |(_, expr)| expr)
        }
        Expr::Value(value) => match &value.value {
            Literal::Number(digits, _) => {
                digits.parse::<usize>().ok().and_then(|n| items.get(n - 1)).map_or(key, |(_, expr)| expr)
            }
            _ => key,
        },
        other => other,
    }
}

fn contains_aggregate(expr: &Expr) -> bool {
    let found: ControlFlow<()> = visit_expressions(expr, |node| match node {
        Expr::Function(function) => {
            let name = function.name.to_string().to_lowercase();
            let known = ["sum", "count", "avg", "min", "max", "median", "stddev", "string_agg", "array_agg"];
            match known.contains(&name.as_str()) || function.over.is_some() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        }
        Expr::Subquery(_) => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    found.is_break()
}

/// The order and the limit. An order without a limit decides nothing.
fn cut(query: &Query, shown: &[Shown]) -> Option<(Vec<ExpectedOrder>, Option<u64>)> {
    let limit = match &query.limit_clause {
        None => return Some((Vec::new(), None)),
        Some(LimitClause::LimitOffset { limit: Some(Expr::Value(value)), offset: None, limit_by })
            if limit_by.is_empty() =>
        {
            let Literal::Number(digits, _) = &value.value else { return None };
            digits.parse().ok()?
        }
        Some(_) => return None,
    };
    let mut order = Vec::new();
    if let Some(by) = &query.order_by {
        let OrderByKind::Expressions(items) = &by.kind else { return None };
        for item in items {
            let text = item.expr.to_string();
            let position = text.parse::<usize>().ok().map(|n| n - 1).or_else(|| {
                shown
                    .iter()
                    .position(|known| known.name.as_ref() == Some(&text.to_lowercase()) || known.text == text)
            })?;
            let by = shown.get(position)?.by?;
            order.push(ExpectedOrder { by, descending: item.options.sort == Some(OrderBySort::Desc) });
        }
    }
    Some((order, Some(limit)))
}
