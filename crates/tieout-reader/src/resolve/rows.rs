//! Rows: lists and look-ups, whose rows they are, and what is shown of each.

use tieout_core::reading::{
    AskedPeriod, Derivation, FieldRef, RankBy, Ranking, ReasonCode, Request, RowsRequest, Source, Sourced,
};

use super::{Base, Frame, Resolver, fields::Purpose, parts, reach::Reach};
use crate::{
    grammar::ast::{Ask, Head, NounPhrase, Target, Test},
    lattice::Chart,
    lexicon::{FieldId, Tier, field_of},
};

/// No period.
pub(super) fn all_dates() -> AskedPeriod {
    AskedPeriod { period: None, words: "all dates".to_owned(), source: Source::Assumed }
}

impl Resolver<'_> {
    /// Whether rows are asked for: things are named, and nothing is measured.
    pub(super) fn asks_for_rows(&self, frame: &Frame<'_>) -> bool {
        let named = frame.named.iter().any(|part| matches!(part.target, Target::Thing(_) | Target::Field(_)));
        let things = named || (frame.named.is_empty() && looked_up(frame).is_some());
        let derived = !frame.shares.is_empty()
            || !frame.of_total.is_empty()
            || frame.compares()
            || !frame.trends.is_empty();
        if parts::measures_named(frame) || !things || derived || !frame.each.is_empty() {
            return false;
        }
        let counted = parts::counts_by_rank(frame);
        let grains = frame.by.iter().any(|target| matches!(target, Target::Grain(..)));
        !counted && !grains && self.by_shows(frame)
    }

    /// Whether what stands behind `by` is to be shown of each row rather than grouped by.
    fn by_shows(&self, frame: &Frame<'_>) -> bool {
        let lists = frame.asks(Ask::List);
        let ranked =
            !frame.ranks.is_empty() && frame.by.iter().all(|target| self.number_named(target).is_some());
        lists
            || ranked
            || frame.by.is_empty()
            || (!frame.asks.is_empty() && frame.by.iter().all(|target| self.names_rows(target)))
    }

    /// Identifiers, dates and things tell rows apart; a category groups them.
    fn names_rows(&self, target: &Target) -> bool {
        use tieout_core::catalogue::Datatype;
        match target {
            Target::Thing(_) => true,
            Target::Field(phrase) => phrase.senses.iter().any(|sense| {
                sense.tier == Tier::Head
                    || field_of(self.catalogue(), sense.field).is_some_and(|(_, field)| {
                        field.identifier
                            || matches!(
                                field.datatype,
                                Datatype::Date | Datatype::Timestamp | Datatype::Instant
                            )
                    })
            }),
            Target::Measure(_) | Target::Grain(..) => false,
        }
    }

    /// The rows that a question asks for.
    pub(super) fn rows(&mut self, frame: &Frame<'_>) -> Option<Request> {
        let dataset = self.whose(frame)?;
        let base = self.rows_base(dataset);
        let bases = [base.clone()];
        self.named_links(frame);
        let mut request = RowsRequest {
            dataset: self.dataset_name(dataset),
            columns: Vec::new(),
            conditions: Vec::new(),
            period: all_dates(),
            ranking: None,
        };
        self.columns(frame, &bases, &mut request);
        if request.columns.is_empty() && looked_up(frame).is_some() {
            self.every_column(dataset, &mut request);
        }
        let mut times = Vec::new();
        for filter in &frame.filters {
            let filtered = self.placed_filter(filter, &bases);
            times.extend(filtered.period);
            request.conditions.extend(filtered.conditions);
        }
        for (span, _) in &frame.units {
            self.blame(ReasonCode::Unsupported, *span, "cannot be applied to rows", "ask without it");
        }
        self.size_bounds(frame, &base, &mut request);
        self.untimed_states(frame, &bases);
        let timing = self.timing(frame, &times, &bases, None);
        request.period = timing.period;
        if timing.derivation != Derivation::Plain || !timing.grains.is_empty() {
            self.unlikely(20);
            self.refuse(
                ReasonCode::Unsupported,
                "rows are not compared or split by time",
                "ask for a count or a metric",
            );
        }
        request.ranking = self.row_order(frame, &base);
        show_order(&mut request);
        self.definitions(frame, &[]);
        self.check_links(frame);
        if request.columns.is_empty() {
            return None;
        }
        Some(Request::Rows(request))
    }

    /// Everything that may be shown of one row that is looked up.
    fn every_column(&self, dataset: usize, request: &mut RowsRequest) {
        let Some(entry) = self.dataset(dataset) else { return };
        for field in entry.fields.values().filter(|field| field.access == tieout_sql::Access::Open) {
            let value = FieldRef { dataset: entry.name.clone(), field: field.name.clone(), via: None };
            add_column(request, Sourced { value, source: Source::Catalogue });
        }
    }

    fn size_bounds(&mut self, frame: &Frame<'_>, base: &Base, request: &mut RowsRequest) {
        for bound in &frame.bounds {
            let Some((field, source)) = self.size_field(bound.span, base.dataset) else { continue };
            let sense = crate::lattice::FieldSense { tier: Tier::Label, field };
            let phrase = crate::grammar::ast::FieldPhrase {
                span: bound.span,
                senses: vec![sense],
                term: None,
                link: None,
            };
            let filtered = self.bound_on(&phrase, bound.comparison, bound.low, bound.high, base);
            request
                .conditions
                .extend(filtered.conditions.into_iter().map(|condition| Sourced { source, ..condition }));
        }
    }

    /// Whose rows: those of the first thing named. A condition on a later thing with many rows to each of the first
    /// makes it that thing's rows, provided each has one of the first.
    fn whose(&mut self, frame: &Frame<'_>) -> Option<usize> {
        let things: Vec<&NounPhrase> = frame.named.iter().filter_map(|part| thing(part.target)).collect();
        let looked_up = looked_up(frame).filter(|_| frame.named.is_empty());
        if looked_up.is_some() {
            return looked_up;
        }
        let Some(first) = things.first() else {
            return mentioned_rows(self.chart(), frame).or_else(|| self.whose_field(frame));
        };
        let dataset = crate::grammar::dataset_of(self.chart(), first.head)?;
        let mut whose = dataset;
        for noun in things.iter().skip(1) {
            let other = crate::grammar::dataset_of(self.chart(), noun.head)?;
            let narrowed = !noun.adjectives.is_empty()
                || matches!(noun.head, Head::Population(_))
                || self.filtered_after(frame, noun);
            if !narrowed || self.cx.ways.reach(whose, other) != Reach::ToMany {
                continue;
            }
            if self.cx.ways.reach(other, whose) == Reach::Nowhere
                || self.cx.ways.reach(other, whose) == Reach::ToMany
            {
                self.blame(
                    ReasonCode::Unsupported,
                    noun.span,
                    "is narrowed, and stands many to many with what is listed",
                    "list the narrowed rows themselves",
                );
                return None;
            }
            whose = other;
        }
        Some(whose)
    }

    /// Whether a filter stands right behind a thing.
    fn filtered_after(&self, frame: &Frame<'_>, noun: &NounPhrase) -> bool {
        let position = frame
            .named
            .iter()
            .position(|part| thing(part.target).is_some_and(|thing| std::ptr::eq(thing, noun)));
        position.is_some_and(|position| {
            frame.filters.iter().any(|part| part.named_before == position.saturating_add(1))
        })
    }

    /// Fields alone: the rows that they belong to, when they name them.
    fn whose_field(&mut self, frame: &Frame<'_>) -> Option<usize> {
        let phrase = frame.named.iter().find_map(|part| match part.target {
            Target::Field(phrase) => Some(phrase),
            Target::Thing(_) | Target::Measure(_) | Target::Grain(..) => None,
        })?;
        let chosen = self.field(phrase, Purpose::Column, &[], None)?;
        let names = self.naming_field(chosen.id.dataset) == Some(chosen.id)
            || field_of(self.catalogue(), chosen.id).is_some_and(|(_, field)| field.identifier);
        if names || !frame.filters.is_empty() && self.is_key(chosen.id) {
            return Some(chosen.id.dataset);
        }
        self.unlikely(6);
        let label = field_of(self.catalogue(), chosen.id).map(|(_, f)| f.label.clone()).unwrap_or_default();
        let dataset = self.dataset(chosen.id.dataset).map(|d| d.label.clone()).unwrap_or_default();
        let hint = format!("ask how many {dataset} there are by {label}, or which values {label} has");
        self.blame(
            ReasonCode::Unsupported,
            phrase.span,
            "is a field, and it is not said what to do with it",
            &hint,
        );
        None
    }

    fn is_key(&self, id: FieldId) -> bool {
        let field = field_of(self.catalogue(), id).map(|(_, field)| field.name.clone());
        self.dataset(id.dataset)
            .zip(field)
            .is_some_and(|(dataset, field)| dataset.primary_key.contains(&field))
    }

    /// What is shown of each row: what is named, then what stands behind `by`. A thing is shown by the field that names
    /// it, unless a field of the same thing is asked for.
    fn columns(&mut self, frame: &Frame<'_>, bases: &[Base], request: &mut RowsRequest) {
        // What rows are ordered by need not be shown when it is said what is.
        let ordering = !frame.ranks.is_empty() && !frame.showing.is_empty();
        let by = frame.by.iter().copied().filter(|_| !ordering);
        let targets: Vec<&Target> = frame
            .named
            .iter()
            .map(|part| part.target)
            .chain(by)
            .chain(frame.showing.iter().copied())
            .collect();
        let mut last = None;
        let mut explicit: Vec<(FieldId, Sourced<FieldRef>)> = Vec::new();
        let mut things: Vec<(usize, &NounPhrase)> = Vec::new();
        for target in &targets {
            match target {
                Target::Thing(noun) => {
                    let Some(dataset) = crate::grammar::dataset_of(self.chart(), noun.head) else { continue };
                    self.note_head(noun);
                    self.term(noun.term);
                    last = Some(dataset);
                    things.push((dataset, noun));
                    let inner = self.thing_conditions(noun, dataset, bases);
                    request.conditions.extend(inner);
                }
                Target::Field(phrase) => {
                    if let Some(chosen) = self.field(phrase, Purpose::Column, bases, last) {
                        explicit
                            .push((chosen.id, Sourced { value: chosen.reference, source: chosen.source }));
                    }
                }
                Target::Measure(_) | Target::Grain(..) => {}
            }
        }
        for (dataset, noun) in things {
            if explicit.iter().any(|(id, _)| id.dataset == dataset) {
                let own = explicit.iter().filter(|(id, _)| id.dataset == dataset);
                own.for_each(|(_, column)| add_column(request, column.clone()));
                continue;
            }
            let Some(phrase) = self.naming_phrase(noun.head_span, dataset) else { continue };
            if let Some(chosen) = self.field(&phrase, Purpose::Column, bases, None) {
                add_column(request, Sourced { value: chosen.reference, source: Source::Catalogue });
            }
        }
        explicit.into_iter().for_each(|(_, column)| add_column(request, column));
    }

    /// The adjectives and the population of a thing that is listed.
    fn thing_conditions(
        &mut self,
        noun: &NounPhrase,
        dataset: usize,
        bases: &[Base],
    ) -> Vec<Sourced<tieout_core::reading::Condition>> {
        let narrowed = !noun.adjectives.is_empty() || matches!(noun.head, Head::Population(_));
        if !narrowed {
            return Vec::new();
        }
        let reach = self.reach_all(bases, dataset);
        if reach == Reach::ToMany {
            self.blame(
                ReasonCode::Unsupported,
                noun.span,
                "is narrowed, and stands many to one with what is listed",
                "list the narrowed rows themselves",
            );
            return Vec::new();
        }
        let mut conditions = self.head_member(noun, Source::Question, bases).conditions;
        // Adjectives are about the thing itself, whatever else has such a value.
        let own = [self.rows_base(dataset)];
        let about = if reach == Reach::Own { bases } else { &own };
        let inner = self.all(&noun.adjectives, about);
        if reach == Reach::Own {
            conditions.extend(inner);
        } else if !inner.is_empty() {
            let name = self.dataset_name(dataset);
            let via = self.way(bases, dataset, &format!("path:{name}"));
            let related = tieout_core::reading::Condition::Related {
                dataset: name,
                via,
                presence: tieout_core::catalogue::Presence::Exists,
                conditions: inner.into_iter().map(|condition| condition.value).collect(),
                period: None,
            };
            conditions.push(Sourced { value: related, source: Source::Question });
        }
        conditions
    }
}

/// The dataset whose rows fields are asked of: `order number and status of orders`, `orders placed on 5 May`.
fn mentioned_rows(chart: &Chart<'_>, frame: &Frame<'_>) -> Option<usize> {
    frame.filters.iter().filter(|part| !part.filter.negated).find_map(|part| match &part.filter.test {
        Test::Mention(noun) => crate::grammar::dataset_of(chart, noun.head),
        Test::Member(_, populations, _) => {
            crate::grammar::dataset_of(chart, Head::Population(*populations.first()?))
        }
        Test::Row { dataset, .. } => Some(*dataset),
        Test::InTime { fields, .. } => {
            let first = fields.first()?.field.dataset;
            fields.iter().all(|sense| sense.field.dataset == first).then_some(first)
        }
        _ => None,
    })
}

/// The dataset of a row that is asked for by its identifier: `show order 1001`.
fn looked_up(frame: &Frame<'_>) -> Option<usize> {
    frame.filters.iter().find_map(|part| match &part.filter.test {
        Test::Row { dataset, .. } if !part.filter.negated => Some(*dataset),
        _ => None,
    })
}

fn thing(target: &Target) -> Option<&NounPhrase> {
    match target {
        Target::Thing(noun) => Some(noun),
        Target::Field(_) | Target::Measure(_) | Target::Grain(..) => None,
    }
}

/// What the rows are put in order by stands beside them, unless it is said what is shown: `the ten largest orders`.
fn show_order(request: &mut RowsRequest) {
    let said = request.columns.iter().any(|column| column.source != Source::Catalogue);
    let Some(Ranking { by: RankBy::Field(field), .. }) = &request.ranking else { return };
    if !said && !request.columns.is_empty() {
        let column = Sourced { value: field.clone(), source: Source::Catalogue };
        add_column(request, column);
    }
}

fn add_column(request: &mut RowsRequest, column: Sourced<FieldRef>) {
    if request.columns.iter().all(|known| known.value != column.value) {
        request.columns.push(column);
    }
}
