//! Conditions: what they could reach beside what was read, and how things stand now under another time.

use tieout_core::{
    catalogue::{Datatype, Measure, Metric, Presence, Related},
    reading::{Condition, MeasureRef, Polarity, Request, Use},
};

use crate::language::Class;

use super::CONDITIONS_MAX;
use super::Look;
use super::STATES;

impl Look<'_> {
    /// Conditions whose scopes could be others.
    pub(super) fn conditions_together(&self) -> Option<String> {
        let conditions = self.conditions();
        let several = conditions.len() > 1;
        if conditions.len() > CONDITIONS_MAX {
            return Some(format!("{} conditions are taken together", conditions.len()));
        }
        if conditions.iter().any(|condition| matches!(condition, Condition::Any(_))) {
            return Some("“or” could join other parts of the question".to_owned());
        }
        if several && self.says(Class::Or).is_some() {
            return Some("“or” stands beside another condition, and could reach further".to_owned());
        }
        if several && conditions.iter().any(|condition| negates(condition)) {
            return Some(
                "one of several conditions leaves something out, and could leave out more".to_owned(),
            );
        }
        if several && conditions.iter().any(|condition| self.relates(condition)) {
            return Some(
                "other rows are asked about beside another condition, which could be theirs".to_owned(),
            );
        }
        None
    }

    /// Whether a condition is about rows of another dataset that stand on the many side.
    pub(super) fn relates(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Related { .. } => true,
            Condition::Member { population, .. } => {
                self.catalogue.populations.get(population).is_some_and(|p| !p.membership.related.is_empty())
            }
            Condition::OneOf { .. }
            | Condition::Compare { .. }
            | Condition::Between { .. }
            | Condition::Missing { .. }
            | Condition::InPeriod { .. }
            | Condition::Any(_) => false,
        }
    }

    /// How things stand today, asked for of rows of another time.
    pub(super) fn state_then(&self) -> Option<String> {
        if !self.has_period() {
            return None;
        }
        let state = self.conditions().into_iter().find(|condition| self.is_state(condition))?;
        let words = tieout_core::definitions::condition_words(state, self.catalogue);
        Some(format!("“{words}” is what is so now, and the period is that of the rows"))
    }

    pub(super) fn is_state(&self, condition: &Condition) -> bool {
        match condition {
            Condition::OneOf { field, .. } => {
                // `with order status shipped` says that it is about the status.
                let said = self.names_field(&field.dataset, &field.field);
                let found =
                    self.catalogue.datasets.get(&field.dataset).and_then(|d| d.fields.get(&field.field));
                // A flag is named by what is true of a row, and so is never named apart from its value.
                let flag = found.is_some_and(|found| found.datatype == Datatype::Boolean);
                (flag || !said) && self.states(&field.dataset, &field.field)
            }
            Condition::Member { population, .. } => {
                self.catalogue.populations.get(population).is_some_and(|p| {
                    let columns = p.membership.filter.iter().flat_map(|filter| filter.columns());
                    let lacks =
                        |related: &Related| related.presence == Presence::Absent && !related.within_period;
                    columns.into_iter().any(|column| self.states(&p.dataset, column))
                        || p.membership.related.iter().any(lacks)
                })
            }
            Condition::Related { conditions, .. } => conditions.iter().any(|inner| self.is_state(inner)),
            Condition::Compare { .. }
            | Condition::Between { .. }
            | Condition::Missing { .. }
            | Condition::InPeriod { .. }
            | Condition::Any(_) => false,
        }
    }

    /// Whether a field says how things stand now.
    pub(super) fn states(&self, dataset: &str, field: &str) -> bool {
        let last = |name: &str| {
            let name = name.to_lowercase();
            name.split(['_', ' ']).next_back().is_some_and(|word| STATES.contains(&word))
        };
        self.catalogue.datasets.get(dataset).and_then(|dataset| dataset.fields.get(field)).is_some_and(
            |field| field.datatype == Datatype::Boolean || last(&field.name) || last(&field.label),
        )
    }

    /// `how many customers in 2025?`: those that came then, or those that there were.
    pub(super) fn lasting_then(&self) -> Option<String> {
        if !self.has_period() {
            return None;
        }
        let (counted, whole) = match self.request {
            Request::Figures(figures) => figures.measures.iter().find_map(|measure| match &measure.value {
                MeasureRef::Count { dataset } => Some((dataset, true)),
                MeasureRef::Metric(_) | MeasureRef::AdHoc { .. } => None,
            }),
            // A list at one day asks for what there was then.
            Request::Rows(rows) => {
                let one_day = rows.period.period.as_ref().is_some_and(|period| period.days() <= 1);
                Some((&rows.dataset, one_day))
            }
            Request::About(_) => None,
        }?;
        let dataset = self.catalogue.datasets.get(counted)?;
        let time = dataset.time.as_deref()?;
        let dated = self.names_field(counted, time);
        let label = &dataset.fields.get(time)?.label;
        (!dated && self.lasts(counted) && (whole || !self.begins(counted, time)))
            .then(|| format!("the period is taken to be of the {label}, which no word says"))
    }

    /// Whether rows of a dataset go on: others belong to them.
    pub(super) fn lasts(&self, dataset: &str) -> bool {
        self.catalogue.relationships.values().any(|relationship| relationship.to == dataset)
    }

    /// Whether a metric counts the rows of a dataset by the day they begin.
    pub(super) fn begins(&self, dataset: &str, time: &str) -> bool {
        self.catalogue.metrics.values().any(|metric| self.counts_by(metric, dataset, time))
    }

    /// Whether a metric counts the rows of a dataset by a date.
    pub(super) fn counts_by(&self, metric: &Metric, dataset: &str, time: &str) -> bool {
        match &metric.measure {
            Measure::Aggregate(aggregate) => {
                let own = aggregate
                    .time
                    .as_deref()
                    .or_else(|| self.catalogue.datasets.get(&aggregate.dataset)?.time.as_deref());
                aggregate.kind == "count" && aggregate.dataset == dataset && own.is_none_or(|own| own == time)
            }
            Measure::Ratio { .. } | Measure::Derived { .. } => false,
        }
    }

    /// Related rows that no word names.
    pub(super) fn related_unnamed(&self) -> Option<String> {
        self.conditions().into_iter().find_map(|condition| {
            let Condition::Related { dataset, .. } = condition else { return None };
            let of_dataset = |name: &str| name.split('.').next() == Some(dataset.as_str());
            let named = self.words.iter().any(|word| match &word.used_as {
                Use::Dataset(name) => name == dataset,
                Use::Field(name) => of_dataset(name),
                Use::Population(name) => {
                    self.catalogue.populations.get(name).is_some_and(|p| p.dataset == *dataset)
                }
                Use::Relationship(_) => true,
                Use::Metric(_)
                | Use::Value(_)
                | Use::Time(_)
                | Use::Number(_)
                | Use::Grammar(_)
                | Use::Definition(_)
                | Use::Wrapping
                | Use::Stop
                | Use::Unknown => false,
            });
            let label = &self.catalogue.datasets.get(dataset)?.label;
            (!named).then(|| format!("{label} are brought in, and no word names them"))
        })
    }

    /// A bound on a field that no word names, where several things are spoken of.
    pub(super) fn bound_of_unnamed(&self) -> Option<String> {
        let things =
            self.words.iter().filter(|word| matches!(word.used_as, Use::Dataset(_) | Use::Population(_)));
        if things.count() < 2 {
            return None;
        }
        self.conditions().into_iter().find_map(|condition| {
            let (Condition::Compare { field, .. } | Condition::Between { field, .. }) = condition else {
                return None;
            };
            let named = self.names_field(&field.dataset, &field.field);
            let words = tieout_core::definitions::field_words(field, self.catalogue);
            (!named).then(|| format!("the bound is taken to be of the {words}, which no word says"))
        })
    }
}

fn negates(condition: &Condition) -> bool {
    match condition {
        Condition::OneOf { polarity, .. } | Condition::Member { polarity, .. } => {
            *polarity == Polarity::IsNot
        }
        Condition::Missing { polarity, .. } => *polarity == Polarity::Is,
        Condition::Compare { comparison, .. } => *comparison == tieout_core::reading::Comparison::NotEqual,
        Condition::Related { presence, .. } => *presence == Presence::Absent,
        Condition::Between { .. } | Condition::InPeriod { .. } => false,
        Condition::Any(any) => any.iter().any(negates),
    }
}
