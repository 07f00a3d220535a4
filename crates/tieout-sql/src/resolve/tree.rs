//! Owns what is known of a recursion down a tree: rows without a parent first, then the children of what was found. Every
//! row of the table is found once at most, since it has one parent at most and what has none is found at the start.
//!
//! Deliberately absent: other recursions, of which nothing is concluded.

use sqlparser::ast::{
    BinaryOperator, Expr, Ident, JoinConstraint, JoinOperator, ObjectNamePart, Select, SelectItem, SetExpr,
    TableAlias, TableFactor,
};

use super::Resolver;
use super::predicate::{conjuncts, peel};
use crate::schema::Table;

/// A table of a FROM, and the name by which its columns are qualified.
struct Named<'t> {
    table: &'t Ident,
    name: &'t Ident,
}

impl Resolver<'_> {
    /// The column of a recursion that has each value once, by its position.
    pub(super) fn tree_key(&self, alias: &TableAlias, anchor: &SetExpr, step: &SetExpr) -> Option<usize> {
        let (SetExpr::Select(anchor), SetExpr::Select(step)) = (anchor, step) else { return None };
        let [root] = self.named_tables(anchor)?.try_into().ok()?;
        let table = self.plain_table(root.table)?;
        let [key] = table.primary_key.as_slice() else { return None };
        let (a, b) = {
            let [a, b] = self.named_tables(step)?.try_into().ok()?;
            (a, b)
        };
        let is_self = |named: &Named| self.dialect.fold(named.table) == self.dialect.fold(&alias.name);
        let (child, parent) = match (is_self(&a), is_self(&b)) {
            (false, true) => (a, b),
            (true, false) => (b, a),
            (_, _) => return None,
        };
        let same = self.plain_table(child.table).is_some_and(|known| known.name == table.name);
        let place = anchor.projection.iter().position(|item| self.is_column(item_expr(item), None, key))?;
        let again = step.projection.get(place).and_then(|item| item_expr(item));
        if !same || !self.is_column(again, Some(child.name), key) {
            return None;
        }
        let found_name = match alias.columns.get(place) {
            Some(column) => self.dialect.fold(&column.name).into_owned(),
            None => self.output_key(anchor.projection.get(place)?)?,
        };
        let climbs = |condition: &&Expr| self.climbs(condition, child.name, parent.name, &found_name);
        let up = conditions(step).into_iter().find_map(|condition| climbs(&condition))?;
        let starts = conditions(anchor).into_iter().any(|condition| match condition {
            Expr::IsNull(subject) => self.folded_column(Some(subject), None).is_some_and(|name| name == up),
            _ => false,
        });
        starts.then_some(place)
    }

    /// `child.up = parent.key`: the column `up`.
    fn climbs(&self, condition: &Expr, child: &Ident, parent: &Ident, key: &str) -> Option<String> {
        let Expr::BinaryOp { left, op: BinaryOperator::Eq, right } = condition else { return None };
        [(left, right), (right, left)].into_iter().find_map(|(one, other)| {
            let found = self.folded_column(Some(other), Some(parent))? == key;
            self.folded_column(Some(one), Some(child)).filter(|_| found)
        })
    }

    /// The tables of a FROM of plain tables and inner joins; `None` when there is anything else.
    fn named_tables<'t>(&self, select: &'t Select) -> Option<Vec<Named<'t>>> {
        let mut found = Vec::new();
        for from in &select.from {
            found.push(named(&from.relation)?);
            for join in &from.joins {
                match &join.join_operator {
                    JoinOperator::Join(_) | JoinOperator::Inner(_) => found.push(named(&join.relation)?),
                    _ => return None,
                }
            }
        }
        let plain = select.distinct.is_none() && select.having.is_none() && select.qualify.is_none();
        plain.then_some(found)
    }

    /// A base table, unless a named query has its name.
    fn plain_table(&self, ident: &Ident) -> Option<&Table> {
        let key = self.dialect.fold(ident);
        if self.ctes.iter().any(|scope| scope.contains_key(&*key)) {
            return None;
        }
        let index = self.base_table(&[ident])?;
        self.schema.tables.get_index(index).map(|(_, table)| table)
    }

    fn is_column(&self, expr: Option<&Expr>, of: Option<&Ident>, name: &str) -> bool {
        self.folded_column(expr, of).is_some_and(|found| found == *self.dialect.key(name))
    }

    /// The name of a column, qualified by `of` where that is given.
    fn folded_column(&self, expr: Option<&Expr>, of: Option<&Ident>) -> Option<String> {
        match (peel(expr?), of) {
            (Expr::Identifier(column), None) => Some(self.dialect.fold(column).into_owned()),
            (Expr::CompoundIdentifier(parts), of) => match (parts.as_slice(), of) {
                ([_, column], None) => Some(self.dialect.fold(column).into_owned()),
                ([name, column], Some(of)) if self.dialect.fold(name) == self.dialect.fold(of) => {
                    Some(self.dialect.fold(column).into_owned())
                }
                (_, _) => None,
            },
            (_, _) => None,
        }
    }

    fn output_key(&self, item: &SelectItem) -> Option<String> {
        match item {
            SelectItem::ExprWithAlias { expr: _, alias } => Some(self.dialect.fold(alias).into_owned()),
            other => self.folded_column(item_expr(other), None),
        }
    }
}

fn named(factor: &TableFactor) -> Option<Named<'_>> {
    let TableFactor::Table { name, alias, args: None, .. } = factor else { return None };
    let [ObjectNamePart::Identifier(table)] = name.0.as_slice() else { return None };
    Some(Named { table, name: alias.as_ref().map_or(table, |alias| &alias.name) })
}

fn item_expr(item: &SelectItem) -> Option<&Expr> {
    match item {
        SelectItem::UnnamedExpr(expr) | SelectItem::ExprWithAlias { expr, alias: _ } => Some(expr),
        _ => None,
    }
}

/// The conditions of WHERE and of joins.
fn conditions(select: &Select) -> Vec<&Expr> {
    let joins = select.from.iter().flat_map(|from| &from.joins);
    let on = joins.filter_map(|join| match &join.join_operator {
        JoinOperator::Join(JoinConstraint::On(on)) | JoinOperator::Inner(JoinConstraint::On(on)) => Some(on),
        _ => None,
    });
    select.selection.iter().chain(on).flat_map(conjuncts).collect()
}
