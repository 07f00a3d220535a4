//! Filters as conditions on rows: populations, other rows that are mentioned, related rows that exist or do not.

use tieout_core::{
    catalogue::Presence,
    reading::{Choice, Condition, Polarity, ReasonCode, Source, Sourced, Use},
};

use super::{Base, Resolver, reach::Reach};
use crate::{
    grammar::ast::{Filter, Head, Joined, NamedBy, NounPhrase, RelatedPhrase, Test},
    lattice::{FieldSense, Span, TimeItem},
    time::TimeKind,
};

/// What a filter comes to.
#[derive(Clone, Debug, Default)]
pub(super) struct Filtered {
    /// Conditions that must all hold.
    pub(super) conditions: Vec<Sourced<Condition>>,
    /// A time on the measure's own time field.
    pub(super) period: Option<TimeItem>,
}

impl Filtered {
    pub(super) fn one(condition: Condition, source: Source) -> Self {
        Self { conditions: vec![Sourced { value: condition, source }], period: None }
    }
}

pub(super) fn polarity(negated: bool) -> Polarity {
    if negated { Polarity::IsNot } else { Polarity::Is }
}

fn presence(negated: bool) -> Presence {
    if negated { Presence::Absent } else { Presence::Exists }
}

impl Resolver<'_> {
    /// A filter in its place. What stands before anything is named is less likely about what comes after.
    pub(super) fn placed_filter(&mut self, part: &super::frame::FilterPart<'_>, bases: &[Base]) -> Filtered {
        if part.named_before == 0 && matches!(part.filter.test, Test::Related(_)) {
            self.unlikely(12);
        }
        // `tickets that are open` tells of the tickets.
        let before = std::mem::replace(&mut self.adjectival, part.joined == Joined::ByVerb);
        let filtered = self.filter(part.filter, bases);
        self.adjectival = before;
        filtered
    }

    /// A filter on the rows of these bases. Without one, nothing can be filtered.
    pub(super) fn filter(&mut self, filter: &Filter, bases: &[Base]) -> Filtered {
        match &filter.test {
            Test::Values { field, values } => self.values(filter, field.as_ref(), values, bases),
            Test::Literal { field, literals } => self.literal(filter, field, literals, bases),
            Test::Row { dataset, span, literal } => self.row(filter, *dataset, *span, literal, bases),
            Test::Compare { field, comparison, literal } => {
                self.compare(filter, field.as_ref(), *comparison, literal, bases)
            }
            Test::Between { field, low, high } => self.between(filter, field.as_ref(), low, high, bases),
            Test::Missing(field) => self.missing(filter, field, bases),
            Test::InTime { span, fields, by: NamedBy::Name, time } => {
                self.in_time(filter, *span, fields, time, bases)
            }
            Test::InTime { span, fields, by: NamedBy::Verb, time } => {
                let spoken = self.of_what_is_spoken(fields, bases);
                if spoken.is_empty() {
                    self.unlikely(30);
                }
                self.in_time(filter, *span, &spoken, time, bases)
            }
            Test::Flag(span, fields) => self.flag(filter, *span, fields, bases),
            Test::Member(span, populations, term) => self.member(filter, *span, populations, *term, bases),
            Test::Mention(noun) => self.mention(filter.negated, noun, bases),
            Test::Related(related) => self.related(filter.negated, related, bases),
            Test::Any(filters) => self.any(filters, bases),
        }
    }

    /// The fields of the rows that are measured, listed or mentioned: a verb tells an event of those.
    fn of_what_is_spoken(&self, fields: &[FieldSense], bases: &[Base]) -> Vec<FieldSense> {
        let spoken = |sense: &&FieldSense| {
            let dataset = sense.field.dataset;
            self.mentioned.contains(&dataset) || bases.iter().any(|base| base.dataset == dataset)
        };
        fields.iter().filter(spoken).copied().collect()
    }

    /// All adjectives of a noun.
    pub(super) fn all(&mut self, filters: &[Filter], bases: &[Base]) -> Vec<Sourced<Condition>> {
        let before = std::mem::replace(&mut self.adjectival, true);
        let conditions = filters.iter().flat_map(|filter| self.filter(filter, bases).conditions).collect();
        self.adjectival = before;
        conditions
    }

    fn any(&mut self, filters: &[Filter], bases: &[Base]) -> Filtered {
        let mut parts = Vec::new();
        for filter in filters {
            let filtered = self.filter(filter, bases);
            match <[_; 1]>::try_from(filtered.conditions) {
                Ok([one]) if filtered.period.is_none() => parts.push(one.value),
                _ => {
                    self.blame(
                        ReasonCode::Unsupported,
                        filter.span,
                        "cannot be one of several alternatives",
                        "ask for the alternatives one by one",
                    );
                    return Filtered::default();
                }
            }
        }
        Filtered::one(Condition::Any(parts), Source::Question)
    }

    /// Members of a population.
    fn member(
        &mut self,
        filter: &Filter,
        span: Span,
        populations: &[usize],
        term: Option<usize>,
        bases: &[Base],
    ) -> Filtered {
        let Some((index, mut source)) = self.one_population(span, populations) else {
            return Filtered::default();
        };
        if term.is_some() {
            source = self.term(term);
        }
        self.note_population(span, index);
        self.membership(index, span, filter.negated, source, bases)
    }

    fn one_population(&mut self, span: Span, populations: &[usize]) -> Option<(usize, Source)> {
        if let [only] = populations {
            return Some((*only, Source::Question));
        }
        let names: Vec<String> = populations
            .iter()
            .filter_map(|p| self.catalogue().populations.get_index(*p))
            .map(|(n, _)| n.clone())
            .collect();
        let choices: Vec<Choice> =
            names.iter().map(|name| Choice { key: name.clone(), text: self.described(name) }).collect();
        let message = format!("`{}` can be any of {} populations", self.words_of(span), choices.len());
        let (index, source) = self.choose("population", message, choices);
        Some((*populations.get(index)?, source))
    }

    pub(super) fn note_population(&mut self, span: Span, index: usize) {
        if let Some((name, _)) = self.catalogue().populations.get_index(index) {
            self.note(span, Use::Population(name.clone()));
        }
    }

    /// The condition of being a member, over a to-many link as a related row that is one.
    pub(super) fn membership(
        &mut self,
        index: usize,
        span: Span,
        negated: bool,
        source: Source,
        bases: &[Base],
    ) -> Filtered {
        let Some((name, population)) = self.catalogue().populations.get_index(index) else {
            return Filtered::default();
        };
        let Some(dataset) = self.catalogue().datasets.get_index_of(&population.dataset) else {
            return Filtered::default();
        };
        let subject = format!("path:{name}");
        match self.reach_all(bases, dataset) {
            Reach::Own | Reach::ToOne => {
                let via = self.way(bases, dataset, &subject);
                let member = Condition::Member { population: name.clone(), via, polarity: polarity(negated) };
                Filtered::one(member, source)
            }
            Reach::ToMany => {
                let via = self.way(bases, dataset, &subject);
                let member =
                    Condition::Member { population: name.clone(), via: None, polarity: Polarity::Is };
                let related = Condition::Related {
                    dataset: population.dataset.clone(),
                    via,
                    presence: presence(negated),
                    conditions: vec![member],
                    period: None,
                };
                Filtered::one(related, source)
            }
            Reach::Nowhere => {
                self.unlinked(span, bases);
                Filtered::default()
            }
        }
    }

    /// How far a dataset lies from the farthest of the bases.
    pub(super) fn reach_all(&self, bases: &[Base], dataset: usize) -> Reach {
        bases.iter().map(|base| self.cx.ways.reach(base.dataset, dataset)).max().unwrap_or(Reach::Nowhere)
    }

    /// No stated relationship leads from what is measured to these words.
    pub(super) fn unlinked(&mut self, span: Span, bases: &[Base]) {
        self.unlikely(8);
        let measure =
            bases.first().map_or_else(|| "anything asked for".to_owned(), |base| base.measure.clone());
        let message = format!("is not linked to {measure} by any stated relationship");
        self.blame(
            ReasonCode::NoRelationship,
            span,
            &message,
            "ask without it, or state the relationship in the catalogue",
        );
    }

    /// `of all policies`: no condition when every row has one, else that there is one.
    pub(super) fn mention(&mut self, negated: bool, noun: &NounPhrase, bases: &[Base]) -> Filtered {
        let Some(dataset) = crate::grammar::dataset_of(self.chart(), noun.head) else {
            return Filtered::default();
        };
        let own = self.reach_all(bases, dataset) == Reach::Own;
        let plain = noun.adjectives.is_empty() && matches!(noun.head, Head::Dataset(_));
        let required =
            plain && !negated && !own && bases.iter().all(|base| self.cx.ways.always(base.dataset, dataset));
        if required {
            let label = self.dataset(dataset).map(|entry| entry.label.clone()).unwrap_or_default();
            self.note(noun.head_span, Use::Grammar(format!("{label}: every row has one")));
            return Filtered::default();
        }
        self.note_head(noun);
        let source = self.term(noun.term);
        if own && negated && plain {
            self.blame(
                ReasonCode::Unsupported,
                noun.span,
                "are all there is to ask about",
                "leave out less than all",
            );
            return Filtered::default();
        }
        if own && negated {
            return self.left_out(noun, source, bases);
        }
        if own {
            let mut filtered = self.head_member(noun, source, bases);
            filtered.conditions.extend(self.all(&noun.adjectives, bases));
            return filtered;
        }
        if let (Head::Population(index), true) = (noun.head, noun.adjectives.is_empty()) {
            return self.membership(index, noun.span, negated, source, bases);
        }
        self.related_rows(negated, noun.span, dataset, Some(noun), None, bases)
    }

    /// `excluding open urgent tickets`: only what one condition can leave out, so that nothing else goes with it.
    fn left_out(&mut self, noun: &NounPhrase, source: Source, bases: &[Base]) -> Filtered {
        match (noun.head, noun.adjectives.as_slice()) {
            (Head::Population(index), []) => self.membership(index, noun.span, true, source, bases),
            (Head::Dataset(_), [only]) => {
                let turned = Filter { negated: !only.negated, ..only.clone() };
                self.filter(&turned, bases)
            }
            (Head::Population(_) | Head::Dataset(_), _) => {
                self.blame(
                    ReasonCode::Unsupported,
                    noun.span,
                    "leaves out what several conditions describe together",
                    "leave out one thing at a time",
                );
                Filtered::default()
            }
        }
    }

    /// The membership that a noun phrase's head asks for, if it is a population.
    pub(super) fn head_member(&mut self, noun: &NounPhrase, source: Source, bases: &[Base]) -> Filtered {
        match noun.head {
            Head::Dataset(_) => Filtered::default(),
            Head::Population(index) => self.membership(index, noun.span, false, source, bases),
        }
    }

    /// Notes what a noun phrase's head was used for.
    pub(super) fn note_head(&mut self, noun: &NounPhrase) {
        match noun.head {
            Head::Dataset(index) => {
                let name = self.dataset_name(index);
                self.note(noun.head_span, Use::Dataset(name));
            }
            Head::Population(index) => self.note_population(noun.head_span, index),
        }
    }

    /// `who never ordered`, `with a shipment in May`.
    fn related(&mut self, negated: bool, phrase: &RelatedPhrase, bases: &[Base]) -> Filtered {
        if let Some(verb) = phrase.verb
            && !phrase.relationships.is_empty()
        {
            self.named_links.push((verb, phrase.relationships.clone()));
        }
        let reachable: Vec<usize> =
            phrase.datasets.iter().copied().filter(|d| self.reach_all(bases, *d) != Reach::Nowhere).collect();
        if reachable.is_empty() {
            self.unlinked(phrase.span, bases);
            return Filtered::default();
        }
        if let (Some(noun), None) = (&phrase.noun, &phrase.time)
            && let (Head::Population(index), true) = (noun.head, noun.adjectives.is_empty())
        {
            self.note_head(noun);
            let source = self.term(noun.term);
            return self.membership(index, noun.span, negated, source, bases);
        }
        let Some(dataset) = self.one_dataset(phrase.span, &reachable) else { return Filtered::default() };
        if let Some(noun) = &phrase.noun {
            self.note_head(noun);
            self.term(noun.term);
        } else {
            let name = self.dataset_name(dataset);
            self.note(phrase.span, Use::Dataset(name));
        }
        if self.reach_all(bases, dataset) == Reach::Own {
            // `policies that have a policy` says nothing, and is more likely another reading.
            self.unlikely(30);
        }
        self.related_rows(negated, phrase.span, dataset, phrase.noun.as_ref(), phrase.time.as_ref(), bases)
    }

    fn one_dataset(&mut self, span: Span, datasets: &[usize]) -> Option<usize> {
        if let [only] = datasets {
            return Some(*only);
        }
        let choices: Vec<Choice> = datasets
            .iter()
            .filter_map(|d| self.dataset(*d))
            .map(|d| Choice { key: d.name.clone(), text: d.label.clone() })
            .collect();
        let words = self.words_of(span);
        let message = format!("`{words}` can mean any of {} kinds of rows", choices.len());
        let (index, _) = self.choose(&format!("dataset:{words}"), message, choices);
        datasets.get(index).copied()
    }

    /// The condition that related rows exist or do not.
    fn related_rows(
        &mut self,
        negated: bool,
        span: Span,
        dataset: usize,
        noun: Option<&NounPhrase>,
        time: Option<&TimeItem>,
        bases: &[Base],
    ) -> Filtered {
        if self.reach_all(bases, dataset) == Reach::Nowhere {
            self.unlinked(span, bases);
            return Filtered::default();
        }
        let name = self.dataset_name(dataset);
        let via = self.way(bases, dataset, &format!("path:{name}"));
        let inner = [self.rows_base(dataset)];
        let mut conditions = Vec::new();
        if let Some(noun) = noun {
            conditions.extend(self.head_member(noun, Source::Question, &inner).conditions);
            conditions.extend(self.all(&noun.adjectives, &inner));
        }
        let period = time.and_then(|time| self.related_period(dataset, time));
        let related = Condition::Related {
            dataset: name,
            via,
            presence: presence(negated),
            conditions: conditions.into_iter().map(|condition| condition.value).collect(),
            period,
        };
        Filtered::one(related, Source::Question)
    }

    /// The period in which related rows must lie, by their own time.
    fn related_period(&mut self, dataset: usize, time: &TimeItem) -> Option<tieout_core::time::Period> {
        let TimeKind::Period(period) = &time.reading.kind else { return None };
        self.note_time(time);
        if self.joins_two(time) {
            let message = "names two times, and it is not said whether one of them is enough";
            self.blame(
                ReasonCode::Unsupported,
                time.span,
                message,
                "ask for one of them, or for a range from one to the other",
            );
        }
        if self.dataset(dataset).is_some_and(|entry| entry.time.is_none()) {
            self.unlikely(12);
            let label = self.dataset(dataset).map(|entry| entry.label.clone()).unwrap_or_default();
            let message = format!("cannot be applied: nothing says when {label} happened");
            self.blame(ReasonCode::Unsupported, time.span, &message, "ask without the period");
            return None;
        }
        Some(period.clone())
    }

    /// Rows of a dataset, as a base of their own.
    pub(super) fn rows_base(&self, dataset: usize) -> Base {
        let entry = self.dataset(dataset);
        Base {
            dataset,
            allowed: None,
            time: entry.and_then(|entry| entry.time.clone()),
            measure: entry.map(|entry| entry.label.clone()).unwrap_or_default(),
        }
    }
}
