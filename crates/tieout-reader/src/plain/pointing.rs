//! Words that point at something which the question does not name, and questions for one of several that would be
//! answered with a figure.

use tieout_core::reading::{Request, Source, Use, WordUse};

use crate::{
    language::{Caution, Class},
    lattice::Meaning,
};

use super::{Look, lost::EVERY_ROW};

impl Look<'_> {
    /// `how many of these loans`, `their default rate`, `that branch`: nothing here says which they are.
    pub(super) fn points_outside(&self) -> Option<String> {
        let at = (0..self.chart.tokens_count()).find(|at| self.points(*at))?;
        Some(format!("“{}” points at something that this question does not name", self.chart.text(at)))
    }

    fn points(&self, at: usize) -> bool {
        let Some(word) = self.word_at(at) else { return false };
        match &word.used_as {
            Use::Stop => {}
            // `for the others`, where a value is called so.
            Use::Value(_) if self.warns_at(at, Caution::PointsTo) => return true,
            Use::Value(_) if self.warns_at(at, Caution::PointsApart) => {
                return self.chart.text(at.saturating_add(1)).ends_with('s');
            }
            // `break it down by` is a phrase as a whole.
            Use::Grammar(_) if !self.is_phrase(word) => {}
            _ => return false,
        }
        self.warns_at(at, Caution::Points)
            || (self.warns_at(at, Caution::PointsTo) && !self.inherits())
            || (self.warns_at(at, Caution::PointsBack) && !self.names_thing_before(at))
            || (self.warns_at(at, Caution::PointsThere) && self.stands_alone(at))
    }

    /// Whether several words stand for one phrase of the language.
    fn is_phrase(&self, word: &WordUse) -> bool {
        let first = self.chart.tokens.iter().position(|token| token.start >= word.start);
        let end = word.start.saturating_add(word.text.len());
        let next = self.chart.tokens.iter().position(|token| token.start >= end);
        let (Some(first), next) = (first, next.unwrap_or(self.chart.tokens_count())) else { return false };
        next > first.saturating_add(1) && self.chart.classes(first).iter().any(|(ends, _)| *ends == next)
    }

    /// The use of the word that holds a token.
    pub(super) fn word_at(&self, at: usize) -> Option<&WordUse> {
        let start = self.chart.tokens.get(at)?.start;
        self.words
            .iter()
            .find(|word| (word.start..word.start.saturating_add(word.text.len())).contains(&start))
    }

    /// Whether somebody or something was named before a token, to whom it may point back.
    fn names_thing_before(&self, at: usize) -> bool {
        let start = self.chart.tokens.get(at).map_or(0, |token| token.start);
        let names = |word: &&WordUse| {
            matches!(word.used_as, Use::Dataset(_) | Use::Population(_) | Use::Value(_) | Use::Field(_))
        };
        self.words.iter().filter(names).any(|word| word.start < start)
    }

    /// `that` which begins no clause about what stands before it: `was that`, `of that branch`.
    fn stands_alone(&self, at: usize) -> bool {
        let is_name = |at: usize| {
            let is_thing = |meaning: &Meaning| {
                matches!(meaning, Meaning::Datasets(_) | Meaning::Fields(_) | Meaning::Metrics(_))
            };
            self.chart.items(at).iter().any(|item| is_thing(&item.meaning))
        };
        let next = at.saturating_add(1);
        let last = self.chart.tokens.get(next).is_none_or(|token| token.is_punctuation());
        let before = at.checked_sub(1).and_then(|before| self.word_at(before));
        let after_name = before.is_some_and(|word| !matches!(word.used_as, Use::Stop | Use::Grammar(_)));
        let behind = at
            .checked_sub(1)
            .is_some_and(|before| self.chart.one_of(before, &[Class::Preposition, Class::OfWord]).is_some());
        last || behind || (!after_name && is_name(next))
    }

    /// `which customer got the biggest loan`: a figure would be shown, and nobody named.
    pub(super) fn which_or_who(&self) -> Option<String> {
        let at = self.warns(Caution::Chooses)?;
        // `customers who never ordered`, `activity, which is the sum of …`: about what stands before it.
        let is_word = |at: &usize| self.chart.tokens.get(*at).is_some_and(|token| !token.is_punctuation());
        let words = (0..at).rev().find(is_word);
        if words.and_then(|before| self.word_at(before)).is_some_and(|word| is_name(word) || is_noun(word)) {
            return None;
        }
        let next = self.words.iter().find(|word| {
            self.chart.tokens.get(at).is_some_and(|token| word.start > token.start) && is_name(word)
        });
        let (is_who, follows) = (self.is_word(self.chart.text(at), Class::Who), at.saturating_add(1));
        match self.request {
            Request::Figures(figures) => figures
                .groupings
                .is_empty()
                .then(|| "one of several is asked for, and a figure would be shown".to_owned()),
            Request::Rows(rows) => {
                let lists = next.is_some_and(|word| match &word.used_as {
                    Use::Dataset(dataset) => *dataset == rows.dataset,
                    _ => false,
                });
                let is_value = next.is_some_and(|word| matches!(word.used_as, Use::Value(_)));
                let said_so = self.chart.one_of(follows, &[Class::Copula]).is_some();
                let other = next.is_some_and(|word| matches!(word.used_as, Use::Dataset(_))) && !lists;
                let thing =
                    || self.catalogue.datasets.get(&rows.dataset).map_or("rows", |d| d.label.as_str());
                ((is_who && lists && !said_so) || is_value || (!is_who && other)).then(|| {
                    format!(
                        "“{}” may ask for others than the {} that are listed",
                        self.chart.text(at),
                        thing()
                    )
                })
            }
            Request::About(_) => None,
        }
    }

    /// A question behind another that says no period or groups of its own: it may go on from the answer before.
    pub(super) fn after_another(&self) -> Option<String> {
        let (previous, Request::Figures(now)) = (self.previous?, self.request) else { return None };
        let narrowed = match previous {
            Request::Figures(before) => {
                before.period.period.is_some()
                    || !before.groupings.is_empty()
                    || !before.conditions.is_empty()
            }
            Request::Rows(before) => before.period.period.is_some() || !before.conditions.is_empty(),
            Request::About(_) => false,
        };
        let bare = now.period.source == Source::Assumed && now.period.period.is_none();
        (narrowed && bare && !self.inherits()).then(|| {
            "this follows an answer that was narrowed, and is read by itself, over all dates".to_owned()
        })
    }
}

/// Whether a word names what every row has, or what the question itself defines.
fn is_noun(word: &WordUse) -> bool {
    match &word.used_as {
        Use::Grammar(label) => label.ends_with(EVERY_ROW),
        Use::Definition(_) => true,
        _ => false,
    }
}

/// Whether a word names a part of what is asked for.
fn is_name(word: &WordUse) -> bool {
    match word.used_as {
        Use::Metric(_) | Use::Dataset(_) | Use::Field(_) | Use::Value(_) | Use::Population(_) => true,
        Use::Time(_)
        | Use::Number(_)
        | Use::Relationship(_)
        | Use::Grammar(_)
        | Use::Definition(_)
        | Use::Wrapping
        | Use::Stop
        | Use::Unknown => false,
    }
}
