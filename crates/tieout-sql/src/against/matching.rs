//! Owns the small questions of the judge: whether an output is the figure that is wanted, whether a grouping says
//! something new, and what a condition is about.
//!
//! Deliberately absent: findings (`judge`).

use std::collections::HashMap;

use bigdecimal::Zero;

use super::canon::{Canon, Constant};
use super::expected::Role;
use super::figures::{Figure, Kind, has_figure};
use super::formula::{All, Formula, conjuncts};
use super::paths::Settled;
use super::rows::Reader;
use super::wanted::{Item, Wanted};
use crate::rejection::Place;

/// A value with each figure named by the first that is the same.
pub(super) fn unified(reader: &Reader, of: Canon) -> Canon {
    match of {
        Canon::Figure(number) => {
            let of = |figure: &Figure| (figure.kind.clone(), figure.filter.clone(), figure.leg);
            let wanted = reader.figures.get(number).map(of);
            let known = reader.figures.iter().position(|figure| Some(of(figure)) == wanted);
            Canon::Figure(known.unwrap_or(number))
        }
        Canon::Call(name, arguments) => {
            Canon::Call(name, arguments.into_iter().map(|argument| unified(reader, argument)).collect())
        }
        same @ (Canon::Constant(_) | Canon::Column(_, _) | Canon::Opaque(_, _)) => same,
    }
}

/// A figure without what does not change it: a cast to a wider number, COALESCE with zero.
pub(super) fn bare(of: Canon) -> Canon {
    let zero = Canon::Constant(Constant::Number(0.into()));
    match &of {
        Canon::Call(name, arguments) => match (&**name, arguments.as_slice()) {
            ("coalesce", [inner, otherwise]) if *otherwise == zero && has_figure(inner) => {
                bare(inner.clone())
            }
            ("cast decimal" | "cast float", [inner]) if has_figure(inner) => bare(inner.clone()),
            _ => of,
        },
        _ => of,
    }
}

/// The figures in an output that is what is wanted, each with a condition that belongs to its kind.
pub(super) fn matched(
    reader: &Reader,
    of: &Canon,
    wanted: &Wanted,
    settled: &HashMap<usize, Settled>,
) -> Option<Vec<(usize, Formula)>> {
    match (wanted, of) {
        (Wanted::One(kind, beside), Canon::Figure(number)) => {
            let figure = reader.figures.get(*number)?;
            let settled = settled.get(&figure.leg)?;
            let found = match figure.kind.of() {
                Some(of) => figure.kind.with(reader.moved(of.clone(), &settled.map)),
                None => figure.kind.clone(),
            };
            let root = settled.map.values().min().copied();
            let same = found == *kind
                || (*kind == Kind::Rows && root.is_some_and(|root| is_key(reader, &found, root)));
            same.then(|| vec![(*number, beside.clone())])
        }
        (Wanted::One(Kind::Average(value), beside), Canon::Call(_, _)) => {
            // SUM over COUNT of the same value.
            let sum = Wanted::One(Kind::Sum(value.clone()), beside.clone());
            let there = match reader.null_when(value) {
                None => Formula::True,
                Some(_) => Formula::NotNull(value.clone()),
            };
            let count = Wanted::One(Kind::Rows, there);
            matched(reader, of, &Wanted::Ratio(Box::new(sum), Box::new(count)), settled)
        }
        (Wanted::Ratio(over, under), Canon::Call(name, arguments)) if &**name == "/" => {
            let [a, b] = arguments.as_slice() else { return None };
            let b = match b {
                Canon::Call(name, parts) if &**name == "nullif" => match parts.as_slice() {
                    [of, Canon::Constant(Constant::Number(number))] if number.is_zero() => of,
                    _ => return None,
                },
                other => other,
            };
            let mut used = matched(reader, &bare(a.clone()), over, settled)?;
            used.extend(matched(reader, &bare(b.clone()), under, settled)?);
            Some(used)
        }
        (_, _) => None,
    }
}

/// Whether each figure of an output has the very condition that belongs to its kind, and no other.
pub(super) fn has_own_filter(
    reader: &mut Reader,
    used: &[(usize, Formula)],
    settled: &HashMap<usize, Settled>,
) -> bool {
    used.iter().all(|(number, beside)| {
        let Some(figure) = reader.figures.get(*number).cloned() else { return false };
        let Some(settled) = settled.get(&figure.leg) else { return false };
        reader.rewritten(figure.filter, &settled.map) == *beside
    })
}

/// Whether a count of different values is a count of rows: the values are a key.
pub(super) fn is_key(reader: &Reader, kind: &Kind, root: usize) -> bool {
    let Kind::Distinct(Canon::Column(row, name)) = kind else { return false };
    let table = reader.rows.get(*row).and_then(|table| reader.cx.schema.tables.get_index(*table));
    *row == root
        && table.is_some_and(|(_, table)| {
            let nullable = table.columns.get(&**name).is_none_or(|column| column.nullable);
            !nullable && table.keys().any(|key| matches!(key.as_slice(), [only] if **only == **name))
        })
}

pub(super) fn whole_key(reader: &Reader, kind: &Kind, root: usize, settled: &Settled) -> bool {
    match kind.of() {
        Some(of) => is_key(reader, &kind.with(reader.moved(of.clone(), &settled.map)), root),
        None => false,
    }
}

/// Whether a grouping has one value in every group of the others: a column of a row whose key is grouped by.
pub(super) fn determined(reader: &Reader, key: &Canon, wanted: &[Canon]) -> bool {
    let Canon::Column(row, _) = key else { return false };
    let table = reader.rows.get(*row).and_then(|table| reader.cx.schema.tables.get_index(*table));
    table.is_some_and(|(_, table)| {
        table.keys().any(|columns| {
            columns.iter().all(|name| wanted.contains(&Canon::Column(*row, name.as_str().into())))
        })
    })
}

pub(super) fn hint(item: &Item) -> String {
    match item.role {
        Role::Period => format!("write the period half-open: {}", item.words),
        Role::Exclusion => format!("leave out: {}", item.words),
        Role::Base
        | Role::Metric
        | Role::Population
        | Role::Filter
        | Role::Grouping
        | Role::Order
        | Role::Limit
        | Role::Unasked => format!("add the condition: {}", item.words),
    }
}

/// Whether a condition bounds the same value as a period does.
pub(super) fn bounds(part: &Formula, period: &Formula) -> bool {
    let Formula::Compare(_, a, b) = part else { return false };
    conjuncts(period.clone())
        .iter()
        .any(|known| matches!(known, Formula::Compare(_, of, _) if of == a || of == b))
}

/// That a value is there makes no difference to a figure over that value, when no group can be lost by it.
pub(super) fn neutral(reader: &Reader, figure: &Figure, settled: &Settled) -> All {
    let grouped = reader.legs.get(figure.leg).is_none_or(|leg| !leg.keys.is_empty());
    match (figure.kind.of(), grouped) {
        (Some(of), false) => All::from([Formula::NotNull(reader.moved(of.clone(), &settled.map))]),
        (_, _) => All::new(),
    }
}

/// Where something is said of the same value, though not what is expected.
pub(super) fn nearest(reader: &Reader, settled: &Settled, formula: &Formula) -> Option<Place> {
    let of: Vec<String> = columns(reader, formula);
    let met = settled.conditions.iter().find(|met| {
        let there = columns(reader, &met.formula);
        there.iter().any(|name| of.contains(name))
    });
    met.and_then(|met| met.place)
}

pub(super) fn columns(reader: &Reader, formula: &Formula) -> Vec<String> {
    match formula {
        Formula::And(all) | Formula::Or(all) => all.iter().flat_map(|part| columns(reader, part)).collect(),
        Formula::Compare(_, of, _)
        | Formula::OneOf(of, _)
        | Formula::NoneOf(of, _)
        | Formula::IsNull(of)
        | Formula::NotNull(of)
        | Formula::Holds(of, _) => vec![reader.shown(of)],
        Formula::True
        | Formula::False
        | Formula::There(_)
        | Formula::Missing(_)
        | Formula::Related { exists: _, rows: _, all: _ }
        | Formula::Opaque(_, _) => Vec::new(),
    }
}
