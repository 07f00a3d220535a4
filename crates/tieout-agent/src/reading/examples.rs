//! Worked examples for the prompt, made from the catalogue itself: a question in somebody's own words, and the reply that
//! reads it rightly.
//!
//! Each is held to the built-in reader before it is shown: its wording is read back as just that request. Deliberately
//! absent: anything that was ever asked here, so that no example can carry somebody's words to somebody else.

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use tieout_core::{
    catalogue::Datatype, number::UnitKind, ports::ReadContext, question::Question, reading::MeasureRef,
};
use tieout_reader::BuiltinReader;

use super::{
    menu::{Menu, OfferedField, OfferedMeasure},
    read_back,
    typed::Reply,
    wording::wording,
};

/// How many measures, fields or populations are tried for one example.
const TRIED_MAX: usize = 12;

/// A question with its reply.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Example {
    /// As somebody might ask.
    pub(super) question: String,
    /// The times that it says.
    pub(super) times: Vec<String>,
    /// Its words that nobody knows.
    pub(super) unknown: Vec<String>,
    /// The right reply.
    pub(super) reply: Value,
}

/// An example that is not held to the reader yet.
struct Sketch {
    question: String,
    /// What words that nobody knows stand for; every other one is irrelevant.
    stands_for: Option<(&'static str, String)>,
    reply: Value,
}

/// The examples for a menu: one of each kind that the catalogue has.
pub(super) fn examples(
    menu: &Menu,
    builtin: &BuiltinReader,
    now: Timestamp,
    context: ReadContext<'_>,
) -> Vec<Example> {
    let held = |sketches: Vec<Sketch>| {
        sketches.into_iter().take(TRIED_MAX).find_map(|sketch| held(sketch, menu, builtin, now, context))
    };
    let metrics: Vec<_> = menu.measures.iter().filter(|(_, offered)| is_metric(offered)).collect();
    let kinds = [
        split(menu, &metrics),
        narrowed(menu, &metrics, context),
        counted(menu, context),
        ranked(menu, &metrics, context),
    ];
    kinds.into_iter().filter_map(held).chain([nothing(builtin, now, context)]).collect()
}

fn is_metric(offered: &OfferedMeasure) -> bool {
    match offered.measure {
        MeasureRef::Metric(_) => true,
        MeasureRef::Count { .. } | MeasureRef::AdHoc { .. } => false,
    }
}

type Metrics<'a> = [(&'a String, &'a OfferedMeasure)];

/// A metric in groups.
fn split(menu: &Menu, metrics: &Metrics<'_>) -> Vec<Sketch> {
    let fields = menu.fields.iter().filter(|(_, field)| field.datatype == Datatype::String);
    let pairs = fields.flat_map(|field| metrics.iter().map(move |metric| (metric, field)));
    let sketch = |((metric, offered), (key, field)): (
        &(&String, &OfferedMeasure),
        (&String, &OfferedField),
    )| Sketch {
        question: format!("the boss fancies {} for each {}, March 2025", offered.words, field.words),
        stands_for: None,
        reply: json!({ "ask": "figures", "measures": [metric], "by": [key], "conditions": [], "period": "t1" }),
    };
    pairs.map(sketch).collect()
}

/// Money that meets a condition, under another name.
fn narrowed(menu: &Menu, metrics: &Metrics<'_>, context: ReadContext<'_>) -> Vec<Sketch> {
    let is_money = |name: &str| {
        let metric = context.catalogue().metrics.get(name);
        metric.is_some_and(|metric| matches!(metric.unit.kind, UnitKind::Currency(_)))
    };
    let valued = |key: &String| {
        let (dataset, field) = key.split_once('.')?;
        let values = &context.catalogue().datasets.get(dataset)?.fields.get(field)?.values;
        Some((key.clone(), values.first()?.value.clone()))
    };
    let fields: Vec<_> = menu.fields.keys().filter_map(valued).collect();
    let money = metrics.iter().filter(|(name, _)| is_money(name));
    let pairs = money.flat_map(|metric| fields.iter().map(move |field| (metric, field)));
    let sketch = |((metric, _), (key, value)): (&(&String, &OfferedMeasure), &(String, String))| Sketch {
        question: format!("how much moolah from {value}, March 2025?"),
        stands_for: Some(("moolah", (*metric).clone())),
        reply: json!({
            "ask": "figures", "measures": [metric], "by": [],
            "conditions": [{ "field": key, "test": "is", "values": [value] }], "period": "t1",
        }),
    };
    pairs.map(sketch).collect()
}

/// How many of a population there are.
fn counted(menu: &Menu, context: ReadContext<'_>) -> Vec<Sketch> {
    let sketch = |(name, label): (&String, &String)| {
        let dataset = &context.catalogue().populations.get(name)?.dataset;
        let count = format!("count {dataset}");
        menu.measures.contains_key(&count).then(|| Sketch {
            question: format!("gimme the headcount: {label}"),
            stands_for: Some(("headcount", count.clone())),
            reply: json!({
                "ask": "figures", "measures": [count], "by": [], "conditions": [],
                "populations": [{ "name": name, "members": "in" }],
            }),
        })
    };
    menu.populations.iter().filter_map(sketch).collect()
}

/// The first few of a thing by a metric.
fn ranked(menu: &Menu, metrics: &Metrics<'_>, context: ReadContext<'_>) -> Vec<Sketch> {
    let named = |(name, label): (&String, &String)| {
        let display = context.catalogue().datasets.get(name)?.display.as_ref()?;
        let key = format!("{name}.{display}");
        let field = menu.fields.get(&key)?;
        (field.datatype == Datatype::String).then(|| (key, label.clone()))
    };
    let things: Vec<_> = menu.datasets.iter().filter_map(named).collect();
    let pairs = metrics.iter().flat_map(|metric| things.iter().map(move |thing| (metric, thing)));
    let sketch =
        |((metric, offered), (key, label)): (&(&String, &OfferedMeasure), &(String, String))| Sketch {
            question: format!("the mightiest three {label} by {}, March 2025", offered.words),
            stands_for: Some(("mightiest", "order".to_owned())),
            reply: json!({
                "ask": "figures", "measures": [metric], "by": [key], "conditions": [], "period": "t1",
                "order": { "by": metric, "first": "greatest", "limit": 3 },
            }),
        };
    pairs.map(sketch).collect()
}

/// A question that nothing here answers.
fn nothing(builtin: &BuiltinReader, now: Timestamp, context: ReadContext<'_>) -> Example {
    let sketch = Sketch {
        question: "how sunny was the weather, March 2025?".to_owned(),
        stands_for: None,
        reply: json!({ "ask": "nothing", "measures": [], "by": [], "conditions": [], "period": "all" }),
    };
    example(&sketch, builtin, now, context)
}

/// The example, when its wording is read back as its request.
fn held(
    sketch: Sketch,
    menu: &Menu,
    builtin: &BuiltinReader,
    now: Timestamp,
    context: ReadContext<'_>,
) -> Option<Example> {
    let example = example(&sketch, builtin, now, context);
    // The times of an example are its own, and not those of the question.
    let mut own = Menu { unknown: example.unknown.clone(), ..menu.clone() };
    own.times = super::menu::times(&gloss(&example.question, builtin, now, context));
    let typed = Reply::parse(&example.reply).ok()?.bind(&own).ok()?;
    let worded = Question { text: wording(&typed), now, confirmed: Vec::new() };
    let reading = builtin.read_now(&worded, context).ok()?;
    let stands = reading.doubts.is_empty() && read_back::differences(&typed, &reading).is_empty();
    stands.then_some(example)
}

fn example(sketch: &Sketch, builtin: &BuiltinReader, now: Timestamp, context: ReadContext<'_>) -> Example {
    let glossed = gloss(&sketch.question, builtin, now, context);
    let part = |word: &String| match &sketch.stands_for {
        Some((known, part)) if known == word => part.clone(),
        Some(_) | None => "irrelevant".to_owned(),
    };
    let words: Map<String, Value> =
        glossed.unknown.iter().map(|word| (word.clone(), Value::String(part(word)))).collect();
    let mut reply = Map::new();
    if !words.is_empty() {
        reply.insert("words".to_owned(), Value::Object(words));
    }
    reply.extend(sketch.reply.as_object().cloned().unwrap_or_default());
    Example {
        question: sketch.question.clone(),
        times: glossed.times.iter().map(|time| time.text.clone()).collect(),
        unknown: glossed.unknown,
        reply: Value::Object(reply),
    }
}

fn gloss(
    question: &str,
    builtin: &BuiltinReader,
    now: Timestamp,
    context: ReadContext<'_>,
) -> tieout_reader::examine::Glossed {
    builtin.gloss(&Question { text: question.to_owned(), now, confirmed: Vec::new() }, context)
}
