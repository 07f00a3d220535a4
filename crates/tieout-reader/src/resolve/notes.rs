//! The account of every word.

use tieout_core::reading::{Use, WordUse};

use super::Resolver;
use crate::{
    grammar::{Sequence, ast::Clause},
    language::Class,
    lattice::{Chart, Meaning, Span},
    lexicon::{FieldId, field_of, is_article},
    tokens::TokenKind,
};

impl Resolver<'_> {
    /// Notes what a run of words was used for. The first note of a run stands.
    pub(super) fn note(&mut self, span: Span, used_as: Use) {
        self.notes.entry(span.first).or_insert((span.last, used_as));
    }

    /// Whether a word lies in a run whose use is known.
    pub(super) fn is_noted(&self, at: usize) -> bool {
        self.notes.range(..=at).next_back().is_some_and(|(_, (last, _))| *last >= at)
    }

    /// Notes a field.
    pub(super) fn note_field(&mut self, span: Span, field: FieldId) {
        if let Some((dataset, field)) = field_of(self.catalogue(), field) {
            self.note(span, Use::Field(format!("{dataset}.{}", field.name)));
        }
    }

    /// The use of every word of the question, each in exactly one run.
    pub(super) fn words(&self, sequence: &Sequence) -> Vec<WordUse> {
        let chart = self.chart();
        let mut words = Vec::new();
        for placed in &sequence.clauses {
            let mut at = placed.span.first;
            while at <= placed.span.last {
                let noted = self.notes.get(&at).filter(|(last, _)| *last <= placed.span.last);
                let (last, used_as) = match noted {
                    Some((last, used_as)) => (*last, used_as.clone()),
                    None => self.plain(&placed.clause, at, placed.span.last),
                };
                words.extend(word(chart, Span { first: at, last }, used_as));
                at = last.saturating_add(1);
            }
        }
        words
    }

    /// What a word that no phrase claimed does in its clause; a run of such words is one.
    fn plain(&self, clause: &Clause, at: usize, end: usize) -> (usize, Use) {
        let used_as = self.plain_use(clause, at);
        let mut last = at;
        while last < end && !self.notes.contains_key(&last.saturating_add(1)) {
            let next = last.saturating_add(1);
            if self.plain_use(clause, next) != used_as {
                break;
            }
            last = next;
        }
        (last, used_as)
    }

    fn plain_use(&self, clause: &Clause, at: usize) -> Use {
        let chart = self.chart();
        let is_sign =
            chart.tokens.get(at).is_some_and(|token| token.kind == TokenKind::Sign && token.is_punctuation());
        match clause {
            Clause::Unknown | Clause::Stopped(_) => Use::Unknown,
            Clause::Wrapping => Use::Wrapping,
            _ if is_sign || is_article(chart.text(at)) => Use::Stop,
            Clause::Stop => Use::Stop,
            Clause::Ask(_) if chart.one_of(at, &[Class::Copula, Class::Do]).is_some() => Use::Stop,
            _ => self.link_at(at).unwrap_or_else(|| Use::Grammar(clause.name().to_owned())),
        }
    }

    /// A relationship's word.
    fn link_at(&self, at: usize) -> Option<Use> {
        let links = self.chart().items(at).iter().filter_map(|item| match &item.meaning {
            Meaning::Relationships(links) => Some(links),
            _ => None,
        });
        let mut names = links.flatten().filter_map(|link| self.catalogue().relationships.get_index(*link));
        let (name, _) = names.find(|(name, _)| self.walked.contains(*name))?;
        Some(Use::Relationship(name.clone()))
    }
}

fn word(chart: &Chart<'_>, span: Span, used_as: Use) -> Option<WordUse> {
    let first = chart.tokens.get(span.first)?;
    let last = chart.tokens.get(span.last)?;
    let raw = chart.tokens.get(span.first..=span.last)?;
    let text = chart
        .slice(first.start, last.end)
        .unwrap_or_else(|| raw.iter().map(|token| token.raw.as_str()).collect());
    Some(WordUse { text, start: first.start, used_as })
}
