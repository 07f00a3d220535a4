//! Which entries of a catalogue a model is told of: all of a small one; of a large one, those nearest the question.
//!
//! Nearness is BM25 over names, descriptions, synonyms and values. Whatever a chosen entry needs comes with it: the
//! datasets of a metric, and those that lie on the way between two datasets. Deliberately absent: binding anything; a
//! name that is not listed here can still be read by the built-in reader.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use bm25::{Document, SearchEngineBuilder, Tokenizer};
use tieout_core::{catalogue::Catalogue, ports::FieldValues};
use tieout_reader::{language::Language, tokens::tokens};

use super::menu::reads;

/// Up to so many metrics, populations and fields, all of them are listed.
pub(super) const LISTED_WHOLE_MAX: usize = 200;
/// Of a larger catalogue: how many metrics.
const METRICS_MAX: usize = 20;
/// Of a larger catalogue: how many populations.
const POPULATIONS_MAX: usize = 10;
/// Of a larger catalogue: how many datasets, before those that the others need.
const DATASETS_MAX: usize = 8;
/// How many values of a field count for its dataset.
const VALUES_SAMPLED_MAX: usize = 50;

/// What is listed, by name, in the order of the catalogue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shortlist {
    pub(super) metrics: Vec<String>,
    pub(super) populations: Vec<String>,
    pub(super) datasets: Vec<String>,
}

/// Words as the reader cuts them, in the singular.
struct Words;

impl Tokenizer for Words {
    fn tokenize(&self, text: &str) -> Vec<String> {
        let inflection = &Language::english().inflection;
        tokens(&text.replace('_', " ")).iter().map(|token| inflection.singular(&token.text)).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Metric,
    Population,
    Dataset,
}

impl Shortlist {
    /// What is listed for a question.
    pub(super) fn of(catalogue: &Catalogue, values: &FieldValues, question: &str) -> Self {
        let fields: usize = catalogue.datasets.values().map(|dataset| dataset.fields.len()).sum();
        if catalogue.metrics.len() + catalogue.populations.len() + fields <= LISTED_WHOLE_MAX {
            return Self {
                metrics: catalogue.metrics.keys().cloned().collect(),
                populations: catalogue.populations.keys().cloned().collect(),
                datasets: catalogue.datasets.keys().cloned().collect(),
            };
        }
        let nearest = |kind, most| nearest(kind, catalogue, values, question, most);
        let metrics = nearest(Kind::Metric, METRICS_MAX);
        let populations = nearest(Kind::Population, POPULATIONS_MAX);
        let mut datasets = nearest(Kind::Dataset, DATASETS_MAX);
        datasets.extend(metrics.iter().flat_map(|metric| reads(catalogue, metric)));
        let of_population = |name: &String| catalogue.populations.get(name).map(|p| p.dataset.clone());
        datasets.extend(populations.iter().filter_map(of_population));
        let bridges = bridges(catalogue, &datasets);
        datasets.extend(bridges);
        Self {
            metrics: in_order(catalogue.metrics.keys(), &metrics),
            populations: in_order(catalogue.populations.keys(), &populations),
            datasets: in_order(catalogue.datasets.keys(), &datasets),
        }
    }
}

fn in_order<'a>(all: impl Iterator<Item = &'a String>, kept: &BTreeSet<String>) -> Vec<String> {
    all.filter(|name| kept.contains(*name)).cloned().collect()
}

fn nearest(
    kind: Kind,
    catalogue: &Catalogue,
    values: &FieldValues,
    question: &str,
    most: usize,
) -> BTreeSet<String> {
    let documents = documents(kind, catalogue, values);
    let engine =
        SearchEngineBuilder::<String, u32, Words>::with_tokenizer_and_documents(Words, documents).build();
    engine.search(question, most).into_iter().map(|found| found.document.id).collect()
}

fn documents(kind: Kind, catalogue: &Catalogue, values: &FieldValues) -> Vec<Document<String>> {
    let document = |name: &String, parts: Vec<&str>| Document::new(name.clone(), parts.join(" "));
    fn text<'a>(
        name: &'a str,
        label: &'a str,
        synonyms: &'a [String],
        said: Option<&'a String>,
    ) -> Vec<&'a str> {
        let words = synonyms.iter().map(String::as_str).chain(said.map(String::as_str));
        [name, label].into_iter().chain(words).collect()
    }
    match kind {
        Kind::Metric => catalogue
            .metrics
            .iter()
            .map(|(name, m)| document(name, text(name, &m.label, &m.synonyms, m.description.as_ref())))
            .collect(),
        Kind::Population => catalogue
            .populations
            .iter()
            .map(|(name, p)| document(name, text(name, &p.label, &p.synonyms, p.description.as_ref())))
            .collect(),
        Kind::Dataset => catalogue
            .datasets
            .iter()
            .map(|(name, dataset)| {
                let mut parts = text(name, &dataset.label, &dataset.synonyms, dataset.description.as_ref());
                for field in dataset.fields.values() {
                    parts.extend(text(
                        &field.name,
                        &field.label,
                        &field.synonyms,
                        field.description.as_ref(),
                    ));
                    let declared = field
                        .values
                        .iter()
                        .flat_map(|v| std::iter::once(&v.value).chain(&v.synonyms).map(String::as_str));
                    parts.extend(declared.take(VALUES_SAMPLED_MAX));
                }
                let of_dataset = values.fields.iter().filter(|(dataset, ..)| dataset == name);
                parts.extend(
                    of_dataset
                        .flat_map(|(_, _, all)| all.iter().take(VALUES_SAMPLED_MAX).map(String::as_str)),
                );
                document(name, parts)
            })
            .collect(),
    }
}

/// The datasets on the shortest ways between those that are chosen.
fn bridges(catalogue: &Catalogue, chosen: &BTreeSet<String>) -> BTreeSet<String> {
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

#[cfg(test)]
#[allow(clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on should stop")]
mod tests;
