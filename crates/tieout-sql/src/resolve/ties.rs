//! Owns which rows some condition holds against one another, and which rows are made of constants: a spine of months, a
//! list of values. Rows of constants repeat every other row, unless a condition says which of them belong together.
//!
//! Deliberately absent: keys (`grain`), and what follows for an aggregate (`aggregate`).

use sqlparser::ast::Expr;

use super::Resolver;
use super::grain::{Attr, Attrs, Closure, Relation, merge};
use super::predicate::conjuncts;
use crate::facts::ConditionKind;

/// Rows that belong together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ties {
    /// Rows that conditions tie, directly or through others; no row is in two of these.
    groups: Vec<Attrs>,
    /// Rows made of constants.
    pub spines: Attrs,
}

impl Ties {
    /// Some rows stand in one condition.
    pub(crate) fn tie(&mut self, rows: &[Attr]) {
        if rows.len() < 2 {
            return;
        }
        let mut joined = Attrs::from(rows);
        self.groups.retain(|group| {
            let touches = group.iter().any(|row| joined.contains(row));
            if touches {
                merge(&mut joined, group);
            }
            !touches
        });
        self.groups.push(joined);
    }

    /// Takes over what is known of another scope.
    pub(crate) fn absorb(&mut self, other: &Ties) {
        other.groups.iter().for_each(|group| self.tie(group));
        merge(&mut self.spines, &other.spines);
    }

    /// Everything that is tied to one of these rows, themselves among it.
    pub(crate) fn reach(&self, rows: &[Attr]) -> Attrs {
        let mut reached = Attrs::from(rows);
        for group in &self.groups {
            if group.iter().any(|row| rows.contains(row)) {
                merge(&mut reached, group);
            }
        }
        reached
    }

    /// What each of several alternatives ties.
    pub(crate) fn common(alternatives: Vec<Ties>) -> Ties {
        let mut alternatives = alternatives.into_iter();
        let Some(mut common) = alternatives.next() else { return Ties::default() };
        for other in alternatives {
            let both = |one: &Attrs| {
                let parts = other
                    .groups
                    .iter()
                    .map(|group| one.iter().copied().filter(|row| group.contains(row)).collect::<Attrs>());
                parts.filter(|part| part.len() > 1).collect::<Vec<_>>()
            };
            common.groups = common.groups.iter().flat_map(both).collect();
        }
        common
    }

    /// What is left once only some attributes of a scope can be seen from outside; `own` are those of that scope, and
    /// `shown` the rows that what can be seen comes from.
    pub(crate) fn seen(&self, closure: &Closure, own: &[Attr], shown: &[Attr]) -> Ties {
        let stays = |row: &Attr| closure.has(*row) || shown.contains(row) || own.binary_search(row).is_err();
        let kept = |rows: &Attrs| rows.iter().copied().filter(stays).collect::<Attrs>();
        Ties {
            groups: self.groups.iter().map(kept).filter(|group| group.len() > 1).collect(),
            spines: kept(&self.spines),
        }
    }

    /// Every row that is tied.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Attr> {
        self.groups.iter().flatten().copied()
    }

    /// The same with attributes renamed.
    pub(crate) fn renamed(&self, rename: &dyn Fn(Attr) -> Attr) -> Ties {
        let all = |rows: &Attrs| rows.iter().map(|row| rename(*row)).collect::<Attrs>();
        Ties { groups: self.groups.iter().map(all).collect(), spines: all(&self.spines) }
    }

    /// A new row that stands for rows of a scope: it belongs with those of the data, or, where there are none, with the
    /// constants.
    pub(crate) fn stand_for(&mut self, row: Attr, rows: &[Attr]) {
        let data: Attrs = rows.iter().copied().filter(|known| !self.spines.contains(known)).collect();
        let mut together = if data.is_empty() { Attrs::from(rows) } else { data };
        merge(&mut together, &[row]);
        self.tie(&together);
    }
}

impl<'a> Resolver<'a> {
    /// Some values stand in one condition.
    pub(super) fn tie(&mut self, inputs: &[Attr]) {
        let rows = self.units(inputs);
        self.frame().ties.tie(&rows);
    }

    /// A condition inside an aggregate ties rows for that aggregate alone.
    pub(super) fn tie_within(&mut self, condition: &'a Expr) {
        if self.frame().ties.spines.is_empty() {
            return;
        }
        for part in conjuncts(condition) {
            let inputs = self.quietly(|resolver| resolver.expr(part)).inputs;
            let rows = self.units(&inputs);
            self.frame().tied_within.push(rows);
        }
    }

    /// The rows of constants that repeat some rows, although no condition says which belong to them.
    pub(super) fn repeated_by_constants(&self, rows: &[Attr]) -> Attrs {
        let Some(frame) = self.frames.last() else { return Attrs::new() };
        if frame.ties.spines.is_empty() || rows.iter().all(|row| frame.ties.spines.contains(row)) {
            return Attrs::new();
        }
        let reached = match frame.tied_within.is_empty() {
            true => frame.ties.reach(rows),
            false => {
                let mut ties = frame.ties.clone();
                frame.tied_within.iter().for_each(|together| ties.tie(together));
                ties.reach(rows)
            }
        };
        let closure = frame.closure(rows, self.attrs.len());
        let free = |row: &&Attr| !reached.contains(row) && !closure.has(**row);
        frame.ties.spines.iter().filter(free).copied().collect()
    }

    /// Notes figures of the result that stand beside every row of some constants, unless they are one figure.
    pub(super) fn same_for_all(&mut self, relation: &Relation<'a>) {
        if relation.ties.spines.is_empty() {
            return;
        }
        let of = |start: &[Attr]| Closure::of(start, &relation.dependencies, self.attrs.len());
        let one = of(&[]);
        let mut found = Vec::new();
        for column in &relation.columns {
            let Some(info) = self.info(column.attr).filter(|info| !info.aggregates.is_empty()) else {
                continue;
            };
            if one.has_all(&info.units) {
                continue;
            }
            let (reached, fixed) = (relation.ties.reach(&info.units), of(&info.units));
            let free = |row: &&Attr| !reached.contains(row) && !fixed.has(**row);
            if let Some(row) = relation.ties.spines.iter().find(free) {
                found.push((column.name.to_string(), self.label(*row)));
            }
        }
        for (figure, constants) in found {
            self.condition_fact(ConditionKind::SameForAll(figure, constants), None);
        }
    }

    pub(super) fn labels(&self, rows: &[Attr]) -> Vec<String> {
        rows.iter().map(|row| self.label(*row)).collect()
    }

    /// What the sources are called that some rows come from.
    pub(super) fn sources_of(&self, rows: &[Attr]) -> Vec<String> {
        let Some(frame) = self.frames.last() else { return Vec::new() };
        let has = |of: &[Attr]| of.iter().any(|row| rows.contains(row));
        let named = frame.sources.iter().filter(|source| has(&source.rows) || has(&source.spines));
        let mut labels: Vec<String> = named.map(|source| source.label.to_string()).collect();
        if labels.is_empty() {
            labels = self.labels(rows);
        }
        labels.dedup();
        labels
    }
}
