//! Plurals and stems.
//!
//! Names are compared in the singular, word by word: no further, since a stem would make `refunded` the same as
//! `refunds`. Stems are for verbs only, where a relationship or a date field names the event.

use std::collections::{HashMap, HashSet};

use rust_stemmers::{Algorithm, Stemmer};
use serde::Deserialize;

/// The data of a language's inflection.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InflectionData {
    irregular: HashMap<String, String>,
    unchanged: HashSet<String>,
    verb_noun_endings: Vec<String>,
    date_words: HashSet<String>,
    participle_endings: Vec<String>,
}

/// Plurals and stems of one language.
pub struct Inflection {
    data: InflectionData,
    stemmer: Stemmer,
}

impl std::fmt::Debug for Inflection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inflection").field("data", &self.data).finish_non_exhaustive()
    }
}

impl Default for Inflection {
    fn default() -> Self {
        Self::new(InflectionData::default())
    }
}

impl Inflection {
    /// From its data.
    #[must_use]
    pub fn new(data: InflectionData) -> Self {
        Self { data, stemmer: Stemmer::create(Algorithm::English) }
    }

    /// The singular of a lower-case word; the word itself when it is one.
    #[must_use]
    pub fn singular(&self, word: &str) -> String {
        if let Some(known) = self.data.irregular.get(word) {
            return known.clone();
        }
        let kept = word.len() <= 3 || self.data.unchanged.contains(word) || !word.ends_with('s');
        if kept || word.ends_with("ss") || word.ends_with("us") || word.ends_with("is") {
            return word.to_owned();
        }
        if let Some(base) = word.strip_suffix("ies").filter(|base| base.len() > 2) {
            return format!("{base}y");
        }
        for ending in ["sses", "shes", "ches", "xes", "zzes"] {
            if word.ends_with(ending) {
                return word.get(..word.len().saturating_sub(2)).unwrap_or(word).to_owned();
            }
        }
        word.strip_suffix('s').unwrap_or(word).to_owned()
    }

    /// The stem of a lower-case verb.
    #[must_use]
    pub fn stem(&self, word: &str) -> String {
        self.stemmer.stem(word).into_owned()
    }

    /// The stems of the verbs that leave behind what a singular noun names: `ship` of `shipment`, `order` of `order`.
    #[must_use]
    pub fn event_stems(&self, noun: &str) -> Vec<String> {
        let bases =
            self.data.verb_noun_endings.iter().filter_map(|ending| noun.strip_suffix(ending.as_str()));
        bases.filter(|base| base.len() >= 3).map(|base| self.stem(base)).collect()
    }

    /// Whether a word tells a state that something was brought into.
    #[must_use]
    pub fn is_participle(&self, word: &str) -> bool {
        word.len() > 4 && self.data.participle_endings.iter().any(|ending| word.ends_with(ending.as_str()))
    }

    /// Whether a word of a date field's name names no event.
    #[must_use]
    pub fn is_date_word(&self, word: &str) -> bool {
        self.data.date_words.contains(word)
    }
}

#[cfg(test)]
mod tests {
    use crate::language::Language;

    #[test]
    fn singulars() {
        let inflection = &Language::english().inflection;
        for (plural, singular) in [
            ("policies", "policy"),
            ("boxes", "box"),
            ("purchases", "purchase"),
            ("sizes", "size"),
            ("orders", "order"),
            ("status", "status"),
            ("statuses", "status"),
            ("people", "person"),
            ("loss", "loss"),
            ("losses", "loss"),
            ("branches", "branch"),
            ("series", "series"),
            ("plans", "plan"),
            ("planes", "plane"),
        ] {
            assert_eq!(inflection.singular(plural), singular, "{plural}");
        }
    }

    #[test]
    fn verbs_and_what_they_leave_behind() {
        let inflection = &Language::english().inflection;
        assert!(inflection.event_stems("shipment").contains(&inflection.stem("shipped")));
        assert!(inflection.event_stems("order").contains(&inflection.stem("ordered")));
        assert!(!inflection.event_stems("order").contains(&inflection.stem("refunded")));
    }
}
