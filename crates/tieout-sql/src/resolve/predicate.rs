//! Owns conditions: what an equality says about grain and about the link between two sources.
//!
//! Deliberately absent: judging links; expressions that are no condition.

use smallvec::smallvec;
use sqlparser::ast::{BinaryOperator, Expr, InTarget, Value as Literal};

use super::frame::{Clause, Equality};
use super::grain::{Attr, Attrs, Dependency, merge};
use super::ties::Ties;
use super::value::Value;
use super::{Resolver, place_of_expr};
use crate::facts::{Condition, ConditionKind};
use crate::lower::placeholder_index;

/// Rows that are always there, and rows that may be missing because no partner was found.
type Outer<'r> = (&'r Attrs, &'r Attrs);

/// What an equality says of two NULLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nulls {
    Rejected,
    Equal,
}

impl<'a> Resolver<'a> {
    /// A condition that every row meets (WHERE, or ON of an inner join).
    pub(super) fn condition(&mut self, condition: &'a Expr) {
        for part in conjuncts(condition) {
            self.conjunct(part, &[]);
        }
    }

    /// A condition of an outer join.
    pub(super) fn optional_condition(&mut self, condition: &'a Expr, outer: &[Outer]) {
        for part in conjuncts(condition) {
            self.conjunct(part, outer);
        }
    }

    fn conjunct(&mut self, part: &'a Expr, outer: &[Outer]) {
        match part {
            Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => match (peel(left), peel(right)) {
                (Expr::Tuple(a), Expr::Tuple(b)) if a.len() == b.len() => {
                    for (left, right) in a.iter().zip(b) {
                        self.equality(left, right, outer, Nulls::Rejected);
                    }
                }
                (_, _) => self.equality(left, right, outer, Nulls::Rejected),
            },
            Expr::BinaryOp { left, op: BinaryOperator::Spaceship, right }
            | Expr::IsNotDistinctFrom(left, right) => self.equality(left, right, outer, Nulls::Equal),
            Expr::BinaryOp { left: _, op: BinaryOperator::Or, right: _ } => self.alternatives(part, outer),
            Expr::IsNull(subject) => {
                let value = self.expr(part);
                self.tie(&value.inputs);
                self.must_be_missing(subject);
            }
            other => {
                let value = self.expr(other);
                self.tie(&value.inputs);
                self.ordered_columns(other);
                self.undone(other);
                self.rejects_missing(other, outer);
            }
        }
    }

    /// Notes that one column is held to be no greater than another.
    fn ordered_columns(&mut self, condition: &'a Expr) {
        use BinaryOperator as B;
        let Expr::BinaryOp { left, op: B::Lt | B::LtEq | B::Gt | B::GtEq, right } = condition else { return };
        let mut column = |expr: &'a Expr| self.quietly(|resolver| resolver.expr(expr)).pure;
        if let (Some(a), Some(b)) = (column(left), column(right)) {
            self.frame().ordered.push((a, b));
        }
    }

    /// `WHERE column IS NULL` on the optional side of an outer join, of a column that is never NULL itself, keeps the
    /// rows without a partner only: nothing repeats them.
    fn must_be_missing(&mut self, subject: &'a Expr) {
        if self.frame().clause != Clause::Where
            || !matches!(peel(subject), Expr::Identifier(_) | Expr::CompoundIdentifier(_))
        {
            return;
        }
        let Some(attr) = self.quietly(|resolver| resolver.expr(subject)).pure else { return };
        let Some(info) = self.info(attr) else { return };
        let ([base], nullable) = (info.base.as_slice(), info.nullable) else { return };
        let row = base.row;
        let frame = self.frame();
        let joined_on = frame.equalities.iter().any(|known| *known.left == [attr] || *known.right == [attr]);
        if !frame.optional.contains(&row) || (nullable && !joined_on) {
            return;
        }
        let others: Attrs = frame.rows().into_iter().filter(|other| *other != row).collect();
        frame.dependencies.push(Dependency::always(others, smallvec![row]));
    }

    /// A comparison of a column holds only where its row is there.
    fn rejects_missing(&mut self, condition: &'a Expr, outer: &[Outer]) {
        let columns: Attrs = compared(condition)
            .into_iter()
            .filter(|subject| matches!(peel(subject), Expr::Identifier(_) | Expr::CompoundIdentifier(_)))
            .filter_map(|subject| self.quietly(|resolver| resolver.expr(subject)).pure)
            .collect();
        self.present(&columns, outer);
    }

    /// The rows of some columns are there wherever a condition on them holds.
    fn present(&mut self, columns: &[Attr], outer: &[Outer]) {
        let mut rows = Attrs::new();
        for attr in columns {
            let base = self.info(*attr).map(|info| info.base.clone()).unwrap_or_default();
            if let [base] = base.as_slice() {
                merge(&mut rows, &[base.row]);
            }
            // A source without a row gives NULL for all of its columns, also for those that a query computes.
            let sources = self.frames.last().into_iter().flat_map(|frame| &frame.sources);
            if let Some(source) = sources.into_iter().find(|source| source.attrs.contains(attr))
                && let [row] = source.rows.as_slice()
            {
                merge(&mut rows, &[*row]);
            }
        }
        if rows.is_empty() {
            return;
        }
        let frame = self.frame();
        match outer {
            [] => frame.dependencies.push(Dependency::presence(Attrs::new(), rows)),
            [(_, optional)] => frame.dependencies.push(Dependency::presence((*optional).clone(), rows)),
            // A full join keeps rows of both sides without a partner: a row that is there says nothing.
            _ => {}
        }
    }

    /// `a = b OR a = c`: determines nothing, but each alternative may link two sources.
    fn alternatives(&mut self, part: &'a Expr, outer: &[Outer]) {
        let frame = self.frame();
        let (dependencies, equalities) = (frame.dependencies.len(), frame.equalities.len());
        let known = frame.ties.clone();
        self.mixed_logic(part);
        let branches = split(part, &BinaryOperator::Or);
        let mut linked = true;
        let mut ties = Vec::with_capacity(branches.len());
        for branch in branches {
            let before = self.frame().equalities.len();
            self.frame().ties = known.clone();
            for inner in conjuncts(branch) {
                self.conjunct(inner, outer);
            }
            linked &= self.frame().equalities.len() > before;
            ties.push(std::mem::take(&mut self.frame().ties));
        }
        let frame = self.frame();
        frame.ties = Ties::common(ties);
        frame.dependencies.truncate(dependencies);
        if !linked {
            frame.equalities.truncate(equalities);
        }
    }

    fn equality(&mut self, left: &'a Expr, right: &'a Expr, outer: &[Outer], nulls: Nulls) {
        let a = self.expr(left);
        let b = self.expr(right);
        self.held_against(&a, &b, left, right, nulls);
        self.held_against(&b, &a, right, left, nulls);
        self.across_types(&a, &b, left);
        self.bound(&a, right);
        self.bound(&b, left);
        let mut inputs = a.inputs.clone();
        merge(&mut inputs, &b.inputs);
        self.tie(&inputs);
        if nulls == Nulls::Rejected {
            let columns: Attrs = a.pure.into_iter().chain(b.pure).collect();
            self.present(&columns, outer);
        }
        if let (Some(x), Some(y)) = (a.pure, b.pure) {
            self.equal_columns(x, y, outer);
            return;
        }
        self.determined(&a, &b, outer);
        self.determined(&b, &a, outer);
        self.link(&a.links, &b.links);
    }

    /// `by = value`: what `by` is a function of determines the column that `value` is.
    fn determined(&mut self, by: &Value, value: &Value, outer: &[Outer]) {
        let Some(attr) = value.pure else { return };
        if by.aggregated || self.reaches_out(attr) {
            return;
        }
        let from = by.inputs.clone();
        let frame = self.frame();
        match outer {
            [] => frame.dependencies.push(Dependency::always(from, smallvec![attr])),
            [(always, optional)] => {
                let mut lhs = (*always).clone();
                merge(&mut lhs, &from);
                frame.dependencies.push(Dependency::always(lhs, smallvec![attr]));
                frame.dependencies.push(Dependency::when(optional, from, smallvec![attr]));
            }
            sides => {
                for (always, _) in sides {
                    let mut lhs = (*always).clone();
                    merge(&mut lhs, &from);
                    frame.dependencies.push(Dependency::when(always, lhs, smallvec![attr]));
                }
            }
        }
    }

    fn reaches_out(&self, attr: Attr) -> bool {
        self.frames.last().is_some_and(|frame| frame.outer.contains(&attr))
    }

    /// Two columns are equal: each determines the other, as far as the join lets it.
    pub(super) fn equal_columns(&mut self, a: Attr, b: Attr, outer: &[Outer]) {
        self.tie(&[a, b]);
        let frame = self.frame();
        match outer {
            [] => {
                frame.dependencies.push(Dependency::always(smallvec![a], smallvec![b]));
                frame.dependencies.push(Dependency::always(smallvec![b], smallvec![a]));
            }
            [(always, optional)] => {
                frame.dependencies.push(Dependency::always((*always).clone(), smallvec![a, b]));
                frame.dependencies.push(Dependency::when(optional, smallvec![a], smallvec![b]));
                frame.dependencies.push(Dependency::when(optional, smallvec![b], smallvec![a]));
            }
            sides => {
                for (always, _) in sides {
                    frame.dependencies.push(Dependency::when(always, (*always).clone(), smallvec![a, b]));
                }
            }
        }
        let (left, right) = (self.parts(a), self.parts(b));
        self.link(&left, &right);
    }

    /// The columns that a merged column stands for; itself otherwise.
    fn parts(&mut self, attr: Attr) -> Attrs {
        let merged = self.frame().merged.iter().find(|merged| merged.shown.attr == attr);
        merged.map_or_else(|| smallvec![attr], |merged| merged.parts.clone())
    }

    fn link(&mut self, left: &[Attr], right: &[Attr]) {
        if !left.is_empty() && !right.is_empty() {
            self.frame().equalities.push(Equality { left: left.into(), right: right.into() });
        }
    }

    /// Notes `column = $n` on a direct reference to a base table, for the proof that a tenant is bound.
    fn bound(&mut self, column: &Value, other: &Expr) {
        let Some(attr) = column.pure else { return };
        let Expr::Value(value) = peel(other) else { return };
        let Literal::Placeholder(name) = &value.value else { return };
        let Some(index) = placeholder_index(name) else { return };
        let Some(info) = self.info(attr) else { return };
        let label = info.label.to_string();
        let owner = self.frames.last().and_then(|frame| {
            frame.sources.iter().find(|source| source.columns.iter().any(|column| column.attr == attr))
        });
        let Some(table_use) = owner.and_then(|source| source.table_use) else { return };
        if let Some(table_use) = self.facts.tables.get_mut(table_use) {
            table_use.bound.push((label, index));
        }
    }

    /// Notes comparisons that can never hold, and literals that no row has.
    fn held_against(
        &mut self,
        column: &Value,
        other: &Value,
        column_expr: &Expr,
        other_expr: &Expr,
        nulls: Nulls,
    ) {
        if other.is_null_literal && nulls == Nulls::Rejected {
            self.condition_fact(ConditionKind::EqualsNull, place_of_expr(column_expr));
        }
        if let Some(text) = &other.text {
            self.known_value(column.pure, text, other_expr);
        }
    }

    pub(super) fn condition_fact(&mut self, kind: ConditionKind, place: Option<crate::rejection::Place>) {
        self.facts.conditions.push(Condition { kind, place });
    }

    /// Holds a text literal against the known values of a categorical column.
    pub(super) fn known_value(&mut self, column: Option<Attr>, text: &str, at: &Expr) {
        let Some(info) = column.and_then(|attr| self.info(attr)) else { return };
        let [base] = info.base.as_slice() else { return };
        let Some((_, table)) = self.schema.tables.get_index(base.table) else { return };
        let Some((_, known)) = table.columns.get_index(base.column) else { return };
        let Some(values) = &known.values else { return };
        if values.iter().any(|value| value == text) {
            return;
        }
        let hint = crate::nearest::nearest_hint(text, values.iter().map(String::as_str));
        let column = format!("{}.{}", table.name, known.name);
        if let Some(known) = values.iter().find(|value| value.to_lowercase() == text.to_lowercase()) {
            let (value, known) = (text.to_owned(), known.clone());
            self.condition_fact(ConditionKind::OtherCase { column, value, known }, place_of_expr(at));
            return;
        }
        let kind = ConditionKind::UnknownValue { column, value: text.to_owned(), hint };
        self.condition_fact(kind, place_of_expr(at));
    }

    /// Notes a WHERE condition that rejects the rows an outer join kept. `IS NOT NULL` says so itself.
    fn undone(&mut self, condition: &'a Expr) {
        let frame = self.frame();
        if frame.clause != Clause::Where
            || frame.optional.is_empty()
            || matches!(condition, Expr::IsNotNull(_))
        {
            return;
        }
        let Some(subject) = compared(condition).into_iter().next() else { return };
        let value = self.quietly(|resolver| resolver.expr(subject));
        let Some(info) = value.pure.and_then(|attr| self.info(attr)).cloned() else { return };
        let optional = &self.frame().optional;
        if !info.units.is_empty() && info.units.iter().all(|unit| optional.contains(unit)) {
            let label = info.units.first().map(|unit| self.label(*unit)).unwrap_or_default();
            self.condition_fact(ConditionKind::OuterJoinUndone(label), place_of_expr(condition));
        }
    }

    /// Resolves something a second time without recording facts about it again.
    pub(super) fn quietly<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.facts.mark();
        let result = work(self);
        self.facts.forget_since(&mark);
        result
    }
}

/// What a condition compares, when it can hold only where that is not NULL; the column first.
fn compared(condition: &Expr) -> Vec<&Expr> {
    match condition {
        Expr::BinaryOp {
            left,
            op:
                BinaryOperator::Gt
                | BinaryOperator::Lt
                | BinaryOperator::GtEq
                | BinaryOperator::LtEq
                | BinaryOperator::NotEq,
            right,
        } => vec![left, right],
        Expr::IsNotNull(subject)
        | Expr::Between { expr: subject, negated: _, low: _, high: _ }
        | Expr::In { expr: subject, target: InTarget::List(_), negated: _, global: _ }
        | Expr::Like { expr: subject, negated: _, any: _, pattern: _, escape_char: _ }
        | Expr::ILike { expr: subject, negated: _, any: _, pattern: _, escape_char: _ } => vec![subject],
        _ => Vec::new(),
    }
}

/// The conditions of a chain of ANDs, brackets opened.
pub(super) fn conjuncts(condition: &Expr) -> Vec<&Expr> {
    split(condition, &BinaryOperator::And)
}

/// The operands of a chain of one operator, brackets opened. Works without recursion, however long the chain.
pub(crate) fn split<'a>(condition: &'a Expr, operator: &BinaryOperator) -> Vec<&'a Expr> {
    let mut found = Vec::new();
    let mut left = vec![condition];
    while let Some(expr) = left.pop() {
        match peel(expr) {
            Expr::BinaryOp { left: a, op, right: b } if op == operator => {
                left.extend([b.as_ref(), a.as_ref()])
            }
            other => found.push(other),
        }
    }
    found
}

/// An expression without its brackets.
pub(super) fn peel(expr: &Expr) -> &Expr {
    let mut expr = expr;
    while let Expr::Nested(inner) = expr {
        expr = inner;
    }
    expr
}
