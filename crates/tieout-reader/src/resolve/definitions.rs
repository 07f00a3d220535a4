//! Definitions given in the question, held against the catalogue's.

use std::collections::BTreeSet;

use tieout_core::{
    catalogue::{Measure, Metric},
    reading::{MeasureRef, ReasonCode, Sourced, Use},
};

use super::{Frame, Resolver};
use crate::grammar::ast::{DefinitionPhrase, Formula, MeasureCore, MeasurePhrase};

/// The deepest that metrics are followed into the metrics they are made of.
const DEPTH_MAX: usize = 12;

/// What a formula says, with every sum taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Meant {
    /// A sum of these metrics.
    Sum(BTreeSet<String>),
    /// One of these divided by one of those.
    Quotient(BTreeSet<String>, BTreeSet<String>),
    /// One of these less one of those.
    Difference(BTreeSet<String>, BTreeSet<String>),
}

impl Resolver<'_> {
    /// Each definition must be the catalogue's own, or the question asks for something else than would be answered.
    pub(super) fn definitions(&mut self, frame: &Frame<'_>, measures: &[Sourced<MeasureRef>]) {
        for phrase in &frame.definitions {
            self.definition(phrase, measures);
        }
    }

    fn definition(&mut self, phrase: &DefinitionPhrase, measures: &[Sourced<MeasureRef>]) {
        let Some(meant) = self.meant(&phrase.formula) else {
            self.blame(
                ReasonCode::DefinitionDiffers,
                phrase.span,
                "defines with what is no metric",
                "use metrics",
            );
            return;
        };
        let asked: Vec<String> = measures
            .iter()
            .filter_map(|measure| match &measure.value {
                MeasureRef::Metric(name) => Some(name.clone()),
                MeasureRef::Count { .. } | MeasureRef::AdHoc { .. } => None,
            })
            .collect();
        let named = self.named_metrics(phrase);
        let subjects: Vec<String> = if named.is_empty() { self.with_parts(&asked) } else { named };
        if let Some(name) = subjects.iter().find(|name| self.agrees(name, &meant)) {
            self.claim(phrase, name.clone());
            return;
        }
        let nearest: Vec<String> =
            self.catalogue().metrics.keys().filter(|name| self.agrees(name, &meant)).cloned().collect();
        let subject = subjects.first().and_then(|name| self.catalogue().metrics.get(name));
        let message = match subject {
            Some(metric) => format!("is not how {} is defined here: {}", metric.label, self.stated(metric)),
            None => "defines something that no metric is".to_owned(),
        };
        let hint = if nearest.is_empty() {
            "leave the definition out to get the catalogue's, or ask for the parts"
        } else {
            "leave the definition out, or ask for the nearest by its name"
        };
        self.blame_near(ReasonCode::DefinitionDiffers, phrase.span, &message, hint, nearest);
    }

    /// The metrics that the defined words name.
    fn named_metrics(&self, phrase: &DefinitionPhrase) -> Vec<String> {
        let names = phrase.metrics.iter().filter_map(|index| self.catalogue().metrics.get_index(*index));
        names.map(|(name, _)| name.clone()).collect()
    }

    /// The asked metrics and all they are made of: `loss` may be defined when `average loss` is asked for.
    fn with_parts(&self, asked: &[String]) -> Vec<String> {
        let mut all: Vec<String> = asked.to_vec();
        let mut at = 0;
        while let Some(name) = all.get(at).cloned() {
            at = at.saturating_add(1);
            if at > DEPTH_MAX.saturating_mul(DEPTH_MAX) {
                break;
            }
            let Some(metric) = self.catalogue().metrics.get(&name) else { continue };
            let parts: Vec<String> = match &metric.measure {
                Measure::Aggregate(_) => Vec::new(),
                Measure::Ratio { numerator, denominator } => vec![numerator.clone(), denominator.clone()],
                Measure::Derived { expression } => {
                    expression.metrics().into_iter().map(str::to_owned).collect()
                }
            };
            for part in parts {
                if !all.contains(&part) {
                    all.push(part);
                }
            }
        }
        all
    }

    fn claim(&mut self, phrase: &DefinitionPhrase, name: String) {
        for at in phrase.span.first..=phrase.span.last {
            self.notes.remove(&at);
        }
        self.note(phrase.span, Use::Definition(name));
    }

    /// What a formula says.
    fn meant(&self, formula: &Formula) -> Option<Meant> {
        match formula {
            Formula::Sum(parts) => {
                let mut all = BTreeSet::new();
                for part in parts {
                    let names = self.metric_names(part);
                    let [name] = names.as_slice() else { return None };
                    all.extend(self.summands(name, 0));
                }
                Some(Meant::Sum(all))
            }
            Formula::Quotient(a, b) => {
                Some(Meant::Quotient(self.nonempty_names(a)?, self.nonempty_names(b)?))
            }
            Formula::Difference(a, b) => {
                Some(Meant::Difference(self.nonempty_names(a)?, self.nonempty_names(b)?))
            }
        }
    }

    fn nonempty_names(&self, phrase: &MeasurePhrase) -> Option<BTreeSet<String>> {
        let names: BTreeSet<String> = self.metric_names(phrase).into_iter().collect();
        (!names.is_empty()).then_some(names)
    }

    /// The metrics that a part of a formula may name; a count of rows names the metrics that count them. An ambiguous
    /// word names every reading that it may have.
    fn metric_names(&self, phrase: &MeasurePhrase) -> Vec<String> {
        if let Some(readings) = self.term_readings(phrase.term) {
            return readings;
        }
        match &phrase.core {
            MeasureCore::Metrics(metrics) => {
                let found = metrics.iter().filter_map(|index| self.catalogue().metrics.get_index(*index));
                found.map(|(name, _)| name.clone()).collect()
            }
            MeasureCore::Count(noun) => {
                let Some(dataset) =
                    crate::grammar::dataset_of(self.chart(), noun.head).and_then(|d| self.dataset(d))
                else {
                    return Vec::new();
                };
                let counts = |metric: &&Metric| matches!(&metric.measure, Measure::Aggregate(a) if a.dataset == dataset.name && a.kind == "count" && a.filter.is_none() && a.population.is_none());
                self.catalogue().metrics.values().filter(counts).map(|metric| metric.name.clone()).collect()
            }
            MeasureCore::Field(_) => Vec::new(),
        }
    }

    fn term_readings(&self, term: Option<usize>) -> Option<Vec<String>> {
        let (_, term) = self.catalogue().terms.get_index(term?)?;
        match &term.meaning {
            tieout_core::catalogue::TermMeaning::Ambiguous(readings) => {
                let metrics = readings.iter().filter(|name| self.catalogue().metrics.contains_key(*name));
                Some(metrics.cloned().collect())
            }
            tieout_core::catalogue::TermMeaning::Absent(_) => None,
        }
    }

    /// The metrics that a sum is made of, or the metric itself.
    fn summands(&self, name: &str, depth: usize) -> BTreeSet<String> {
        let metric = self.catalogue().metrics.get(name);
        let parts = metric.and_then(|metric| match &metric.measure {
            Measure::Derived { expression } => expression.summands(),
            Measure::Aggregate(_) | Measure::Ratio { .. } => None,
        });
        match parts {
            Some(parts) if depth < DEPTH_MAX => {
                parts.into_iter().flat_map(|part| self.summands(part, depth.saturating_add(1))).collect()
            }
            _ => BTreeSet::from([name.to_owned()]),
        }
    }

    /// Whether a metric's own definition is what was said.
    fn agrees(&self, name: &str, meant: &Meant) -> bool {
        let Some(metric) = self.catalogue().metrics.get(name) else { return false };
        match (&metric.measure, meant) {
            (Measure::Derived { expression }, Meant::Sum(parts)) => {
                expression.summands().is_some() && self.summands(name, 0) == *parts
            }
            (Measure::Ratio { numerator, denominator }, Meant::Quotient(a, b)) => {
                a.contains(numerator) && b.contains(denominator)
            }
            (Measure::Derived { expression }, Meant::Quotient(a, b)) => two_of(expression, true, a, b),
            (Measure::Derived { expression }, Meant::Difference(a, b)) => two_of(expression, false, a, b),
            (Measure::Aggregate(_), _) | (Measure::Ratio { .. }, Meant::Sum(_) | Meant::Difference(..)) => {
                false
            }
        }
    }

    /// The catalogue's definition, in words.
    fn stated(&self, metric: &Metric) -> String {
        let label = |name: &str| {
            self.catalogue().metrics.get(name).map_or_else(|| name.to_owned(), |m| m.label.clone())
        };
        match &metric.measure {
            Measure::Aggregate(aggregate) => format!("it is a {} over {}", aggregate.kind, aggregate.dataset),
            Measure::Ratio { numerator, denominator } => {
                format!("it is {} divided by {}", label(numerator), label(denominator))
            }
            Measure::Derived { expression } => format!("it is {expression}"),
        }
    }
}

/// Whether an expression is one metric over, or less, another.
fn two_of(
    expression: &tieout_core::metric_kinds::Arithmetic,
    divides: bool,
    a: &BTreeSet<String>,
    b: &BTreeSet<String>,
) -> bool {
    use tieout_core::metric_kinds::Arithmetic;
    let pair = match expression {
        Arithmetic::Divide(left, right) if divides => Some((left, right)),
        Arithmetic::Subtract(left, right) if !divides => Some((left, right)),
        _ => None,
    };
    let Some((left, right)) = pair else { return false };
    match (left.as_ref(), right.as_ref()) {
        (Arithmetic::Metric(left), Arithmetic::Metric(right)) => a.contains(left) && b.contains(right),
        _ => false,
    }
}
