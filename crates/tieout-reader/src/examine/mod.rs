//! Holds a reading that somebody else made, such as a model, to the words of the question as asked.
//!
//! Whoever read it said what each unknown word is for. Here every word must have its part in the reading, and every part
//! its word, by the lexicon's own knowledge; what a reader merely declares is believed only of words that the lexicon does
//! not know, and is given back apart, so that it can be put to the asker. Deliberately absent: reading anything itself.

mod mentions;
pub(crate) mod shape;
mod turned;

use std::collections::BTreeSet;

use tieout_core::{
    ports::ReadContext,
    question::Question,
    reading::{Problem, Reading, ReasonCode, Request, Use, WordUse},
};

use crate::{
    BuiltinReader,
    language::Class,
    lattice::{Chart, Item, Meaning, Span, Standing},
    lexicon::{FieldId, field_of, is_article},
    time::TimeKind,
    tokens::{self, normalise},
};
use shape::Demand;

/// What somebody said that a run of words is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The words, as they stand in the question.
    pub words: String,
    /// What for. [`Use::Wrapping`] says that they do not matter.
    pub used_as: Use,
}

/// What came of the examination.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examined {
    /// The use of every word of the question, each in exactly one run.
    pub words: Vec<WordUse>,
    /// Uses that rest on what was declared alone.
    pub believed: Vec<WordUse>,
    /// Words that have no part in the reading, and parts that no word asks for.
    pub problems: Vec<Problem>,
}

/// A time expression of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeSaid {
    /// As typed.
    pub text: String,
    /// How it is read, with its days.
    pub words: String,
}

/// What the lexicon alone makes of a question: what a model is told of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Glossed {
    /// Its periods, in order.
    pub times: Vec<TimeSaid>,
    /// Its words that name nothing and shape nothing, in order, each once.
    pub unknown: Vec<String>,
}

impl BuiltinReader {
    /// What the lexicon alone makes of a question.
    #[must_use]
    pub fn gloss(&self, question: &Question, context: ReadContext<'_>) -> Glossed {
        self.charted(question, context, |chart| {
            let mut found = Glossed::default();
            let mut at = 0;
            while at < chart.tokens_count() {
                at = glossed(chart, at, &mut found).max(at.saturating_add(1));
            }
            found
        })
    }

    fn charted<T>(
        &self,
        question: &Question,
        context: ReadContext<'_>,
        look: impl FnOnce(&Chart<'_>) -> T,
    ) -> T {
        let lexicon = self.lexicons.of(context);
        let tokens = tokens::tokens(&question.text);
        let (calendar, catalogue) = (&context.project.calendar, &context.project.catalogue);
        let first = |_: &str, _: &[String]| 0;
        look(&Chart::new(&question.text, &tokens, &lexicon, catalogue, calendar, question.now, &first))
    }

    /// Holds a reading to the words of a question.
    #[must_use]
    pub fn examine(
        &self,
        question: &Question,
        reading: &Reading,
        declared: &[Declared],
        context: ReadContext<'_>,
    ) -> Examined {
        self.charted(question, context, |chart| Examiner::new(chart, reading, declared).examine())
    }
}

/// Looks at the run of words that starts here, and says where the next one does.
fn glossed(chart: &Chart<'_>, at: usize, found: &mut Glossed) -> usize {
    if let Some(time) = chart.times(at).first() {
        if matches!(time.reading.kind, TimeKind::Period(_) | TimeKind::Previous { .. }) {
            found.times.push(TimeSaid { text: chart.typed(time.span), words: time.reading.words.clone() });
        }
        return time.span.last.saturating_add(1);
    }
    if let Some(item) = chart.items(at).first() {
        return item.span.last.saturating_add(1);
    }
    if let Some(number) = chart.number(at) {
        return number.next;
    }
    if let Some((next, _)) = chart.classes(at).first() {
        return *next;
    }
    let Some(token) = chart.tokens.get(at) else { return at };
    if !token.is_punctuation() && !is_article(&token.text) && !found.unknown.contains(&token.text) {
        found.unknown.push(token.text.clone());
    }
    at.saturating_add(1)
}

struct Examiner<'a> {
    chart: &'a Chart<'a>,
    request: &'a Request,
    wanted: Vec<Use>,
    declared: Vec<(Vec<String>, Use)>,
    met: BTreeSet<usize>,
    demands: Vec<Demand>,
    found: Examined,
}

impl<'a> Examiner<'a> {
    fn new(chart: &'a Chart<'a>, reading: &'a Reading, declared: &[Declared]) -> Self {
        let mut wanted: Vec<Use> = Vec::new();
        for word in &reading.words {
            if is_part(&word.used_as) && !wanted.contains(&word.used_as) {
                wanted.push(word.used_as.clone());
            }
        }
        let words = |text: &str| tokens::tokens(text).into_iter().map(|token| token.text).collect();
        let declared = declared.iter().map(|d| (words(&d.words), d.used_as.clone())).collect();
        Self {
            chart,
            request: &reading.request,
            wanted,
            declared,
            met: BTreeSet::new(),
            demands: Vec::new(),
            found: Examined::default(),
        }
    }

    fn examine(mut self) -> Examined {
        let mut at = 0;
        while at < self.chart.tokens_count() {
            at = self.step(at).max(at.saturating_add(1));
        }
        self.unasked();
        self.found.problems.extend(shape::unmet(self.request, self.chart.catalogue, &self.demands));
        self.found.problems.extend(turned::turned(self.chart, self.request));
        self.found.problems.extend(mentions::mentions(self.chart, self.request, &self.found.words));
        self.found
    }

    /// Accounts for the run of words that starts here, and says where the next one does.
    fn step(&mut self, at: usize) -> usize {
        let found = self
            .as_time(at)
            .or_else(|| self.as_name(at))
            .or_else(|| self.as_number(at))
            .or_else(|| self.as_grammar(at));
        if let Some((span, used_as)) = found {
            return self.account(span, used_as);
        }
        if let Some((span, used_as)) = self.as_declared(at) {
            if let Some(word) = self.word(span, used_as.clone()) {
                self.found.believed.push(word);
            }
            return self.account(span, used_as);
        }
        self.unaccounted(at)
    }

    fn account(&mut self, span: Span, used_as: Use) -> usize {
        let meets = |wanted: &Use| *wanted == used_as;
        if let Some(place) = self.wanted.iter().position(meets) {
            self.met.insert(place);
        }
        if let Some(word) = self.word(span, used_as) {
            self.found.words.push(word);
        }
        span.last.saturating_add(1)
    }

    fn word(&self, span: Span, used_as: Use) -> Option<WordUse> {
        let (first, last) = (self.chart.tokens.get(span.first)?, self.chart.tokens.get(span.last)?);
        Some(WordUse { text: self.chart.slice(first.start, last.end)?, start: first.start, used_as })
    }

    /// A time expression that the reading uses.
    fn as_time(&self, at: usize) -> Option<(Span, Use)> {
        self.chart.times(at).iter().find_map(|item| {
            let mut names = vec![item.reading.account()];
            if let TimeKind::Grain(grain) = item.reading.kind {
                names.push(grain.to_string());
            }
            let used_as = names.into_iter().map(Use::Time).find(|used| self.wanted.contains(used))?;
            Some((item.span, used_as))
        })
    }

    /// A name or value that the reading uses.
    fn as_name(&self, at: usize) -> Option<(Span, Use)> {
        self.chart.items(at).iter().find_map(|item| {
            let used = self.uses(item).into_iter().find(|used| self.wanted.contains(used));
            Some((item.span, used.or_else(|| self.named_by(item))?))
        })
    }

    /// The field that names the rows of a dataset, where the dataset stands for it: `by customer`.
    fn named_by(&self, item: &Item) -> Option<Use> {
        let Meaning::Datasets(sets) = &item.meaning else { return None };
        sets.iter().find_map(|set| {
            let (name, dataset) = self.chart.catalogue.datasets.get_index(*set)?;
            let naming = (0..dataset.fields.len())
                .filter(|field| self.chart.names_row(FieldId { dataset: *set, field: *field }));
            naming.filter_map(|field| dataset.fields.get_index(field)).find_map(|(field, _)| {
                let used = Use::Field(format!("{name}.{field}"));
                self.wanted.contains(&used).then_some(used)
            })
        })
    }

    /// A number that the reading compares with or keeps.
    fn as_number(&self, at: usize) -> Option<(Span, Use)> {
        let written = self.chart.number(at)?;
        let text = written.value.normalized().to_plain_string();
        let span = Span::of(at, written.next);
        let same = |wanted: &&Use| match wanted {
            Use::Number(number) => number.parse().is_ok_and(|n: bigdecimal::BigDecimal| n == written.value),
            _ => false,
        };
        if let Some(used) = self.wanted.iter().find(same) {
            return Some((span, used.clone()));
        }
        let kept = shape::limit(self.request)?;
        (kept.to_string() == text).then(|| (span, Use::Grammar("order".to_owned())))
    }

    /// A word of the language: what it asks for is remembered, and held against the request in the end.
    fn as_grammar(&mut self, at: usize) -> Option<(Span, Use)> {
        let token = self.chart.tokens.get(at)?;
        let here = Span { first: at, last: at };
        if token.is_punctuation() || (is_article(&token.text) && self.chart.items(at).is_empty()) {
            return Some((here, Use::Stop));
        }
        if self.names_something(at) || !self.chart.times(at).is_empty() || self.chart.number(at).is_some() {
            return None;
        }
        let (next, _) = *self.chart.classes(at).first()?;
        let classes: Vec<_> =
            self.chart.classes(at).iter().filter(|(end, _)| *end == next).map(|(_, class)| *class).collect();
        let span = Span::of(at, next);
        if let Some(stopper) = shape::stopper(&classes) {
            self.found.problems.push(problem(
                &self.chart.typed(span),
                token.start,
                stopper,
                "ask for what is recorded, and for nothing else",
            ));
        }
        self.demands.extend(Demand::of(&classes, self.chart.typed(span), token.start));
        Some((span, Use::Grammar("grammar".to_owned())))
    }

    /// Whether the lexicon knows a name that starts here and may stand alone.
    fn names_something(&self, at: usize) -> bool {
        self.chart
            .items(at)
            .iter()
            .any(|item| item.standing == Standing::Free && !matches!(item.meaning, Meaning::Relationships(_)))
    }

    /// What was declared of the words here, if it is a part of the reading or says that they do not matter.
    fn as_declared(&mut self, at: usize) -> Option<(Span, Use)> {
        if self.names_something(at) || !self.chart.times(at).is_empty() || self.chart.number(at).is_some() {
            return None;
        }
        let rest: Vec<&str> = self.chart.tokens.get(at..)?.iter().map(|t| t.text.as_str()).collect();
        let fits = |(words, used_as): &&(Vec<String>, Use)| {
            !words.is_empty()
                && words.len() <= rest.len()
                && words.iter().zip(&rest).all(|(said, stands)| normalise(said) == *stands)
                && (self.wanted.contains(used_as) || matches!(used_as, Use::Wrapping | Use::Grammar(_)))
        };
        let (words, used_as) = self.declared.iter().filter(fits).max_by_key(|(words, _)| words.len())?;
        let span = Span::of(at, at.saturating_add(words.len()));
        if *used_as == Use::Wrapping && self.owns(span) {
            return None;
        }
        let inner = span.first.saturating_add(1)..=span.last;
        if inner.into_iter().any(|place| self.names_something(place)) {
            return None;
        }
        let used_as = used_as.clone();
        if let Use::Grammar(name) = &used_as {
            self.demands.extend(Demand::declared(
                name,
                self.chart.typed(span),
                self.chart.tokens.get(at)?.start,
            ));
        }
        Some((span, used_as))
    }

    /// Whether what follows belongs to these words: `beta's takings` are not everybody's, whoever beta is.
    fn owns(&self, span: Span) -> bool {
        let next = self.chart.tokens.get(span.last.saturating_add(1));
        next.zip(self.chart.tokens.get(span.last)).is_some_and(|(next, last)| {
            next.start == last.end && self.chart.language().classes(&next.text).contains(&Class::Possessive)
        })
    }

    /// A word without a part in the reading.
    fn unaccounted(&mut self, at: usize) -> usize {
        let chart = self.chart;
        let known = chart.items(at).iter().find(|item| item.standing == Standing::Free);
        let time = chart.times(at).first();
        let (span, message) = match (time, known) {
            (Some(time), _) => (time.span, "says when, and has no part in the reading"),
            (None, Some(item)) => {
                (item.span, "is a name of the catalogue or the data, and has no part in the reading")
            }
            (None, None) => (Span { first: at, last: at }, "has no part in the reading"),
        };
        // A thing whose rows are measured anyway has its part in the measure.
        if let Some(used_as) = known.and_then(|item| self.of_the_measure(item)) {
            return self.account(span, used_as);
        }
        let start = chart.tokens.get(span.first).map_or(0, |token| token.start);
        let blamed =
            problem(&chart.typed(span), start, message, "say what it is for, or that it does not matter");
        self.found.problems.push(blamed);
        self.account(span, Use::Unknown)
    }

    /// A dataset that the request reads anyway.
    fn of_the_measure(&self, item: &Item) -> Option<Use> {
        let Meaning::Datasets(sets) = &item.meaning else { return None };
        let read = shape::datasets(self.request, self.chart.catalogue);
        sets.iter().find_map(|set| {
            let (name, _) = self.chart.catalogue.datasets.get_index(*set)?;
            read.contains(name.as_str()).then(|| Use::Dataset(name.clone()))
        })
    }

    /// Parts of the reading that no word asks for.
    fn unasked(&mut self) {
        let said: Vec<&Use> = self.met.iter().filter_map(|place| self.wanted.get(*place)).collect();
        let mut problems = Vec::new();
        for (place, wanted) in self.wanted.iter().enumerate() {
            if self.met.contains(&place) || implied(wanted, &said) {
                continue;
            }
            problems.push(Problem::new(
                ReasonCode::Unsupported,
                format!("the reading asks for {wanted}, but no word of the question says so"),
                "leave it out",
            ));
        }
        self.found.problems.extend(problems);
    }

    fn uses(&self, item: &Item) -> Vec<Use> {
        let catalogue = self.chart.catalogue;
        let field = |id: &FieldId| {
            field_of(catalogue, *id).map(|(dataset, field)| Use::Field(format!("{dataset}.{}", field.name)))
        };
        match &item.meaning {
            Meaning::Metrics(all) => all
                .iter()
                .filter_map(|m| catalogue.metrics.get_index(*m))
                .map(|(n, _)| Use::Metric(n.clone()))
                .collect(),
            Meaning::Datasets(all) => all
                .iter()
                .filter_map(|d| catalogue.datasets.get_index(*d))
                .map(|(n, _)| Use::Dataset(n.clone()))
                .collect(),
            Meaning::Fields(all) => all.iter().filter_map(|sense| field(&sense.field)).collect(),
            Meaning::Flags(all) => all.iter().filter_map(field).collect(),
            Meaning::Values(all) => all
                .iter()
                .filter_map(|entry| {
                    let (dataset, field) = field_of(catalogue, entry.field)?;
                    let stored = self.chart.lexicon.stored(entry.value);
                    Some(Use::Value(format!("{dataset}.{} = {stored}", field.name)))
                })
                .collect(),
            Meaning::Populations(all) => all
                .iter()
                .filter_map(|p| catalogue.populations.get_index(*p))
                .map(|(n, _)| Use::Population(n.clone()))
                .collect(),
            Meaning::Relationships(all) => all
                .iter()
                .filter_map(|r| catalogue.relationships.get_index(*r))
                .map(|(n, _)| Use::Relationship(n.clone()))
                .collect(),
            Meaning::Shut(_) => Vec::new(),
        }
    }
}

/// Whether a use names a part of a request, so that a word must stand for it.
fn is_part(used: &Use) -> bool {
    match used {
        Use::Metric(_)
        | Use::Dataset(_)
        | Use::Field(_)
        | Use::Value(_)
        | Use::Population(_)
        | Use::Time(_)
        | Use::Number(_) => true,
        Use::Relationship(_)
        | Use::Grammar(_)
        | Use::Definition(_)
        | Use::Wrapping
        | Use::Stop
        | Use::Unknown => false,
    }
}

/// Whether a part goes without a word of its own: a field whose value is named, a field of a thing that is named, a thing
/// whose field is.
fn implied(wanted: &Use, said: &[&Use]) -> bool {
    match wanted {
        Use::Field(field) => said.iter().any(|used| match used {
            Use::Value(value) => value.split(" = ").next() == Some(field.as_str()),
            Use::Dataset(dataset) => field.split('.').next() == Some(dataset.as_str()),
            _ => false,
        }),
        Use::Dataset(dataset) => said.iter().any(|used| match used {
            Use::Field(name) | Use::Value(name) => name.split('.').next() == Some(dataset.as_str()),
            _ => false,
        }),
        Use::Metric(_)
        | Use::Value(_)
        | Use::Population(_)
        | Use::Time(_)
        | Use::Number(_)
        | Use::Relationship(_)
        | Use::Grammar(_)
        | Use::Definition(_)
        | Use::Wrapping
        | Use::Stop
        | Use::Unknown => false,
    }
}

fn problem(words: &str, start: usize, message: &str, hint: &str) -> Problem {
    Problem {
        start: Some(start),
        ..Problem::new(ReasonCode::Unsupported, format!("“{words}” {message}"), hint)
    }
}
