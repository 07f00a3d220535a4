//! Owns what is noted about expressions beside their value: comparisons across types, units of time cut in a zone that
//! nobody names, logic without brackets, divisors that may be zero, periods on another column than the declared one.
//!
//! Deliberately absent: verdicts (the rules).

use std::ops::ControlFlow;

use sqlparser::ast::{BinaryOperator, Expr, FunctionArguments, visit_expressions};

use super::frame::Clause;
use super::predicate::peel;
use super::value::Value;
use super::{Resolver, place_of_expr};
use crate::facts::{AggregateKind, ConditionKind};
use crate::rejection::Place;
use crate::schema::SqlType;
use crate::types;

impl Resolver<'_> {
    /// Two values are compared: whether their kinds can be.
    pub(super) fn across_types(&mut self, a: &Value, b: &Value, at: &Expr) {
        use SqlType as T;
        let dates_are_texts = types::of(&self.dialect.types.date_time) == T::Text;
        let dated = |ty: T| matches!(ty, T::Date | T::DateTime | T::Instant);
        let number = |ty: T| matches!(ty, T::Integer | T::Decimal | T::Float);
        for (one, other) in [(a, b), (b, a)] {
            let kind = match (&one.text, one.ty, other.ty) {
                (Some(text), _, T::Date | T::DateTime) if !dates_are_texts && no_date(text) => {
                    ConditionKind::NoDate(text.clone())
                }
                (Some(_), _, _) => continue,
                (None, T::Text, ty) if dated(ty) && !dates_are_texts && !one.inputs.is_empty() => {
                    across("text", worded(ty))
                }
                (None, T::Text, ty) if number(ty) => across("text", worded(ty)),
                (None, ty, dates) if number(ty) && dated(dates) && !dates_are_texts => {
                    across(worded(ty), worded(dates))
                }
                (None, T::Boolean, ty) if dated(ty) || ty == T::Text => across("true or false", worded(ty)),
                (None, _, _) => continue,
            };
            self.condition_fact(kind, place_of_expr(at));
            return;
        }
    }

    /// A value is cut to a unit of time.
    pub(super) fn zoned(&mut self, of: &Value, at: &Expr) {
        let Some(attr) = of.inputs.first().filter(|_| of.ty == SqlType::Instant) else { return };
        let label = self.label(*attr);
        self.condition_fact(ConditionKind::ZonedTruncation(label), place_of_expr(at));
    }

    /// `a AND b OR c`: brackets say what is meant.
    pub(super) fn mixed_logic(&mut self, condition: &Expr) {
        let mut rest = condition;
        while let Expr::BinaryOp { left, op: BinaryOperator::Or, right } = rest {
            for side in [left, right] {
                if matches!(side.as_ref(), Expr::BinaryOp { left: _, op: BinaryOperator::And, right: _ }) {
                    self.condition_fact(ConditionKind::MixedLogic, place_of_expr(side));
                    return;
                }
            }
            rest = left;
        }
    }

    /// Something is divided by a value.
    pub(super) fn divided(&mut self, by: &Value, expr: &Expr) {
        if by.inputs.is_empty() || self.never_zero(expr) {
            return;
        }
        let guarded = self.frame().guards.iter().any(|guard| speaks_of(guard, peel(expr)));
        if !guarded {
            self.condition_fact(ConditionKind::UnguardedDivision(expr.to_string()), place_of_expr(expr));
        }
    }

    /// A divisor that is NULL rather than zero, or a count of a group, which has a row.
    fn never_zero(&mut self, expr: &Expr) -> bool {
        match peel(expr) {
            Expr::Function(function) => {
                let name = function.name.to_string().to_lowercase();
                let counts_rows = name == "count"
                    && function.filter.is_none()
                    && matches!(&function.args, FunctionArguments::List(list) if list.to_string() == "*");
                let grouped =
                    self.frame().grouping.as_ref().is_some_and(|grouping| !grouping.keys.is_empty());
                name == "nullif" || (counts_rows && (grouped || function.over.is_some()))
            }
            Expr::Cast { expr, .. } => self.never_zero(expr),
            Expr::BinaryOp { left, op: BinaryOperator::Multiply, right } => {
                let is = |side: &Expr| matches!(peel(side), Expr::Value(_));
                (is(left) || self.never_zero(left)) && (is(right) || self.never_zero(right))
            }
            _ => false,
        }
    }

    /// A column of a base table has a bound.
    pub(super) fn bounded_column(&mut self, of: &Value, at: &Expr) {
        let clause = self.frame().clause;
        let Some(attr) = of.pure.filter(|_| matches!(clause, Clause::Where | Clause::On)) else { return };
        if matches!(of.ty, SqlType::Date | SqlType::DateTime | SqlType::Instant) {
            self.frame().bounded.push((attr, place_of_expr(at)));
        }
    }

    /// Bounds on another column than the one that says when a row happened, when that one has none.
    pub(super) fn other_times(&mut self) {
        let bounded = std::mem::take(&mut self.frame().bounded);
        let schema = self.schema;
        let mut found: Vec<(ConditionKind, Option<Place>)> = Vec::new();
        for (attr, place) in &bounded {
            let Some((base, table, name)) = self.timed(*attr) else { continue };
            let Some(declared) = schema.tables.get_index(table).and_then(|(_, table)| table.time.clone())
            else {
                continue;
            };
            let on_declared = bounded.iter().any(|(other, _)| {
                self.timed(*other).is_some_and(|(row, _, column)| row == base && column == declared)
            });
            if name != declared && !on_declared {
                found.push((ConditionKind::OtherTime { column: name, declared }, *place));
            }
        }
        for (kind, place) in found {
            self.condition_fact(kind, place);
        }
    }

    /// The row, table and name of the base column that an attribute is.
    fn timed(&self, attr: usize) -> Option<(usize, usize, String)> {
        let info = self.info(attr)?;
        let [base] = info.base.as_slice() else { return None };
        let (_, column) = self.base_name(base.table, base.column)?;
        Some((base.row, base.table, column))
    }

    /// A sum of balances is of one moment: the column that says when is fixed within a group. Only direct reads of a
    /// table are judged; a query between may have picked one moment of each.
    pub(super) fn balances(
        &mut self,
        kind: AggregateKind,
        arguments: &Value,
        keys: &[usize],
        place: Option<Place>,
    ) {
        if kind != AggregateKind::Sum {
            return;
        }
        let (schema, size) = (self.schema, self.attrs.len());
        let mut found = Vec::new();
        for attr in &arguments.value {
            let Some((row, table, name)) = self.timed(*attr) else { continue };
            let Some((_, table)) = schema.tables.get_index(table) else { continue };
            let balance = table.columns.get(&name).is_some_and(|column| column.balance);
            let (true, Some(time), Some(frame)) = (balance, table.time.as_ref(), self.frames.last()) else {
                continue;
            };
            let direct = frame.sources.iter().filter(|source| source.table_use.is_some());
            let when = direct.flat_map(|source| &source.attrs).find(|attr| {
                self.timed(**attr).is_some_and(|(other, _, column)| other == row && column == *time)
            });
            let fixed = when.is_none_or(|when| frame.closure(keys, size).has(*when));
            if !fixed {
                found.push(ConditionKind::BalanceOverTime(name, time.clone()));
            }
        }
        for kind in found {
            self.condition_fact(kind, place);
        }
    }

    /// An aggregate that adds or averages is over numbers.
    pub(super) fn summable(&mut self, kind: AggregateKind, name: &str, ty: SqlType, place: Option<Place>) {
        let adds = matches!(kind, AggregateKind::Sum)
            || (kind == AggregateKind::Average && ["avg", "stddev", "variance"].contains(&name));
        if adds && matches!(ty, SqlType::Text | SqlType::Date | SqlType::DateTime | SqlType::Instant) {
            let over = worded(ty).to_owned();
            let kind = ConditionKind::NotANumber { aggregate: name.to_uppercase(), over };
            self.condition_fact(kind, place);
        }
    }
}

fn across(a: &str, b: &str) -> ConditionKind {
    ConditionKind::AcrossTypes(a.to_owned(), b.to_owned())
}

fn worded(ty: SqlType) -> &'static str {
    match ty {
        SqlType::Boolean => "true or false",
        SqlType::Integer | SqlType::Decimal | SqlType::Float => "a number",
        SqlType::Text => "text",
        SqlType::Date => "a date",
        SqlType::Time => "a time of day",
        SqlType::DateTime => "a date and time",
        SqlType::Instant => "a point in time",
        SqlType::Blob => "bytes",
        SqlType::Interval => "a length of time",
        SqlType::Other | SqlType::Unknown => "a value",
    }
}

/// Whether a text that starts as a date does, with a digit, is none.
fn no_date(text: &str) -> bool {
    let text = text.trim();
    let day = text.get(..10).unwrap_or(text);
    let starts = text.starts_with(|first: char| first.is_ascii_digit());
    let shaped = day.len() == 10 && day.bytes().filter(|byte| *byte == b'-').count() == 2;
    starts && shaped && day.parse::<jiff::civil::Date>().is_err()
}

/// Whether an expression stands in another.
fn speaks_of(whole: &Expr, part: &Expr) -> bool {
    let found = visit_expressions(whole, |expr| match expr == part {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    });
    found.is_break()
}
