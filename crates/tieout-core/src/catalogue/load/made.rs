//! Metrics that are made of others: no circles, not too deep, and units that go together.
//!
//! Deliberately absent: aggregates over rows.

use std::collections::HashMap;

use indexmap::IndexMap;

use super::{Context, codes, problem::Report, units};
use crate::{
    catalogue::{METRICS_DEPTH_MAX, Measure, Metric, Status},
    metric_kinds::Arithmetic,
    number::{Unit, UnitKind},
};

/// Notes circles and units that do not go together, and fills in the units that follow from the parts.
pub(super) fn check_and_fill(
    context: &Context<'_>,
    metrics: &mut IndexMap<String, Metric>,
    report: &mut Report<'_>,
) {
    check_successors(context, metrics, report);
    let mut depths: HashMap<String, Depth> = HashMap::new();
    let mut order = Vec::new();
    for name in metrics.keys() {
        visit(name, metrics, &mut depths, &mut order, 0);
    }
    for name in order {
        let node = context.entries.metrics.get(&name).copied();
        let at = node.map(|node| node.at_of("kind")).unwrap_or_default();
        match depths.get(&name) {
            Some(Depth::Circle) => {
                let message = format!("`{name}` is made of itself, by way of the metrics it is made of");
                report.error(codes::CYCLE, at, message, "break the circle: take one of them of rows");
            }
            Some(Depth::Levels(levels)) if *levels > METRICS_DEPTH_MAX => {
                let message = format!(
                    "`{name}` is made of metrics {levels} levels deep; at most {METRICS_DEPTH_MAX} are read"
                );
                report.error(codes::CYCLE, at, message, "take it of rows, or of fewer metrics");
            }
            Some(Depth::Levels(_) | Depth::Open) | None => {
                let says = node.is_some_and(|node| node.get("unit").is_some());
                if let Some(unit) = follows(&name, metrics, at, report)
                    && !says
                    && let Some(metric) = metrics.get_mut(&name)
                {
                    metric.unit = unit;
                }
            }
        }
    }
}

/// A deprecated metric must lead to one that is in use.
fn check_successors(context: &Context<'_>, metrics: &IndexMap<String, Metric>, report: &mut Report<'_>) {
    let successor = |name: &str| match metrics.get(name).map(|metric| &metric.status) {
        Some(Status::Deprecated { superseded_by }) => superseded_by.as_deref(),
        Some(Status::Draft | Status::Approved) | None => None,
    };
    for name in metrics.keys() {
        let mut at = successor(name);
        let mut steps = 0;
        while let Some(next) = at.filter(|next| *next != name && steps <= METRICS_DEPTH_MAX) {
            at = successor(next);
            steps += 1;
        }
        if at.is_some() {
            let node = context.entries.metrics.get(name);
            let place = node.map(|node| node.at_of("superseded_by")).unwrap_or_default();
            let message =
                format!("`{name}` is superseded by deprecated metrics only, in a circle or a long row");
            report.error(codes::CYCLE, place, message, "name a metric that is in use");
        }
    }
}

/// How far down a metric goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// Being looked at.
    Open,
    /// It comes back to itself.
    Circle,
    /// So many levels of metrics below it.
    Levels(usize),
}

/// Walks down, parts before wholes. Nothing below a depth that is refused anyway is walked, which bounds the recursion.
fn visit(
    name: &str,
    metrics: &IndexMap<String, Metric>,
    depths: &mut HashMap<String, Depth>,
    order: &mut Vec<String>,
    level: usize,
) -> Depth {
    match depths.get(name) {
        Some(Depth::Open) => return Depth::Circle,
        Some(depth) => return *depth,
        None => {}
    }
    if level > METRICS_DEPTH_MAX * 4 {
        return Depth::Levels(METRICS_DEPTH_MAX + 1);
    }
    depths.insert(name.to_owned(), Depth::Open);
    let mut depth = Depth::Levels(0);
    for part in metrics.get(name).map(parts).unwrap_or_default() {
        depth = match (depth, visit(&part, metrics, depths, order, level + 1)) {
            (Depth::Circle, _) | (_, Depth::Circle | Depth::Open) => Depth::Circle,
            (Depth::Levels(a), Depth::Levels(b)) => Depth::Levels(a.max(b + 1)),
            (Depth::Open, Depth::Levels(b)) => Depth::Levels(b + 1),
        };
    }
    depths.insert(name.to_owned(), depth);
    order.push(name.to_owned());
    depth
}

fn parts(metric: &Metric) -> Vec<String> {
    match &metric.measure {
        Measure::Aggregate(_) => Vec::new(),
        Measure::Ratio { numerator, denominator } => vec![numerator.clone(), denominator.clone()],
        Measure::Derived { expression } => expression.metrics().into_iter().map(str::to_owned).collect(),
    }
}

/// The unit that follows from a metric's parts; none for an aggregate, whose unit is known.
fn follows(
    name: &str,
    metrics: &IndexMap<String, Metric>,
    at: super::problem::At,
    report: &mut Report<'_>,
) -> Option<Unit> {
    let unit_of = |name: &str| metrics.get(name).map_or_else(Unit::none, |metric| metric.unit.clone());
    match &metrics.get(name)?.measure {
        Measure::Aggregate(_) => None,
        Measure::Ratio { numerator, denominator } => {
            Some(units::of_ratio(&unit_of(numerator), &unit_of(denominator)))
        }
        Measure::Derived { expression } => match combined(expression, &unit_of) {
            Ok(unit) => Some(unit),
            Err((a, b)) => {
                let message = format!("the expression adds up {} and {}", in_words(&a), in_words(&b));
                let hint = "add up figures of one unit only, or divide one by the other";
                report.error(codes::UNCLEAR_UNIT, at, message, hint);
                None
            }
        },
    }
}

/// The unit of an expression, or the two units that cannot be added up.
fn combined(expression: &Arithmetic, unit_of: &dyn Fn(&str) -> Unit) -> Result<Unit, (Unit, Unit)> {
    match expression {
        Arithmetic::Metric(name) => Ok(unit_of(name)),
        Arithmetic::Constant(_) => Ok(Unit::none()),
        Arithmetic::Add(a, b) | Arithmetic::Subtract(a, b) => {
            let (a, b) = (combined(a, unit_of)?, combined(b, unit_of)?);
            if a.kind == b.kind || b.kind == UnitKind::None {
                return Ok(a);
            }
            match (&a.kind, &b.kind) {
                (UnitKind::None, _) => Ok(b),
                (UnitKind::Named(_), UnitKind::Named(_)) => {
                    Ok(Unit { scale: a.scale.max(b.scale), ..Unit::none() })
                }
                _ => Err((a, b)),
            }
        }
        Arithmetic::Multiply(a, b) => {
            let (a, b) = (combined(a, unit_of)?, combined(b, unit_of)?);
            Ok(match (&a.kind, &b.kind) {
                (_, UnitKind::None | UnitKind::Ratio) => a,
                (UnitKind::None | UnitKind::Ratio, _) => b,
                _ => Unit::none(),
            })
        }
        Arithmetic::Divide(a, b) => {
            let (a, b) = (combined(a, unit_of)?, combined(b, unit_of)?);
            Ok(match (&a.kind, &b.kind) {
                (_, UnitKind::None) => units::of_quotient(a),
                _ => units::of_ratio(&a, &b),
            })
        }
    }
}

fn in_words(unit: &Unit) -> String {
    match &unit.kind {
        UnitKind::Currency(code) => code.clone(),
        UnitKind::Named(noun) => noun.clone(),
        UnitKind::Percent => "percent".to_owned(),
        UnitKind::Ratio => "a ratio".to_owned(),
        UnitKind::None => "a plain number".to_owned(),
    }
}
