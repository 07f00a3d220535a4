//! Owns set operations: rows of two queries one after the other, each once, or those of one that the other has or lacks.
//!
//! Deliberately absent: recursion (`query`).

use smallvec::smallvec;
use sqlparser::ast::{SetExpr, SetOperator, SetQuantifier};

use super::grain::{Attr, AttrInfo, Attrs, Bases, Dependency, OutColumn, Relation};
use super::name::Name;
use super::ties::Ties;
use super::value::worse;
use super::{Resolver, blank};
use crate::facts::NameKind;
use crate::flow::Block;

impl<'a> Resolver<'a> {
    /// A chain of set operations leans left; it is walked without recursion.
    pub(super) fn set_operation(
        &mut self,
        left: &'a SetExpr,
        op: SetOperator,
        quantifier: SetQuantifier,
        right: &'a SetExpr,
    ) -> Relation<'a> {
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
    fn by_name(&mut self, mut left: Relation<'a>, mut right: Relation<'a>) -> (Relation<'a>, Relation<'a>) {
        let named_once = |relation: &Relation<'a>| {
            relation.columns.iter().all(|column| {
                column.key.is_some()
                    && relation.columns.iter().filter(|other| other.key == column.key).count() == 1
            })
        };
        if !named_once(&left) || !named_once(&right) {
            self.unsupported("set operations by name with columns of no name, or of the same", None);
            return (left, right);
        }
        let has = |columns: &[OutColumn<'a>], key: &Option<Name<'a>>| {
            columns.iter().find(|column| column.key == *key).cloned()
        };
        let mut all = left.columns.clone();
        let more = right.columns.iter().filter(|column| has(&left.columns, &column.key).is_none());
        all.extend(more.cloned());
        for side in [&mut left, &mut right] {
            let columns = all.iter().map(|column| match has(&side.columns, &column.key) {
                Some(own) => own,
                None => {
                    let attr = self.attr(blank(column.name.clone()));
                    side.dependencies.push(Dependency::always(Attrs::new(), smallvec![attr]));
                    OutColumn { attr, ..column.clone() }
                }
            });
            side.columns = columns.collect();
        }
        right.block = self.record_block(Block::Other("a set operation by name"));
        (left, right)
    }

    /// Rows of both.
    pub(super) fn united(
        &mut self,
        left: &Relation<'a>,
        right: &Relation<'a>,
        quantifier: SetQuantifier,
    ) -> Relation<'a> {
        let row = self.row("the union");
        let mut columns = Vec::with_capacity(left.columns.len());
        for (a, b) in left.columns.iter().zip(&right.columns) {
            let attr = self.united_column(left, right, a, b, row);
            columns.push(OutColumn { attr, ..a.clone() });
        }
        let attrs: Attrs = columns.iter().map(|column| column.attr).collect();
        let mut dependencies = vec![Dependency::always(smallvec![row], attrs.clone())];
        let constant = left.constant && right.constant;
        match quantifier {
            SetQuantifier::All | SetQuantifier::AllByName | SetQuantifier::ByName => {}
            SetQuantifier::Distinct | SetQuantifier::DistinctByName | SetQuantifier::None => {
                dependencies.push(Dependency::always(attrs.clone(), smallvec![row]));
            }
        }
        if constant {
            dependencies
                .extend(attrs.into_iter().map(|attr| Dependency::always(smallvec![attr], smallvec![row])));
        }
        let block = self.record_union(left, right, quantifier);
        let mut ties = Ties::common(vec![left.ties.clone(), right.ties.clone()]);
        ties.spines.clear();
        let ends = |relation: &Relation<'a>| relation.ties.reach(&relation.rows);
        let (one, other) = (ends(left), ends(right));
        let mut with: Attrs = one.into_iter().filter(|end| other.contains(end)).collect();
        with.push(row);
        ties.tie(&with);
        Relation { columns, rows: smallvec![row], dependencies, ties, constant, grouped: false, block }
    }

    fn united_column(
        &mut self,
        left: &Relation<'a>,
        right: &Relation<'a>,
        a: &OutColumn<'a>,
        b: &OutColumn<'a>,
        row: Attr,
    ) -> Attr {
        let additivity = worse(&self.branch_additivity(left, a.attr), &self.branch_additivity(right, b.attr));
        let (Some(x), Some(y)) = (self.info(a.attr).cloned(), self.info(b.attr).cloned()) else {
            return a.attr;
        };
        let mut base = match (x.base.as_slice(), y.base.as_slice()) {
            ([one, ..], []) | ([], [one, ..]) if x.lineage.is_empty() || y.lineage.is_empty() => {
                smallvec![*one]
            }
            ([one, ..], [other, ..]) if (one.table, one.column) == (other.table, other.column) => {
                smallvec![*one]
            }
            ([one, ..], [_, ..]) => smallvec![*one],
            (_, _) => Bases::new(),
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
            units: smallvec![row],
            additivity,
            shape: x.shape.filter(|one| y.shape.is_some_and(|other| super::shape::alike(one, other))),
            picked: x.picked && y.picked,
            ..blank(a.name.clone())
        })
    }
}
