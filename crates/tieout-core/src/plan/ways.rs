//! Which stated relationships lead from a measure's rows to a field.

use crate::{
    catalogue::{Catalogue, Graph, JoinPath, Metric, PathSearch},
    halt::Halt,
    reading::{Choice, Doubtful, FieldRef, Problem, ReasonCode},
};

/// The way from `from` to a field's dataset: as chosen, else the only one there is.
///
/// # Errors
/// A refusal when no stated relationship leads there; a doubt when several do and none was chosen.
pub(super) fn way_to(catalogue: &Catalogue, from: &str, field: &FieldRef) -> Result<JoinPath, Halt> {
    let subject = format!("path:{}.{}", field.dataset, field.field);
    way(catalogue, from, &field.dataset, field.via.as_deref(), &subject)
}

/// The way to a field that a condition looks at: as the asked metrics' groupings spell it, else as [`way_to`]. A
/// condition need not be among the groupings that a metric allows.
///
/// # Errors
/// As [`way_to`].
pub(super) fn condition_way(
    catalogue: &Catalogue,
    metrics: &[&Metric],
    from: &str,
    field: &FieldRef,
) -> Result<JoinPath, Halt> {
    match stated_way(catalogue, metrics, from, field) {
        Some(path) if field.via.is_none() => Ok(path),
        Some(_) | None => way_to(catalogue, from, field),
    }
}

/// The way that a metric's list of groupings spells out for a field.
fn stated_way(catalogue: &Catalogue, metrics: &[&Metric], from: &str, field: &FieldRef) -> Option<JoinPath> {
    metrics.iter().find_map(|m| {
        let dimension = m.dimension(&field.dataset, &field.field)??;
        let path = Graph::of(catalogue).spelled(from, dimension.via.as_deref()?)?;
        ends_at(&path, from, &field.dataset).then_some(path)
    })
}

/// The way from a dataset to another: as chosen, else the only one there is.
///
/// # Errors
/// As [`way_to`].
pub(super) fn way(
    catalogue: &Catalogue,
    from: &str,
    to: &str,
    via: Option<&[String]>,
    subject: &str,
) -> Result<JoinPath, Halt> {
    let graph = Graph::of(catalogue);
    if let Some(path) = via.and_then(|names| graph.spelled(from, names)).filter(|p| ends_at(p, from, to)) {
        return Ok(path);
    }
    match graph.search(from, to) {
        PathSearch::One(path) => Ok(path),
        PathSearch::None => Err(Halt::Refuse(vec![Problem::new(
            ReasonCode::NoRelationship,
            format!("no stated relationship leads from {from} to {to}"),
            "ask without it, or state the relationship in the catalogue",
        )])),
        PathSearch::Several(paths) => Err(Halt::Doubt(vec![Doubtful {
            subject: subject.to_owned(),
            message: format!("there are {} ways from {from} to {to}", paths.len()),
            choices: paths.iter().map(choice).collect(),
        }])),
    }
}

/// The way from an aggregate's rows to a grouping, as the metrics that were asked for allow it.
///
/// # Errors
/// A refusal when a metric lists its groupings and this is not among them; else as [`way_to`].
pub(super) fn grouping_way(
    catalogue: &Catalogue,
    asked: Option<&Metric>,
    own: Option<&Metric>,
    from: &str,
    field: &FieldRef,
) -> Result<JoinPath, Halt> {
    let governing = asked.filter(|m| m.dimensions.is_some()).or(own);
    let named = naming(catalogue, governing, field);
    let field = named.as_ref().unwrap_or(field);
    if let Some(metric) = governing
        && metric.dimension(&field.dataset, &field.field).is_none()
    {
        return Err(Halt::Refuse(vec![forbidden(metric, field)]));
    }
    let metrics: Vec<&Metric> = [own, asked].into_iter().flatten().collect();
    let stated = stated_way(catalogue, &metrics, from, field);
    match stated {
        Some(path) => Ok(path),
        None => way_to(catalogue, from, field),
    }
}

/// The field that names a thing, in place of its key, where the metric lists the name and not the key: who may split by
/// the one may tell things apart by the other.
fn naming(catalogue: &Catalogue, metric: Option<&Metric>, field: &FieldRef) -> Option<FieldRef> {
    let dataset = catalogue.datasets.get(&field.dataset).filter(|d| d.primary_key.contains(&field.field))?;
    let display = dataset.display.clone()?;
    let metric = metric.filter(|m| m.dimension(&field.dataset, &field.field).is_none())?;
    metric.dimension(&field.dataset, &display)?;
    Some(FieldRef { field: display, ..field.clone() })
}

fn forbidden(metric: &Metric, field: &FieldRef) -> Problem {
    let listed = metric.dimensions.as_deref().unwrap_or_default();
    let allowed = listed.iter().map(|d| format!("{}.{}", d.dataset, d.field)).collect();
    Problem::new(
        ReasonCode::ForbiddenGrouping,
        format!("{} may not be split by {} of {}", metric.label, field.field, field.dataset),
        "split it by one of the groupings that the catalogue allows",
    )
    .near(allowed)
}

fn ends_at(path: &JoinPath, from: &str, to: &str) -> bool {
    path.hops.last().map_or(from, |hop| hop.to.as_str()) == to
}

fn choice(path: &JoinPath) -> Choice {
    let names = path.names();
    let mut text = String::new();
    for hop in &path.hops {
        if text.is_empty() {
            text.push_str(&hop.from);
        }
        text.push_str(&format!(" to {} ({})", hop.to, hop.relationship));
    }
    Choice { key: names.join(">"), text }
}
