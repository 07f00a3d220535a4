//! Owns the relation that a SELECT gives: its rows, its keys, and what of the inside still determines what.
//!
//! Deliberately absent: clauses (`select`).

use smallvec::smallvec;
use sqlparser::ast::{Expr, Select};

use super::Resolver;
use super::frame::Grouping;
use super::grain::{Attr, Attrs, Closure, Dependency, OutColumn, Relation, Trust, merge};
use crate::dialect::Support;
use crate::facts::{Additivity, ConditionKind};
use crate::rejection::Place;
use crate::schema::SqlType;

impl<'a> Resolver<'a> {
    /// Holds the columns that stand beside aggregates against the grouping.
    pub(super) fn held_by_group(&mut self, select: &Select) {
        let (size, picks) = (self.attrs.len(), self.dialect.ungrouped);
        let frame = self.frame();
        let Some(Grouping { row, keys }) = frame.grouping.clone() else { return };
        let grouped = !keys.is_empty();
        let mut start = keys.clone();
        start.push(row);
        let closure = frame.closure(&start, size);
        let assumed = frame.closure_trusting(&start, size, Trust::Assumed);
        let loose: Vec<(Attr, Option<Place>)> = frame
            .beside
            .iter()
            .filter(|(attr, _)| match (picks, grouped) {
                // Without GROUP BY there is nothing that a column could be named in.
                (Support::Missing, false) => true,
                (_, _) => !closure.has(*attr) && !assumed.has(*attr),
            })
            .copied()
            .collect();
        if loose.is_empty() && grouped && picks == Support::Missing {
            let stated: Attrs =
                frame.beside.iter().map(|(attr, _)| *attr).filter(|attr| closure.has(*attr)).collect();
            self.name_in_group(select, &keys, &stated);
        }
        for (attr, place) in loose {
            let label = self.label(attr);
            self.condition_fact(ConditionKind::Ungrouped(label), place);
        }
    }

    /// Remembers the columns that the grouped ones fix. Engines see that of keys of tables at best, and what stands in
    /// the place of a table has none, so the finished statement names them in GROUP BY: there are no more groups by it.
    fn name_in_group(&mut self, select: &Select, keys: &[Attr], beside: &[Attr]) {
        let quote = self.dialect.quote;
        let frame = self.frame();
        if frame.subtotals {
            return;
        }
        let mut fixed = Attrs::new();
        beside.iter().filter(|attr| !keys.contains(attr)).for_each(|attr| merge(&mut fixed, &[*attr]));
        let named = |attr: &Attr| {
            frame.sources.iter().find_map(|source| {
                let column = source.columns.iter().find(|column| column.attr == *attr)?;
                let name = crate::spelling::quoted(quote, column.key.as_ref()?);
                Some(match source.named {
                    true => Expr::CompoundIdentifier(vec![crate::spelling::quoted(quote, &source.key), name]),
                    false => Expr::Identifier(name),
                })
            })
        };
        let names: Vec<Expr> = fixed.iter().filter_map(named).collect();
        if !names.is_empty() {
            self.fixed.insert(std::ptr::from_ref(select).addr(), names);
        }
    }

    /// The relation that a SELECT gives, before DISTINCT.
    pub(super) fn grouped(&mut self, columns: Vec<OutColumn<'a>>) -> Relation<'a> {
        let size = self.attrs.len();
        let shown = self.units(&columns.iter().map(|column| column.attr).collect::<Vec<_>>());
        let frame = self.frame();
        let constant = frame.sources.iter().all(|source| source.constant);
        let Some(Grouping { row, keys }) = frame.grouping.clone() else {
            let grouped = frame.sources.len() == 1 && frame.sources.iter().all(|source| source.grouped);
            return Relation {
                columns,
                rows: frame.rows(),
                dependencies: frame.dependencies.iter().chain(&frame.results).cloned().collect(),
                ties: frame.ties.clone(),
                constant,
                grouped,
                block: None,
            };
        };
        let mut kept = keys.clone();
        kept.push(row);
        merge(&mut kept, &frame.expanded);
        let results = std::mem::take(&mut frame.results);
        frame.dependencies.extend(results);
        let closure = Closure::of(&kept, &frame.dependencies, size);
        let inside = frame.rows();
        let mut dependencies = surviving(&frame.dependencies, &closure, &frame.outer);
        dependencies.push(Dependency::always(keys.clone(), smallvec![row]));
        let mut all: Vec<Attr> =
            keys.iter().copied().chain(columns.iter().map(|column| column.attr)).collect();
        all.sort_unstable();
        all.dedup();
        let mut rows: Attrs = smallvec![row];
        merge(&mut rows, &frame.expanded);
        dependencies.push(Dependency::always(rows.clone(), all.into()));
        let mut ties = frame.ties.clone();
        ties.stand_for(row, &inside);
        let ties = ties.seen(&closure, &own(&inside, &frame.dependencies), &shown);
        Relation { columns, rows, dependencies, ties, constant, grouped: true, block: None }
    }

    /// A relation with each row once.
    pub(super) fn deduplicated(&mut self, relation: Relation<'a>) -> Relation<'a> {
        let row = self.row("the distinct rows");
        let Relation { columns, rows, dependencies, mut ties, constant, grouped: _, block } = relation;
        let attrs: Attrs = columns.iter().map(|column| column.attr).collect();
        let closure = Closure::of(&attrs, &dependencies, self.attrs.len());
        let own = own(&rows, &dependencies);
        let mut dependencies = surviving(&dependencies, &closure, &[]);
        ties.stand_for(row, &rows);
        let ties = ties.seen(&closure, &own, &self.units(&attrs));
        dependencies.push(Dependency::always(attrs.clone(), smallvec![row]));
        dependencies.push(Dependency::always(smallvec![row], attrs));
        Relation { columns, rows: smallvec![row], dependencies, ties, constant, grouped: true, block }
    }

    /// How far values of a branch of a set operation may be added up, seen from outside.
    pub(super) fn branch_additivity(&self, relation: &Relation<'a>, attr: Attr) -> Additivity {
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
            let to: Attrs = dependency.to.iter().copied().filter(|attr| closure.has(*attr)).collect();
            let present: Attrs = dependency.present.iter().copied().filter(|row| closure.has(*row)).collect();
            let says = !to.is_empty() || !present.is_empty();
            says.then(|| Dependency { to, present, ..dependency.clone() })
        })
        .collect()
}

/// Every attribute that a scope's rows and dependencies speak of, in order.
fn own(rows: &[Attr], dependencies: &[Dependency]) -> Vec<Attr> {
    let mut own = rows.to_vec();
    dependencies.iter().for_each(|dependency| own.extend(dependency.attributes()));
    own.sort_unstable();
    own.dedup();
    own
}
