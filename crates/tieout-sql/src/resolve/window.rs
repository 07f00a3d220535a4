//! Owns windows: what they partition by and are ordered by, and what a call over one gives.
//!
//! Deliberately absent: calls without one (`call`).

use smallvec::smallvec;
use sqlparser::ast::{Expr, WindowFrame, WindowFrameBound, WindowSpec, WindowType};

use super::call::aggregate_kind;
use super::grain::{AttrInfo, Attrs, Dependency, merge};
use super::passed::Passed;
use super::value::Value;
use super::{Resolver, blank};
use crate::dialect::{FunctionEntry, FunctionKind};
use crate::facts::{Additivity, Aggregate, AggregateKind, Grain};
use crate::rejection::Place;

/// What a window partitions by, and what its order reads.
#[derive(Clone, Debug, Default)]
pub(super) struct Windowed {
    pub partition: Attrs,
    pub order: Attrs,
}

impl<'a> Resolver<'a> {
    pub(super) fn window(
        &mut self,
        entry: &'static FunctionEntry,
        passed: &Passed<'a>,
        filter: Option<&'a Expr>,
        window: &'a WindowType,
        place: Option<Place>,
    ) -> Value {
        self.frame().tied_within.clear();
        let values: Vec<Value> = passed.values.iter().map(|value| self.expr(value)).collect();
        let filter = filter.map(|filter| self.filtered(filter));
        let Windowed { partition, order } = match window {
            WindowType::NamedWindow(name) => {
                let key = self.dialect.fold(name);
                let known = self.frame().windows.iter().find(|(known, _)| **known == *key);
                known.map(|(_, window)| window.clone()).unwrap_or_default()
            }
            WindowType::WindowSpec(spec) => self.window_spec(spec),
        };
        let arguments = Value::of(self.returns(entry, &values), &values);
        let grouping = self.frame().grouping.clone();
        let sums = matches!(entry.kind, FunctionKind::Additive) && !passed.distinct;
        if sums {
            let kind = aggregate_kind(entry, passed, &values);
            let grain = match (&grouping, kind) {
                (Some(_), _) | (None, AggregateKind::CountRows | AggregateKind::Idempotent) => Grain::Once,
                (None, AggregateKind::Sum | AggregateKind::Count | AggregateKind::Average) => {
                    self.row_grain(kind, &arguments.value, &partition)
                }
            };
            self.facts.aggregates.push(Aggregate {
                name: entry.name.to_owned(),
                kind,
                grain,
                additivity: arguments.additivity.clone(),
                identifier: self.identifier_in(kind, entry, &arguments),
                place,
            });
        }
        let mut read = arguments.inputs.clone();
        merge(&mut read, &partition);
        merge(&mut read, &order);
        if let Some(filter) = &filter {
            merge(&mut read, &filter.inputs);
        }
        let rows = grouping.map_or_else(|| self.frame().rows(), |grouping| smallvec![grouping.row]);
        let additivity = match sums {
            true => Additivity::Never("a window total"),
            false => arguments.additivity.clone(),
        };
        let attr = match entry.kind {
            FunctionKind::Window => {
                let lineage = self.lineage_of(&read);
                self.attr(AttrInfo {
                    ty: arguments.ty,
                    lineage,
                    units: rows.clone(),
                    additivity,
                    ..blank(entry.name)
                })
            }
            _ => self.passed_through(entry, &read, arguments.ty, rows.clone(), additivity),
        };
        self.chosen(attr, entry, &values);
        self.frame().dependencies.push(Dependency::always(rows.clone(), smallvec![attr]));
        if entry.name == "row_number" {
            let mut from = partition;
            from.push(attr);
            self.frame().dependencies.push(Dependency::always(from, rows));
        }
        Value { aggregated: arguments.aggregated, ..self.column(attr) }
    }

    /// Resolves a window.
    pub(super) fn window_spec(&mut self, spec: &'a WindowSpec) -> Windowed {
        let WindowSpec { window_name, partition_by, order_by, window_frame } = spec;
        let Windowed { mut partition, mut order } = Windowed::default();
        if let Some(name) = window_name {
            let key = self.dialect.fold(name);
            let known = self.frame().windows.iter().find(|(known, _)| **known == *key);
            Windowed { partition, order } = known.map(|(_, window)| window.clone()).unwrap_or_default();
        }
        for expr in partition_by {
            let value = self.expr(expr);
            let attr = self.attribute(&value, "the partition", expr);
            merge(&mut partition, &[attr]);
        }
        for item in order_by {
            let value = self.ordered(item);
            merge(&mut order, &value.inputs);
        }
        if let Some(WindowFrame { units: _, start_bound, end_bound }) = window_frame {
            for bound in std::iter::once(start_bound).chain(end_bound) {
                match bound {
                    WindowFrameBound::Preceding(Some(expr)) | WindowFrameBound::Following(Some(expr)) => {
                        self.expr(expr);
                    }
                    WindowFrameBound::CurrentRow
                    | WindowFrameBound::Preceding(None)
                    | WindowFrameBound::Following(None) => {}
                }
            }
        }
        Windowed { partition, order }
    }
}
