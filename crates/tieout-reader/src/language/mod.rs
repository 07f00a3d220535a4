//! The words of a human language that shape a question, from the data files in `languages/`.
//!
//! Owns which phrases belong to which class, which words warn of what, how plurals and stems are made, and numbers in words. Deliberately absent:
//! what the grammar does with a class, the words of time, and the words of any catalogue.

mod caution;
mod class;
pub(crate) mod english;
mod inflection;
pub mod numbers;
pub mod sentences;

use std::{
    collections::{BTreeMap, HashMap},
    sync::LazyLock,
};

pub use caution::Caution;
pub use class::Class;
pub use inflection::Inflection;
pub use numbers::Numbers;

use crate::tokens;

static ENGLISH: LazyLock<Language> =
    LazyLock::new(|| Language::from_files(&ENGLISH_FILES).unwrap_or_default());

const ENGLISH_FILES: Files<'static> = Files {
    words: include_str!("../languages/en/words.yml"),
    wrapping: include_str!("../languages/en/wrapping.yml"),
    cautions: include_str!("../languages/en/cautions.yml"),
    inflection: include_str!("../languages/en/inflection.yml"),
    numbers: include_str!("../languages/en/numbers.yml"),
};

/// The texts of a language's data files, all YAML.
#[derive(Clone, Copy, Debug)]
pub struct Files<'a> {
    /// What shapes a question, by class.
    pub words: &'a str,
    /// What surrounds one: who asks, why and how politely; by class.
    pub wrapping: &'a str,
    /// What a word may warn of, by caution.
    pub cautions: &'a str,
    /// Plurals and stems.
    pub inflection: &'a str,
    /// Numbers and units in words.
    pub numbers: &'a str,
}

/// One language.
#[derive(Debug, Default)]
pub struct Language {
    words: Phrases<Class>,
    cautions: Phrases<Caution>,
    /// Plurals and stems.
    pub inflection: Inflection,
    /// Numbers and units in words.
    pub numbers: Numbers,
}

impl Language {
    /// English. A test holds that its files can be read.
    #[must_use]
    pub fn english() -> &'static Self {
        &ENGLISH
    }

    /// A language from its data files.
    ///
    /// # Errors
    /// What the YAML reader says of the first file that is not as it should be.
    pub fn from_files(files: &Files<'_>) -> Result<Self, String> {
        let mut words = Phrases::default();
        words.read(files.words)?;
        words.read(files.wrapping)?;
        let mut cautions = Phrases::default();
        cautions.read(files.cautions)?;
        Ok(Self {
            words,
            cautions,
            inflection: Inflection::new(parse(files.inflection)?),
            numbers: parse(files.numbers)?,
        })
    }

    /// The words that shape a question.
    #[must_use]
    pub fn shaping(&self) -> &Phrases<Class> {
        &self.words
    }

    /// The words that make a reading more or less plain.
    #[must_use]
    pub fn cautions(&self) -> &Phrases<Caution> {
        &self.cautions
    }

    /// The classes of a phrase, its tokens joined by blanks.
    #[must_use]
    pub fn classes(&self, phrase: &str) -> &[Class] {
        self.words.kinds(phrase)
    }

    /// Whether the text is a word that holds a sentence together, so that a value spelled the same needs more than its
    /// name.
    #[must_use]
    pub fn is_function_word(&self, text: &str) -> bool {
        self.classes(text).iter().any(|class| class.is_function())
    }

    /// Every phrase of a class, in a stable order.
    pub fn phrases_of(&self, class: Class) -> impl Iterator<Item = &str> {
        self.words.by_kind.get(&class).into_iter().flatten().map(AsRef::as_ref)
    }

    /// Every single word of the language, for "did you mean".
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let phrases = self.words.kinds.keys().map(AsRef::as_ref);
        phrases.filter(|phrase| !phrase.contains(' ') && phrase.len() > 3)
    }
}

/// Phrases and the kinds that each is of.
#[derive(Debug)]
pub struct Phrases<K> {
    kinds: HashMap<Box<str>, Vec<K>>,
    longest: HashMap<Box<str>, usize>,
    by_kind: BTreeMap<K, Vec<Box<str>>>,
}

impl<K> Default for Phrases<K> {
    fn default() -> Self {
        Self { kinds: HashMap::new(), longest: HashMap::new(), by_kind: BTreeMap::new() }
    }
}

impl<K: Copy + Ord + serde::de::DeserializeOwned> Phrases<K> {
    /// Adds a file's phrases.
    fn read(&mut self, file: &str) -> Result<(), String> {
        let kinds: BTreeMap<K, Vec<String>> = parse(file)?;
        for (kind, phrases) in kinds {
            phrases.iter().for_each(|phrase| self.add(phrase, kind));
        }
        Ok(())
    }

    fn add(&mut self, phrase: &str, kind: K) {
        // `'s` and `n't` are words of their own only behind another; alone they stand as they are.
        let words: Vec<String> = phrase
            .split_whitespace()
            .flat_map(|part| match part {
                "n't" => vec![part.to_owned()],
                clitic if clitic.len() > 1 && clitic.starts_with('\'') => vec![clitic.to_owned()],
                other => tokens::tokens(other).into_iter().map(|token| token.text).collect(),
            })
            .collect();
        let Some(first) = words.first() else { return };
        let longest = self.longest.entry(first.as_str().into()).or_default();
        *longest = words.len().max(*longest);
        let phrase = words.join(" ");
        let kinds = self.kinds.entry(phrase.as_str().into()).or_default();
        if !kinds.contains(&kind) {
            kinds.push(kind);
            self.by_kind.entry(kind).or_default().push(phrase.into());
        }
    }
}

impl<K> Phrases<K> {
    /// The kinds of a phrase, its tokens joined by blanks.
    #[must_use]
    pub fn kinds(&self, phrase: &str) -> &[K] {
        self.kinds.get(phrase).map_or(&[], Vec::as_slice)
    }

    /// How many tokens the longest phrase that starts with this token has.
    #[must_use]
    pub fn longest_from(&self, token: &str) -> usize {
        self.longest.get(token).copied().unwrap_or(0)
    }
}

fn parse<T: serde::de::DeserializeOwned>(file: &str) -> Result<T, String> {
    serde_saphyr::from_str(file).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_english_can_be_read() {
        Language::from_files(&ENGLISH_FILES).unwrap();
        let english = Language::english();
        assert!(english.classes("how many").contains(&Class::HowMany));
        assert!(english.classes("have n't").is_empty());
        assert_eq!(english.shaping().longest_from("broken"), 3);
    }

    #[test]
    fn a_word_that_warns_is_not_understood_by_that() {
        let english = Language::english();
        assert_eq!(english.cautions().kinds("scheduled"), [Caution::Ahead]);
        assert!(english.classes("scheduled").is_empty());
        assert_eq!(english.classes("largest first"), [Class::Descending]);
    }
}
