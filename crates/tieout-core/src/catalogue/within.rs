//! What a metric is made of.

use super::{Aggregate, Catalogue, Dimension, Measure, Metric};

/// The deepest that metrics may be made of metrics.
pub const METRICS_DEPTH_MAX: usize = 16;

impl Catalogue {
    /// The metric and every metric that it is made of, each once, itself first.
    #[must_use]
    pub fn metrics_within(&self, name: &str) -> Vec<String> {
        let mut names = vec![name.to_owned()];
        let mut at = 0;
        while at < names.len() && names.len() < self.metrics.len().saturating_add(1) {
            let parts = self.metrics.get(&names[at]).map(made_of).unwrap_or_default();
            for part in parts {
                if !names.contains(&part) {
                    names.push(part);
                }
            }
            at += 1;
        }
        names
    }

    /// The aggregates that a metric is made of, with the metrics that state them.
    pub fn aggregates_within(&self, name: &str) -> impl Iterator<Item = (&Metric, &Aggregate)> {
        self.metrics_within(name).into_iter().filter_map(|n| self.metrics.get(&n)).filter_map(|m| {
            match &m.measure {
                Measure::Aggregate(a) => Some((m, a)),
                Measure::Ratio { .. } | Measure::Derived { .. } => None,
            }
        })
    }
}

impl Metric {
    /// Whether the metric may be split by a field, and by which way when the catalogue says: none when the metric
    /// lists its groupings and this is not one of them.
    #[must_use]
    pub fn dimension(&self, dataset: &str, field: &str) -> Option<Option<&Dimension>> {
        match &self.dimensions {
            None => Some(None),
            Some(listed) => listed.iter().find(|d| d.dataset == dataset && d.field == field).map(Some),
        }
    }
}

fn made_of(metric: &Metric) -> Vec<String> {
    match &metric.measure {
        Measure::Aggregate(_) => Vec::new(),
        Measure::Ratio { numerator, denominator } => vec![numerator.clone(), denominator.clone()],
        Measure::Derived { expression } => expression.metrics().into_iter().map(str::to_owned).collect(),
    }
}
