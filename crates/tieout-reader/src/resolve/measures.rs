//! Measures: which metric a phrase means, whether its words agree with how the metric is put together, and what is made
//! up where no metric says so.

use tieout_core::{
    catalogue::{Datatype, Measure, Metric, Status},
    number::UnitKind,
    reading::{Choice, MeasureRef, ReasonCode, Source, Sourced, Use},
};

use super::{Base, Resolver};
use crate::{
    grammar::ast::{AggregateWord, FieldPhrase, Filter, Head, MeasureCore, MeasurePhrase, NounPhrase},
    language::Class,
    lattice::Span,
    lexicon::{FieldId, Named, field_of},
};

/// The deepest that metrics are followed into the metrics they are made of.
const DEPTH_MAX: usize = 12;

/// A measure, and the filters that were said with it.
#[derive(Clone, Debug)]
pub(super) struct Measured {
    pub(super) measure: Sourced<MeasureRef>,
    pub(super) filters: Vec<Filter>,
    pub(super) population: Option<(Span, usize)>,
}

impl Resolver<'_> {
    /// What a phrase measures. `assumed` says that nothing but the thing's name asks for a count.
    pub(super) fn measure(&mut self, phrase: &MeasurePhrase, assumed: bool) -> Option<Measured> {
        match &phrase.core {
            MeasureCore::Metrics(metrics) => self.metric(phrase, metrics),
            MeasureCore::Count(noun) => self.count(noun, assumed),
            MeasureCore::Field(field) => self.made_up(phrase, field),
        }
    }

    fn metric(&mut self, phrase: &MeasurePhrase, metrics: &[usize]) -> Option<Measured> {
        let (index, mut source) = self.one_metric(phrase.core_span, metrics)?;
        if phrase.term.is_some() {
            source = self.term(phrase.term);
        }
        let (_, metric) = self.catalogue().metrics.get_index(index)?;
        let reference = self.standing(metric, &mut source);
        let reference = self.agreed(phrase, metric, reference, &mut source)?;
        self.note_measure(phrase.core_span, &reference);
        let measure = Sourced { value: reference, source };
        Some(Measured { measure, filters: phrase.adjectives.clone(), population: None })
    }

    /// Notes what words measure: what is worked out in the end, not what they were first taken for.
    fn note_measure(&mut self, span: Span, measure: &MeasureRef) {
        let used_as = match measure {
            MeasureRef::Metric(name) => Use::Metric(name.clone()),
            MeasureRef::Count { dataset } => Use::Dataset(dataset.clone()),
            MeasureRef::AdHoc { dataset, field, .. } => Use::Field(format!("{dataset}.{field}")),
        };
        self.notes.insert(span.first, (span.last, used_as));
    }

    fn one_metric(&mut self, span: Span, metrics: &[usize]) -> Option<(usize, Source)> {
        if let [only] = metrics {
            return Some((*only, Source::Question));
        }
        let names: Vec<String> = metrics
            .iter()
            .filter_map(|index| self.catalogue().metrics.get_index(*index))
            .map(|(name, _)| name.clone())
            .collect();
        let choices: Vec<Choice> =
            names.into_iter().map(|name| Choice { text: self.described(&name), key: name }).collect();
        let message = format!("`{}` can be any of {} metrics", self.words_of(span), choices.len());
        let (index, source) = self.choose("metric", message, choices);
        Some((*metrics.get(index)?, source))
    }

    /// A draft never answers without being confirmed; a deprecated metric offers what replaces it.
    fn standing(&mut self, metric: &Metric, source: &mut Source) -> MeasureRef {
        let own = MeasureRef::Metric(metric.name.clone());
        let mut choices = vec![Choice { key: metric.name.clone(), text: self.described(&metric.name) }];
        let message = match &metric.status {
            Status::Approved => return own,
            Status::Draft => format!("{} is a draft: nobody has approved its definition yet", metric.label),
            Status::Deprecated { superseded_by } => {
                if let Some(name) = superseded_by {
                    choices.insert(0, Choice { key: name.clone(), text: self.described(name) });
                }
                format!("{} is no longer in use", metric.label)
            }
        };
        let (index, chosen) = self.choose("metric", message, choices.clone());
        *source = chosen;
        choices.get(index).map_or(own, |choice| MeasureRef::Metric(choice.key.clone()))
    }

    /// Whether `total`, `average` or `number of` say what the metric is; if not, what else is meant.
    fn agreed(
        &mut self,
        phrase: &MeasurePhrase,
        metric: &Metric,
        own: MeasureRef,
        source: &mut Source,
    ) -> Option<MeasureRef> {
        for (span, word) in &phrase.aggregates {
            let kind = self.kind(metric, 0);
            if fits(*word, kind, metric) {
                self.note(*span, Use::Grammar("aggregate".to_owned()));
                continue;
            }
            self.unlikely(6);
            let made_up = match (word, column_of(metric)) {
                (AggregateWord::Average, Some(column)) => Some(("average", column)),
                (AggregateWord::Median, Some(column)) => Some(("median", column)),
                (AggregateWord::Minimum, Some(column)) => Some(("minimum", column)),
                (AggregateWord::Maximum, Some(column)) => Some(("maximum", column)),
                _ => None,
            };
            let Some((kind, (dataset, field))) = made_up else {
                let message = format!("does not fit {}, which is {}", metric.label, said(kind));
                let hint = format!("ask for {} alone, or for its parts", metric.label);
                self.blame(ReasonCode::NotAdditive, *span, &message, &hint);
                return Some(own);
            };
            let made_up = MeasureRef::AdHoc { kind, dataset, field };
            return Some(self.confirm_made_up(phrase.span, made_up, Some(metric), source));
        }
        Some(own)
    }

    /// How a metric is put together, followed into what it is made of.
    pub(super) fn kind(&self, metric: &Metric, depth: usize) -> &'static str {
        match &metric.measure {
            Measure::Aggregate(aggregate) => aggregate.kind,
            Measure::Ratio { .. } => "ratio",
            Measure::Derived { expression } => {
                let parts = expression.summands();
                let additive = parts.is_some_and(|parts| {
                    depth < DEPTH_MAX
                        && parts.iter().filter_map(|name| self.catalogue().metrics.get(*name)).all(|part| {
                            matches!(self.kind(part, depth.saturating_add(1)), "sum" | "count" | "derived")
                        })
                });
                if additive { "sum" } else { "derived" }
            }
        }
    }

    /// How many rows there are; a metric that counts the same rows under the same name is meant instead.
    fn count(&mut self, noun: &NounPhrase, assumed: bool) -> Option<Measured> {
        let dataset = crate::grammar::dataset_of(self.chart(), noun.head)?;
        self.note_head(noun);
        self.term(noun.term);
        let population = match noun.head {
            Head::Population(index) => Some((noun.head_span, index)),
            Head::Dataset(_) => None,
        };
        let counting = self.counting_metric(dataset);
        let value = match counting {
            Some(name) => MeasureRef::Metric(name),
            None => MeasureRef::Count { dataset: self.dataset(dataset)?.name.clone() },
        };
        let source = if assumed { self.confirm_count(noun, &value) } else { Source::Catalogue };
        let measure = Sourced { value, source };
        Some(Measured { measure, filters: noun.adjectives.clone(), population })
    }

    /// The approved metric that counts a dataset's rows and is named like the dataset.
    fn counting_metric(&self, dataset: usize) -> Option<String> {
        let entry = self.dataset(dataset)?;
        let lexicon = self.chart().lexicon;
        let names: Vec<String> = [&entry.label, &entry.name]
            .into_iter()
            .chain(&entry.synonyms)
            .map(|name| lexicon.name_key(name))
            .collect();
        // `number of orders` and `order count` say the same as `how many orders`.
        let language = self.chart().language();
        let before = language
            .phrases_of(Class::HowMany)
            .flat_map(|phrase| names.iter().map(move |n| format!("{phrase} {n}")));
        let behind = language
            .phrases_of(Class::CountTail)
            .flat_map(|phrase| names.iter().map(move |n| format!("{n} {phrase}")));
        let keys: Vec<String> =
            names.iter().cloned().chain(before.map(|key| lexicon.name_key(&key))).chain(behind).collect();
        keys.iter().flat_map(|key| lexicon.names(key)).find_map(|found| {
            let Named::Metric(index) = found.named else { return None };
            let (name, metric) = self.catalogue().metrics.get_index(index)?;
            let Measure::Aggregate(aggregate) = &metric.measure else { return None };
            let same =
                aggregate.dataset == entry.name && matches!(aggregate.kind, "count" | "count_distinct");
            (same && metric.status == Status::Approved).then(|| name.clone())
        })
    }

    /// Nothing said that rows are to be counted.
    fn confirm_count(&mut self, noun: &NounPhrase, value: &MeasureRef) -> Source {
        let words = self.words_of(noun.head_span);
        let key = match value {
            MeasureRef::Metric(name) => name.clone(),
            MeasureRef::Count { dataset } | MeasureRef::AdHoc { dataset, .. } => format!("count:{dataset}"),
        };
        let choices = vec![Choice { key, text: format!("how many {words} there are") }];
        self.choose("metric", format!("it is not said what is measured of {words}"), choices).1
    }

    /// An aggregate of a field that no metric covers.
    fn made_up(&mut self, phrase: &MeasurePhrase, field: &FieldPhrase) -> Option<Measured> {
        let (span, word) = *phrase.aggregates.last()?;
        let counts = matches!(word, AggregateWord::Count | AggregateWord::Distinct);
        let suitable: Vec<_> =
            field.senses.iter().filter(|sense| counts || self.adds_up(sense.field)).copied().collect();
        if suitable.is_empty() {
            self.unlikely(8);
            let message = "names what cannot be added up or averaged";
            self.blame(ReasonCode::NotAdditive, phrase.span, message, "count it, or ask for a number");
            return None;
        }
        let about: Vec<_> =
            suitable.iter().filter(|sense| self.mentioned.contains(&sense.field.dataset)).copied().collect();
        let suitable = if about.is_empty() { suitable } else { about };
        let chosen = self.field(
            &FieldPhrase { senses: suitable, ..field.clone() },
            super::fields::Purpose::Column,
            &[],
            None,
        )?;
        if counts && self.is_date(chosen.id) {
            // `orders placed` counts orders, not days.
            self.unlikely(15);
        }
        self.note(span, Use::Grammar("aggregate".to_owned()));
        let kind = match word {
            AggregateWord::Total => "sum",
            AggregateWord::Average => "average",
            AggregateWord::Median => "median",
            AggregateWord::Minimum => "minimum",
            AggregateWord::Maximum => "maximum",
            AggregateWord::Count | AggregateWord::Distinct => "count_distinct",
        };
        let reference = chosen.reference;
        let made_up = MeasureRef::AdHoc { kind, dataset: reference.dataset, field: reference.field };
        let mut source = Source::Assumed;
        let value = self.confirm_made_up(phrase.span, made_up, None, &mut source);
        self.note_measure(field.span, &value);
        Some(Measured { measure: Sourced { value, source }, filters: Vec::new(), population: None })
    }

    /// Whether a field is a number that may be added up.
    pub(super) fn adds_up(&self, id: FieldId) -> bool {
        field_of(self.catalogue(), id).is_some_and(|(_, field)| {
            matches!(field.datatype, Datatype::Integer | Datatype::Decimal | Datatype::Float)
                && !field.identifier
        })
    }

    fn is_date(&self, id: FieldId) -> bool {
        field_of(self.catalogue(), id).is_some_and(|(_, field)| {
            matches!(field.datatype, Datatype::Date | Datatype::Timestamp | Datatype::Instant)
        })
    }

    /// The doubt whether a made-up measure is meant, or a metric that is near to it.
    fn confirm_made_up(
        &mut self,
        span: Span,
        made_up: MeasureRef,
        beside: Option<&Metric>,
        source: &mut Source,
    ) -> MeasureRef {
        let MeasureRef::AdHoc { kind, dataset, field } = &made_up else { return made_up };
        let key = format!("{kind}:{dataset}.{field}");
        let text = format!(
            "{kind} of {}, made up from the field: no metric says so",
            self.field_choice(dataset, field).text
        );
        let mut options = vec![(made_up.clone(), Choice { key, text })];
        let near = self.catalogue().metrics.values().filter(|metric| {
            beside.is_some_and(|beside| beside.name == metric.name)
                || column_of(metric).is_some_and(|(d, f)| d == *dataset && f == *field)
        });
        for metric in near.take(5) {
            let choice = Choice { key: metric.name.clone(), text: self.described(&metric.name) };
            options.push((MeasureRef::Metric(metric.name.clone()), choice));
        }
        let message = format!("no metric is called `{}`", self.words_of(span));
        let choices = options.iter().map(|(_, choice)| choice.clone()).collect();
        let (index, chosen) = self.choose("metric", message, choices);
        *source = chosen;
        options.into_iter().nth(index).map_or(made_up, |(measure, _)| measure)
    }

    /// The rows that a measure is worked out over: its own, or those of the metrics it is made of.
    pub(super) fn bases_of(&self, measure: &MeasureRef) -> Vec<Base> {
        match measure {
            MeasureRef::Count { dataset } | MeasureRef::AdHoc { dataset, .. } => self
                .catalogue()
                .datasets
                .get_index_of(dataset)
                .map(|index| self.rows_base(index))
                .into_iter()
                .collect(),
            MeasureRef::Metric(name) => {
                let mut bases = Vec::new();
                self.metric_bases(name, None, 0, &mut bases);
                bases
            }
        }
    }

    /// Relationships that a measure's own population walks along; a verb may name those too.
    pub(super) fn walk_populations(&mut self, measure: &MeasureRef, depth: usize) {
        let MeasureRef::Metric(name) = measure else { return };
        let catalogue = self.catalogue();
        let Some(metric) = catalogue.metrics.get(name) else { return };
        match &metric.measure {
            Measure::Aggregate(aggregate) => {
                let population =
                    aggregate.population.as_ref().and_then(|name| catalogue.populations.get(name));
                let related = population.iter().flat_map(|population| &population.membership.related);
                self.walked.extend(related.flat_map(|related| related.via.iter().cloned()));
            }
            Measure::Ratio { .. } | Measure::Derived { .. } if depth >= DEPTH_MAX => {}
            Measure::Ratio { numerator, denominator } => {
                for part in [numerator, denominator] {
                    self.walk_populations(&MeasureRef::Metric(part.clone()), depth.saturating_add(1));
                }
            }
            Measure::Derived { expression } => {
                for part in expression.metrics() {
                    self.walk_populations(&MeasureRef::Metric(part.to_owned()), depth.saturating_add(1));
                }
            }
        }
    }

    fn metric_bases(&self, name: &str, asked: Option<&Metric>, depth: usize, bases: &mut Vec<Base>) {
        let Some(metric) = self.catalogue().metrics.get(name) else { return };
        let top = asked.unwrap_or(metric);
        if depth > DEPTH_MAX {
            return;
        }
        match &metric.measure {
            Measure::Aggregate(aggregate) => {
                let Some(dataset) = self.catalogue().datasets.get_index_of(&aggregate.dataset) else {
                    return;
                };
                let governing = if top.dimensions.is_some() { top } else { metric };
                let allowed = governing.dimensions.clone().map(|list| (governing.label.clone(), list));
                bases.push(Base {
                    dataset,
                    allowed,
                    time: aggregate.time.clone(),
                    measure: top.label.clone(),
                });
            }
            Measure::Ratio { numerator, denominator } => {
                for part in [numerator, denominator] {
                    self.metric_bases(part, Some(top), depth.saturating_add(1), bases);
                }
            }
            Measure::Derived { expression } => {
                for part in expression.metrics() {
                    self.metric_bases(part, Some(top), depth.saturating_add(1), bases);
                }
            }
        }
    }
}

/// Whether a word for how figures are put together is true of a metric.
fn fits(word: AggregateWord, kind: &str, metric: &Metric) -> bool {
    let additive = matches!(kind, "sum" | "count" | "count_distinct" | "latest" | "cumulative");
    match word {
        AggregateWord::Total => additive || kind == "derived",
        AggregateWord::Average => matches!(kind, "average" | "ratio"),
        AggregateWord::Median => kind == "median",
        AggregateWord::Minimum => kind == "minimum",
        AggregateWord::Maximum => kind == "maximum",
        AggregateWord::Count => {
            matches!(kind, "count" | "count_distinct")
                || (additive && matches!(metric.unit.kind, UnitKind::Named(_)))
        }
        AggregateWord::Distinct => kind == "count_distinct",
    }
}

/// How a kind reads in words.
fn said(kind: &str) -> &str {
    match kind {
        "count_distinct" => "a count of different things",
        "ratio" => "a ratio",
        "derived" => "worked out from other metrics",
        "latest" => "a balance",
        "cumulative" => "a running total",
        "sum" => "a sum",
        "count" => "a count",
        "average" => "an average",
        "median" => "a median",
        "minimum" => "a minimum",
        "maximum" => "a maximum",
        other => other,
    }
}

/// The one plain field that a metric aggregates, if it is one.
fn column_of(metric: &Metric) -> Option<(String, String)> {
    let Measure::Aggregate(aggregate) = &metric.measure else { return None };
    let of = aggregate.of.as_ref()?;
    let [column] = of.columns() else { return None };
    (of.text().trim() == column).then(|| (aggregate.dataset.clone(), column.clone()))
}
