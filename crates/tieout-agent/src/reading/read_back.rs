//! Whether the wording was read as the typed request that it was made from.

use std::collections::BTreeSet;

use tieout_core::reading::{
    Comparison, Condition, Derivation, FieldRef, FiguresRequest, Grouping, MeasureRef, Polarity, Problem,
    Ranking, Reading, ReasonCode, Request, RowsRequest, Sourced,
};

use super::typed::{By, Typed, What};

/// Where a reading of the wording says something else than the request.
pub(super) fn differences(typed: &Typed, reading: &Reading) -> Vec<Problem> {
    let differ = match (&typed.what, &reading.request) {
        (What::Figures { measures, by, against, of_total }, Request::Figures(request)) => {
            let asked = measures.iter().map(|offered| &offered.measure);
            let measured = request.measures.iter().map(|found| &found.value);
            // A count may be read as the metric that the catalogue has for it.
            !same_measures(asked, measured)
                || !same_groups(by, request)
                || against.is_some() != matches!(request.derivation, Derivation::Against(_))
                || *of_total != matches!(request.derivation, Derivation::ShareOfTotal)
                || !request.having.is_empty()
                || unlike(typed, &request.conditions, request.ranking.as_ref())
                || typed.period.is_some() != request.period.period.is_some()
        }
        (What::Rows { dataset, columns, .. }, Request::Rows(request)) => {
            *dataset != request.dataset
                || (!columns.is_empty() && !same_columns(columns.iter().map(|c| &c.field), request))
                || unlike(typed, &request.conditions, request.ranking.as_ref())
                || typed.period.is_some() != request.period.period.is_some()
        }
        (What::Figures { .. } | What::Rows { .. }, _) => true,
    };
    if differ {
        let message = "the request cannot be put into words that say just that";
        return vec![Problem::new(ReasonCode::Unsupported, message, "ask for less at once")];
    }
    Vec::new()
}

fn same_measures<'a>(
    asked: impl Iterator<Item = &'a MeasureRef>,
    found: impl Iterator<Item = &'a MeasureRef>,
) -> bool {
    let found: Vec<_> = found.collect();
    let asked: Vec<_> = asked.collect();
    asked.len() == found.len()
        && asked.iter().zip(&found).all(|(asked, found)| match (asked, found) {
            (MeasureRef::Count { .. }, MeasureRef::Metric(_)) => true,
            _ => asked == found,
        })
}

fn same_groups(by: &[By], request: &FiguresRequest) -> bool {
    by.len() == request.groupings.len()
        && by.iter().zip(&request.groupings).all(|(by, found)| match (by, &found.value) {
            (By::Time(grain), Grouping::Time(other)) => grain == other,
            (By::Field(field), Grouping::Field(other)) => same_field(&field.field, other),
            (By::Time(_) | By::Field(_), _) => false,
        })
}

fn same_columns<'a>(columns: impl Iterator<Item = &'a FieldRef>, request: &RowsRequest) -> bool {
    let asked: BTreeSet<_> = columns.map(|field| (&field.dataset, &field.field)).collect();
    let found: BTreeSet<_> =
        request.columns.iter().map(|column| (&column.value.dataset, &column.value.field)).collect();
    asked == found
}

fn same_field(one: &FieldRef, other: &FieldRef) -> bool {
    one.dataset == other.dataset && one.field == other.field
}

/// Whether the conditions are others than those asked for, or the order is.
fn unlike(typed: &Typed, conditions: &[Sourced<Condition>], ranking: Option<&Ranking>) -> bool {
    let mut found = Named::default();
    conditions.iter().for_each(|condition| found.condition(&condition.value));
    let mut asked = Named::default();
    for condition in &typed.conditions {
        asked.field(&condition.field.field, condition.test.name(), condition.values.len());
    }
    asked.populations.extend(typed.populations.iter().map(|(name, ..)| name.clone()));
    // A thing that is related may be read as the population that the catalogue has for it.
    let related = typed.related.len();
    let order = typed.order.as_ref();
    let limit = |ranking: &Ranking| ranking.limit;
    asked.fields != found.fields
        || !asked.populations.is_subset(&found.populations)
        || found.populations.len() + found.datasets > asked.populations.len() + related
        || order.is_some() != ranking.is_some()
        || order.map(|order| order.sort) != ranking.map(|ranking| ranking.sort)
        || order.and_then(|order| order.limit).map(u64::from) != ranking.and_then(limit)
}

/// What conditions are about.
#[derive(Default)]
struct Named {
    fields: BTreeSet<String>,
    populations: BTreeSet<String>,
    datasets: usize,
}

/// The test of a reply that a comparison is.
fn test(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Above => "above",
        Comparison::AtLeast => "at_least",
        Comparison::Below => "below",
        Comparison::AtMost => "at_most",
        Comparison::Equal => "is",
        Comparison::NotEqual => "is_not",
    }
}

impl Named {
    fn field(&mut self, field: &FieldRef, test: &str, values: usize) {
        self.fields.insert(format!("{}.{} {test} {values}", field.dataset, field.field));
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::OneOf { field, values, polarity } => {
                self.field(field, if *polarity == Polarity::Is { "is" } else { "is_not" }, values.len());
            }
            Condition::Compare { field, comparison, .. } => self.field(field, test(*comparison), 1),
            Condition::Between { field, .. } => self.field(field, "between", 2),
            Condition::Missing { field, polarity } => {
                self.field(field, if *polarity == Polarity::Is { "missing" } else { "present" }, 0);
            }
            Condition::InPeriod { field, .. } => self.field(field, "in a period", 1),
            Condition::Member { population, .. } => {
                self.populations.insert(population.clone());
            }
            Condition::Related { conditions, .. } => {
                if conditions.is_empty() {
                    self.datasets = self.datasets.saturating_add(1);
                }
                conditions.iter().for_each(|condition| self.condition(condition));
            }
            Condition::Any(any) => any.iter().for_each(|condition| self.condition(condition)),
        }
    }
}
