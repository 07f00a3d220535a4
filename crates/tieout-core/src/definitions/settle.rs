//! The desk that lets a reading through, or sends a doubt back to the asker.

use jiff::Timestamp;
use jiff::civil::Date;

use super::{
    BlockLine,
    block::block,
    describe::{condition_words, measure_words},
};
use crate::{
    catalogue::{BlockField, Catalogue, Project},
    halt::Halt,
    reading::{
        AskedPeriod, Choice, Condition, Doubtful, Grouping, MeasureRef, Problem, READING, Reading,
        ReasonCode, Request, Source, Use, WordUse,
    },
    scope::Scope,
};

/// A reading that may be answered. Made only by [`settle`].
#[derive(Clone, Debug)]
pub struct Settled {
    request: Request,
    block: Vec<BlockLine>,
    words: Vec<WordUse>,
    alternatives: Vec<String>,
    narrowed: Narrowed,
    today: Date,
}

/// What narrows the rows of an answer, in words, as the block says it: a sentence that is lifted out must still say it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Narrowed {
    /// The conditions on every figure or row.
    pub rows: Vec<String>,
    /// Further conditions, on the part of a share.
    pub part: Vec<String>,
}

impl Settled {
    /// What is asked.
    #[must_use]
    pub fn request(&self) -> &Request {
        &self.request
    }
    /// The five fields, each with its sources.
    #[must_use]
    pub fn block(&self) -> &[BlockLine] {
        &self.block
    }
    /// What every word was used for.
    #[must_use]
    pub fn words(&self) -> &[WordUse] {
        &self.words
    }
    /// What the period might have meant instead.
    #[must_use]
    pub fn alternatives(&self) -> &[String] {
        &self.alternatives
    }
    /// What narrows the rows, in words.
    #[must_use]
    pub fn narrowed(&self) -> &Narrowed {
        &self.narrowed
    }
    /// The civil day on which the question was asked, in the project's zone.
    #[must_use]
    pub fn today(&self) -> Date {
        self.today
    }
}

/// Lets a reading through when nothing in it is in doubt.
///
/// # Errors
/// A refusal when a word was not understood; a doubt when the reader left one, when a trend has no period, or when a
/// field that the project wants confirmed was assumed.
pub fn settle(reading: Reading, project: &Project, scope: &Scope, now: Timestamp) -> Result<Settled, Halt> {
    let unknown: Vec<Problem> = reading.words.iter().filter_map(unknown_word).collect();
    if !unknown.is_empty() {
        return Err(Halt::Refuse(unknown));
    }
    // A doubt comes first: its choices may be what gives a word its part.
    if reading.doubts.is_empty() {
        let problems = objections(&reading, &project.catalogue);
        if !problems.is_empty() {
            return Err(Halt::Refuse(problems));
        }
    }
    let Reading { mut request, words, mut doubts, alternatives } = reading;
    let today = project.calendar.today(now);
    // What the reader put as a doubt already is not put twice.
    let offers = |known: &Doubtful, key: &str| known.choices.iter().any(|choice| choice.key == key);
    let asked = |d: &Doubtful| {
        let same =
            |known: &Doubtful| known.subject == d.subject || d.choices.iter().any(|c| offers(known, &c.key));
        doubts.iter().any(same)
    };
    let whole = doubts.iter().any(|doubt| doubt.subject == READING);
    let more: Vec<Doubtful> =
        assumed(&request, project).into_iter().filter(|d| !whole && !asked(d)).collect();
    doubts.extend(more);
    doubts.extend(bound_trend(&mut request, project, today));
    bound_running_total(&mut request, project, today);
    if !doubts.is_empty() {
        return Err(Halt::Doubt(doubts));
    }
    if let Request::Figures(figures) = &mut request {
        super::apart::told_apart(figures, &project.catalogue);
    }
    let block = block(&request, project, scope);
    let narrowed = narrowed(&request, &project.catalogue);
    Ok(Settled { request, block, words, alternatives, narrowed, today })
}

fn narrowed(request: &Request, catalogue: &Catalogue) -> Narrowed {
    let (conditions, part): (&[crate::reading::Sourced<Condition>], &[Condition]) = match request {
        Request::Figures(figures) => (&figures.conditions, figures.derivation.part()),
        Request::Rows(rows) => (&rows.conditions, &[]),
        Request::About(_) => (&[], &[]),
    };
    Narrowed {
        rows: conditions.iter().map(|c| condition_words(&c.value, catalogue)).collect(),
        part: part.iter().map(|c| condition_words(c, catalogue)).collect(),
    }
}

/// Why a reading may not stand whoever read it: words without a part in the request, parts without a word, and shapes
/// that could mean something else. A reader may ask beforehand, to prefer a reading that can stand.
#[must_use]
pub fn objections(reading: &Reading, catalogue: &Catalogue) -> Vec<Problem> {
    let mut problems = super::accounted::unaccounted(reading, catalogue);
    problems.extend(super::guards::guarded(reading, catalogue));
    problems
}

/// The block of a reading that is not settled, to show what was understood beside a doubt.
#[must_use]
pub fn understood(reading: &Reading, project: &Project, scope: &Scope) -> Vec<BlockLine> {
    let mut request = reading.request.clone();
    if let Request::Figures(figures) = &mut request {
        for grouping in &mut figures.groupings {
            // A way that the asker has yet to choose was nobody's word.
            if let Grouping::Field(field) = &grouping.value {
                let subject = format!("path:{}.{}", field.dataset, field.field);
                if reading.doubts.iter().any(|doubt| doubt.subject == subject) {
                    grouping.source = Source::Assumed;
                }
            }
        }
    }
    block(&request, project, scope)
}

fn unknown_word(word: &WordUse) -> Option<Problem> {
    (word.used_as == Use::Unknown).then(|| Problem {
        code: ReasonCode::UnknownWord,
        message: format!("“{}” is not known here", word.text),
        hint: "leave it out, or use a word of the catalogue (`tieout catalogue show`)".to_owned(),
        nearest: Vec::new(),
        start: Some(word.start),
    })
}

/// What was assumed and must be confirmed.
fn assumed(request: &Request, project: &Project) -> Vec<Doubtful> {
    let confirm = |field| project.policy.confirm.contains(&field);
    let mut doubts = Vec::new();
    let (measures, conditions, period) = match request {
        Request::Figures(r) => (r.measures.as_slice(), r.conditions.as_slice(), &r.period),
        Request::Rows(r) => (&[][..], r.conditions.as_slice(), &r.period),
        Request::About(_) => return doubts,
    };
    if confirm(BlockField::Metric) {
        let guessed = measures.iter().filter(|m| m.source == Source::Assumed);
        doubts.extend(guessed.map(|m| doubt_measure(&m.value, project)));
    }
    if confirm(BlockField::Population) {
        let guessed = conditions.iter().filter(|c| c.source == Source::Assumed);
        doubts.extend(guessed.map(|c| doubt_condition(&c.value, project)));
    }
    if confirm(BlockField::Period) && period.source == Source::Assumed {
        doubts.push(doubt_period(period));
    }
    doubts
}

fn doubt_measure(measure: &MeasureRef, project: &Project) -> Doubtful {
    let words = measure_words(measure, &project.catalogue);
    let key = match measure {
        MeasureRef::Metric(name) => name.clone(),
        MeasureRef::Count { dataset } => format!("count({dataset})"),
        MeasureRef::AdHoc { kind, dataset, field } => format!("{kind}({dataset}.{field})"),
    };
    Doubtful {
        subject: "metric".to_owned(),
        message: format!("no metric says what “{words}” is; it would be worked out from the field"),
        choices: vec![Choice { key, text: words }],
    }
}

fn doubt_condition(condition: &Condition, project: &Project) -> Doubtful {
    let words = condition_words(condition, &project.catalogue);
    Doubtful {
        subject: "population".to_owned(),
        message: format!("nobody said that only rows {words} count"),
        choices: vec![Choice { key: "yes".to_owned(), text: words }],
    }
}

fn doubt_period(period: &AskedPeriod) -> Doubtful {
    Doubtful {
        subject: "period".to_owned(),
        message: "no period was given".to_owned(),
        choices: vec![Choice { key: "all".to_owned(), text: period.words.clone() }],
    }
}

/// A trend needs a first and a last step. Without a period it runs from the first day of history to today, which is
/// assumed and shown; where the catalogue does not say when history begins, the asker must give a period.
fn bound_trend(request: &mut Request, project: &Project, today: Date) -> Option<Doubtful> {
    let Request::Figures(figures) = request else { return None };
    let trend = figures.groupings.iter().any(|g| matches!(g.value, Grouping::Time(_)));
    if !trend || figures.period.period.is_some() {
        return None;
    }
    let starts = figures.measures.iter().map(|m| history_start(&m.value, project));
    let start = starts.collect::<Option<Vec<_>>>().and_then(|s| s.into_iter().min());
    let bounded = start.and_then(|s| project.calendar.period(s, today.tomorrow().ok()?));
    match bounded {
        Some(period) => {
            figures.period = AskedPeriod {
                words: "since the first rows, today included".to_owned(),
                period: Some(period),
                source: Source::Assumed,
            };
            None
        }
        None => Some(Doubtful {
            subject: "period".to_owned(),
            message: "a trend needs a period, and the catalogue does not say when history begins".to_owned(),
            choices: vec![Choice {
                key: "last 12 months".to_owned(),
                text: "ask again with a period, such as “in the last 12 months”".to_owned(),
            }],
        }),
    }
}

/// A running total that begins again with a calendar unit, asked for without a period, runs from that unit's start to
/// today: assumed, and shown.
fn bound_running_total(request: &mut Request, project: &Project, today: Date) {
    let Request::Figures(figures) = request else { return };
    if figures.period.period.is_some() {
        return;
    }
    let restart = figures.measures.iter().find_map(|m| match &m.value {
        MeasureRef::Metric(name) => project.catalogue.aggregates_within(name).find_map(|(_, a)| a.restart),
        MeasureRef::Count { .. } | MeasureRef::AdHoc { .. } => None,
    });
    let Some(restart) = restart else { return };
    let unit = project.calendar.unit(restart, today);
    let period = unit.and_then(|u| project.calendar.period(u.start(), today.tomorrow().ok()?));
    if let Some(period) = period {
        let words = format!("this {restart} so far, today included");
        figures.period = AskedPeriod { period: Some(period), words, source: Source::Assumed };
    }
}

fn history_start(measure: &MeasureRef, project: &Project) -> Option<Date> {
    let catalogue = &project.catalogue;
    let start = |dataset: &str| catalogue.datasets.get(dataset)?.freshness.as_ref()?.history_start;
    match measure {
        MeasureRef::Metric(name) => catalogue
            .aggregates_within(name)
            .map(|(_, a)| start(&a.dataset))
            .collect::<Option<Vec<_>>>()?
            .into_iter()
            .min(),
        MeasureRef::Count { dataset } | MeasureRef::AdHoc { dataset, .. } => start(dataset),
    }
}
