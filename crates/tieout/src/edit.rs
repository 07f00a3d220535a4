//! One field of the block changed: the question is read as before, then the field is set in the request.
//!
//! What is set is marked `confirmed`, for the asker chose it. Deliberately absent: any second grammar (periods go
//! through the reader's own), and fields that are the catalogue's to say (exclusions).

use async_trait::async_trait;
use tieout_core::{
    catalogue::{Catalogue, Project, Status},
    halt::Halt,
    ports::{ReadContext, Reader},
    question::Question,
    reading::{
        AskedPeriod, Condition, Contrast, Derivation, FieldRef, FiguresRequest, Grouping, MeasureRef,
        Polarity, Problem, Reading, ReasonCode, Request, Source, Sourced, Use,
    },
    time::Grain,
};
use tieout_reader::{
    time::{TimeKind, TimeToken, spans},
    tokens::tokens,
};

use tieout_sql::Value;

use crate::wire::Edit;

/// The fields that can be set.
pub const FIELDS: [&str; 5] = ["metric", "population", "period", "baseline", "grain"];

/// Reads a question, then sets fields of what was read.
pub struct EditedReader<'a> {
    /// Reads.
    pub reader: &'a dyn Reader,
    /// What is set, in order; nothing leaves the reading as it is.
    pub edits: &'a [Edit],
}

#[async_trait]
impl Reader for EditedReader<'_> {
    async fn read(&self, question: &Question, context: ReadContext<'_>) -> Result<Reading, Halt> {
        let mut reading = self.reader.read(question, context).await?;
        let fields: Vec<&str> = self.edits.iter().map(|edit| edit.field.as_str()).collect();
        for edit in self.edits {
            apply(edit, &fields, &mut reading, question, context.project)
                .map_err(|problem| Halt::Refuse(vec![problem]))?;
        }
        Ok(reading)
    }
}

fn apply(
    edit: &Edit,
    fields: &[&str],
    reading: &mut Reading,
    question: &Question,
    project: &Project,
) -> Result<(), Problem> {
    let value = edit.value.trim();
    let request = &mut reading.request;
    let replaced = replaced(&edit.field, request);
    match edit.field.as_str() {
        "metric" => set_metric(value, request, &project.catalogue)?,
        "population" => set_population(value, request, &project.catalogue)?,
        "period" => {
            if let Some(population) = of_members_now(request) {
                let message = format!(
                    "`{population}` says how rows stand, and a period would choose them by their date"
                );
                return Err(unfit(message, "ask it in words, with its period".to_owned()));
            }
            set_period(value, fields.contains(&"baseline"), request, question, project)?;
            reading.alternatives.clear();
        }
        "baseline" => set_baseline(value, request, question, project)?,
        "grain" => set_grain(value, request, &project.catalogue)?,
        other => return Err(unfit(format!("the field `{other}` cannot be set"), settable())),
    }
    reading.doubts.retain(|doubt| doubt.subject != edit.field);
    for word in reading.words.iter_mut().filter(|word| replaced.contains(&word.used_as)) {
        word.used_as = Use::Grammar(format!("{}, set to {value}", edit.field));
    }
    Ok(())
}

/// The population of a request over all dates: with a period it would be members of now, dated then.
fn of_members_now(request: &Request) -> Option<&str> {
    let (period, conditions) = match request {
        Request::Figures(figures) => (&figures.period, &figures.conditions),
        Request::Rows(rows) => (&rows.period, &rows.conditions),
        Request::About(_) => return None,
    };
    if period.period.is_some() {
        return None;
    }
    conditions.iter().find_map(|condition| members(&condition.value))
}

/// The population that a condition asks for.
fn members(condition: &Condition) -> Option<&str> {
    match condition {
        Condition::Member { population, .. } => Some(population),
        Condition::OneOf { .. }
        | Condition::Compare { .. }
        | Condition::Between { .. }
        | Condition::Missing { .. }
        | Condition::InPeriod { .. }
        | Condition::Related { .. }
        | Condition::Any(_) => None,
    }
}

/// What words may have been used for that the edit puts something else in the place of. Those words are then said to be
/// set aside; a word that still has its part in the request keeps it.
fn replaced(field: &str, request: &Request) -> Vec<Use> {
    let Request::Figures(figures) = request else { return population_words(field, request) };
    let named =
        |f: &FieldRef| [Use::Field(format!("{}.{}", f.dataset, f.field)), Use::Dataset(f.dataset.clone())];
    match field {
        "metric" => figures
            .measures
            .iter()
            .flat_map(|measure| match &measure.value {
                MeasureRef::Metric(name) => vec![Use::Metric(name.clone())],
                MeasureRef::Count { dataset } => vec![Use::Dataset(dataset.clone())],
                MeasureRef::AdHoc { dataset, field, .. } => {
                    vec![Use::Field(format!("{dataset}.{field}")), Use::Dataset(dataset.clone())]
                }
            })
            .collect(),
        "grain" => figures
            .groupings
            .iter()
            .filter_map(|grouping| match &grouping.value {
                Grouping::Field(field) => Some(named(field)),
                Grouping::Time(_) => None,
            })
            .flatten()
            .collect(),
        _ => population_words(field, request),
    }
}

fn population_words(field: &str, request: &Request) -> Vec<Use> {
    let conditions = match request {
        Request::Figures(figures) => &figures.conditions,
        Request::Rows(rows) => &rows.conditions,
        Request::About(_) => return Vec::new(),
    };
    let asked = conditions.iter().filter(|_| field == "population");
    asked
        .filter_map(|condition| members(&condition.value))
        .map(|name| Use::Population(name.to_owned()))
        .collect()
}

fn settable() -> String {
    format!("set one of {}", FIELDS.join(", "))
}

fn set_metric(name: &str, request: &mut Request, catalogue: &Catalogue) -> Result<(), Problem> {
    let Some(metric) = catalogue.metrics.get(name) else {
        let known = catalogue.metrics.keys().map(String::as_str);
        return Err(unfit(format!("there is no metric `{name}`"), "see `tieout catalogue show`".to_owned())
            .near(nearest(name, known)));
    };
    match &metric.status {
        Status::Approved => {}
        Status::Draft => {
            return Err(unfit(
                format!("{} is a draft", metric.label),
                "ask for it by name, and confirm it".to_owned(),
            ));
        }
        Status::Deprecated { superseded_by } => {
            let hint = superseded_by.as_ref().map(|by| format!("set `metric={by}`"));
            return Err(unfit(
                format!("{} is no longer used", metric.label),
                hint.unwrap_or_else(|| "set another metric".to_owned()),
            ));
        }
    }
    let figures = figures(request, "metric")?;
    let [measure] = figures.measures.as_mut_slice() else {
        return Err(unfit(
            "the question names several metrics".to_owned(),
            "ask it again with the ones you want".to_owned(),
        ));
    };
    *measure = confirmed(MeasureRef::Metric(name.to_owned()));
    Ok(())
}

fn set_population(name: &str, request: &mut Request, catalogue: &Catalogue) -> Result<(), Problem> {
    let conditions = match request {
        Request::Figures(figures) => &mut figures.conditions,
        Request::Rows(rows) => &mut rows.conditions,
        Request::About(_) => return Err(no_figures("population")),
    };
    let all = name == "all";
    if !all && !catalogue.populations.contains_key(name) {
        let known = catalogue.populations.keys().map(String::as_str);
        return Err(unfit(
            format!("there is no population `{name}`"),
            "set one of the catalogue, or `population=all` to drop the one that was named".to_owned(),
        )
        .near(nearest(name, known)));
    }
    conditions.retain(|condition| !matches!(condition.value, Condition::Member { .. }));
    if !all {
        let member = Condition::Member { population: name.to_owned(), via: None, polarity: Polarity::Is };
        conditions.push(confirmed(member));
    }
    Ok(())
}

fn set_period(
    text: &str,
    baseline_follows: bool,
    request: &mut Request,
    question: &Question,
    project: &Project,
) -> Result<(), Problem> {
    let asked = period(text, question, project)?;
    // The period of the answer may sit in a condition: a second one beside it is not what is meant.
    let conditions: &[Sourced<Condition>] = match request {
        Request::Figures(figures) => &figures.conditions,
        Request::Rows(rows) => &rows.conditions,
        Request::About(_) => &[],
    };
    if conditions.iter().any(|c| dated(&c.value)) {
        return Err(unfit(
            "the period of this answer is one of its conditions".to_owned(),
            "ask the question again with the other period".to_owned(),
        ));
    }
    match request {
        Request::Figures(figures) => {
            if matches!(figures.derivation, Derivation::Against(_)) && !baseline_follows {
                return Err(unfit(
                    "the question compares two periods".to_owned(),
                    format!("set both: `--set period={text} --set baseline=…`"),
                ));
            }
            figures.period = asked;
        }
        Request::Rows(rows) => rows.period = asked,
        Request::About(_) => return Err(no_figures("period")),
    }
    Ok(())
}

/// Whether a condition holds a period of its own.
fn dated(condition: &Condition) -> bool {
    let day = |value: &Value| match value {
        Value::Date(_) | Value::DateTime(_) | Value::Instant(_) => true,
        Value::Null | Value::Boolean(_) | Value::Integer(_) | Value::Decimal(_) | Value::Text(_) => false,
    };
    match condition {
        Condition::InPeriod { .. } => true,
        Condition::Related { conditions, period, .. } => period.is_some() || conditions.iter().any(dated),
        Condition::Any(any) => any.iter().any(dated),
        Condition::Compare { value, .. } => day(value),
        Condition::Between { low, .. } => day(low),
        Condition::OneOf { .. } | Condition::Missing { .. } | Condition::Member { .. } => false,
    }
}

fn set_baseline(
    text: &str,
    request: &mut Request,
    question: &Question,
    project: &Project,
) -> Result<(), Problem> {
    let asked = period(text, question, project)?;
    let figures = figures(request, "baseline")?;
    match (&mut figures.derivation, asked.period) {
        (Derivation::Against(contrast), Some(baseline)) => {
            *contrast = Contrast { baseline, words: asked.words };
            Ok(())
        }
        (
            Derivation::Against(_)
            | Derivation::Plain
            | Derivation::StepByStep
            | Derivation::ShareOf { .. }
            | Derivation::ShareOfTotal,
            _,
        ) => Err(unfit(
            "the question compares no two periods".to_owned(),
            "ask it again with a comparison, such as “compared with August 2026”".to_owned(),
        )),
    }
}

fn set_grain(text: &str, request: &mut Request, catalogue: &Catalogue) -> Result<(), Problem> {
    let figures = figures(request, "grain")?;
    if text == "none" {
        figures.groupings.clear();
        return Ok(());
    }
    let groupings = text.split(',').map(|word| grouping(word.trim(), catalogue).map(confirmed));
    figures.groupings = groupings.collect::<Result<_, _>>()?;
    Ok(())
}

fn grouping(word: &str, catalogue: &Catalogue) -> Result<Grouping, Problem> {
    let grains = [
        Grain::Day,
        Grain::Week,
        Grain::Month,
        Grain::Quarter,
        Grain::Year,
        Grain::FiscalQuarter,
        Grain::FiscalYear,
    ];
    if let Some(grain) = grains.into_iter().find(|grain| grain.to_string() == word) {
        return Ok(Grouping::Time(grain));
    }
    let hint = || "set a field as `dataset.field`, a step of time such as `month`, or `none`".to_owned();
    let unknown = || unfit(format!("`{word}` is no field to group by"), hint());
    let (dataset, field) = word.split_once('.').ok_or_else(unknown)?;
    let found = catalogue.datasets.get(dataset).and_then(|d| d.fields.get(field));
    let open = found.filter(|field| field.access != tieout_sql::Access::Hidden).ok_or_else(unknown)?;
    Ok(Grouping::Field(FieldRef { dataset: dataset.to_owned(), field: open.name.clone(), via: None }))
}

/// A period through the reader's grammar of time: the whole text must be one.
fn period(text: &str, question: &Question, project: &Project) -> Result<AskedPeriod, Problem> {
    let found = tokens(text);
    let timed: Vec<TimeToken<'_>> =
        found.iter().map(|t| TimeToken { text: &t.text, start: t.start, end: t.end }).collect();
    let last = timed.len().checked_sub(1);
    let whole = spans(&timed, &project.calendar, question.now)
        .into_iter()
        .filter(|span| span.first == 0 && Some(span.last) == last)
        .map(|span| span.reading);
    let mut why = None;
    for reading in whole {
        match reading.kind {
            TimeKind::Period(period) => {
                return Ok(AskedPeriod {
                    period: Some(period),
                    words: reading.words,
                    source: Source::Confirmed,
                });
            }
            TimeKind::Empty(sentence) | TimeKind::TooLarge(sentence) => why = Some(sentence),
            TimeKind::Zone(_)
            | TimeKind::Grain(_)
            | TimeKind::Previous { .. }
            | TimeKind::SameLastYear
            | TimeKind::StepByStep(_) => {}
        }
    }
    let code = if why.is_some() { ReasonCode::EmptyPeriod } else { ReasonCode::Unsupported };
    Err(Problem::new(
        code,
        why.unwrap_or_else(|| format!("“{text}” is no period")),
        "set one such as `2026-08`, `Q3 2026` or `last month`",
    ))
}

fn figures<'r>(request: &'r mut Request, field: &str) -> Result<&'r mut FiguresRequest, Problem> {
    match request {
        Request::Figures(figures) => Ok(figures),
        Request::Rows(_) | Request::About(_) => Err(no_figures(field)),
    }
}

fn no_figures(field: &str) -> Problem {
    unfit(
        format!("the question asks for no figures, so its {field} cannot be set"),
        "ask it again in other words".to_owned(),
    )
}

fn confirmed<T>(value: T) -> Sourced<T> {
    Sourced { value, source: Source::Confirmed }
}

fn unfit(message: String, hint: String) -> Problem {
    Problem::new(ReasonCode::Unsupported, message, hint)
}

/// The most names that are offered.
const NEAREST_MAX: usize = 3;

fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut scored: Vec<(usize, &str)> =
        known.map(|other| (strsim::damerau_levenshtein(name, other), other)).collect();
    scored.retain(|(distance, other)| *distance * 2 <= other.chars().count().max(2));
    scored.sort_unstable();
    scored.into_iter().take(NEAREST_MAX).map(|(_, other)| other.to_owned()).collect()
}
