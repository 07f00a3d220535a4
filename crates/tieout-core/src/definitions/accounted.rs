//! Every word that was understood has its part in the request.
//!
//! A reader says what it used each word for. This desk holds it to that, both ways: a word said to name a metric, field,
//! value, population or dataset must be found in the request that will be worked out, and a grouping, column or
//! condition said to come from the question must have a word that names it. It does not believe the reader, built-in
//! or model, and it does not know the question.

use std::collections::BTreeSet;

use crate::{
    catalogue::Catalogue,
    reading::{
        Condition, Derivation, FieldRef, FiguresRequest, Grouping, MeasureRef, Problem, RankBy, Ranking,
        Reading, ReasonCode, Request, RowsRequest, Source, Sourced, Use, WordUse,
    },
};

/// A problem for each word whose use left no trace in the request.
pub(super) fn unaccounted(reading: &Reading, catalogue: &Catalogue) -> Vec<Problem> {
    let mut parts = Parts::of(catalogue);
    match &reading.request {
        Request::Figures(request) => parts.figures(request),
        Request::Rows(request) => parts.rows(request),
        Request::About(_) => return Vec::new(),
    }
    let mut problems: Vec<Problem> = reading.words.iter().filter_map(|word| parts.problem(word)).collect();
    problems.extend(unasked(reading, catalogue));
    problems
}

/// A problem for each grouping, column and condition that is said to come from the question and that no word names.
fn unasked(reading: &Reading, catalogue: &Catalogue) -> Vec<Problem> {
    let said = Said { words: &reading.words, catalogue, counted: counted(&reading.request, catalogue) };
    let (fields, conditions): (Vec<&FieldRef>, &[Sourced<Condition>]) = match &reading.request {
        Request::Figures(request) => {
            let asked = request.groupings.iter().filter(|g| g.source == Source::Question);
            let fields = asked.filter_map(|g| match &g.value {
                Grouping::Field(field) => Some(field),
                Grouping::Time(_) => None,
            });
            (fields.collect(), &request.conditions)
        }
        Request::Rows(request) => {
            let asked = request.columns.iter().filter(|c| c.source == Source::Question);
            (asked.map(|c| &c.value).collect(), &request.conditions)
        }
        Request::About(_) => return Vec::new(),
    };
    let listing = matches!(reading.request, Request::Rows(_));
    let mut problems = Vec::new();
    for field in fields.into_iter().filter(|f| !said.field(f) && !said.thing(f, listing)) {
        problems.push(nobody_asked(&format!("{} of {}", field.field, field.dataset)));
    }
    for condition in conditions.iter().filter(|c| c.source == Source::Question) {
        if !said.condition(&condition.value) {
            problems.push(nobody_asked(&super::condition_words(&condition.value, catalogue)));
        }
    }
    problems
}

fn nobody_asked(what: &str) -> Problem {
    Problem::new(
        ReasonCode::Unsupported,
        format!("the question was understood to ask for {what}, but no word of it says so"),
        "say it in other words",
    )
}

/// The datasets whose rows are counted or added up.
fn counted(request: &Request, catalogue: &Catalogue) -> BTreeSet<String> {
    let mut parts = Parts::of(catalogue);
    if let Request::Figures(figures) = request {
        parts.figures(&FiguresRequest {
            groupings: Vec::new(),
            conditions: Vec::new(),
            ranking: None,
            ..figures.clone()
        });
    }
    parts.datasets
}

/// What the words of the question name.
struct Said<'a> {
    words: &'a [WordUse],
    catalogue: &'a Catalogue,
    counted: BTreeSet<String>,
}

impl Said<'_> {
    fn uses(&self, test: impl Fn(&Use) -> bool) -> bool {
        self.words.iter().any(|word| test(&word.used_as))
    }

    fn field(&self, field: &FieldRef) -> bool {
        let name = format!("{}.{}", field.dataset, field.field);
        self.uses(|used| {
            matches!(used, Use::Field(said) if *said == name)
                || matches!(used, Use::Value(said) if said.split(" = ").next() == Some(name.as_str()))
        })
    }

    /// A thing that was named stands for the field that names it: not the thing that is itself counted.
    fn thing(&self, field: &FieldRef, listing: bool) -> bool {
        if !listing && self.counted.contains(&field.dataset) {
            return false;
        }
        let of_field =
            |name: &String| self.catalogue.populations.get(name).is_some_and(|p| p.dataset == field.dataset);
        self.row_named(field)
            || self.uses(|used| {
                matches!(used, Use::Population(name) if of_field(name))
                    || matches!(used, Use::Relationship(_))
            })
    }

    fn condition(&self, condition: &Condition) -> bool {
        let number = || self.uses(|used| matches!(used, Use::Number(_)));
        match condition {
            Condition::OneOf { field, .. } | Condition::Missing { field, .. } => {
                self.field(field) || number() || self.row_named(field)
            }
            Condition::Compare { field, .. } | Condition::Between { field, .. } => {
                self.field(field) || number() || self.uses(|used| matches!(used, Use::Time(_)))
            }
            Condition::InPeriod { .. } => self.uses(|used| matches!(used, Use::Time(_))),
            Condition::Member { population, .. } => {
                self.uses(|used| matches!(used, Use::Population(name) if name == population))
            }
            Condition::Related { dataset, conditions, .. } => {
                let named = self.uses(|used| {
                    matches!(used, Use::Dataset(name) if name == dataset)
                        || matches!(used, Use::Population(_) | Use::Relationship(_))
                });
                named || (!conditions.is_empty() && conditions.iter().all(|c| self.condition(c)))
            }
            Condition::Any(any) => any.iter().all(|c| self.condition(c)),
        }
    }

    /// `order 1001`: a row named by its thing and its key.
    fn row_named(&self, field: &FieldRef) -> bool {
        self.uses(|used| matches!(used, Use::Dataset(name) if *name == field.dataset))
    }
}

/// What a request is made of, by name.
struct Parts<'a> {
    catalogue: &'a Catalogue,
    metrics: BTreeSet<String>,
    datasets: BTreeSet<String>,
    fields: BTreeSet<String>,
    populations: BTreeSet<String>,
}

impl<'a> Parts<'a> {
    fn of(catalogue: &'a Catalogue) -> Self {
        Self {
            catalogue,
            metrics: BTreeSet::new(),
            datasets: BTreeSet::new(),
            fields: BTreeSet::new(),
            populations: BTreeSet::new(),
        }
    }

    fn figures(&mut self, request: &FiguresRequest) {
        for measure in &request.measures {
            match &measure.value {
                MeasureRef::Metric(name) => {
                    self.metrics.insert(name.clone());
                    for (_, aggregate) in self.catalogue.aggregates_within(name) {
                        self.datasets.insert(aggregate.dataset.clone());
                        self.time(&aggregate.dataset, aggregate.time.as_deref());
                    }
                }
                MeasureRef::Count { dataset } => {
                    self.datasets.insert(dataset.clone());
                    self.time(dataset, None);
                }
                MeasureRef::AdHoc { dataset, field, .. } => {
                    self.field(&FieldRef { dataset: dataset.clone(), field: field.clone(), via: None });
                }
            }
        }
        for grouping in &request.groupings {
            if let Grouping::Field(field) = &grouping.value {
                self.field(field);
            }
        }
        request.conditions.iter().for_each(|c| self.condition(&c.value));
        if let Derivation::ShareOf { part } = &request.derivation {
            part.iter().for_each(|c| self.condition(c));
        }
        self.ranking(request.ranking.as_ref());
    }

    fn rows(&mut self, request: &RowsRequest) {
        self.datasets.insert(request.dataset.clone());
        self.time(&request.dataset, None);
        request.columns.iter().for_each(|c| self.field(&c.value));
        request.conditions.iter().for_each(|c| self.condition(&c.value));
        self.ranking(request.ranking.as_ref());
    }

    fn ranking(&mut self, ranking: Option<&Ranking>) {
        if let Some(RankBy::Field(field)) = ranking.map(|r| &r.by) {
            self.field(field);
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::OneOf { field, .. }
            | Condition::Compare { field, .. }
            | Condition::Between { field, .. }
            | Condition::Missing { field, .. }
            | Condition::InPeriod { field, .. } => self.field(field),
            Condition::Member { population, .. } => {
                self.populations.insert(population.clone());
                if let Some(found) = self.catalogue.populations.get(population) {
                    self.datasets.insert(found.dataset.clone());
                    self.datasets.extend(found.membership.related.iter().map(|r| r.dataset.clone()));
                }
            }
            Condition::Related { dataset, conditions, .. } => {
                self.datasets.insert(dataset.clone());
                conditions.iter().for_each(|c| self.condition(c));
            }
            Condition::Any(any) => any.iter().for_each(|c| self.condition(c)),
        }
    }

    /// The field that the period is about: a word for it (`placed`) has its part in the period.
    fn time(&mut self, dataset: &str, declared: Option<&str>) {
        let own = self.catalogue.datasets.get(dataset).and_then(|d| d.time.as_deref());
        if let Some(field) = declared.or(own) {
            self.fields.insert(format!("{dataset}.{field}"));
        }
    }

    fn field(&mut self, field: &FieldRef) {
        self.fields.insert(format!("{}.{}", field.dataset, field.field));
        self.datasets.insert(field.dataset.clone());
    }

    fn problem(&self, word: &WordUse) -> Option<Problem> {
        let (known, what) = match &word.used_as {
            Use::Metric(name) => (self.metrics.contains(name), name),
            Use::Dataset(name) => (self.datasets.contains(name), name),
            Use::Field(name) => (self.fields.contains(name), name),
            Use::Value(text) => (self.fields.contains(text.split(" = ").next().unwrap_or(text)), text),
            Use::Population(name) => (self.populations.contains(name), name),
            // Their parts have no names to look for: periods, numbers and grammar shape the request.
            Use::Relationship(_)
            | Use::Time(_)
            | Use::Number(_)
            | Use::Grammar(_)
            | Use::Definition(_)
            | Use::Wrapping
            | Use::Stop
            | Use::Unknown => return None,
        };
        (!known).then(|| Problem {
            code: ReasonCode::Unsupported,
            message: format!(
                "“{}” was understood as {what}, but has no part in what would be worked out",
                word.text
            ),
            hint: "say it in other words, or leave it out if it does not matter".to_owned(),
            nearest: Vec::new(),
            start: Some(word.start),
        })
    }
}
