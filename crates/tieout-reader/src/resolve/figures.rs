//! Figures: measures, what they are split by, which rows, which days, and what is worked out beside.

use tieout_core::reading::{
    Condition, Derivation, FiguresRequest, Grouping, MeasureRef, ReasonCode, Source, Sourced, Use,
};

use super::{
    Base, Frame, Resolver, frame::FilterPart, groupings::add_grouping, parts::Found, periods::Before,
};
use crate::{
    grammar::ast::{Ask, Filter, Joined, Target, Test},
    language::{Class, numbers::WrittenUnit},
    lattice::{Span, TimeItem},
};

impl Resolver<'_> {
    /// The figures that a question asks for.
    pub(super) fn figures(&mut self, frame: &Frame<'_>) -> Option<FiguresRequest> {
        if !frame.showing.is_empty() {
            self.unlikely(25);
            let span = frame.showing.first().map_or(Span { first: 0, last: 0 }, |target| target.span());
            self.blame(
                ReasonCode::Unsupported,
                span,
                "cannot be shown beside a figure",
                "ask for the figure by it",
            );
        }
        let parts = self.parts(frame);
        if parts.measures.is_empty() {
            self.nothing_asked(frame);
            return None;
        }
        let mut found = self.found(&parts.measures);
        if found.measures.is_empty() {
            return None;
        }
        self.not_between_measures(frame, &found);
        self.units(frame, &found);
        let having = self.having(frame, &mut found);
        let bases = self.bases(&found.measures);
        self.named_links(frame);
        let mut request = FiguresRequest {
            measures: found.measures.clone(),
            groupings: Vec::new(),
            conditions: Vec::new(),
            period: super::rows::all_dates(),
            derivation: Derivation::Plain,
            having,
            ranking: None,
        };
        self.complete(frame, &parts.groups, &found, &bases, None, &mut request);
        self.definitions(frame, &request.measures);
        self.walk_measures(&request.measures);
        self.check_links(frame);
        Some(request)
    }

    /// `the difference between revenue and refunds` is arithmetic that only the catalogue may state.
    pub(super) fn not_between_measures(&mut self, frame: &Frame<'_>, found: &Found) {
        let of_times = !frame.versus.is_empty() || !frame.contrasts.is_empty() || frame.whens.len() > 1;
        if frame.asks(Ask::Difference) && !of_times && found.measures.len() > 1 {
            self.refuse(
                ReasonCode::Unsupported,
                "a difference between metrics is not worked out unless the catalogue has it",
                "ask for each of them, or define the difference as a metric",
            );
        }
    }

    /// `in euros`: only the unit that the figures have; nothing is converted.
    pub(super) fn units(&mut self, frame: &Frame<'_>, found: &Found) {
        use tieout_core::number::UnitKind;
        for (span, unit) in &frame.units {
            let same = |measure: &Sourced<MeasureRef>| match &measure.value {
                MeasureRef::Metric(name) => {
                    let kind = self.catalogue().metrics.get(name).map(|metric| &metric.unit.kind);
                    match (unit, kind) {
                        (WrittenUnit::Currency(code), Some(UnitKind::Currency(own))) => code == own,
                        (WrittenUnit::Percent, Some(UnitKind::Percent)) => true,
                        _ => false,
                    }
                }
                MeasureRef::Count { .. } | MeasureRef::AdHoc { .. } => false,
            };
            if found.measures.iter().all(same) {
                self.note(*span, Use::Grammar("unit".to_owned()));
            } else {
                let message = "is not the unit of what is measured, and nothing is converted";
                self.blame(ReasonCode::Unsupported, *span, message, "ask without it");
            }
        }
    }

    /// Groupings, conditions, time, share and order: all that is the same for a new question and for a follow-up.
    pub(super) fn complete(
        &mut self,
        frame: &Frame<'_>,
        groups: &[(&Target, bool)],
        found: &Found,
        bases: &[Base],
        before: Option<&Before<'_>>,
        request: &mut FiguresRequest,
    ) {
        for (target, _) in groups {
            self.grouping(target, groups, bases, request);
        }
        self.bare_before_several(frame, request);
        let (mut part, extra) = self.conditions(frame, bases, request);
        self.said_with(frame, found, bases, &mut part, request);
        self.bounds(frame, bases, request);
        self.untimed_states(frame, bases);
        let timing = self.timing(frame, &extra, bases, before);
        request.period = timing.period;
        request.derivation = timing.derivation;
        for (grain, source) in timing.grains {
            self.time_grouping(grain, source, request);
        }
        self.trend(frame, bases, request);
        if !request.having.is_empty() && request.groupings.is_empty() {
            self.unlikely(6);
            self.refuse(
                ReasonCode::Unsupported,
                "a condition on a figure needs groups to choose among",
                "say by what the figures are split",
            );
        }
        self.share(frame, part, request);
        self.order(frame, bases, request);
    }

    /// What was said with a measure narrows it; of a share, where nothing else says which part is meant, it is the part.
    pub(super) fn said_with(
        &mut self,
        frame: &Frame<'_>,
        found: &Found,
        bases: &[Base],
        part: &mut Vec<Condition>,
        request: &mut FiguresRequest,
    ) {
        let mut said = Vec::new();
        for (span, index) in &found.populations {
            said.extend(self.membership(*index, *span, false, Source::Question, bases).conditions);
        }
        // An adjective of what is counted tells of the counted rows; one of a metric may tell of others.
        let counts = request.measures.iter().any(|measure| self.counted_rows(&measure.value).is_some());
        let before = std::mem::replace(&mut self.adjectival, counts);
        for filter in &found.filters {
            let conditions = self.filter(filter, bases).conditions;
            if (frame.asks(Ask::Compare) || self.sets_against(filter)) && lists_values(filter) {
                group_by_values(&conditions, request);
            }
            said.extend(conditions);
        }
        self.adjectival = before;
        let is_part = !frame.shares.is_empty() && part.is_empty() && request.groupings.is_empty();
        if is_part {
            part.extend(said.into_iter().map(|condition| condition.value));
        } else {
            request.conditions.extend(said);
        }
    }

    /// `direct vs marketplace`.
    pub(super) fn sets_against(&self, filter: &Filter) -> bool {
        (filter.span.first..=filter.span.last).any(|at| self.chart().one_of(at, &[Class::Versus]).is_some())
    }

    /// `marketplace revenue and number of orders`: a bare word before the first of several measures.
    pub(super) fn bare_before_several(&mut self, frame: &Frame<'_>, request: &FiguresRequest) {
        let bare = frame.filters.iter().find(|part| {
            let first = part.filter.span.first;
            let plain = matches!(
                part.filter.test,
                Test::Values { field: None, .. } | Test::Member(..) | Test::Flag(..)
            );
            let led = self.chart().one_of(first, &[Class::Preposition, Class::Only, Class::Where]).is_some();
            let behind =
                frame.targets().any(|target| target.span().first == part.filter.span.last.saturating_add(1));
            plain && !led && behind && part.joined == Joined::Plainly
        });
        if let Some(part) = bare.filter(|_| request.measures.len() > 1) {
            self.narrows_all(part.filter.span);
        }
    }

    /// The filters, apart from those that make the part of a share; and times on the measure's own time field.
    pub(super) fn conditions(
        &mut self,
        frame: &Frame<'_>,
        bases: &[Base],
        request: &mut FiguresRequest,
    ) -> (Vec<Condition>, Vec<TimeItem>) {
        let by_verb = |part: &&FilterPart<'_>| part.after_share && part.joined == Joined::ByVerb;
        let has_part = frame.filters.iter().any(|part| by_verb(&part));
        let shared = !frame.shares.is_empty();
        let mut part = Vec::new();
        let mut times = Vec::new();
        for filter in &frame.filters {
            let in_part = shared && if has_part { by_verb(&filter) } else { filter.after_share };
            let filtered = self.placed_filter(filter, bases);
            times.extend(filtered.period);
            if in_part && (has_part || request.groupings.is_empty()) {
                part.extend(filtered.conditions.into_iter().map(|condition| condition.value));
                continue;
            }
            if filter.joined == Joined::AsContrast
                || (frame.asks(Ask::Compare) && lists_values(filter.filter))
            {
                group_by_values(&filtered.conditions, request);
            }
            request.conditions.extend(filtered.conditions);
        }
        (part, times)
    }

    /// Shares: of the rows that meet a condition, or of each group.
    pub(super) fn share(&mut self, frame: &Frame<'_>, part: Vec<Condition>, request: &mut FiguresRequest) {
        let wanted = frame.shares.first().or(frame.of_total.first());
        let Some(span) = wanted else { return };
        if !matches!(request.derivation, Derivation::Plain) {
            self.unlikely(6);
            self.blame(
                ReasonCode::Unsupported,
                *span,
                "cannot be worked out beside a comparison",
                "ask for one of the two",
            );
            return;
        }
        if !part.is_empty() {
            request.derivation = Derivation::ShareOf { part };
        } else if !request.groupings.is_empty() {
            request.derivation = Derivation::ShareOfTotal;
        } else {
            self.unlikely(6);
            self.blame(
                ReasonCode::Unsupported,
                *span,
                "does not say of what the share is",
                "say which part is meant, or by what it is split",
            );
        }
    }

    /// Nothing that can be measured or listed.
    pub(super) fn nothing_asked(&mut self, frame: &Frame<'_>) {
        self.unlikely(40);
        if !self.problems.is_empty() && frame.named.is_empty() {
            return;
        }
        let follows = !frame.follows.is_empty()
            || !frame.by.is_empty()
            || !frame.filters.is_empty()
            || !frame.whens.is_empty();
        let message = if follows && self.cx.previous.is_none() {
            "there is no earlier answer that this could go on from, and it names nothing to measure or list"
        } else {
            "nothing is named that can be measured or listed"
        };
        self.refuse(
            ReasonCode::NothingAsked,
            message,
            "name a metric or something to count; `what can I ask?` lists them",
        );
    }
}

fn lists_values(filter: &Filter) -> bool {
    matches!(&filter.test, Test::Values { values, .. } if values.len() > 1) && !filter.negated
}

/// Values that are set against each other are groups.
fn group_by_values(conditions: &[Sourced<Condition>], request: &mut FiguresRequest) {
    for condition in conditions {
        if let Condition::OneOf { field, .. } = &condition.value {
            add_grouping(request, Grouping::Field(field.clone()), Source::Question);
        }
    }
}
