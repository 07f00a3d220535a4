//! Every reading of every run of words of one question: names, values, language words and time.
//!
//! The grammar walks over this and never over text. Deliberately absent: any choice among the readings.

mod likelihood;
mod look_up;

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
};

use bigdecimal::BigDecimal;
use jiff::Timestamp;
use tieout_core::{
    catalogue::Catalogue,
    time::{Calendar, Grain},
};

use crate::{
    language::{Caution, Class, Language, numbers::Written},
    lexicon::{FieldId, Lexicon, NameEntry, Named, Tier, ValueEntry},
    time::{self, TimeKind, TimeReading, TimeToken},
    tokens::{Token, TokenKind},
};

/// Token indexes, both inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first token.
    pub first: usize,
    /// The last token.
    pub last: usize,
}

impl Span {
    /// From a start and the index after the end.
    #[must_use]
    pub fn of(at: usize, next: usize) -> Self {
        Self { first: at, last: next.saturating_sub(1).max(at) }
    }
}

/// A field that a phrase may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldSense {
    /// How closely it is named.
    pub tier: Tier,
    /// Which.
    pub field: FieldId,
}

/// Why a known word cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shut {
    /// The catalogue says that it is not recorded.
    Absent(usize),
    /// The field is hidden.
    Hidden(FieldId),
}

/// What a run of words may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Metrics named equally closely.
    Metrics(Vec<usize>),
    /// A dataset; several when they share the word.
    Datasets(Vec<usize>),
    /// Fields.
    Fields(Vec<FieldSense>),
    /// Boolean fields.
    Flags(Vec<FieldId>),
    /// Values.
    Values(Vec<ValueEntry>),
    /// Populations.
    Populations(Vec<usize>),
    /// Relationships.
    Relationships(Vec<usize>),
    /// Known, but shut.
    Shut(Shut),
}

/// When a value may be taken for one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Wherever it stands.
    Free,
    /// Only beside its field's name, since it is also a number or a word of the language.
    BesideField,
}

/// One reading of a run of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The run.
    pub span: Span,
    /// What it may name.
    pub meaning: Meaning,
    /// When it may be taken so.
    pub standing: Standing,
    /// How closely it is named.
    pub tier: Tier,
    /// The ambiguous term that led here, by its index.
    pub term: Option<usize>,
    /// How much less likely it is meant: a longer declared name covers it, or breaks off inside it.
    pub doubtful: i32,
}

/// A time expression, by the index after its last token.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeItem {
    /// The run.
    pub span: Span,
    /// What it means.
    pub reading: TimeReading,
}

/// All readings of one question.
#[derive(Debug)]
pub struct Chart<'a> {
    /// The question as typed.
    pub question: &'a str,
    /// The question's tokens.
    pub tokens: &'a [Token],
    /// What names mean.
    pub lexicon: &'a Lexicon,
    /// What they name.
    pub catalogue: &'a Catalogue,
    /// The calendar in which the times were read.
    pub calendar: Calendar,
    /// The moment they count from.
    pub now: Timestamp,
    /// Names and values that start at each token.
    items: Vec<Vec<Item>>,
    words: Vec<Vec<(usize, Class)>>,
    times: Vec<Vec<TimeItem>>,
    grains: RefCell<HashMap<usize, Option<(usize, Grain)>>>,
    /// The datasets that the question names, or that a metric or population it names is about.
    spoken: HashSet<usize>,
}

impl<'a> Chart<'a> {
    /// Looks everything up. `chosen` gives, for an ambiguous term, the reading that the asker confirmed.
    pub fn new(
        question: &'a str,
        tokens: &'a [Token],
        lexicon: &'a Lexicon,
        catalogue: &'a Catalogue,
        calendar: &Calendar,
        now: Timestamp,
        chosen: &dyn Fn(&str, &[String]) -> usize,
    ) -> Self {
        let mut chart = Self {
            question,
            tokens,
            lexicon,
            catalogue,
            calendar: calendar.clone(),
            now,
            items: Vec::new(),
            words: Vec::new(),
            times: vec![Vec::new(); tokens.len()],
            grains: RefCell::new(HashMap::new()),
            spoken: HashSet::new(),
        };
        chart.read_times();
        let singulars: Vec<String> =
            tokens.iter().map(|token| lexicon.language().inflection.singular(&token.text)).collect();
        for at in 0..tokens.len() {
            let values = chart.values_at(at);
            let mut items = chart.names_at(at, &singulars, chosen);
            let again = |item: &Item| {
                matches!(item.meaning, Meaning::Values(_)) && values.iter().any(|v| v.span == item.span)
            };
            items.retain(|item| !again(item));
            items.extend(values);
            items.sort_by_key(|item| std::cmp::Reverse(item.span.last));
            chart.items.push(items);
            chart.words.push(chart.phrases_at(at, chart.language().shaping()));
        }
        chart.shade();
        chart.unverb();
        chart.spoken = chart.named_datasets();
        chart
    }

    /// Whether a field is the one that names its dataset's rows.
    #[must_use]
    pub fn names_row(&self, field: FieldId) -> bool {
        let Some((_, dataset)) = self.catalogue.datasets.get_index(field.dataset) else { return false };
        let name = dataset.fields.get_index(field.field).map(|(name, _)| name);
        name.is_some()
            && (name == dataset.display.as_ref()
                || dataset.primary_key.as_slice() == name.map(std::slice::from_ref).unwrap_or_default())
    }

    /// Whether any word asks for a comparison.
    #[must_use]
    pub fn compares(&self) -> bool {
        self.words.iter().flatten().any(|(_, class)| matches!(class, Class::Compare | Class::Difference))
    }

    /// Whether the question is about rows of this dataset, as far as its words tell.
    #[must_use]
    pub fn speaks_of(&self, dataset: usize) -> bool {
        self.spoken.contains(&dataset)
    }

    /// How many tokens there are.
    #[must_use]
    pub fn tokens_count(&self) -> usize {
        self.tokens.len()
    }

    /// The language.
    #[must_use]
    pub fn language(&self) -> &'static Language {
        self.lexicon.language()
    }

    /// The names and values that start here, longest first.
    #[must_use]
    pub fn items(&self, at: usize) -> &[Item] {
        self.items.get(at).map_or(&[], Vec::as_slice)
    }

    /// The time expressions that start here, longest first.
    #[must_use]
    pub fn times(&self, at: usize) -> &[TimeItem] {
        self.times.get(at).map_or(&[], Vec::as_slice)
    }

    /// Where phrases of a class that start here end: the index after each, longest first.
    pub fn word(&self, at: usize, class: Class) -> impl Iterator<Item = usize> + '_ {
        self.words
            .get(at)
            .into_iter()
            .flatten()
            .filter(move |(_, known)| *known == class)
            .map(|(next, _)| *next)
    }

    /// The end of the longest phrase of any of these classes that starts here.
    #[must_use]
    pub fn one_of(&self, at: usize, classes: &[Class]) -> Option<usize> {
        self.words.get(at)?.iter().find(|(_, class)| classes.contains(class)).map(|(next, _)| *next)
    }

    /// The index after any run of these classes.
    #[must_use]
    pub fn skip(&self, at: usize, classes: &[Class]) -> usize {
        let mut at = at;
        while let Some(next) = self.one_of(at, classes) {
            at = next;
        }
        at
    }

    /// Every class and end of the phrases that start here.
    #[must_use]
    pub fn classes(&self, at: usize) -> &[(usize, Class)] {
        self.words.get(at).map_or(&[], Vec::as_slice)
    }

    /// Where phrases of a caution that start here end: the index after each, longest first.
    pub fn cautions(&self, at: usize, caution: Caution) -> impl Iterator<Item = usize> + use<'a> {
        let found = self.phrases_at(at, self.language().cautions());
        found.into_iter().filter(move |(_, known)| *known == caution).map(|(next, _)| next)
    }

    /// The token's text, or nothing after the end.
    #[must_use]
    pub fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text.as_str())
    }

    /// The words of a run as typed.
    #[must_use]
    pub fn typed(&self, span: Span) -> String {
        let words: Vec<&str> = self
            .tokens
            .iter()
            .take(span.last.saturating_add(1))
            .skip(span.first)
            .map(|t| t.raw.as_str())
            .collect();
        words.join(" ")
    }

    /// A part of the question, by bytes.
    #[must_use]
    pub fn slice(&self, start: usize, end: usize) -> Option<String> {
        self.question.get(start..end).map(str::to_owned)
    }

    /// A number as written that starts here, unless it is a date or a part of one.
    #[must_use]
    pub fn number(&self, at: usize) -> Option<Written> {
        self.language().numbers.read(self.tokens, at)
    }

    /// A step of time named here without `by`, such as `month` in `by channel and month`.
    #[must_use]
    pub fn grain(&self, at: usize) -> Option<(usize, Grain)> {
        if let Some(known) = self.grains.borrow().get(&at) {
            return *known;
        }
        let found = self.read_grain(at);
        self.grains.borrow_mut().insert(at, found);
        found
    }

    /// Asks the time grammar about `by` and the next one or two tokens.
    fn read_grain(&self, at: usize) -> Option<(usize, Grain)> {
        for length in [2, 1] {
            let Some(run) = self.tokens.get(at..at.saturating_add(length)) else { continue };
            let Some(first) = run.first() else { continue };
            let by = TimeToken { text: "by", start: first.start, end: first.start };
            let mut words = vec![by];
            words.extend(run.iter().map(time_token));
            if !time::may_be_a_step(&words) {
                continue;
            }
            let spans = time::spans(&words, &self.calendar, self.now);
            let whole = spans.into_iter().find(|span| span.last == length && span.first <= 1);
            if let Some(TimeKind::Grain(grain)) = whole.map(|span| span.reading.kind) {
                return Some((at.saturating_add(length), grain));
            }
        }
        None
    }

    /// Reads the days a run of words means when a year is written behind it.
    #[must_use]
    pub fn with_year(&self, span: Span, year: i16) -> Option<TimeReading> {
        let run = self.tokens.get(span.first..=span.last)?;
        let year = year.to_string();
        let end = run.last()?.end;
        let mut words: Vec<TimeToken<'_>> = run.iter().map(time_token).collect();
        words.push(TimeToken { text: &year, start: end, end });
        let last = words.len().saturating_sub(1);
        let spans = time::spans(&words, &self.calendar, self.now);
        spans.into_iter().find(|span| span.first == 0 && span.last == last).map(|span| span.reading)
    }
}

fn plain(span: Span, meaning: Meaning, tier: Tier) -> Item {
    Item { span, meaning, standing: Standing::Free, tier, term: None, doubtful: 0 }
}

fn time_token(token: &Token) -> TimeToken<'_> {
    // What is quoted is a value, never a time; a sign the time grammar does not know stands for it.
    let text = if token.kind == TokenKind::Quoted { "\"" } else { token.text.as_str() };
    TimeToken { text, start: token.start, end: token.end }
}

/// The entries of one phrase, by kind.
#[derive(Default)]
struct Groups {
    metrics: Vec<(Tier, usize)>,
    datasets: Vec<(Tier, usize)>,
    fields: Vec<FieldSense>,
    flags: Vec<FieldId>,
    values: Vec<ValueEntry>,
    populations: Vec<(Tier, usize)>,
    relationships: Vec<usize>,
}

impl Groups {
    fn add(&mut self, entry: NameEntry) {
        match entry.named {
            Named::Metric(index) => self.metrics.push((entry.tier, index)),
            Named::Dataset(index) => self.datasets.push((entry.tier, index)),
            Named::Field(field) => self.fields.push(FieldSense { tier: entry.tier, field }),
            Named::Flag(field) => self.flags.push(field),
            Named::Value(field, value) => {
                let spelled = crate::lexicon::Spelled::AsStored;
                self.values.push(ValueEntry { field, value, spelled });
            }
            Named::Population(index) => self.populations.push((entry.tier, index)),
            Named::Relationship(index) => self.relationships.push(index),
            Named::Term(_) | Named::Hidden(_) => {}
        }
    }

    fn items(self, span: Span, found: &mut Vec<Item>) {
        let mut push = |meaning, tier| found.push(plain(span, meaning, tier));
        if let Some((tier, indexes)) = closest(&self.metrics) {
            push(Meaning::Metrics(indexes), tier);
        }
        if let Some((tier, indexes)) = closest(&self.datasets) {
            push(Meaning::Datasets(indexes), tier);
        }
        if let Some((tier, indexes)) = closest(&self.populations) {
            push(Meaning::Populations(indexes), tier);
        }
        if let Some(tier) = self.fields.iter().map(|sense| sense.tier).min() {
            push(Meaning::Fields(self.fields), tier);
        }
        if !self.flags.is_empty() {
            push(Meaning::Flags(self.flags), Tier::Label);
        }
        if !self.values.is_empty() {
            push(Meaning::Values(self.values), Tier::Composite);
        }
        if !self.relationships.is_empty() {
            push(Meaning::Relationships(self.relationships), Tier::Synonym);
        }
    }
}

/// The entries that are named most closely.
fn closest(entries: &[(Tier, usize)]) -> Option<(Tier, Vec<usize>)> {
    let best = entries.iter().map(|(tier, _)| *tier).min()?;
    Some((best, entries.iter().filter(|(tier, _)| *tier == best).map(|(_, index)| *index).collect()))
}

/// A whole number that may be a limit.
#[must_use]
pub fn whole(value: &BigDecimal) -> Option<u64> {
    use bigdecimal::ToPrimitive;
    value.is_integer().then(|| value.to_u64()).flatten()
}
