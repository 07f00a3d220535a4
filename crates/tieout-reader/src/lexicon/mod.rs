//! The words of one catalogue and its data: which phrase may name which entry.
//!
//! Built once for a catalogue and its values, then looked up by hash. Names are compared in the singular and without
//! articles; values as stored, whatever their case. Data can only ever be values: nothing found in a row can name a
//! metric, a field or a rule. Deliberately absent: what a phrase means where several fit, which the grammar decides.

mod build;
mod fields;
mod near;

use std::collections::{HashMap, HashSet};

use tieout_core::{
    catalogue::{Catalogue, Field, Project},
    ports::FieldValues,
};

pub(crate) use near::may_differ_in_one;
pub use near::{Near, NearKind};

use crate::{language::Language, tokens};

/// The most tokens of one name or value; a longer one cannot be named.
pub const PHRASE_TOKENS_MAX: usize = 12;

/// A field, by the places of its dataset and itself in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldId {
    /// The dataset's index.
    pub dataset: usize,
    /// The field's index in the dataset.
    pub field: usize,
}

/// What a name may mean. Indexes are places in the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Named {
    /// A metric.
    Metric(usize),
    /// A dataset.
    Dataset(usize),
    /// A field.
    Field(FieldId),
    /// A boolean field, named by what is true of a row.
    Flag(FieldId),
    /// A declared value, named in the plural.
    Value(FieldId, usize),
    /// A population.
    Population(usize),
    /// A relationship, by a word for it.
    Relationship(usize),
    /// A word that means several things, or nothing.
    Term(usize),
    /// A field that nobody may see.
    Hidden(FieldId),
}

/// How closely a phrase names an entry; the first is the closest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tier {
    /// By its name or label.
    Label,
    /// By a declared synonym.
    Synonym,
    /// By the dataset's word and the field's: `customer region`.
    Composite,
    /// Without the dataset's word that the label starts with: `close date` of `claim close date`.
    Elided,
    /// By the dataset's word and the last word of the label: `claim number` of `company claim number`; or by that last
    /// word alone.
    Head,
}

/// One meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NameEntry {
    /// How closely.
    pub tier: Tier,
    /// What.
    pub named: Named,
}

/// One field that has a value spelled so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueEntry {
    /// The field.
    pub field: FieldId,
    /// The value as stored, by its place in the lexicon's table.
    pub value: usize,
    /// Whether the phrase is the value itself or a declared synonym.
    pub spelled: Spelled,
}

/// How a value was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Spelled {
    /// As stored, but for case.
    AsStored,
    /// By a synonym that the catalogue declares.
    Synonym,
}

/// The words of one catalogue and its data.
#[derive(Debug)]
pub struct Lexicon {
    language: &'static Language,
    names: HashMap<Box<str>, Vec<NameEntry>>,
    values: HashMap<Box<str>, Vec<ValueEntry>>,
    longest_name: HashMap<Box<str>, usize>,
    longest_value: HashMap<Box<str>, usize>,
    stored: Vec<Box<str>>,
    listed: HashSet<FieldId>,
    date_verbs: HashMap<Box<str>, Vec<FieldId>>,
    dataset_verbs: HashMap<Box<str>, Vec<usize>>,
    relationship_verbs: HashMap<Box<str>, Vec<usize>>,
    near: near::NearIndex,
}

impl Lexicon {
    /// The lexicon of a project and of the values found in its data.
    #[must_use]
    pub fn build(project: &Project, values: &FieldValues) -> Self {
        build::build(&project.catalogue, values, Language::english())
    }

    /// The language whose grammar reads with this lexicon.
    #[must_use]
    pub fn language(&self) -> &'static Language {
        self.language
    }

    /// What a name may mean; the key is made by [`Lexicon::name_key`].
    #[must_use]
    pub fn names(&self, key: &str) -> &[NameEntry] {
        self.names.get(key).map_or(&[], Vec::as_slice)
    }

    /// Which fields have a value spelled so; the key is lower-case tokens joined by blanks.
    #[must_use]
    pub fn values(&self, key: &str) -> &[ValueEntry] {
        self.values.get(key).map_or(&[], Vec::as_slice)
    }

    /// A value as stored.
    #[must_use]
    pub fn stored(&self, value: usize) -> &str {
        self.stored.get(value).map_or("", AsRef::as_ref)
    }

    /// Whether every value of a field is known here, so that another cannot exist.
    #[must_use]
    pub fn lists_values_of(&self, field: FieldId) -> bool {
        self.listed.contains(&field)
    }

    /// How many tokens the longest name has that starts with this singular word.
    #[must_use]
    pub fn longest_name_from(&self, word: &str) -> usize {
        self.longest_name.get(word).copied().unwrap_or(0)
    }

    /// How many tokens the longest value has that starts with this token.
    #[must_use]
    pub fn longest_value_from(&self, token: &str) -> usize {
        self.longest_value.get(token).copied().unwrap_or(0)
    }

    /// Date fields whose name names the event of a verb: `closed` and `close date`.
    #[must_use]
    pub fn date_fields_of_verb(&self, verb: &str) -> &[FieldId] {
        self.date_verbs.get(self.language.inflection.stem(verb).as_str()).map_or(&[], Vec::as_slice)
    }

    /// Datasets whose rows are what a verb leaves behind: `ordered` and `orders`.
    #[must_use]
    pub fn datasets_of_verb(&self, verb: &str) -> &[usize] {
        self.dataset_verbs.get(self.language.inflection.stem(verb).as_str()).map_or(&[], Vec::as_slice)
    }

    /// Relationships that have a verb of this stem among their words.
    #[must_use]
    pub fn relationships_of_verb(&self, verb: &str) -> &[usize] {
        self.relationship_verbs.get(self.language.inflection.stem(verb).as_str()).map_or(&[], Vec::as_slice)
    }

    /// The nearest names and values to a word that is not known; offered, never bound.
    #[must_use]
    pub fn near(&self, word: &str) -> Vec<Near> {
        self.near.search(word)
    }

    /// The key of a name: singular tokens without articles, joined by blanks.
    #[must_use]
    pub fn name_key(&self, name: &str) -> String {
        name_key(self.language, name)
    }
}

/// The key of a name: singular tokens without articles, joined by blanks.
fn name_key(language: &Language, name: &str) -> String {
    let words: Vec<String> = tokens::tokens(name)
        .iter()
        .filter(|token| !is_article(&token.text))
        .map(|token| language.inflection.singular(&token.text))
        .collect();
    words.join(" ")
}

/// The key of a value: tokens joined by blanks.
pub(crate) fn value_key(value: &str) -> String {
    let words: Vec<String> = tokens::tokens(value).into_iter().map(|token| token.text).collect();
    words.join(" ")
}

/// Whether a token is skipped inside a name.
#[must_use]
pub fn is_article(token: &str) -> bool {
    matches!(token, "a" | "an" | "the")
}

/// The dataset and field of an id.
#[must_use]
pub fn field_of(catalogue: &Catalogue, id: FieldId) -> Option<(&str, &Field)> {
    let (name, dataset) = catalogue.datasets.get_index(id.dataset)?;
    dataset.fields.get_index(id.field).map(|(_, field)| (name.as_str(), field))
}
