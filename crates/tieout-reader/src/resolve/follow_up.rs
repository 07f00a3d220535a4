//! Follow-ups: what a few words change in the previous request.

use tieout_core::reading::{Condition, FiguresRequest, ReasonCode, Request, RowsRequest, Source, Sourced};

use super::{Frame, Resolver, periods::Before};
use crate::grammar::ast::Target;

impl Resolver<'_> {
    /// The previous request with what is new in it, when the question goes on from it.
    pub(super) fn follow_up(&mut self, frame: &Frame<'_>) -> Option<Request> {
        let previous = self.cx.previous?;
        let opened = !frame.follows.is_empty() || !frame.adds.is_empty() || !frame.insteads.is_empty();
        let names_measure = super::parts::measures_named(frame);
        let names_things = frame.named.iter().any(|part| matches!(part.target, Target::Thing(_)));
        let brings = brings_something(frame);
        let goes_on = (!names_measure && !names_things && brings) || (opened && names_measure);
        if !goes_on {
            return None;
        }
        match previous {
            Request::Figures(previous) => self.figures_on(frame, previous).map(Request::Figures),
            Request::Rows(previous) if !names_measure => self.rows_on(frame, previous).map(Request::Rows),
            Request::Rows(_) | Request::About(_) => None,
        }
    }

    fn figures_on(&mut self, frame: &Frame<'_>, previous: &FiguresRequest) -> Option<FiguresRequest> {
        let mut request = FiguresRequest {
            measures: kept(&previous.measures),
            groupings: kept(&previous.groupings),
            conditions: kept(&previous.conditions),
            period: previous.period.clone(),
            derivation: previous.derivation.clone(),
            having: previous.having.clone(),
            ranking: previous.ranking.clone(),
        };
        let parts = self.parts(frame);
        let found = self.found(parts.measures());
        if !found.measures.is_empty() {
            if frame.adds.is_empty() {
                request.having.clear();
                request.measures.clear();
            }
            for measure in &found.measures {
                if request.measures.iter().all(|known| known.value != measure.value) {
                    request.measures.push(measure.clone());
                }
            }
        }
        self.units(frame, &found);
        let bases = self.bases(&request.measures);
        self.named_links(frame);
        let regroups = !parts.groups().is_empty()
            || frame.whens.iter().any(|time| matches!(time.reading.kind, crate::time::TimeKind::Grain(_)));
        if regroups && frame.adds.is_empty() {
            request.groupings.clear();
        }
        let before_conditions = std::mem::take(&mut request.conditions);
        let before = Before { period: &previous.period, derivation: &previous.derivation };
        self.complete(frame, parts.groups(), &found, &bases, Some(&before), &mut request);
        request.conditions = replaced(before_conditions, std::mem::take(&mut request.conditions));
        if frame.ranks.is_empty() && frame.sorts.is_empty() {
            request.ranking = previous.ranking.clone();
        }
        self.walk_measures(&request.measures);
        self.check_links(frame);
        Some(request)
    }

    fn rows_on(&mut self, frame: &Frame<'_>, previous: &RowsRequest) -> Option<RowsRequest> {
        let dataset = self.catalogue().datasets.get_index_of(&previous.dataset)?;
        let base = self.rows_base(dataset);
        let bases = [base.clone()];
        let mut added = Vec::new();
        let mut times = Vec::new();
        for part in &frame.filters {
            let filtered = self.filter(part.filter, &bases);
            times.extend(filtered.period);
            added.extend(filtered.conditions);
        }
        let before =
            Before { period: &previous.period, derivation: &tieout_core::reading::Derivation::Plain };
        let timing = self.timing(frame, &times, &bases, Some(&before));
        if !frame.by.is_empty() || !frame.each.is_empty() || !timing.grains.is_empty() {
            self.refuse(
                ReasonCode::Unsupported,
                "a list of rows is not split",
                "ask for a count or a metric by it",
            );
        }
        let ranking = self.row_order(frame, &base).or_else(|| previous.ranking.clone());
        Some(RowsRequest {
            dataset: previous.dataset.clone(),
            columns: kept(&previous.columns),
            conditions: replaced(kept(&previous.conditions), added),
            period: timing.period,
            ranking,
        })
    }
}

/// Whether a question has anything that could change a request.
fn brings_something(frame: &Frame<'_>) -> bool {
    !frame.by.is_empty()
        || !frame.each.is_empty()
        || !frame.filters.is_empty()
        || !frame.whens.is_empty()
        || !frame.versus.is_empty()
        || !frame.contrasts.is_empty()
        || !frame.ranks.is_empty()
        || !frame.sorts.is_empty()
        || !frame.trends.is_empty()
        || !frame.of_total.is_empty()
        || !frame.changes.is_empty()
        || (!frame.follows.is_empty() && !frame.named.is_empty())
}

/// Parts of the previous request, with their source.
fn kept<T: Clone>(parts: &[Sourced<T>]) -> Vec<Sourced<T>> {
    parts.iter().map(|part| Sourced { value: part.value.clone(), source: Source::Previous }).collect()
}

/// New conditions take the place of old ones on the same field or population.
fn replaced(old: Vec<Sourced<Condition>>, new: Vec<Sourced<Condition>>) -> Vec<Sourced<Condition>> {
    let mut all: Vec<Sourced<Condition>> =
        old.into_iter().filter(|old| new.iter().all(|new| !about_the_same(&old.value, &new.value))).collect();
    all.extend(new);
    all
}

fn about_the_same(old: &Condition, new: &Condition) -> bool {
    match (old, new) {
        (Condition::OneOf { field: a, .. }, Condition::OneOf { field: b, .. }) => {
            a.dataset == b.dataset && a.field == b.field
        }
        (Condition::Member { population: a, .. }, Condition::Member { population: b, .. }) => a == b,
        _ => false,
    }
}
