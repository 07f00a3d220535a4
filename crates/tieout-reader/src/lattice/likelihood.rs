//! How likely a name is meant: less so inside a longer one, where it breaks one off, or where it is a verb.

use std::collections::HashSet;

use tieout_core::catalogue::Measure;

use super::{Chart, Item, Meaning, Span};
use crate::{
    language::Class,
    lexicon::{PHRASE_TOKENS_MAX, Tier},
};

/// What it costs to read a name inside a longer declared one.
const INSIDE: i32 = 24;
/// What it costs to read a name inside a longer one that is made of a dataset's and a field's words.
const INSIDE_MADE: i32 = 6;
/// What it costs to read a verb before a determiner as a name.
const VERB: i32 = 60;
/// What it costs to read a name that breaks off a longer declared one.
const BREAKS: i32 = 8;

impl Chart<'_> {
    pub(super) fn named_datasets(&self) -> HashSet<usize> {
        let named = |name: &str| self.catalogue.datasets.get_index_of(name);
        let mut found = HashSet::new();
        for item in self.items.iter().flatten() {
            match &item.meaning {
                Meaning::Datasets(datasets) => found.extend(datasets.iter().copied()),
                Meaning::Populations(populations) => found.extend(
                    populations
                        .iter()
                        .filter_map(|index| self.catalogue.populations.get_index(*index))
                        .filter_map(|(_, population)| named(&population.dataset)),
                ),
                Meaning::Metrics(metrics) => found.extend(
                    metrics.iter().filter_map(|index| self.catalogue.metrics.get_index(*index)).filter_map(
                        |(_, metric)| match &metric.measure {
                            Measure::Aggregate(aggregate) => named(&aggregate.dataset),
                            Measure::Ratio { .. } | Measure::Derived { .. } => None,
                        },
                    ),
                ),
                Meaning::Fields(_)
                | Meaning::Flags(_)
                | Meaning::Values(_)
                | Meaning::Relationships(_)
                | Meaning::Shut(_) => {}
            }
        }
        found
    }

    /// Marks the names that lie inside a longer one, and those that break one off.
    pub(super) fn shade(&mut self) {
        let declared = self.longest_names(Tier::Synonym);
        let made = self.longest_names(Tier::Composite);
        for item in self.items.iter_mut().flatten() {
            item.doubtful =
                cost(item.span, &declared, INSIDE, BREAKS).max(cost(item.span, &made, INSIDE_MADE, 0));
        }
    }

    /// For each token, the farthest end of the names of several tokens that start there, no less close than `tier`.
    pub(super) fn longest_names(&self, tier: Tier) -> Vec<usize> {
        let mut ends: Vec<usize> = (0..self.tokens.len()).collect();
        let long = |item: &&Item| item.tier <= tier && item.span.first < item.span.last;
        for item in self.items.iter().flatten().filter(long) {
            if let Some(end) = ends.get_mut(item.span.first) {
                *end = item.span.last.max(*end);
            }
        }
        ends
    }

    /// `return the orders` gives an order to the reader, and does not name what is returned: an item that is only a verb
    /// before a determiner is unlikely.
    pub(super) fn unverb(&mut self) {
        let determiners =
            [Class::Definite, Class::Indefinite, Class::All, Class::Each, Class::Possessive, Class::Pronoun];
        let verbs: Vec<usize> = (0..self.tokens.len())
            .filter(|at| self.one_of(*at, &[Class::Show, Class::List]).is_some())
            .filter(|at| self.one_of(at.saturating_add(1), &determiners).is_some())
            .collect();
        for at in verbs {
            for item in self.items.get_mut(at).into_iter().flatten() {
                if item.span.last == at {
                    item.doubtful = item.doubtful.saturating_add(VERB);
                }
            }
        }
    }
}

/// What it costs to read a name inside, or across the start of, the longest names.
fn cost(span: Span, ends: &[usize], inside: i32, breaks: i32) -> i32 {
    let ends_after = |at: usize| ends.get(at).is_some_and(|end| *end > span.last);
    let covers = |at: usize| ends.get(at).is_some_and(|end| *end >= span.last);
    let start = span.first.saturating_sub(PHRASE_TOKENS_MAX.saturating_mul(2));
    if ends_after(span.first) || (start..span.first).any(covers) {
        inside
    } else if (span.first.saturating_add(1)..=span.last).any(ends_after) {
        breaks
    } else {
        0
    }
}
