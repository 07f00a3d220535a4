//! Figures: measures, what they are split by, which rows, which days, and what is worked out beside.

use tieout_core::reading::{
    Condition, Derivation, FigureCondition, FiguresRequest, Grouping, MeasureRef, ReasonCode, Source,
    Sourced, Use,
};

use super::{
    Base, Frame, Resolver,
    fields::Purpose,
    frame::{BoundPart, FilterPart},
    measures::Measured,
    periods::Before,
};
use crate::{
    grammar::ast::{
        AggregateWord, Ask, Filter, HavingPhrase, Head, Joined, Literal, MeasureCore, MeasurePhrase,
        NounPhrase, Target, Test,
    },
    language::{Class, numbers::WrittenUnit},
    lattice::{Span, TimeItem},
    lexicon::{FieldId, field_of},
};

/// Measures and groupings of a question, told apart.
#[derive(Debug, Default)]
pub(super) struct Parts<'c> {
    /// Measures, and whether it had to be assumed that rows are counted.
    measures: Vec<(MeasurePhrase, bool)>,
    groups: Vec<(&'c Target, bool)>,
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
    populations: Vec<(Span, usize)>,
}

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
    fn not_between_measures(&mut self, frame: &Frame<'_>, found: &Found) {
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
    fn said_with(
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
    fn sets_against(&self, filter: &Filter) -> bool {
        (filter.span.first..=filter.span.last).any(|at| self.chart().one_of(at, &[Class::Versus]).is_some())
    }

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

    /// `marketplace revenue and number of orders`: a bare word before the first of several measures.
    fn bare_before_several(&mut self, frame: &Frame<'_>, request: &FiguresRequest) {
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

    /// What is said with one of several measures narrows all of them, or the asker meant something else.
    fn narrows_all(&mut self, span: Span) {
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

    /// One grouping.
    fn grouping(
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
    fn named_last(&self, request: &FiguresRequest, all: &[(&Target, bool)]) -> Option<usize> {
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
    fn tells_rows_apart(&self, field: FieldId, dataset: usize) -> bool {
        let identifier = field_of(self.catalogue(), field).is_some_and(|(_, field)| field.identifier);
        field.dataset == dataset && (identifier || self.naming_field(dataset) == Some(field))
    }

    /// `by customer`: the field that names a customer; a field of the same dataset in another grouping says it better.
    fn group_by_thing(
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
            let named = FieldPhrase::of_head(noun, &phrase);
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

    fn time_grouping(
        &mut self,
        grain: tieout_core::time::Grain,
        source: Source,
        request: &mut FiguresRequest,
    ) {
        add_grouping(request, Grouping::Time(grain), source);
    }

    /// `over time` does not say in which steps.
    fn trend(&mut self, frame: &Frame<'_>, bases: &[Base], request: &mut FiguresRequest) {
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

    /// The filters, apart from those that make the part of a share; and times on the measure's own time field.
    fn conditions(
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

    /// `orders over 100`: the one number of a row that it can be about. Behind a metric it is a condition on the figure.
    fn bounds(&mut self, frame: &Frame<'_>, bases: &[Base], request: &mut FiguresRequest) {
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
    fn bounded(&self, frame: &Frame<'_>, bound: &BoundPart<'_>, request: &FiguresRequest) -> usize {
        let last = request.measures.len().saturating_sub(1);
        let measures = frame.named.iter().map(|part| part.target).filter(|t| matches!(t, Target::Measure(_)));
        let position =
            bound.about.and_then(|about| measures.into_iter().position(|target| std::ptr::eq(target, about)));
        position.unwrap_or(last).min(last)
    }

    /// A bound on the one number of a row that it can be about.
    fn size_bound(
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
    fn having(&mut self, frame: &Frame<'_>, found: &mut Found) -> Vec<FigureCondition> {
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

    fn having_measure(&mut self, phrase: &HavingPhrase, found: &mut Found) -> Option<usize> {
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
    fn figure_value(
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
    fn counted_rows(&self, measure: &MeasureRef) -> Option<usize> {
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

    /// Shares: of the rows that meet a condition, or of each group.
    fn share(&mut self, frame: &Frame<'_>, part: Vec<Condition>, request: &mut FiguresRequest) {
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
    fn check_tails(&mut self, frame: &Frame<'_>) {
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

impl crate::grammar::ast::FieldPhrase {
    /// A naming field that stands for the head of a noun phrase.
    fn of_head(noun: &NounPhrase, phrase: &Self) -> Self {
        Self { span: noun.span, ..phrase.clone() }
    }
}

use crate::grammar::ast::FieldPhrase;

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

fn lists_values(filter: &Filter) -> bool {
    matches!(&filter.test, Test::Values { values, .. } if values.len() > 1) && !filter.negated
}

fn upper(high: Option<&Literal>) -> impl Iterator<Item = (tieout_core::reading::Comparison, &Literal)> {
    high.into_iter().map(|high| (tieout_core::reading::Comparison::AtMost, high))
}

pub(super) fn add_grouping(request: &mut FiguresRequest, grouping: Grouping, source: Source) {
    if request.groupings.iter().all(|known| known.value != grouping) {
        request.groupings.push(Sourced { value: grouping, source });
    }
}

/// Values that are set against each other are groups.
fn group_by_values(conditions: &[Sourced<Condition>], request: &mut FiguresRequest) {
    for condition in conditions {
        if let Condition::OneOf { field, .. } = &condition.value {
            add_grouping(request, Grouping::Field(field.clone()), Source::Question);
        }
    }
}
