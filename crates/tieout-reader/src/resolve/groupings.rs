//! Groupings: fields, rows by the field that names them, and steps of time.

use tieout_core::reading::{FiguresRequest, Grouping, MeasureRef, ReasonCode, Source, Sourced, Use};

use super::{Base, Frame, Resolver, fields::Purpose};
use crate::{
    grammar::ast::{FieldPhrase, Head, NounPhrase, Target},
    lexicon::{FieldId, field_of},
};

impl Resolver<'_> {
    /// One grouping.
    pub(super) fn grouping(
        &mut self,
        target: &Target,
        all: &[(&Target, bool)],
        bases: &[Base],
        request: &mut FiguresRequest,
    ) {
        match target {
            Target::Grain(span, grain) => {
                self.note(*span, Use::Time(grain.to_string()));
                self.time_grouping(*grain, Source::Question, request);
            }
            Target::Field(phrase) => {
                let near = self.named_last(request, all);
                if let Some(chosen) = self.field(phrase, Purpose::Group, bases, near) {
                    add_grouping(request, Grouping::Field(chosen.reference), chosen.source);
                }
            }
            Target::Thing(noun) => self.group_by_thing(noun, all, bases, request),
            Target::Measure(_) => {}
        }
    }

    /// The dataset of the thing that was named last, for `by id`.
    pub(super) fn named_last(&self, request: &FiguresRequest, all: &[(&Target, bool)]) -> Option<usize> {
        let mut things = all.iter().filter_map(|(target, _)| match target {
            Target::Thing(noun) => crate::grammar::dataset_of(self.chart(), noun.head),
            Target::Field(_) | Target::Measure(_) | Target::Grain(..) => None,
        });
        things.next_back().or_else(|| match request.measures.first().map(|measure| &measure.value) {
            Some(MeasureRef::Count { dataset }) => self.catalogue().datasets.get_index_of(dataset),
            Some(MeasureRef::Metric(_) | MeasureRef::AdHoc { .. }) | None => None,
        })
    }

    /// Whether a field tells the rows of a dataset apart, so that grouping by it groups by them.
    pub(super) fn tells_rows_apart(&self, field: FieldId, dataset: usize) -> bool {
        let identifier = field_of(self.catalogue(), field).is_some_and(|(_, field)| field.identifier);
        field.dataset == dataset && (identifier || self.naming_field(dataset) == Some(field))
    }

    /// `by customer`: the field that names a customer; a field of the same dataset in another grouping says it better.
    pub(super) fn group_by_thing(
        &mut self,
        noun: &NounPhrase,
        all: &[(&Target, bool)],
        bases: &[Base],
        request: &mut FiguresRequest,
    ) {
        let Some(dataset) = crate::grammar::dataset_of(self.chart(), noun.head) else { return };
        self.note_head(noun);
        self.term(noun.term);
        let phrase = self.naming_phrase(noun.span, dataset);
        let said_better = all.iter().any(|(other, _)| match other {
            Target::Field(field) => {
                field.senses.iter().any(|sense| self.tells_rows_apart(sense.field, dataset))
            }
            Target::Thing(_) | Target::Measure(_) | Target::Grain(..) => false,
        });
        if !said_better && let Some(phrase) = phrase {
            let named = FieldPhrase { span: noun.span, ..phrase };
            if let Some(chosen) = self.field(&named, Purpose::Group, bases, None) {
                add_grouping(request, Grouping::Field(chosen.reference), chosen.source);
            }
        }
        if let Head::Population(index) = noun.head {
            request
                .conditions
                .extend(self.membership(index, noun.span, false, Source::Question, bases).conditions);
        }
        request.conditions.extend(self.all(&noun.adjectives, bases));
    }

    pub(super) fn time_grouping(
        &mut self,
        grain: tieout_core::time::Grain,
        source: Source,
        request: &mut FiguresRequest,
    ) {
        add_grouping(request, Grouping::Time(grain), source);
    }

    /// `over time` does not say in which steps.
    pub(super) fn trend(&mut self, frame: &Frame<'_>, bases: &[Base], request: &mut FiguresRequest) {
        use tieout_core::{reading::Choice, time::Grain};
        let stepped = request.groupings.iter().any(|grouping| matches!(grouping.value, Grouping::Time(_)));
        if frame.trends.is_empty() || stepped {
            return;
        }
        if bases.iter().any(|base| base.time.is_none()) {
            let measure = bases.first().map(|base| base.measure.clone()).unwrap_or_default();
            self.refuse(
                ReasonCode::Unsupported,
                format!("nothing says when {measure} happened"),
                "ask without a trend",
            );
            return;
        }
        let grains = [Grain::Month, Grain::Week, Grain::Day, Grain::Quarter, Grain::Year];
        let choices =
            grains.iter().map(|g| Choice { key: g.to_string(), text: format!("one figure a {g}") }).collect();
        let (index, source) =
            self.choose("grain", "it is not said in which steps of time".to_owned(), choices);
        if let Some(grain) = grains.get(index) {
            self.time_grouping(*grain, source, request);
        }
    }
}

pub(super) fn add_grouping(request: &mut FiguresRequest, grouping: Grouping, source: Source) {
    if request.groupings.iter().all(|known| known.value != grouping) {
        request.groupings.push(Sourced { value: grouping, source });
    }
}
