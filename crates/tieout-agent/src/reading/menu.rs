//! What a model may name: every key of a reply, and the part of a request that it stands for.
//!
//! The JSON Schema of a reply is made from this, so that what is not on the menu cannot be said.

use indexmap::IndexMap;
use tieout_core::{
    catalogue::{Catalogue, Dataset, Datatype, Field, Status},
    definitions::field_words,
    ports::ReadContext,
    reading::{FieldRef, MeasureRef, Use},
    time::Grain,
};
use tieout_reader::examine::{Glossed, TimeSaid};

use crate::shortlist::{Listed, Shortlist};

/// The kinds of aggregate that may be made up from a field, with the words for them.
const AD_HOC: [(&str, &str); 5] = [
    ("average", "average"),
    ("sum", "total"),
    ("minimum", "lowest"),
    ("maximum", "highest"),
    ("median", "median"),
];

/// The steps of time that figures may be split by.
const GRAINS: [Grain; 5] = [Grain::Day, Grain::Week, Grain::Month, Grain::Quarter, Grain::Year];

/// A measure on the menu.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OfferedMeasure {
    /// What it is.
    pub(super) measure: MeasureRef,
    /// The words that the built-in reader knows it by.
    pub(super) words: String,
}

/// Everything that a reply may name, by key.
#[derive(Clone, Debug, Default)]
pub(super) struct Menu {
    /// Measures: `net_revenue`, `count orders`, `average orders.amount`.
    pub(super) measures: IndexMap<String, OfferedMeasure>,
    /// Fields: `orders.status`.
    pub(super) fields: IndexMap<String, OfferedField>,
    /// Populations, with their words.
    pub(super) populations: IndexMap<String, String>,
    /// Datasets, with their words.
    pub(super) datasets: IndexMap<String, String>,
    /// Times of the question: `t1`.
    pub(super) times: IndexMap<String, TimeSaid>,
    /// Words of the question that nobody knows.
    pub(super) unknown: Vec<String>,
    /// The relationships among the datasets, in words.
    pub(super) relationships: Vec<String>,
}

/// A field on the menu.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OfferedField {
    /// What it is.
    pub(super) field: FieldRef,
    /// What it holds.
    pub(super) datatype: Datatype,
    /// The words that the built-in reader knows it by.
    pub(super) words: String,
}

impl Menu {
    /// What is offered for a question.
    pub(super) fn of(context: ReadContext<'_>, shortlist: &Shortlist, glossed: &Glossed) -> Self {
        let catalogue = context.catalogue();
        let mut menu = Self { unknown: glossed.unknown.clone(), times: times(glossed), ..Self::default() };
        for listed in &shortlist.metrics {
            menu.metric(&listed.name, catalogue);
        }
        for dataset in shortlist.datasets.iter().filter_map(|listed| catalogue.datasets.get(&listed.name)) {
            menu.dataset(dataset, catalogue);
        }
        for Listed { name, .. } in &shortlist.populations {
            if let Some(population) = catalogue.populations.get(name) {
                menu.populations.insert(name.clone(), population.label.clone());
            }
        }
        for relationship in catalogue.relationships.values() {
            let known = |name: &str| menu.datasets.contains_key(name);
            if known(&relationship.from) && known(&relationship.to) {
                menu.relationships.push(format!(
                    "{}.{} -> {}.{}",
                    relationship.from,
                    relationship.from_columns.join("+"),
                    relationship.to,
                    relationship.to_columns.join("+")
                ));
            }
        }
        menu
    }

    fn metric(&mut self, name: &str, catalogue: &Catalogue) {
        let Some(metric) = catalogue.metrics.get(name) else { return };
        match metric.status {
            Status::Approved | Status::Draft => {}
            Status::Deprecated { .. } => return,
        }
        let offered =
            OfferedMeasure { measure: MeasureRef::Metric(name.to_owned()), words: metric.label.clone() };
        self.measures.insert(name.to_owned(), offered);
    }

    fn dataset(&mut self, dataset: &Dataset, catalogue: &Catalogue) {
        self.datasets.insert(dataset.name.clone(), dataset.label.clone());
        let count = OfferedMeasure {
            measure: MeasureRef::Count { dataset: dataset.name.clone() },
            words: format!("number of {}", dataset.label),
        };
        self.measures.insert(format!("count {}", dataset.name), count);
        for field in dataset.fields.values().filter(|field| is_open(field)) {
            self.field(dataset, field, catalogue);
        }
    }

    fn field(&mut self, dataset: &Dataset, field: &Field, catalogue: &Catalogue) {
        let reference = FieldRef { dataset: dataset.name.clone(), field: field.name.clone(), via: None };
        let key = format!("{}.{}", dataset.name, field.name);
        let offered = OfferedField {
            datatype: field.datatype,
            words: unambiguous(field, &reference, catalogue),
            field: reference,
        };
        let measurable = !field.identifier
            && !dataset.primary_key.contains(&field.name)
            && match field.datatype {
                Datatype::Integer | Datatype::Decimal => true,
                Datatype::String
                | Datatype::Float
                | Datatype::Boolean
                | Datatype::Date
                | Datatype::Timestamp
                | Datatype::Instant => false,
            };
        if measurable {
            for (kind, word) in AD_HOC {
                let measure =
                    MeasureRef::AdHoc { kind, dataset: dataset.name.clone(), field: field.name.clone() };
                let words = format!("{word} {}", offered.words);
                self.measures.insert(format!("{kind} {key}"), OfferedMeasure { measure, words });
            }
        }
        self.fields.insert(key, offered);
    }

    /// The key of a step of time.
    pub(super) fn grain(key: &str) -> Option<Grain> {
        GRAINS.into_iter().find(|grain| grain.to_string() == key)
    }

    /// The keys of all steps of time.
    pub(super) fn grains() -> impl Iterator<Item = String> {
        GRAINS.into_iter().map(|grain| grain.to_string())
    }

    /// What a word that stands for a key is used for.
    pub(super) fn use_of(&self, key: &str) -> Option<Use> {
        if key == IRRELEVANT {
            return Some(Use::Wrapping);
        }
        if let Some(shape) = SHAPES.iter().find(|shape| **shape == key) {
            return Some(Use::Grammar((*shape).to_owned()));
        }
        if let Some(offered) = self.measures.get(key) {
            return Some(match &offered.measure {
                MeasureRef::Metric(name) => Use::Metric(name.clone()),
                MeasureRef::Count { dataset } => Use::Dataset(dataset.clone()),
                MeasureRef::AdHoc { dataset, field, .. } => Use::Field(format!("{dataset}.{field}")),
            });
        }
        if self.populations.contains_key(key) {
            return Some(Use::Population(key.to_owned()));
        }
        if self.fields.contains_key(key) {
            return Some(Use::Field(key.to_owned()));
        }
        self.datasets.contains_key(key).then(|| Use::Dataset(key.to_owned()))
    }
}

/// The times of a question by their keys.
pub(super) fn times(glossed: &Glossed) -> IndexMap<String, TimeSaid> {
    let key = |place: usize| format!("t{}", place.saturating_add(1));
    glossed.times.iter().enumerate().map(|(place, time)| (key(place), time.clone())).collect()
}

/// What a word is said to be that changes nothing.
pub(super) const IRRELEVANT: &str = "irrelevant";
/// What an unknown word may ask for beside a name.
pub(super) const SHAPES: [&str; 6] = ["order", "compare", "share", "grouping", "negation", "condition"];

/// Whether a field may be named to others.
pub(crate) fn is_open(field: &Field) -> bool {
    match field.access {
        tieout_sql::Access::Open => true,
        tieout_sql::Access::Sensitive | tieout_sql::Access::Hidden => false,
    }
}

/// The field's label, with its dataset where another field has the same one.
fn unambiguous(field: &Field, reference: &FieldRef, catalogue: &Catalogue) -> String {
    let same = |f: &&Field| f.label.eq_ignore_ascii_case(&field.label);
    let namesakes: usize =
        catalogue.datasets.values().map(|dataset| dataset.fields.values().filter(same).count()).sum();
    if namesakes > 1 { field_words(reference, catalogue) } else { field.label.clone() }
}
