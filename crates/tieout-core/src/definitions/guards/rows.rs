//! Guards over conditions: on one row, and on the rows related to it.

use std::collections::BTreeSet;

use crate::{
    catalogue::{Catalogue, Graph, PathSearch, Presence},
    reading::{
        Condition, Derivation, FiguresRequest, MeasureRef, Polarity, Problem, ReasonCode, RowsRequest,
        Source, Use, WordUse,
    },
};

/// "Paid late" where both are values of one status: no row can be both, so the answer would always be none.
pub(super) fn never_both(conditions: &[&Condition]) -> Option<Problem> {
    let values = |c: &&Condition| match c {
        Condition::OneOf { field, values, polarity: Polarity::Is } => Some((field.clone(), values.clone())),
        Condition::OneOf { polarity: Polarity::IsNot, .. }
        | Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::Missing { .. }
        | Condition::InPeriod { .. }
        | Condition::Member { .. }
        | Condition::Related { .. }
        | Condition::Any(_) => None,
    };
    let asked: Vec<_> = conditions.iter().filter_map(values).collect();
    let apart = |i: usize| {
        let (field, wanted) = asked.get(i)?;
        let disjoint =
            |(other, more): &(_, Vec<_>)| field == other && wanted.iter().all(|v| !more.contains(v));
        asked.iter().skip(i.saturating_add(1)).any(disjoint).then_some(field)
    };
    let field = (0..asked.len()).find_map(apart)?;
    Some(Problem::new(
        ReasonCode::Unsupported,
        format!(
            "{} of {} is asked to be two values at once, which no row can be",
            field.field, field.dataset
        ),
        "ask for one of them, or say “or”",
    ))
}

/// "Customers with a loan in euros that is active": one loan that is both, or a loan of each kind? Where the related
/// thing is named once for each condition, one row for each is meant.
pub(super) fn one_row_or_several(
    base: &str,
    conditions: &[&Condition],
    words: &[WordUse],
    catalogue: &Catalogue,
) -> Option<Problem> {
    let related: Vec<String> = conditions.iter().filter_map(|c| existing(c, base, catalogue)).collect();
    let twice: BTreeSet<&String> =
        related.iter().filter(|d| related.iter().filter(|other| other == d).count() > 1).collect();
    let dataset = twice.into_iter().find(|dataset| {
        let conditions = related.iter().filter(|d| d == dataset).count();
        named(dataset, words, catalogue) < conditions
    })?;
    let label = catalogue.datasets.get(dataset.as_str()).map_or(dataset.as_str(), |d| d.label.as_str());
    Some(Problem::new(
        ReasonCode::Unsupported,
        format!("it is not clear whether one row of {label} must meet all of that, or several rows together"),
        "ask for one of them at a time, or name the thing with each condition",
    ))
}

/// "Net revenue of customers who have a subscription in 2026", "tickets without a survey in September": the period went
/// to related rows, and what is added up would be of all dates.
pub(super) fn period_of_related(
    figures: &FiguresRequest,
    conditions: &[&Condition],
    counts: bool,
    catalogue: &Catalogue,
) -> Option<Problem> {
    let dataset =
        conditions.iter().filter(|_| figures.period.period.is_none()).find_map(|c| inner_period(c))?;
    let timed = figures.measures.iter().any(|m| match &m.value {
        MeasureRef::Metric(name) => catalogue.aggregates_within(name).any(|(_, a)| a.time.is_some()),
        MeasureRef::Count { dataset } | MeasureRef::AdHoc { dataset, .. } => {
            catalogue.datasets.get(dataset).is_some_and(|d| d.time.is_some())
        }
    });
    (timed && !counts).then(|| {
        Problem::new(
            ReasonCode::Unsupported,
            format!("the period would be of {dataset} alone, and the figure of all dates"),
            "give each its own period",
        )
    })
}

fn inner_period(condition: &Condition) -> Option<&str> {
    match condition {
        Condition::Related { dataset, period: Some(_), .. } => Some(dataset),
        Condition::Related { conditions, .. } | Condition::Any(conditions) => {
            conditions.iter().find_map(inner_period)
        }
        Condition::OneOf { .. }
        | Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::Missing { .. }
        | Condition::InPeriod { .. }
        | Condition::Member { .. } => None,
    }
}

/// "Loans with a late repayment and its amount": the rows shown beside are all related ones, not those that were meant.
pub(super) fn shown_beside(
    rows: &RowsRequest,
    conditions: &[&Condition],
    catalogue: &Catalogue,
) -> Option<Problem> {
    let related: Vec<String> =
        conditions.iter().filter_map(|c| existing(c, &rows.dataset, catalogue)).collect();
    let graph = Graph::of(catalogue);
    let column = rows.columns.iter().map(|c| &c.value).find(|field| {
        let to_one = match graph.search(&rows.dataset, &field.dataset) {
            PathSearch::One(path) => path.to_one(),
            PathSearch::Several(paths) => paths.iter().all(|p| p.to_one()),
            PathSearch::None => true,
        };
        !to_one && related.contains(&field.dataset)
    })?;
    Some(Problem::new(
        ReasonCode::Unsupported,
        format!(
            "{} of {} would be shown of all related rows, not only of those that meet the condition",
            column.field, column.dataset
        ),
        format!("ask for the {} themselves", column.dataset),
    ))
}

/// "Loans with a balance above 500,000": a row for each moment is kept, and any moment would do.
pub(super) fn any_moment(condition: &Condition, base: &str, catalogue: &Catalogue) -> Option<Problem> {
    let dataset = match condition {
        Condition::Related { dataset, period: None, .. } => dataset,
        Condition::Compare { field, .. } | Condition::Between { field, .. } if field.dataset != base => {
            &field.dataset
        }
        Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::Related { .. }
        | Condition::OneOf { .. }
        | Condition::Missing { .. }
        | Condition::InPeriod { .. }
        | Condition::Member { .. }
        | Condition::Any(_) => return None,
    };
    moments_of(dataset, catalogue)
}

/// "Biggest backlog area": of which moment?
pub(super) fn ranked_moments(rows: &RowsRequest, catalogue: &Catalogue) -> Option<Problem> {
    rows.ranking.as_ref().filter(|_| rows.period.period.is_none())?;
    moments_of(&rows.dataset, catalogue)
}

fn moments_of(dataset: &str, catalogue: &Catalogue) -> Option<Problem> {
    let taken = |metric: &crate::catalogue::Metric| {
        catalogue.aggregates_within(&metric.name).find(|(_, a)| a.dataset == dataset).map(|(_, a)| a.kind)
    };
    let kinds: Vec<&str> = catalogue.metrics.values().filter_map(taken).collect();
    let stock = !kinds.is_empty() && kinds.iter().all(|kind| *kind == "latest");
    stock.then(|| {
        Problem::new(
            ReasonCode::Unsupported,
            format!("{dataset} are kept for each moment, and nothing says which is meant: any would do"),
            "ask for the metric at a day, split by what it is of",
        )
    })
}

/// "Percentage of customers who ordered in 2026": ordered in it, or of those that came in it?
pub(super) fn undated_part(base: &str, figures: &FiguresRequest, catalogue: &Catalogue) -> Option<Problem> {
    let Derivation::ShareOf { part } = &figures.derivation else { return None };
    figures.period.period.as_ref().filter(|_| figures.period.source == Source::Question)?;
    let graph = Graph::of(catalogue);
    let dated = |dataset: &str| catalogue.datasets.get(dataset).is_some_and(|d| d.time.is_some());
    let many = |dataset: &str| match graph.search(base, dataset) {
        PathSearch::One(path) => !path.to_one(),
        PathSearch::Several(paths) => paths.iter().any(|p| !p.to_one()),
        PathSearch::None => false,
    };
    let all = || part.iter().chain(figures.conditions.iter().map(|c| &c.value));
    let other: &String = all().find_map(|c| match c {
        Condition::Related { dataset, period: None, .. } if dated(dataset) && many(dataset) => Some(dataset),
        Condition::Member { population, .. } => {
            let found = catalogue.populations.get(population)?;
            found
                .membership
                .related
                .iter()
                .find(|r| !r.within_period && dated(&r.dataset))
                .map(|r| &r.dataset)
        }
        Condition::Related { .. }
        | Condition::OneOf { .. }
        | Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::Missing { .. }
        | Condition::InPeriod { .. }
        | Condition::Any(_) => None,
    })?;
    Some(Problem::new(
        ReasonCode::Unsupported,
        format!("it is not clear whether the period is of {base} or of {other}"),
        "ask how many there are of each, with a period of its own",
    ))
}

/// The dataset of which a condition asks for a row that exists, or for none.
fn existing(condition: &Condition, base: &str, catalogue: &Catalogue) -> Option<String> {
    match condition {
        Condition::Related { dataset, .. } => Some(dataset.clone()),
        Condition::Member { population, polarity: Polarity::Is, .. } => {
            let found = catalogue.populations.get(population)?;
            if found.dataset != base {
                let graph = Graph::of(catalogue);
                let to_one = match graph.search(base, &found.dataset) {
                    PathSearch::One(path) => path.to_one(),
                    PathSearch::Several(_) | PathSearch::None => false,
                };
                return (!to_one).then(|| found.dataset.clone());
            }
            let exists = |r: &&crate::catalogue::Related| r.presence == Presence::Exists;
            found.membership.related.iter().find(exists).map(|r| r.dataset.clone())
        }
        Condition::Member { polarity: Polarity::IsNot, .. }
        | Condition::OneOf { .. }
        | Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::Missing { .. }
        | Condition::InPeriod { .. }
        | Condition::Any(_) => None,
    }
}

/// How often a thing is called by its name.
fn named(dataset: &str, words: &[WordUse], catalogue: &Catalogue) -> usize {
    let label = catalogue.datasets.get(dataset).map_or(dataset, |d| d.label.as_str()).to_lowercase();
    let stem = label.trim_end_matches('s').trim_end_matches("ie");
    let tokens = words.iter().map(|w| {
        let by_name = matches!(&w.used_as, Use::Dataset(name) if name == dataset);
        let text = w.text.to_lowercase();
        let times = text.split_whitespace().filter(|t| t.starts_with(stem)).count();
        times.max(usize::from(by_name))
    });
    tokens.sum()
}
