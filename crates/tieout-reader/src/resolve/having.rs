//! Conditions on figures, and bounds that may be about a figure or about a row.

use tieout_core::reading::{FigureCondition, FiguresRequest, MeasureRef, ReasonCode, Sourced, Use};

use super::{Base, Frame, Resolver, frame::BoundPart, parts::Found};
use crate::{
    grammar::ast::{FieldPhrase, HavingPhrase, Literal, Target},
    language::numbers::WrittenUnit,
};

impl Resolver<'_> {
    /// `orders over 100`: the one number of a row that it can be about. Behind a metric it is a condition on the figure.
    pub(super) fn bounds(&mut self, frame: &Frame<'_>, bases: &[Base], request: &mut FiguresRequest) {
        for bound in &frame.bounds {
            let measure = self.bounded(frame, bound, request);
            let counted = request.measures.get(measure).and_then(|measure| self.counted_rows(&measure.value));
            match counted {
                Some(dataset) if request.groupings.is_empty() => {
                    self.size_bound(bound, dataset, bases, request)
                }
                Some(_) => {
                    self.unlikely(6);
                    self.blame(
                        ReasonCode::Unsupported,
                        bound.span,
                        "can be about each row or about how many there are",
                        "say `with more than so many`, or name the number of a row that is meant",
                    );
                }
                None => {
                    let literals = std::iter::once((bound.comparison, bound.low)).chain(upper(bound.high));
                    for (comparison, literal) in literals {
                        if let Some(value) = self.figure_value(request.measures.get(measure), literal) {
                            request.having.push(FigureCondition { measure, comparison, value });
                        }
                    }
                }
            }
        }
    }

    /// The measure that a bound stands behind; the last one when it stands behind something else.
    pub(super) fn bounded(
        &self,
        frame: &Frame<'_>,
        bound: &BoundPart<'_>,
        request: &FiguresRequest,
    ) -> usize {
        let last = request.measures.len().saturating_sub(1);
        let measures = frame.named.iter().map(|part| part.target).filter(|t| matches!(t, Target::Measure(_)));
        let position =
            bound.about.and_then(|about| measures.into_iter().position(|target| std::ptr::eq(target, about)));
        position.unwrap_or(last).min(last)
    }

    /// A bound on the one number of a row that it can be about.
    pub(super) fn size_bound(
        &mut self,
        bound: &BoundPart<'_>,
        dataset: usize,
        bases: &[Base],
        request: &mut FiguresRequest,
    ) {
        let Some(base) = bases.iter().find(|base| base.dataset == dataset) else { return };
        let Some((field, source)) = self.size_field(bound.span, base.dataset) else { return };
        let sense = crate::lattice::FieldSense { tier: crate::lexicon::Tier::Label, field };
        let phrase = FieldPhrase { span: bound.span, senses: vec![sense], term: None, link: None };
        let filtered = self.bound_on(&phrase, bound.comparison, bound.low, bound.high, base);
        let sourced = filtered.conditions.into_iter().map(|condition| Sourced { source, ..condition });
        request.conditions.extend(sourced);
    }

    /// Conditions on figures, each with the measure it is about.
    pub(super) fn having(&mut self, frame: &Frame<'_>, found: &mut Found) -> Vec<FigureCondition> {
        let mut conditions = Vec::new();
        for phrase in &frame.having {
            let Some(index) = self.having_measure(phrase, found) else { continue };
            let literals =
                std::iter::once((phrase.comparison, &phrase.literal)).chain(upper(phrase.high.as_ref()));
            for (comparison, literal) in literals {
                if let Some(value) = self.figure_value(found.measures.get(index), literal) {
                    conditions.push(FigureCondition { measure: index, comparison, value });
                }
            }
        }
        conditions
    }

    pub(super) fn having_measure(&mut self, phrase: &HavingPhrase, found: &mut Found) -> Option<usize> {
        let measured = self.measure(&phrase.measure, false)?;
        if !measured.filters.is_empty() || measured.population.is_some() {
            let known =
                found.measures.len() == 1 && found.measures.iter().any(|m| m.value == measured.measure.value);
            if !known {
                self.blame(
                    ReasonCode::Unsupported,
                    phrase.measure.span,
                    "narrows a measure inside a condition",
                    "ask for the narrowed measure itself",
                );
            }
        }
        if let Some(index) = found.measures.iter().position(|known| known.value == measured.measure.value) {
            return Some(index);
        }
        found.measures.push(measured.measure);
        Some(found.measures.len().saturating_sub(1))
    }

    /// A bound in the figure's own unit.
    pub(super) fn figure_value(
        &mut self,
        measure: Option<&Sourced<MeasureRef>>,
        literal: &Literal,
    ) -> Option<tieout_core::number::Number> {
        use tieout_core::number::UnitKind;
        let Literal::Number { span, value, unit } = literal else { return None };
        self.note(*span, Use::Number(value.to_plain_string()));
        let kind = match measure.map(|measure| &measure.value) {
            Some(MeasureRef::Metric(name)) => self.catalogue().metrics.get(name).map(|m| m.unit.kind.clone()),
            Some(MeasureRef::Count { .. } | MeasureRef::AdHoc { .. }) | None => None,
        };
        match (unit, kind) {
            (WrittenUnit::None, _) | (WrittenUnit::Percent, Some(UnitKind::Percent)) => Some(value.clone()),
            (WrittenUnit::Percent, Some(UnitKind::Ratio)) => Some(value / bigdecimal::BigDecimal::from(100)),
            (WrittenUnit::Currency(code), Some(UnitKind::Currency(own))) if *code == own => {
                Some(value.clone())
            }
            _ => {
                self.blame(
                    ReasonCode::Unsupported,
                    *span,
                    "is in another unit than the figure",
                    "give the number in the figure's own unit",
                );
                None
            }
        }
    }

    /// The dataset whose rows a measure counts.
    pub(super) fn counted_rows(&self, measure: &MeasureRef) -> Option<usize> {
        match measure {
            MeasureRef::Count { dataset } => self.catalogue().datasets.get_index_of(dataset),
            MeasureRef::Metric(name) => {
                let metric = self.catalogue().metrics.get(name)?;
                match &metric.measure {
                    tieout_core::catalogue::Measure::Aggregate(aggregate) if aggregate.kind == "count" => {
                        self.catalogue().datasets.get_index_of(&aggregate.dataset)
                    }
                    _ => None,
                }
            }
            MeasureRef::AdHoc { .. } => None,
        }
    }
}

fn upper(high: Option<&Literal>) -> impl Iterator<Item = (tieout_core::reading::Comparison, &Literal)> {
    high.into_iter().map(|high| (tieout_core::reading::Comparison::AtMost, high))
}
