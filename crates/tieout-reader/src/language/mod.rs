//! The words of a human language that shape a question, from the data files in `languages/`.
//!
//! Owns which phrases belong to which class, how plurals and stems are made, and numbers in words. Deliberately absent:
//! what the grammar does with a class, the words of time, and the words of any catalogue.

mod class;
pub(crate) mod english;
mod inflection;
pub mod numbers;
pub mod sentences;

use std::{
    collections::{BTreeMap, HashMap},
    sync::LazyLock,
};

pub use class::Class;
pub use inflection::Inflection;
pub use numbers::Numbers;

use crate::tokens;

static ENGLISH: LazyLock<Language> = LazyLock::new(|| {
    Language::from_files(
        include_str!("../languages/en/words.yml"),
        include_str!("../languages/en/wrapping.yml"),
        include_str!("../languages/en/inflection.yml"),
        include_str!("../languages/en/numbers.yml"),
    )
    .unwrap_or_default()
});

/// One language.
#[derive(Debug, Default)]
pub struct Language {
    phrases: HashMap<Box<str>, Vec<Class>>,
    longest: HashMap<Box<str>, usize>,
    by_class: BTreeMap<Class, Vec<Box<str>>>,
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

    /// A language from its four data files.
    ///
    /// # Errors
    /// What the YAML reader says of the first file that is not as it should be.
    pub fn from_files(words: &str, wrapping: &str, inflection: &str, numbers: &str) -> Result<Self, String> {
        let mut language = Self::default();
        for file in [words, wrapping] {
            let classes: BTreeMap<Class, Vec<String>> = parse(file)?;
            for (class, phrases) in classes {
                phrases.iter().for_each(|phrase| language.add(phrase, class));
            }
        }
        language.inflection = Inflection::new(parse(inflection)?);
        language.numbers = parse(numbers)?;
        Ok(language)
    }

    fn add(&mut self, phrase: &str, class: Class) {
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
        let classes = self.phrases.entry(phrase.as_str().into()).or_default();
        if !classes.contains(&class) {
            classes.push(class);
            self.by_class.entry(class).or_default().push(phrase.into());
        }
    }

    /// The classes of a phrase, its tokens joined by blanks.
    #[must_use]
    pub fn classes(&self, phrase: &str) -> &[Class] {
        self.phrases.get(phrase).map_or(&[], Vec::as_slice)
    }

    /// How many tokens the longest phrase that starts with this token has.
    #[must_use]
    pub fn longest_from(&self, token: &str) -> usize {
        self.longest.get(token).copied().unwrap_or(0)
    }

    /// Whether the text is a word that holds a sentence together, so that a value spelled the same needs more than its
    /// name.
    #[must_use]
    pub fn is_function_word(&self, text: &str) -> bool {
        self.classes(text).iter().any(|class| class.is_function())
    }

    /// Every phrase of a class, in a stable order.
    pub fn phrases_of(&self, class: Class) -> impl Iterator<Item = &str> {
        self.by_class.get(&class).into_iter().flatten().map(AsRef::as_ref)
    }

    /// Every single word of the language, for "did you mean".
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.phrases.keys().map(AsRef::as_ref).filter(|phrase| !phrase.contains(' ') && phrase.len() > 3)
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
        Language::from_files(
            include_str!("../languages/en/words.yml"),
            include_str!("../languages/en/wrapping.yml"),
            include_str!("../languages/en/inflection.yml"),
            include_str!("../languages/en/numbers.yml"),
        )
        .unwrap();
        let english = Language::english();
        assert!(english.classes("how many").contains(&Class::HowMany));
        assert!(english.classes("have n't").is_empty());
        assert_eq!(english.longest_from("broken"), 3);
    }
}
