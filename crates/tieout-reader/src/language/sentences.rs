//! The words that a sentence over figures may be made of. Which they are is data.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

use super::parse;

/// What a word does in a sentence over figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SentenceClass {
    /// It asserts nothing by itself.
    Neutral,
    /// All of it.
    Total,
    /// `of`.
    Of,
    /// `by`.
    By,
    /// `from`.
    From,
    /// `to`.
    To,
    /// `than`.
    Than,
    /// A difference without a direction.
    Change,
    /// It became more.
    Up,
    /// It became less.
    Down,
    /// One of two is more.
    More,
    /// One of two is less.
    Less,
    /// The one group with the most.
    Most,
    /// The one group with the least.
    Least,
    /// A part of the total.
    Share,
    /// It says why.
    Cause,
    /// It says how sure somebody is.
    Hedge,
    /// A quantity in words.
    Number,
    /// It turns a sentence round.
    Negation,
}

/// The words of one language.
#[derive(Debug, Default)]
pub struct SentenceWords {
    classes: HashMap<String, SentenceClass>,
}

impl SentenceWords {
    /// English.
    #[must_use]
    pub fn english() -> &'static Self {
        static WORDS: LazyLock<SentenceWords> = LazyLock::new(|| {
            // A file of ours that does not parse leaves no word that may be said; a test reads it.
            SentenceWords::from_file(include_str!("../languages/en/sentences.yml")).unwrap_or_default()
        });
        &WORDS
    }

    fn from_file(file: &str) -> Result<Self, String> {
        let lists: HashMap<SentenceClass, Vec<String>> = parse(file)?;
        let mut classes = HashMap::new();
        for (class, words) in lists {
            for word in words {
                if let Some(other) = classes.insert(word.clone(), class) {
                    return Err(format!("`{word}` is {class:?} and {other:?}"));
                }
            }
        }
        Ok(Self { classes })
    }

    /// What a word does; none when it may not be said at all.
    #[must_use]
    pub fn class(&self, word: &str) -> Option<SentenceClass> {
        self.classes.get(&word.to_lowercase()).copied()
    }

    /// The words of some classes, sorted.
    #[must_use]
    pub fn of(&self, classes: &[SentenceClass]) -> Vec<&str> {
        let of_class = self.classes.iter().filter(|(_, class)| classes.contains(class));
        let mut words: Vec<&str> = of_class.map(|(word, _)| word.as_str()).collect();
        words.sort_unstable();
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_of_the_file_has_one_class() {
        let words = SentenceWords::from_file(include_str!("../languages/en/sentences.yml")).unwrap();
        assert_eq!(words.class("Rose"), Some(SentenceClass::Up));
        assert_eq!(words.class("because"), Some(SentenceClass::Cause));
        assert_eq!(words.class("ltd"), None);
        assert!(words.of(&[SentenceClass::Of]).contains(&"of"));
        assert!(SentenceWords::from_file("up: [rose]\ndown: [rose]").is_err());
    }
}
