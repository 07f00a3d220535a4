//! Measures and groupings of a question, told apart by where they stand.

use tieout_core::reading::{MeasureRef, Sourced};

use super::{Base, Frame, Resolver, measures::Measured};
use crate::{
    grammar::ast::{AggregateWord, Ask, FieldPhrase, Filter, MeasureCore, MeasurePhrase, NounPhrase, Target},
    lattice::Span,
};

/// Measures and groupings of a question, told apart.
#[derive(Debug, Default)]
pub(super) struct Parts<'c> {
    /// Measures, and whether it had to be assumed that rows are counted.
    pub(super) measures: Vec<(MeasurePhrase, bool)>,
    /// Groupings.
    pub(super) groups: Vec<(&'c Target, bool)>,
}

impl<'c> Parts<'c> {
    pub(super) fn measures(&self) -> &[(MeasurePhrase, bool)] {
        &self.measures
    }

    pub(super) fn groups(&self) -> &[(&'c Target, bool)] {
        &self.groups
    }
}

/// The measures that were found, with what was said of them.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) measures: Vec<Sourced<MeasureRef>>,
    pub(super) filters: Vec<Filter>,
    pub(super) populations: Vec<(Span, usize)>,
}

impl Resolver<'_> {
    /// Tells measures and groupings apart by where they stand.
    pub(super) fn parts<'c>(&mut self, frame: &Frame<'c>) -> Parts<'c> {
        let mut parts = Parts::default();
        let measured = measures_named(frame) || counts_by_rank(frame);
        // `show orders by status` may want the orders; `orders by status` wants how many.
        let shown = frame.asks(Ask::Show) || frame.asks(Ask::List);
        let by_measure = frame.by.iter().any(|target| matches!(target, Target::Measure(_)));
        for (index, part) in frame.named.iter().enumerate() {
            let earlier = frame.named.iter().take(index);
            let after_thing = earlier.clone().any(|part| !matches!(part.target, Target::Measure(_)));
            let after_measure = earlier.clone().any(|part| matches!(part.target, Target::Measure(_)));
            match part.target {
                Target::Measure(phrase) => parts.measures.push((phrase.clone(), false)),
                Target::Thing(noun) => {
                    let ranked_count = part.ranked && after_thing && !by_measure;
                    let shared = !frame.shares.is_empty() && !measured;
                    if ranked_count || shared {
                        parts.measures.push((counted(noun), false));
                    } else if after_measure && !part.each || !measured && !part.ranked {
                        self.unlikely(if measured { 3 } else { 0 });
                        parts.measures.push((counted(noun), shown));
                    } else {
                        parts.groups.push((part.target, false));
                    }
                }
                Target::Field(_) | Target::Grain(..) => parts.groups.push((part.target, false)),
            }
        }
        for target in &frame.by {
            match target {
                Target::Measure(phrase) => {
                    let alone = frame.by.iter().all(|target| matches!(target, Target::Measure(_)));
                    if alone && !parts.measures.is_empty() && frame.ranks.is_empty() {
                        // `customers by page` splits; it does not ask for pages.
                        self.unlikely(20);
                    }
                    parts.measures.push((phrase.clone(), false));
                }
                Target::Thing(_) | Target::Field(_) | Target::Grain(..) => parts.groups.push((target, false)),
            }
        }
        parts.groups.extend(frame.each.iter().map(|target| (*target, true)));
        if parts.measures.is_empty()
            && let Some(phrase) = frame.named.iter().find_map(|part| self.number_named(part.target))
        {
            let measured = phrase.span;
            parts.groups.retain(|(target, _)| target.span() != measured);
            parts.measures.push((phrase, false));
        }
        if parts.measures.is_empty()
            && let Some(having) = frame.having.first()
        {
            parts.measures.push((having.measure.clone(), false));
        }
        if parts.measures.is_empty()
            && let Some((_, sort)) = frame.sorts.first()
            && let Some(Target::Measure(phrase)) = &sort.by
        {
            parts.measures.push((phrase.clone(), false));
        }
        parts
    }

    /// `balance by plan`: a number that is named alone can only be added up, which nobody said.
    pub(super) fn number_named(&self, target: &Target) -> Option<MeasurePhrase> {
        let Target::Field(phrase) = target else { return None };
        let numbers: Vec<_> =
            phrase.senses.iter().filter(|sense| self.adds_up(sense.field)).copied().collect();
        (!numbers.is_empty()).then(|| MeasurePhrase {
            span: phrase.span,
            core_span: phrase.span,
            aggregates: vec![(phrase.span, AggregateWord::Total)],
            core: MeasureCore::Field(FieldPhrase { senses: numbers, ..phrase.clone() }),
            adjectives: Vec::new(),
            term: phrase.term,
        })
    }

    /// Binds the measures; what was said with one of several cannot be said of all.
    pub(super) fn found(&mut self, phrases: &[(MeasurePhrase, bool)]) -> Found {
        let mut found = Found::default();
        for (phrase, assumed) in phrases {
            let Some(Measured { measure, filters, population }) = self.measure(phrase, *assumed) else {
                continue;
            };
            if phrases.len() > 1 && (!filters.is_empty() || population.is_some()) {
                self.narrows_all(phrase.span);
            }
            if found.measures.iter().all(|known| known.value != measure.value) {
                found.measures.push(measure);
            }
            found.filters.extend(filters);
            found.populations.extend(population);
        }
        found
    }

    /// What is said with one of several measures narrows all of them, or the asker meant something else.
    pub(super) fn narrows_all(&mut self, span: Span) {
        let words = self.words_of(span);
        let choices = vec![tieout_core::reading::Choice {
            key: "all".to_owned(),
            text: "every measure is narrowed in the same way".to_owned(),
        }];
        let message =
            format!("`{words}` narrows one of several measures, and all are worked out over the same rows");
        self.choose("population", message, choices);
    }

    pub(super) fn bases(&self, measures: &[Sourced<MeasureRef>]) -> Vec<Base> {
        let mut bases: Vec<Base> = Vec::new();
        for base in measures.iter().flat_map(|measure| self.bases_of(&measure.value)) {
            let known = bases.iter().any(|known| {
                known.dataset == base.dataset && known.time == base.time && known.allowed == base.allowed
            });
            if !known {
                bases.push(base);
            }
        }
        bases
    }
}

/// Whether a measure is named anywhere but in a condition.
pub(super) fn measures_named(frame: &Frame<'_>) -> bool {
    let named = frame.named.iter().any(|part| matches!(part.target, Target::Measure(_)));
    let by = frame.by.iter().any(|target| matches!(target, Target::Measure(_)));
    let sorted = frame.sorts.iter().any(|(_, sort)| matches!(sort.by, Some(Target::Measure(_))));
    named || by || sorted || !frame.having.is_empty()
}

/// `which customer had the most orders`: what stands behind the ranking word is counted.
pub(super) fn counts_by_rank(frame: &Frame<'_>) -> bool {
    let is_thing = |target: &Target| matches!(target, Target::Thing(_));
    let named = &frame.named;
    named.iter().enumerate().any(|(index, part)| part.ranked && index > 0 && is_thing(part.target))
}

/// A noun phrase as a count of its rows.
fn counted(noun: &NounPhrase) -> MeasurePhrase {
    MeasurePhrase {
        span: noun.span,
        core_span: noun.head_span,
        aggregates: vec![(noun.head_span, AggregateWord::Count)],
        core: MeasureCore::Count(noun.clone()),
        adjectives: Vec::new(),
        term: noun.term,
    }
}
