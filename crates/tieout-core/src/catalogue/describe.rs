//! The catalogue in plain words: its entries by kind, or one entry in full.
//!
//! Deliberately absent: colours and width, which the surface decides, and any value found in data.

mod entry;
mod overview;

use std::fmt;

use super::{
    Catalogue, Project,
    load::{near_hint, normal},
};

/// Nothing in the catalogue is called so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotInCatalogue {
    /// What was looked for.
    pub name: String,
    /// The nearest entries.
    pub hint: String,
}

impl fmt::Display for NotInCatalogue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "nothing in the catalogue is called `{}`; {}", self.name, self.hint)
    }
}

impl std::error::Error for NotInCatalogue {}

/// The entries by kind, or every entry of a name, label or synonym in full.
///
/// # Errors
/// With the nearest names, when nothing is called so.
pub fn show(project: &Project, name: Option<&str>) -> Result<String, NotInCatalogue> {
    let Some(name) = name else { return Ok(overview::overview(project)) };
    let catalogue = &project.catalogue;
    let found = entries(catalogue, name.trim());
    if found.is_empty() {
        let known: Vec<String> = all(catalogue).into_iter().flat_map(|(_, words)| words).collect();
        let hint = near_hint(name, known.iter().map(String::as_str));
        return Err(NotInCatalogue { name: name.to_owned(), hint });
    }
    Ok(found.iter().map(|entry| entry::entry(catalogue, *entry)).collect::<Vec<_>>().join("\n"))
}

/// An entry of the catalogue.
#[derive(Clone, Copy, Debug)]
enum Entry<'c> {
    Metric(&'c super::Metric),
    Population(&'c super::Population),
    Dataset(&'c super::Dataset),
    Field(&'c super::Dataset, &'c super::Field),
    Relationship(&'c super::Relationship),
    Term(&'c super::Term),
}

/// The entries of exactly this name; if there is none, those that the words are another name of.
fn entries<'c>(catalogue: &'c Catalogue, name: &str) -> Vec<Entry<'c>> {
    let words = normal(name);
    let all = all(catalogue);
    let named = |entry: &Entry<'_>| match entry {
        Entry::Metric(metric) => metric.name == name,
        Entry::Population(population) => population.name == name,
        Entry::Dataset(dataset) => dataset.name == name,
        Entry::Field(dataset, field) => name == format!("{}.{}", dataset.name, field.name),
        Entry::Relationship(link) => link.name == name,
        Entry::Term(term) => normal(&term.term) == words,
    };
    let exact: Vec<Entry<'c>> = all.iter().map(|(entry, _)| *entry).filter(|entry| named(entry)).collect();
    if !exact.is_empty() {
        return exact;
    }
    all.into_iter()
        .filter(|(_, names)| names.iter().any(|one| normal(one) == words))
        .map(|(entry, _)| entry)
        .collect()
}

/// Every entry with all that it is called.
fn all(catalogue: &Catalogue) -> Vec<(Entry<'_>, Vec<String>)> {
    let called = |name: &str, label: &str, synonyms: &[String]| {
        [name, label].into_iter().map(str::to_owned).chain(synonyms.iter().cloned()).collect::<Vec<_>>()
    };
    let mut all = Vec::new();
    for metric in catalogue.metrics.values() {
        all.push((Entry::Metric(metric), called(&metric.name, &metric.label, &metric.synonyms)));
    }
    for population in catalogue.populations.values() {
        all.push((
            Entry::Population(population),
            called(&population.name, &population.label, &population.synonyms),
        ));
    }
    for dataset in catalogue.datasets.values() {
        all.push((Entry::Dataset(dataset), called(&dataset.name, &dataset.label, &dataset.synonyms)));
        for field in dataset.fields.values() {
            let path = format!("{}.{}", dataset.name, field.name);
            let mut names = called(&path, &field.label, &field.synonyms);
            names.push(field.name.clone());
            all.push((Entry::Field(dataset, field), names));
        }
    }
    for link in catalogue.relationships.values() {
        all.push((Entry::Relationship(link), called(&link.name, &link.name, &link.synonyms)));
    }
    for term in catalogue.terms.values() {
        all.push((Entry::Term(term), vec![term.term.clone()]));
    }
    all
}

/// `1 metric`, `2 metrics`.
fn counted(count: usize, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}
