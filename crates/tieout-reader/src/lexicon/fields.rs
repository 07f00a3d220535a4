//! The names of datasets and of their fields, and the phrases made from both.

use tieout_core::catalogue::{Dataset, Datatype, Field};
use tieout_sql::Access;

use super::{FieldId, Named, Tier, build::Builder, name_key};
use crate::language::Class;

impl Builder<'_> {
    pub(super) fn datasets(&mut self) {
        for (index, dataset) in self.catalogue.datasets.values().enumerate() {
            self.called(&dataset.name, &dataset.label, &dataset.synonyms, Named::Dataset(index));
            let nouns = self.nouns(dataset);
            for noun in &nouns {
                for stem in self.language.inflection.event_stems(noun.rsplit(' ').next().unwrap_or_default())
                {
                    let datasets = self.dataset_verbs.entry(stem.into()).or_default();
                    if !datasets.contains(&index) {
                        datasets.push(index);
                    }
                }
            }
            for (field, declared) in dataset.fields.values().enumerate() {
                let id = FieldId { dataset: index, field };
                if declared.access == Access::Hidden {
                    self.called(&declared.name, &declared.label, &declared.synonyms, Named::Hidden(id));
                } else {
                    self.field(id, declared, &nouns);
                }
            }
            self.key_of(index, dataset, &nouns);
        }
    }

    /// What one row is called, in the singular.
    pub(super) fn nouns(&self, dataset: &Dataset) -> Vec<String> {
        let all = [&dataset.label, &dataset.name].into_iter().chain(&dataset.synonyms);
        let mut nouns: Vec<String> = all.map(|noun| name_key(self.language, noun)).collect();
        nouns.sort_unstable();
        nouns.dedup();
        nouns.retain(|noun| !noun.is_empty());
        nouns
    }

    fn field(&mut self, id: FieldId, declared: &Field, nouns: &[String]) {
        let named = Named::Field(id);
        self.called(&declared.name, &declared.label, &declared.synonyms, named);
        let words = [&declared.label, &declared.name].into_iter().chain(&declared.synonyms);
        let mut keys: Vec<String> = words.map(|word| name_key(self.language, word)).collect();
        keys.sort_unstable();
        keys.dedup();
        for key in &keys {
            self.composites(key, nouns, named);
        }
        match declared.datatype {
            Datatype::Boolean => self.flag(id, &keys),
            Datatype::Date | Datatype::Timestamp | Datatype::Instant => self.date_verbs_of(id, &keys, nouns),
            Datatype::String | Datatype::Integer | Datatype::Decimal | Datatype::Float => {}
        }
    }

    /// `customer region`; `close date` of `claim close date`; `claim number` of `company claim number`.
    fn composites(&mut self, key: &str, nouns: &[String], named: Named) {
        let head = key.rsplit(' ').next().unwrap_or_default();
        let is_head = self.language.classes(head).contains(&Class::Heads);
        for noun in nouns {
            self.key(&format!("{noun} {key}"), named, Tier::Composite);
            if let Some(rest) = key.strip_prefix(noun.as_str()).and_then(|rest| rest.strip_prefix(' ')) {
                self.key(rest, named, Tier::Elided);
            }
            if is_head && head != key {
                self.key(&format!("{noun} {head}"), named, Tier::Head);
            }
        }
        if is_head && head != key {
            self.key(head, named, Tier::Head);
        }
    }

    /// `customer id` and `id` name the key, when it is one field.
    fn key_of(&mut self, index: usize, dataset: &Dataset, nouns: &[String]) {
        let [only] = dataset.primary_key.as_slice() else { return };
        let Some((field, _, declared)) = dataset.fields.get_full(only) else { return };
        if declared.access == Access::Hidden {
            return;
        }
        let named = Named::Field(FieldId { dataset: index, field });
        for head in ["id", "identifier", "key"] {
            for noun in nouns {
                self.key(&format!("{noun} {head}"), named, Tier::Composite);
            }
            self.key(head, named, Tier::Head);
        }
    }

    /// `is_internal` is said `internal` of a row.
    fn flag(&mut self, id: FieldId, keys: &[String]) {
        for key in keys {
            let bare = ["is ", "has ", "was "].iter().find_map(|prefix| key.strip_prefix(prefix));
            self.key(bare.unwrap_or(key), Named::Flag(id), Tier::Label);
        }
    }

    /// `claim close date` is when something `closed`.
    fn date_verbs_of(&mut self, id: FieldId, keys: &[String], nouns: &[String]) {
        let inflection = &self.language.inflection;
        for word in keys.iter().flat_map(|key| key.split(' ')) {
            let names_event =
                word.len() > 2 && !inflection.is_date_word(word) && !nouns.iter().any(|noun| noun == word);
            if names_event {
                self.date_verbs.entry(inflection.stem(word).into()).or_default().push(id);
            }
        }
    }
}
