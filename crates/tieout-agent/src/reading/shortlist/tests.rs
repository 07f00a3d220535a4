//! How much of what a question needs is on the shortlist, over a made-up catalogue of three thousand entries.
//!
//! Its names are made of the same few words in every combination, as those of a real one are: what is looked for differs
//! from its neighbours by one word. Everything is worked out from counters, so that two runs measure the same.

use std::fmt::Write as _;

use tieout_core::catalogue::{
    Catalogue,
    load::{SourceText, load},
};

use super::*;

const SUBJECTS: [&str; 20] = [
    "invoice",
    "parcel",
    "visit",
    "contract",
    "machine",
    "vehicle",
    "supplier",
    "store",
    "warehouse",
    "delivery",
    "claim",
    "policy",
    "booking",
    "lesson",
    "patient",
    "meter",
    "advert",
    "donation",
    "repair",
    "audit",
];
const KINDS: [&str; 2] = ["retail", "wholesale"];
const TRAITS: [&str; 5] = ["net", "late", "expected", "disputed", "first"];
/// A noun, and another word for it.
const NOUNS: [(&str, &str); 8] = [
    ("value", "worth"),
    ("cost", "expense"),
    ("weight", "heaviness"),
    ("duration", "time taken"),
    ("discount", "markdown"),
    ("tax", "duty"),
    ("deposit", "prepayment"),
    ("penalty", "fine"),
];
const FIELDS: [&str; 18] = [
    "colour", "grade", "season", "origin", "language", "shift", "priority", "method", "size", "brand",
    "route", "stage", "rating", "format", "currency", "gender", "material", "voltage",
];
const STATES: [&str; 10] = [
    "closed", "pending", "urgent", "archived", "rejected", "imported", "verified", "shared", "insured",
    "leased",
];

/// Every dataset, with its two words.
fn datasets() -> impl Iterator<Item = (String, &'static str, &'static str)> {
    SUBJECTS.into_iter().flat_map(|subject| KINDS.map(|kind| (format!("{kind}_{subject}"), kind, subject)))
}

/// Forty facts, each with a dimension that only a table without words of its own leads to.
fn catalogue() -> Catalogue {
    let mut text = String::from("datasets:\n");
    for (name, kind, subject) in datasets() {
        let _ = writeln!(
            text,
            "  - name: {name}\n    label: {kind} {subject} records\n    primary_key: [id]\n    time: day\n    fields:\n      \
             - {{ name: id, datatype: integer }}\n      - {{ name: link_id, datatype: integer }}\n      - {{ name: day, \
             datatype: date }}\n      - {{ name: amount, datatype: decimal }}"
        );
        let _ = writeln!(
            text,
            "  - name: x_{name}\n    label: x {name}\n    primary_key: [id]\n    fields:\n      - {{ name: id, datatype: \
             integer }}\n      - {{ name: far_id, datatype: integer }}"
        );
        let _ = writeln!(
            text,
            "  - name: far_{name}\n    label: {kind} {subject} sheet\n    primary_key: [id]\n    fields:\n      - {{ name: id, datatype: integer }}"
        );
        for field in FIELDS {
            let _ = writeln!(
                text,
                "      - {{ name: {field}, datatype: string, label: {kind} {subject} {field} }}"
            );
        }
    }
    text.push_str("relationships:\n");
    for (name, ..) in datasets() {
        for (from, column, to) in [
            (name.clone(), "link_id", format!("x_{name}")),
            (format!("x_{name}"), "far_id", format!("far_{name}")),
        ] {
            let _ = writeln!(
                text,
                "  - {{ name: {from}_to, from: {from}, to: {to}, from_columns: [{column}], to_columns: [id] }}"
            );
        }
    }
    text.push_str("metrics:\n");
    for (name, kind, subject) in datasets() {
        for (noun, other) in NOUNS {
            for what in TRAITS {
                let _ = writeln!(
                    text,
                    "  - {{ name: {what}_{noun}_{name}, label: {what} {noun} of {kind} {subject}s, owner: test, dataset: {name}, \
                     kind: sum, of: amount, description: \"the {what} {noun} on the books\", synonyms: [{what} {kind} {subject} \
                     {other}] }}"
                );
            }
        }
    }
    text.push_str("populations:\n");
    for (name, kind, subject) in datasets() {
        for state in STATES {
            let _ = writeln!(
                text,
                "  - {{ name: {state}_{name}, dataset: {name}, where: \"amount > 0\", label: {state} {kind} {subject}s }}"
            );
        }
    }
    let project = "tieout: 1\nname: wide\nwarehouse: { engine: duckdb, path: wide.duckdb }\n";
    let file = |path: &str, text: &str| SourceText { path: path.to_owned(), text: text.to_owned() };
    match load(&file("tieout.yml", project), &[file("all.yml", &text)]) {
        Ok(loaded) => loaded.project.catalogue,
        Err(problems) => panic!("{problems}"),
    }
}

/// A question, and what it needs.
struct Asked {
    text: String,
    metric: String,
    population: Option<String>,
    datasets: Vec<String>,
}

/// Questions about every metric: by its own words, by its other words, in another order; with a field at the far end or a
/// population beside it.
fn questions() -> Vec<Asked> {
    let mut all = Vec::new();
    for (name, kind, subject) in datasets() {
        for (noun, other) in NOUNS {
            for what in TRAITS {
                let at = all.len();
                let words = match at % 4 {
                    0 => format!("please show the {what} {noun} of our {kind} {subject}s"),
                    1 => format!("{what} {kind} {subject} {other}"),
                    2 => format!("{subject} {noun}, {kind}, {what} ones"),
                    _ => format!("how much {what} {other} did the {kind} {subject} have"),
                };
                let field = FIELDS[at % FIELDS.len()];
                let state = STATES[at % STATES.len()];
                let (text, population, far) = match at % 3 {
                    0 => (format!("{words} by {field} in May 2026"), None, true),
                    1 => (
                        format!("{words} for {state} ones last month"),
                        Some(format!("{state}_{name}")),
                        false,
                    ),
                    _ => (format!("{words} in 2025"), None, false),
                };
                let mut needed = vec![name.clone()];
                if far {
                    needed.extend([format!("x_{name}"), format!("far_{name}")]);
                }
                all.push(Asked {
                    text,
                    metric: format!("{what}_{noun}_{name}"),
                    population,
                    datasets: needed,
                });
            }
        }
    }
    all
}

#[test]
#[ignore = "a minute or more: run it with `--run-ignored all --no-capture` to see the recall"]
fn what_a_question_needs_is_on_the_shortlist_of_three_thousand_entries() {
    let catalogue = catalogue();
    let fields: usize = catalogue.datasets.values().map(|dataset| dataset.fields.len()).sum();
    let entries =
        catalogue.metrics.len() + catalogue.populations.len() + fields + catalogue.relationships.len();
    assert!(entries >= 3_000, "{entries} entries");
    let values = FieldValues::default();
    let asked: Vec<Asked> = questions().into_iter().step_by(7).collect();
    let (mut metrics, mut populations, mut tables, mut whole, mut with) = (0, 0, 0, 0, 0);
    let mut listed = 0;
    for question in &asked {
        let found = Shortlist::of(&catalogue, &values, &question.text);
        let metric = found.metrics.contains(&question.metric);
        let population = question.population.as_ref().is_none_or(|name| found.populations.contains(name));
        let datasets = question.datasets.iter().all(|name| found.datasets.contains(name));
        metrics += usize::from(metric);
        with += usize::from(question.population.is_some());
        populations += usize::from(population && question.population.is_some());
        tables += usize::from(datasets);
        whole += usize::from(metric && population && datasets);
        listed += found.metrics.len() + found.populations.len() + found.datasets.len();
    }
    let count = asked.len();
    println!(
        "{entries} entries, {count} questions: the metric among {METRICS_MAX} {metrics}, the population among {POPULATIONS_MAX} \
         {populations} of {with}, every table {tables}, all of it {whole}; listed on average {}",
        listed / count
    );
    assert!(
        metrics * 100 >= count * 97 && populations * 100 >= with * 97,
        "{metrics} and {populations} of {with}"
    );
    assert!(tables * 100 >= count * 97 && whole * 100 >= count * 95, "{tables} and {whole} of {count}");
}

#[test]
fn a_table_that_leads_from_one_to_another_is_never_missing() {
    let catalogue = catalogue();
    let chosen = BTreeSet::from(["retail_invoice".to_owned(), "far_retail_invoice".to_owned()]);
    let between = bridges(&catalogue, &chosen);
    assert!(between.contains("x_retail_invoice"), "{between:?}");
    for found in questions()
        .iter()
        .step_by(197)
        .map(|asked| Shortlist::of(&catalogue, &FieldValues::default(), &asked.text))
    {
        let has = |name: &String| found.datasets.contains(name);
        for far in found.datasets.iter().filter(|name| name.starts_with("far_")) {
            let near = far.trim_start_matches("far_").to_owned();
            assert!(
                !has(&near) || has(&format!("x_{near}")),
                "{near} and {far} without what leads between them"
            );
        }
    }
}
