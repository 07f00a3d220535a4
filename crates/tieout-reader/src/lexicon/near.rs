//! Near misses: which names are spelled almost like a word that is not known.
//!
//! Every candidate carries the set of letters it is made of, so that a search over a hundred thousand values compares
//! few of them letter by letter. A near miss is offered, never bound.

use super::{FieldId, Named};
use crate::tokens::normalise;

/// How many near misses are offered for one word.
const NEAR_MAX: usize = 3;
/// The most letters that may differ; a third of a short word.
const DISTANCE_MAX: usize = 2;
/// The longest word, in bytes, for which near misses are looked for.
const WORD_BYTES_MAX: usize = 40;
/// How many candidates of one search are compared letter by letter.
const COMPARED_MAX: usize = 1_000;

/// What kind of thing a near miss is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NearKind {
    /// A metric.
    Metric,
    /// A dataset.
    Dataset,
    /// A field.
    Field,
    /// A population.
    Population,
    /// A relationship or a term.
    Word,
    /// A value of a field.
    Value(FieldId),
}

impl NearKind {
    /// The kind of a named entry.
    #[must_use]
    pub fn of(named: Named) -> Self {
        match named {
            Named::Metric(_) => Self::Metric,
            Named::Dataset(_) => Self::Dataset,
            Named::Field(_) | Named::Flag(_) | Named::Hidden(_) => Self::Field,
            Named::Value(field, _) => Self::Value(field),
            Named::Population(_) => Self::Population,
            Named::Relationship(_) | Named::Term(_) => Self::Word,
        }
    }
}

/// A near miss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near {
    /// As declared or stored.
    pub text: String,
    /// What it is.
    pub kind: NearKind,
}

#[derive(Debug)]
struct Candidate {
    letters: u64,
    pairs: u64,
    length: usize,
    lower: Box<str>,
    text: Box<str>,
    kind: NearKind,
}

/// The candidates.
#[derive(Debug, Default)]
pub(super) struct NearIndex {
    candidates: Vec<Candidate>,
}

impl NearIndex {
    pub(super) fn add(&mut self, text: &str, kind: NearKind) {
        let lower = normalise(text).replace(['_', '-'], " ");
        if lower.len() <= WORD_BYTES_MAX && !lower.is_empty() {
            let (letters, pairs, length) = (letters(&lower), pairs(&lower), lower.chars().count());
            self.candidates.push(Candidate {
                letters,
                pairs,
                length,
                lower: lower.into(),
                text: text.into(),
                kind,
            });
        }
    }

    /// Sorts, so that the same search gives the same answer however the index was filled.
    pub(super) fn finish(&mut self) {
        self.candidates.sort_by(|a, b| (&a.lower, a.kind, &a.text).cmp(&(&b.lower, b.kind, &b.text)));
        self.candidates.dedup_by(|a, b| a.lower == b.lower && a.kind == b.kind);
    }

    pub(super) fn search(&self, word: &str) -> Vec<Near> {
        let word = normalise(word);
        let length = word.chars().count();
        let allowed = DISTANCE_MAX.min(length.div_euclid(3));
        if word.len() > WORD_BYTES_MAX || allowed == 0 {
            return Vec::new();
        }
        let (mask, pair_mask) = (letters(&word), pairs(&word));
        // One letter more, less, other or swapped touches at most three pairs on each side.
        let pair_bits = u32::try_from(allowed.saturating_mul(6)).unwrap_or(u32::MAX);
        let bits = u32::try_from(allowed.saturating_mul(2)).unwrap_or(u32::MAX);
        let mut found: Vec<(usize, &Candidate)> = self
            .candidates
            .iter()
            .filter(|c| {
                c.length.abs_diff(length) <= allowed
                    && (c.letters ^ mask).count_ones() <= bits
                    && (c.pairs ^ pair_mask).count_ones() <= pair_bits
            })
            .take(COMPARED_MAX)
            .map(|c| (strsim::osa_distance(&word, &c.lower), c))
            .filter(|(distance, _)| *distance <= allowed && *distance > 0)
            .collect();
        found.sort_by(|a, b| (a.0, &a.1.lower, a.1.kind).cmp(&(b.0, &b.1.lower, b.1.kind)));
        found.dedup_by(|a, b| a.1.lower == b.1.lower);
        found.truncate(NEAR_MAX);
        found.into_iter().map(|(_, c)| Near { text: c.text.to_string(), kind: c.kind }).collect()
    }
}

/// Whether two words, one of them in lower case like the other, may differ in one letter: a cheap look before the
/// letters are compared one by one.
pub(crate) fn may_differ_in_one(a: &str, b: &str) -> bool {
    a.len().abs_diff(b.len()) <= 1 && (letters(a) ^ letters(b)).count_ones() <= 2
}

/// One bit for each letter and digit that occurs; what is neither shares the last bit.
fn letters(text: &str) -> u64 {
    text.bytes().fold(0, |mask, byte| {
        let bit = match byte {
            b'a'..=b'z' => byte - b'a',
            b'0'..=b'9' => byte - b'0' + 26,
            _ => 36,
        };
        mask | 1u64.checked_shl(u32::from(bit)).unwrap_or(0)
    })
}

/// One of 64 bits for each pair of neighbours.
fn pairs(text: &str) -> u64 {
    let bytes = text.as_bytes();
    bytes.iter().zip(bytes.iter().skip(1)).fold(0, |mask, (a, b)| {
        let bit = u32::from(*a).wrapping_mul(31).wrapping_add(u32::from(*b)).wrapping_mul(0x9e37_79b9) >> 26;
        mask | 1u64.checked_shl(bit).unwrap_or(0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offers_what_is_near_and_nothing_else() {
        let mut index = NearIndex::default();
        for text in ["channel", "Berlin", "Bern", "net_revenue", "region"] {
            index.add(text, NearKind::Word);
        }
        index.finish();
        let texts = |word: &str| index.search(word).into_iter().map(|near| near.text).collect::<Vec<_>>();
        assert_eq!(texts("chanel"), ["channel"]);
        assert_eq!(texts("Berln"), ["Berlin", "Bern"]);
        assert!(texts("weather").is_empty());
        assert!(texts("xy").is_empty());
    }
}
