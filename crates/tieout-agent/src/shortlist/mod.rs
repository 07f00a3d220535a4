//! Which entries of a catalogue a model is told of: all of a small one; of a large one, those nearest the question.
//!
//! Nearness is BM25 over words and, where the project names an endpoint of embeddings, likeness of meaning beside it.
//! Whatever a chosen entry needs comes with it: the datasets of a metric, and those that lie on the way between two
//! datasets. Deliberately absent: binding anything, and trusting anything. A name that is not listed here can still be read
//! by the built-in reader, and one that is listed is only one that may be said.

mod bridges;
mod fusion;
mod meaning;
mod words;

use std::collections::BTreeMap;

use tieout_core::{
    catalogue::Catalogue,
    model::{EmbedTook, ModelIdentity},
    ports::{Embedder, FieldValues},
};

pub use meaning::Meanings;
pub use words::WordIndex;

/// Up to so many metrics, populations and fields, all of them are listed.
pub const LISTED_WHOLE_MAX: usize = 200;
/// Of a larger catalogue: how many metrics.
pub const METRICS_MAX: usize = 20;
/// Of a larger catalogue: how many populations.
pub const POPULATIONS_MAX: usize = 10;
/// Of a larger catalogue: how many datasets, before those that the others need.
pub const DATASETS_MAX: usize = 8;

/// What is listed, in the order of the catalogue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shortlist {
    /// Metrics.
    pub metrics: Vec<Listed>,
    /// Populations.
    pub populations: Vec<Listed>,
    /// Datasets.
    pub datasets: Vec<Listed>,
}

/// An entry that is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Why it is.
    pub by: ListedBy,
}

/// Why an entry is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ListedBy {
    /// The catalogue is small, so all of it is.
    Whole,
    /// It is near by words.
    Words,
    /// It is near by meaning.
    Meaning,
    /// It is near by both.
    Both,
    /// Another entry that is listed needs it, or the way between two does.
    Needed,
}

impl ListedBy {
    /// As shown and as written in files.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Words => "words",
            Self::Meaning => "meaning",
            Self::Both => "both",
            Self::Needed => "needed",
        }
    }
}

/// How nearness is told.
#[derive(Clone, Copy, Debug)]
pub enum Nearness<'a> {
    /// By words alone.
    Words,
    /// By meaning alone: to measure what it is worth.
    Meaning(&'a Meanings),
    /// By both.
    Both(&'a Meanings),
}

/// What kind of entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Metric,
    Population,
    Dataset,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Metric, Self::Population, Self::Dataset];

    /// How many of it are listed of a large catalogue.
    fn most(self) -> usize {
        match self {
            Self::Metric => METRICS_MAX,
            Self::Population => POPULATIONS_MAX,
            Self::Dataset => DATASETS_MAX,
        }
    }
}

/// How the shortlist of one question came about, for the record and for `--trace`.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    /// What is listed.
    pub shortlist: Shortlist,
    /// How many metrics, populations and datasets the catalogue has.
    pub entries: usize,
    /// What became of asking for meanings; none where the project names no endpoint for it.
    pub meaning: Option<MeaningAsked>,
}

/// What became of asking for meanings.
#[derive(Clone, Debug, PartialEq)]
pub struct MeaningAsked {
    /// Who embeds.
    pub identity: ModelIdentity,
    /// What it took. What came to nothing may have cost as well.
    pub took: EmbedTook,
    /// Why there are none, where there are none: then words alone chose.
    pub failed: Option<String>,
}

/// Chooses what a model is told of. An endpoint of embeddings that fails takes nothing away but its own help.
pub async fn shortlist(
    catalogue: &Catalogue,
    values: &FieldValues,
    question: &str,
    embedder: Option<&dyn Embedder>,
) -> Listing {
    let entries = catalogue.metrics.len() + catalogue.populations.len() + catalogue.datasets.len();
    // Of a small catalogue nothing is chosen, so nothing is sent anywhere.
    let words = WordIndex::of(catalogue, values);
    let Some(embedder) = embedder.filter(|_| !is_whole(catalogue)) else {
        let shortlist = Shortlist::of(&words, question, Nearness::Words);
        return Listing { shortlist, entries, meaning: None };
    };
    let identity = embedder.identity().clone();
    let (shortlist, meaning) = match Meanings::of(catalogue, question, embedder).await {
        Ok((meanings, took)) => {
            let shortlist = Shortlist::of(&words, question, Nearness::Both(&meanings));
            (shortlist, MeaningAsked { identity, took, failed: None })
        }
        Err(fault) => {
            let shortlist = Shortlist::of(&words, question, Nearness::Words);
            let failed = Some(fault.to_string());
            let took = EmbedTook { spend: *fault.spend, latency: fault.took, ..EmbedTook::default() };
            (shortlist, MeaningAsked { identity, took, failed })
        }
    };
    Listing { shortlist, entries, meaning: Some(meaning) }
}

/// Whether a catalogue is so small that all of it is listed.
#[must_use]
pub fn is_whole(catalogue: &Catalogue) -> bool {
    let fields: usize = catalogue.datasets.values().map(|dataset| dataset.fields.len()).sum();
    catalogue.metrics.len() + catalogue.populations.len() + fields <= LISTED_WHOLE_MAX
}

impl Shortlist {
    /// What is listed for a question.
    #[must_use]
    pub fn of(index: &WordIndex<'_>, question: &str, nearness: Nearness<'_>) -> Self {
        let catalogue = index.catalogue();
        if is_whole(catalogue) {
            let whole = |name: &String| Listed { name: name.clone(), by: ListedBy::Whole };
            return Self {
                metrics: catalogue.metrics.keys().map(whole).collect(),
                populations: catalogue.populations.keys().map(whole).collect(),
                datasets: catalogue.datasets.keys().map(whole).collect(),
            };
        }
        let nearest = |kind: Kind| {
            let words = || index.ranked(kind, question);
            match nearness {
                Nearness::Words => fusion::nearest(&words(), &[], kind.most()),
                Nearness::Meaning(meanings) => fusion::nearest(&[], meanings.ranked(kind), kind.most()),
                Nearness::Both(meanings) => fusion::nearest(&words(), meanings.ranked(kind), kind.most()),
            }
        };
        let (metrics, populations) = (nearest(Kind::Metric), nearest(Kind::Population));
        let mut datasets = nearest(Kind::Dataset);
        let mut need = |name: String| {
            datasets.entry(name).or_insert(ListedBy::Needed);
        };
        metrics.keys().flat_map(|metric| bridges::reads(catalogue, metric)).for_each(&mut need);
        let of_population = |name: &String| catalogue.populations.get(name).map(|p| p.dataset.clone());
        populations.keys().filter_map(of_population).for_each(&mut need);
        let chosen = datasets.keys().cloned().collect();
        for name in bridges::bridges(catalogue, &chosen) {
            datasets.entry(name).or_insert(ListedBy::Needed);
        }
        Self {
            metrics: in_order(catalogue.metrics.keys(), &metrics),
            populations: in_order(catalogue.populations.keys(), &populations),
            datasets: in_order(catalogue.datasets.keys(), &datasets),
        }
    }
}

/// The entries that are near, and by what.
type Near = BTreeMap<String, ListedBy>;

fn in_order<'a>(all: impl Iterator<Item = &'a String>, kept: &Near) -> Vec<Listed> {
    all.filter_map(|name| Some(Listed { name: name.clone(), by: *kept.get(name)? })).collect()
}

#[cfg(test)]
mod wide;

#[cfg(test)]
#[allow(clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on should stop")]
mod tests;
