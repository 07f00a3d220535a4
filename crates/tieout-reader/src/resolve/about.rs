//! Questions about the catalogue itself.

use tieout_core::reading::{AboutRequest, EntryRef, MeasureRef, ReasonCode, Use};

use super::{Resolver, fields::Purpose};
use crate::{
    grammar::ast::{AboutPhrase, Head, MeasureCore, Target},
    lattice::Span,
};

impl Resolver<'_> {
    pub(super) fn about(&mut self, span: Span, about: &AboutPhrase) -> Option<AboutRequest> {
        match about {
            AboutPhrase::Everything => Some(AboutRequest::Everything),
            AboutPhrase::Definition(target) => self.entry(target).map(AboutRequest::Definition),
            AboutPhrase::Values(phrase) => {
                let chosen = self.field(phrase, Purpose::Column, &[], None)?;
                Some(AboutRequest::Values {
                    dataset: chosen.reference.dataset,
                    field: chosen.reference.field,
                })
            }
            AboutPhrase::Dimensions(phrase) => {
                let measured = self.measure(phrase, false)?;
                match measured.measure.value {
                    MeasureRef::Metric(metric) => Some(AboutRequest::Dimensions { metric }),
                    MeasureRef::Count { .. } | MeasureRef::AdHoc { .. } => {
                        self.blame(
                            ReasonCode::Unsupported,
                            span,
                            "asks about what is no metric",
                            "name a metric",
                        );
                        None
                    }
                }
            }
        }
    }

    /// The entry whose definition is asked for. A draft or an old metric may well be asked about.
    fn entry(&mut self, target: &Target) -> Option<EntryRef> {
        match target {
            Target::Measure(phrase) => match &phrase.core {
                MeasureCore::Metrics(metrics) => {
                    if let Some((_, term)) =
                        phrase.term.and_then(|term| self.catalogue().terms.get_index(term))
                    {
                        return Some(EntryRef::Term(term.term.clone()));
                    }
                    let (name, _) = self.catalogue().metrics.get_index(*metrics.first()?)?;
                    if metrics.len() > 1 {
                        self.unlikely(4);
                    }
                    self.note(phrase.core_span, Use::Metric(name.clone()));
                    Some(EntryRef::Metric(name.clone()))
                }
                MeasureCore::Count(_) | MeasureCore::Field(_) => None,
            },
            Target::Thing(noun) => {
                if let Some((_, term)) = noun.term.and_then(|term| self.catalogue().terms.get_index(term)) {
                    return Some(EntryRef::Term(term.term.clone()));
                }
                self.note_head(noun);
                match noun.head {
                    Head::Dataset(index) => Some(EntryRef::Dataset(self.dataset_name(index))),
                    Head::Population(index) => self
                        .catalogue()
                        .populations
                        .get_index(index)
                        .map(|(name, _)| EntryRef::Population(name.clone())),
                }
            }
            Target::Field(phrase) => {
                let chosen = self.field(phrase, Purpose::Column, &[], None)?;
                Some(EntryRef::Field(chosen.reference.dataset, chosen.reference.field))
            }
            Target::Grain(..) => None,
        }
    }
}
