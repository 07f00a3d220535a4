//! The prompt that a question is read with.
//!
//! What holds is in the system's text, a file; what may be named is listed entry by entry, one line each, relationships
//! included. Whatever comes from rows stands inside a data section, as JSON, so that it can end neither its quotation
//! nor the section. Deliberately absent: the session, any limit, and anything else that a reply could change.

use std::fmt::Write as _;

use indexmap::IndexMap;
use serde_json::json;
use tieout_core::{
    catalogue::{Catalogue, Field, Metric, TermMeaning},
    model::{Prompt, PromptLimits, Purpose, Speaker, Turn},
    number::UnitKind,
    ports::ReadContext,
    reading::{MeasureRef, Problem},
};

use crate::untrusted::data_section;

use super::{
    examples::Example,
    menu::{Menu, OfferedMeasure},
    typed,
};

/// The version of the prompt's text: a change of what is said is a change of this.
const VERSION: &str = "read-2";
/// The longest reply, in tokens.
const REPLY_TOKENS_MAX: u32 = 800;
/// How many values of a field are shown.
const VALUES_SHOWN_MAX: usize = 20;
/// The longest value that is shown, in characters.
const VALUE_CHARS_MAX: usize = 60;

/// The first prompt for a question.
pub(super) fn prompt(question: &str, menu: &Menu, examples: &[Example], context: ReadContext<'_>) -> Prompt {
    let mut text = String::new();
    listed(&mut text, menu, context);
    if !examples.is_empty() {
        text.push_str("\n# examples\n");
        examples.iter().for_each(|example| worked(&mut text, example));
    }
    asked(&mut text, menu);
    let _ = write!(text, "\n# question\n{}\n", json!(question));
    Prompt {
        purpose: Purpose::Read,
        version: VERSION.to_owned(),
        system: include_str!("../prompts/read.md").to_owned(),
        turns: vec![Turn { speaker: Speaker::User, text }],
        schema: typed::schema(menu),
        limits: PromptLimits {
            attempts_max: tieout_core::attempt::ATTEMPTS_MAX,
            reply_tokens_max: REPLY_TOKENS_MAX,
        },
    }
}

/// What is said when a reply does not stand.
pub(super) fn rejection(problems: &[Problem]) -> String {
    let mut text = "This request does not stand:\n".to_owned();
    for problem in problems {
        let _ = writeln!(text, "- {} ({})", problem.message, problem.hint);
    }
    text.push_str(
        "Give the whole request again, mended; or \"nothing\" when the question cannot be expressed.",
    );
    text
}

fn listed(text: &mut String, menu: &Menu, context: ReadContext<'_>) {
    let catalogue = context.catalogue();
    text.push_str("# measures\n");
    for (key, offered) in &menu.measures {
        match offered.measure {
            MeasureRef::Metric(_) | MeasureRef::Count { .. } => measure(text, key, offered, catalogue),
            MeasureRef::AdHoc { .. } => {}
        }
    }
    made_up(text, menu);
    text.push_str("\n# things and their fields\n");
    for (name, label) in &menu.datasets {
        let _ = writeln!(text, "{name}: {label}");
        let Some(dataset) = catalogue.datasets.get(name) else { continue };
        let offered =
            dataset.fields.values().filter(|f| menu.fields.contains_key(&format!("{name}.{}", f.name)));
        offered.for_each(|f| field(text, name, f, context));
    }
    if !menu.relationships.is_empty() {
        let _ = write!(text, "\n# relationships\n{}\n", menu.relationships.join("\n"));
    }
    if !menu.populations.is_empty() {
        text.push_str("\n# populations\n");
        for name in menu.populations.keys() {
            let Some(population) = catalogue.populations.get(name) else { continue };
            let _ = write!(text, "{name} ({}): {}", population.dataset, population.label);
            also(text, &population.synonyms, population.description.as_ref());
        }
    }
    terms(text, catalogue);
}

/// What the lexicon makes of the question. It stands behind everything that is the same for each question, so that an
/// endpoint which keeps the beginning of a prompt reads only this anew.
fn asked(text: &mut String, menu: &Menu) {
    text.push_str("\n# times in the question\n");
    for (key, time) in &menu.times {
        let _ = writeln!(text, "{key}: {} = {}", json!(time.text), time.words);
    }
    if !menu.unknown.is_empty() {
        let _ = write!(text, "\n# unknown words\n{}\n", menu.unknown.join(", "));
    }
}

fn worked(text: &mut String, example: &Example) {
    let _ = write!(text, "{}", json!(example.question));
    for (place, time) in example.times.iter().enumerate() {
        let _ = write!(text, "; t{}: {}", place.saturating_add(1), json!(time));
    }
    if !example.unknown.is_empty() {
        let _ = write!(text, "; unknown: {}", example.unknown.join(", "));
    }
    let _ = writeln!(text, "\n{}", example.reply);
}

/// Aggregates of fields, one line for each field.
fn made_up(text: &mut String, menu: &Menu) {
    let mut fields: IndexMap<String, Vec<&str>> = IndexMap::new();
    for offered in menu.measures.values() {
        if let MeasureRef::AdHoc { kind, dataset, field } = &offered.measure {
            fields.entry(format!("{dataset}.{field}")).or_default().push(kind);
        }
    }
    for (field, kinds) in &fields {
        let _ = writeln!(text, "{} {field}", kinds.join("/"));
    }
}

fn measure(text: &mut String, key: &str, offered: &OfferedMeasure, catalogue: &Catalogue) {
    let _ = write!(text, "{key}");
    match catalogue.metrics.get(key) {
        Some(Metric { label, synonyms, description, .. }) => {
            let _ = write!(text, ": {label}");
            also(text, synonyms, description.as_ref());
        }
        None => {
            let _ = writeln!(text, ": {}", offered.words);
        }
    }
}

fn also(text: &mut String, synonyms: &[String], description: Option<&String>) {
    if !synonyms.is_empty() {
        let _ = write!(text, " (also: {})", synonyms.join(", "));
    }
    if let Some(description) = description {
        let _ = write!(text, ". {description}");
    }
    text.push('\n');
}

fn field(text: &mut String, dataset: &str, field: &Field, context: ReadContext<'_>) {
    let _ = write!(text, "- {dataset}.{} {}: {}", field.name, field.datatype.name(), field.label);
    if let Some(UnitKind::Currency(unit) | UnitKind::Named(unit)) = field.unit.as_ref().map(|unit| &unit.kind)
    {
        let _ = write!(text, " [{unit}]");
    }
    also(text, &field.synonyms, field.description.as_ref());
    let declared: Vec<&str> = field.values.iter().map(|v| v.value.as_str()).collect();
    if !declared.is_empty() {
        let _ = writeln!(text, "  values: {}", json!(declared));
        return;
    }
    let found = context.values.fields.iter().find(|(d, f, _)| d == dataset && *f == field.name);
    if let Some((.., values)) = found {
        let short = |value: &String| value.chars().take(VALUE_CHARS_MAX).collect::<String>();
        let shown: Vec<String> = values.iter().take(VALUES_SHOWN_MAX).map(short).collect();
        let _ = writeln!(text, "  {}", data_section(&json!(shown)));
    }
}

fn terms(text: &mut String, catalogue: &Catalogue) {
    if catalogue.terms.is_empty() {
        return;
    }
    text.push_str("\n# words that mean several things, or nothing here\n");
    for term in catalogue.terms.values() {
        let _ = match &term.meaning {
            TermMeaning::Ambiguous(readings) => writeln!(text, "{}: {}", term.term, readings.join(" or ")),
            TermMeaning::Absent(why) => writeln!(text, "{}: not recorded ({why})", term.term),
        };
    }
}
