//! The tables that lead from one to another, so that none that is needed is missing.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use tieout_core::catalogue::{Catalogue, Measure};

/// The datasets on the shortest ways between those that are chosen.
pub(super) fn bridges(catalogue: &Catalogue, chosen: &BTreeSet<String>) -> BTreeSet<String> {
    let mut next: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for relationship in catalogue.relationships.values() {
        next.entry(&relationship.from).or_default().insert(&relationship.to);
        next.entry(&relationship.to).or_default().insert(&relationship.from);
    }
    let mut found = BTreeSet::new();
    for start in chosen {
        let mut before: BTreeMap<&str, &str> = BTreeMap::new();
        let mut waiting: VecDeque<&str> = VecDeque::from([start.as_str()]);
        while let Some(here) = waiting.pop_front() {
            for there in next.get(here).into_iter().flatten() {
                if *there != start && !before.contains_key(there) {
                    before.insert(there, here);
                    waiting.push_back(there);
                }
            }
        }
        for end in chosen {
            let mut at = end.as_str();
            while let Some(back) = before.get(at) {
                found.insert((*back).to_owned());
                at = back;
            }
        }
    }
    found
}

/// The datasets that a metric is about.
pub(super) fn reads(catalogue: &Catalogue, metric: &str) -> Vec<String> {
    let own = match catalogue.metrics.get(metric).map(|metric| &metric.measure) {
        Some(Measure::Aggregate(aggregate)) => vec![aggregate.dataset.clone()],
        Some(Measure::Ratio { .. } | Measure::Derived { .. }) | None => Vec::new(),
    };
    let within = catalogue.aggregates_within(metric).map(|(_, aggregate)| aggregate.dataset.clone());
    own.into_iter().chain(within).collect()
}
