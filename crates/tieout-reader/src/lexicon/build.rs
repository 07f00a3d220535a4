//! Fills a lexicon from a catalogue and the values of its data.

use std::collections::{HashMap, HashSet};

use tieout_core::{
    catalogue::{Catalogue, Datatype},
    ports::FieldValues,
};
use tieout_sql::Access;

use super::{
    FieldId, Lexicon, NameEntry, Named, PHRASE_TOKENS_MAX, Spelled, Tier, ValueEntry, name_key, near,
    value_key,
};
use crate::language::Language;

/// A lexicon being filled.
pub(super) struct Builder<'a> {
    pub(super) catalogue: &'a Catalogue,
    pub(super) language: &'static Language,
    names: HashMap<Box<str>, Vec<NameEntry>>,
    values: HashMap<Box<str>, Vec<ValueEntry>>,
    stored: Vec<Box<str>>,
    listed: HashSet<FieldId>,
    pub(super) date_verbs: HashMap<Box<str>, Vec<FieldId>>,
    pub(super) dataset_verbs: HashMap<Box<str>, Vec<usize>>,
    relationship_verbs: HashMap<Box<str>, Vec<usize>>,
    near: near::NearIndex,
}

pub(super) fn build(catalogue: &Catalogue, values: &FieldValues, language: &'static Language) -> Lexicon {
    let mut builder = Builder {
        catalogue,
        language,
        names: HashMap::new(),
        values: HashMap::new(),
        stored: Vec::new(),
        listed: HashSet::new(),
        date_verbs: HashMap::new(),
        dataset_verbs: HashMap::new(),
        relationship_verbs: HashMap::new(),
        near: near::NearIndex::default(),
    };
    builder.metrics();
    builder.populations_and_terms();
    builder.relationships();
    builder.datasets();
    builder.declared_values();
    builder.found_values(values);
    builder.finish()
}

impl Builder<'_> {
    /// Adds one name; offers it as a near miss when it is one that people would type.
    pub(super) fn name(&mut self, name: &str, named: Named, tier: Tier) {
        let key = name_key(self.language, name);
        self.key(&key, named, tier);
        if tier <= Tier::Synonym && !matches!(named, Named::Hidden(_)) {
            self.near.add(name, near::NearKind::of(named));
        }
    }

    /// Adds one name by its key. The closest tier of the same meaning is kept.
    pub(super) fn key(&mut self, key: &str, named: Named, tier: Tier) {
        if key.is_empty() || key.split(' ').count() > PHRASE_TOKENS_MAX {
            return;
        }
        let entries = self.names.entry(key.into()).or_default();
        match entries.iter_mut().find(|entry| entry.named == named) {
            Some(entry) => entry.tier = entry.tier.min(tier),
            None => entries.push(NameEntry { tier, named }),
        }
    }

    /// The name, label and synonyms of an entry.
    pub(super) fn called(&mut self, name: &str, label: &str, synonyms: &[String], named: Named) {
        self.name(label, named, Tier::Label);
        self.name(name, named, Tier::Label);
        for synonym in synonyms {
            self.name(synonym, named, Tier::Synonym);
        }
    }

    fn metrics(&mut self) {
        for (index, metric) in self.catalogue.metrics.values().enumerate() {
            self.called(&metric.name, &metric.label, &metric.synonyms, Named::Metric(index));
        }
    }

    fn populations_and_terms(&mut self) {
        for (index, population) in self.catalogue.populations.values().enumerate() {
            let named = Named::Population(index);
            self.called(&population.name, &population.label, &population.synonyms, named);
            let Some(dataset) = self.catalogue.datasets.get(&population.dataset) else { continue };
            let nouns = self.nouns(dataset);
            for word in [&population.label].into_iter().chain(&population.synonyms) {
                self.adjective(&name_key(self.language, word), &nouns, named);
            }
        }
        for (index, term) in self.catalogue.terms.values().enumerate() {
            self.name(&term.term, Named::Term(index), Tier::Label);
        }
    }

    /// `paying` of `paying customers`.
    fn adjective(&mut self, key: &str, nouns: &[String], named: Named) {
        for noun in nouns {
            if let Some(rest) = key.strip_suffix(noun.as_str()).and_then(|rest| rest.strip_suffix(' ')) {
                self.key(rest, named, Tier::Elided);
            }
        }
    }

    fn relationships(&mut self) {
        for (index, relationship) in self.catalogue.relationships.values().enumerate() {
            for synonym in &relationship.synonyms {
                self.name(synonym, Named::Relationship(index), Tier::Synonym);
                if !synonym.contains(' ') {
                    let stem = self.language.inflection.stem(&synonym.to_lowercase());
                    self.relationship_verbs.entry(stem.into()).or_default().push(index);
                }
            }
        }
    }

    fn declared_values(&mut self) {
        for (dataset, entry) in self.catalogue.datasets.values().enumerate() {
            for (field, declared) in entry.fields.values().enumerate() {
                if declared.access == Access::Hidden || declared.values.is_empty() {
                    continue;
                }
                let id = FieldId { dataset, field };
                self.listed.insert(id);
                for value in &declared.values {
                    let stored = self.store(&value.value);
                    self.value(
                        &value.value,
                        ValueEntry { field: id, value: stored, spelled: Spelled::AsStored },
                    );
                    self.name_value(&value.value, id, stored);
                    for synonym in &value.synonyms {
                        self.value(
                            synonym,
                            ValueEntry { field: id, value: stored, spelled: Spelled::Synonym },
                        );
                        self.name_value(synonym, id, stored);
                    }
                }
            }
        }
    }

    /// Declared values may be named in the plural; values found in the data only as they are.
    fn name_value(&mut self, spelled: &str, id: FieldId, stored: usize) {
        let key = name_key(self.language, spelled);
        self.key(&key, Named::Value(id, stored), Tier::Composite);
    }

    fn found_values(&mut self, values: &FieldValues) {
        for (dataset, field, found) in &values.fields {
            let Some((dataset, _, entry)) = self.catalogue.datasets.get_full(dataset) else { continue };
            let Some((field, _, declared)) = entry.fields.get_full(field) else { continue };
            if declared.access != Access::Open || declared.datatype != Datatype::String {
                continue;
            }
            let id = FieldId { dataset, field };
            self.listed.insert(id);
            for value in found {
                let stored = self.store(value);
                self.value(value, ValueEntry { field: id, value: stored, spelled: Spelled::AsStored });
            }
        }
    }

    fn store(&mut self, value: &str) -> usize {
        self.stored.push(value.into());
        self.stored.len().saturating_sub(1)
    }

    fn value(&mut self, spelled: &str, entry: ValueEntry) {
        let key = value_key(spelled);
        if key.is_empty() || key.split(' ').count() > PHRASE_TOKENS_MAX {
            return;
        }
        self.near.add(spelled, near::NearKind::Value(entry.field));
        let entries = self.values.entry(key.into()).or_default();
        let same = |known: &ValueEntry| {
            known.field == entry.field && self.stored.get(known.value) == self.stored.get(entry.value)
        };
        if !entries.iter().any(same) {
            entries.push(entry);
        }
    }

    fn finish(mut self) -> Lexicon {
        for entries in self.names.values_mut() {
            entries.sort_unstable();
        }
        let longest_name = longest(self.names.keys());
        let longest_value = longest(self.values.keys());
        for verbs in self.date_verbs.values_mut() {
            verbs.sort_unstable();
            verbs.dedup();
        }
        self.near.finish();
        Lexicon {
            language: self.language,
            names: self.names,
            values: self.values,
            longest_name,
            longest_value,
            stored: self.stored,
            listed: self.listed,
            date_verbs: self.date_verbs,
            dataset_verbs: self.dataset_verbs,
            relationship_verbs: self.relationship_verbs,
            near: self.near,
        }
    }
}

fn longest<'k>(keys: impl Iterator<Item = &'k Box<str>>) -> HashMap<Box<str>, usize> {
    let mut longest: HashMap<Box<str>, usize> = HashMap::new();
    for key in keys {
        let first = key.split(' ').next().unwrap_or_default();
        let words = key.split(' ').count();
        match longest.get_mut(first) {
            Some(known) => *known = words.max(*known),
            None => {
                longest.insert(first.into(), words);
            }
        }
    }
    longest
}
