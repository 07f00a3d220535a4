//! Nearness by words: BM25 over names, labels, descriptions, synonyms and values.
//!
//! Nothing of it leaves this machine, so values of rows count as well.

use std::sync::OnceLock;

use bm25::{Document, SearchEngine, SearchEngineBuilder, Tokenizer};
use tieout_core::{catalogue::Catalogue, ports::FieldValues};
use tieout_reader::{language::Language, tokens::tokens};

use super::Kind;

/// How many values of a field count for its dataset.
const VALUES_SAMPLED_MAX: usize = 50;

/// Words as the reader cuts them, in the singular.
pub(super) struct Words;

impl Tokenizer for Words {
    fn tokenize(&self, text: &str) -> Vec<String> {
        let inflection = &Language::english().inflection;
        tokens(&text.replace('_', " ")).iter().map(|token| inflection.singular(&token.text)).collect()
    }
}

/// The words of a catalogue, made ready to be searched when they are first asked for.
pub struct WordIndex<'a> {
    catalogue: &'a Catalogue,
    values: &'a FieldValues,
    kinds: [OnceLock<OfKind>; 3],
}

/// The entries of one kind: their names, and what searches them by their places.
struct OfKind {
    names: Vec<String>,
    engine: SearchEngine<usize, u32, Words>,
}

impl<'a> WordIndex<'a> {
    /// Of a catalogue, and of the values in its data.
    #[must_use]
    pub fn of(catalogue: &'a Catalogue, values: &'a FieldValues) -> Self {
        Self { catalogue, values, kinds: Default::default() }
    }

    /// The catalogue.
    pub(super) fn catalogue(&self) -> &'a Catalogue {
        self.catalogue
    }

    /// The entries of a kind that share a word with a question, the nearest first. Of two that are as near as each other,
    /// the one that stands first in the catalogue comes first: the engine's own order of those is another one in every
    /// process, so that the same question would be put to a model with another prompt each time.
    pub(super) fn ranked(&self, kind: Kind, question: &str) -> Vec<String> {
        let of_kind = match kind {
            Kind::Metric => &self.kinds[0],
            Kind::Population => &self.kinds[1],
            Kind::Dataset => &self.kinds[2],
        };
        let OfKind { names, engine } = of_kind.get_or_init(|| OfKind::of(kind, self.catalogue, self.values));
        let found = engine.search(question, None).into_iter();
        let mut found: Vec<(f32, usize)> = found.map(|found| (found.score, found.document.id)).collect();
        found.sort_by(|(a, first), (b, second)| b.total_cmp(a).then(first.cmp(second)));
        found.into_iter().filter_map(|(_, place)| names.get(place).cloned()).collect()
    }
}

impl OfKind {
    fn of(kind: Kind, catalogue: &Catalogue, values: &FieldValues) -> Self {
        let (names, texts): (Vec<String>, Vec<String>) =
            documents(kind, catalogue, values).into_iter().unzip();
        let numbered: Vec<Document<usize>> =
            texts.into_iter().enumerate().map(|(place, text)| Document::new(place, text)).collect();
        let builder = SearchEngineBuilder::<usize, u32, Words>::with_tokenizer_and_documents(Words, numbered);
        Self { names, engine: builder.build() }
    }
}

fn documents(kind: Kind, catalogue: &Catalogue, values: &FieldValues) -> Vec<(String, String)> {
    let document = |name: &String, parts: Vec<&str>| (name.clone(), parts.join(" "));
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
