//! A reading as a line of words: each token of the question with the use it is part of.

use std::collections::BTreeSet;

use tieout_core::{
    catalogue::{Catalogue, Graph, PathSearch},
    ports::FieldValues,
    reading::{Condition, FiguresRequest, MeasureRef, Request, RowsRequest, Sourced, Use, WordUse},
};

/// What an objection may look at.
pub(super) struct Held<'a> {
    pub(super) request: &'a Request,
    pub(super) words: &'a [WordUse],
    pub(super) tokens: Vec<Token<'a>>,
    pub(super) catalogue: &'a Catalogue,
    pub(super) values: &'a FieldValues,
    pub(super) previous: Option<&'a Request>,
    pub(super) confirmed: bool,
}

/// One word of the question in small letters, without the signs around it.
pub(super) struct Token<'a> {
    pub(super) text: String,
    pub(super) word: &'a WordUse,
}

impl<'a> Held<'a> {
    pub(super) fn new(request: &'a Request, words: &'a [WordUse], beside: super::Beside<'a>) -> Self {
        let super::Beside { catalogue, values, previous, confirmed, sound: _ } = beside;
        let signs = |c: char| matches!(c, ',' | '.' | '?' | '!' | ':' | ';' | '(' | ')' | '"' | '“' | '”');
        let of = |word: &'a WordUse| {
            let texts = word.text.split_whitespace().map(|t| t.trim_matches(signs).to_lowercase());
            texts.filter(|t| !t.is_empty()).map(move |text| Token { text, word }).collect::<Vec<_>>()
        };
        let tokens = words.iter().flat_map(of).collect();
        Self { request, words, tokens, catalogue, values, previous, confirmed }
    }

    pub(super) fn figures(&self) -> Option<&'a FiguresRequest> {
        if let Request::Figures(figures) = self.request { Some(figures) } else { None }
    }

    pub(super) fn rows(&self) -> Option<&'a RowsRequest> {
        if let Request::Rows(rows) = self.request { Some(rows) } else { None }
    }

    pub(super) fn conditions(&self) -> &'a [Sourced<Condition>] {
        match self.request {
            Request::Figures(figures) => &figures.conditions,
            Request::Rows(rows) => &rows.conditions,
            Request::About(_) => &[],
        }
    }

    /// The datasets whose rows are counted, added up or listed.
    pub(super) fn bases(&self) -> BTreeSet<&'a str> {
        match self.request {
            Request::Figures(figures) => figures.measures.iter().flat_map(|m| self.of(&m.value)).collect(),
            Request::Rows(rows) => BTreeSet::from([rows.dataset.as_str()]),
            Request::About(_) => BTreeSet::new(),
        }
    }

    fn of(&self, measure: &'a MeasureRef) -> Vec<&'a str> {
        match measure {
            MeasureRef::Metric(name) => {
                self.catalogue.aggregates_within(name).map(|(_, a)| a.dataset.as_str()).collect()
            }
            MeasureRef::Count { dataset } | MeasureRef::AdHoc { dataset, .. } => vec![dataset],
        }
    }

    /// Whether each row of every base has at most one of a dataset.
    pub(super) fn to_one(&self, dataset: &str) -> bool {
        let graph = Graph::of(self.catalogue);
        self.bases().iter().all(|base| match graph.search(base, dataset) {
            PathSearch::One(path) => path.to_one(),
            PathSearch::Several(paths) => paths.iter().all(|path| path.to_one()),
            PathSearch::None => *base == dataset,
        })
    }

    /// Whether a stated relationship leads from every base to a dataset.
    pub(super) fn reaches(&self, dataset: &str) -> bool {
        let graph = Graph::of(self.catalogue);
        self.bases()
            .iter()
            .all(|base| *base == dataset || !matches!(graph.search(base, dataset), PathSearch::None))
    }

    /// The text of a token, or nothing beyond either end.
    pub(super) fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |t| t.text.as_str())
    }

    /// The first place where these texts stand in a row.
    pub(super) fn find(&self, texts: &[&str]) -> Option<usize> {
        (0..self.tokens.len())
            .find(|at| texts.iter().enumerate().all(|(i, t)| self.text(at.saturating_add(i)) == *t))
    }

    /// The dataset that a word names: itself, or of its population.
    pub(super) fn names(&self, word: &'a WordUse) -> Option<&'a str> {
        match &word.used_as {
            Use::Dataset(name) => Some(name),
            Use::Population(name) => self.catalogue.populations.get(name).map(|p| p.dataset.as_str()),
            Use::Metric(_)
            | Use::Field(_)
            | Use::Value(_)
            | Use::Relationship(_)
            | Use::Time(_)
            | Use::Number(_)
            | Use::Grammar(_)
            | Use::Definition(_)
            | Use::Wrapping
            | Use::Stop
            | Use::Unknown => None,
        }
    }

    /// Words that name a period or a day, not a step.
    pub(super) fn periods(&self) -> impl Iterator<Item = &'a WordUse> {
        self.words
            .iter()
            .filter(|w| matches!(&w.used_as, Use::Time(what) if what.contains(|c: char| c.is_ascii_digit())))
    }
}

/// The dataset and field of `dataset.field` or `dataset.field = value`.
pub(super) fn field_of(used: &Use) -> Option<(&str, &str)> {
    match used {
        Use::Field(name) => name.split_once('.'),
        Use::Value(said) => said.split(" = ").next()?.split_once('.'),
        Use::Metric(_)
        | Use::Dataset(_)
        | Use::Population(_)
        | Use::Relationship(_)
        | Use::Time(_)
        | Use::Number(_)
        | Use::Grammar(_)
        | Use::Definition(_)
        | Use::Wrapping
        | Use::Stop
        | Use::Unknown => None,
    }
}
