//! Relationships that a question names: each must be one that the request walks along.

use tieout_core::reading::{MeasureRef, ReasonCode, Sourced, Use};

use super::{Frame, Resolver};
use crate::{grammar::ast::Test, language::Class, lattice::Span};

impl Resolver<'_> {
    /// Remembers relationships that were named, for ways that are not clear without.
    pub(super) fn named_links(&mut self, frame: &Frame<'_>) {
        for part in &frame.filters {
            if let Test::Related(related) = &part.filter.test
                && let Some(verb) = related.verb
                && !related.relationships.is_empty()
            {
                self.named_links.push((verb, related.relationships.clone()));
            }
        }
    }

    pub(super) fn walk_measures(&mut self, measures: &[Sourced<MeasureRef>]) {
        measures.iter().for_each(|measure| self.walk_populations(&measure.value, 0));
    }

    /// `the policies they have renewed`: a verb inside a list must be of a relationship that is walked along.
    pub(super) fn check_tails(&mut self, frame: &Frame<'_>) {
        for span in &frame.lists {
            for at in span.first..=span.last {
                let chart = self.chart();
                let light = [
                    Class::Have,
                    Class::Copula,
                    Class::LinkVerb,
                    Class::Light,
                    Class::Pronoun,
                    Class::Relative,
                ];
                let links = crate::grammar::links_at(chart, at);
                let inside =
                    frame.targets().any(|target| target.span().first <= at && at <= target.span().last);
                if inside || links.is_empty() || chart.one_of(at, &light).is_some() || self.is_noted(at) {
                    continue;
                }
                self.named_links.push((Span { first: at, last: at }, links));
            }
        }
    }

    /// A relationship that was named must be one that the request walks along, or it was ignored.
    pub(super) fn check_links(&mut self, frame: &Frame<'_>) {
        self.check_tails(frame);
        let roles = self.roles.iter().map(|(span, link)| (*span, vec![*link]));
        let links: Vec<(Span, Vec<usize>)> = self.named_links.iter().cloned().chain(roles).collect();
        for (span, indexes) in &links {
            let names: Vec<String> = indexes
                .iter()
                .filter_map(|index| self.catalogue().relationships.get_index(*index))
                .map(|(name, _)| name.clone())
                .collect();
            if let Some(name) = names.iter().find(|name| self.walked.contains(*name)) {
                self.note(*span, Use::Relationship(name.clone()));
            } else {
                self.unlikely(10);
                self.blame(
                    ReasonCode::NoRelationship,
                    *span,
                    "names a relationship that does not lead to what is asked for",
                    "leave it out, or name what it leads to",
                );
            }
        }
    }
}
