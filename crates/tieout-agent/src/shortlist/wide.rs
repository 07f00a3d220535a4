//! A made-up catalogue of three thousand entries, and questions to it, for tests and for the measure of recall.
//!
//! Its names are made of the same few words in every combination, as those of a real one are: what is looked for differs
//! from its neighbours by one word. Everything is worked out from counters, so that two runs measure the same.

use std::fmt::Write as _;

use tieout_core::catalogue::{
    Catalogue,
    load::{SourceText, load},
};

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
pub fn datasets() -> impl Iterator<Item = (String, &'static str, &'static str)> {
    SUBJECTS.into_iter().flat_map(|subject| KINDS.map(|kind| (format!("{kind}_{subject}"), kind, subject)))
}

/// Forty facts, each with a dimension that only a table without words of its own leads to.
pub fn catalogue() -> Catalogue {
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
    loaded(&text)
}

/// A catalogue from its text.
pub fn loaded(text: &str) -> Catalogue {
    let project = "tieout: 1\nname: wide\nwarehouse: { engine: duckdb, path: wide.duckdb }\n";
    let file = |path: &str, text: &str| SourceText { path: path.to_owned(), text: text.to_owned() };
    match load(&file("tieout.yml", project), &[file("all.yml", text)]) {
        Ok(loaded) => loaded.project.catalogue,
        Err(problems) => panic!("{problems}"),
    }
}

/// A question, and what it needs.
pub struct Asked {
    /// As asked.
    pub text: String,
    /// The metric.
    pub metric: String,
    /// The population, where one is named.
    pub population: Option<String>,
    /// Every table, those that only lead to another included.
    pub datasets: Vec<String>,
}

/// Questions about every metric: by its own words, by its other words, in another order; with a field at the far end or a
/// population beside it.
pub fn questions() -> Vec<Asked> {
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

/// For each word of the catalogue, other words that people have for the same thing.
const OTHERWISE: [(&str, [&str; 2]); 53] = [
    ("invoice", ["bill", "billing statement"]),
    ("parcel", ["package", "postal package"]),
    ("visit", ["appointment", "call-in"]),
    ("contract", ["agreement", "signed deal"]),
    ("machine", ["equipment", "industrial equipment"]),
    ("vehicle", ["car", "lorry"]),
    ("supplier", ["vendor", "provider"]),
    ("store", ["shop", "boutique"]),
    ("warehouse", ["depot", "storage building"]),
    ("delivery", ["shipment", "drop-off"]),
    ("claim", ["compensation request", "insurance payout request"]),
    ("policy", ["insurance cover", "coverage plan"]),
    ("booking", ["reservation", "reserved slot"]),
    ("lesson", ["class", "tutoring session"]),
    ("patient", ["sick person", "hospital case"]),
    ("meter", ["gauge", "electricity counter"]),
    ("advert", ["commercial", "marketing campaign"]),
    ("donation", ["charity gift", "charitable contribution"]),
    ("repair", ["fix", "maintenance job"]),
    ("audit", ["inspection", "compliance review"]),
    ("retail", ["consumer", "shopper"]),
    ("wholesale", ["bulk", "trade"]),
    ("net", ["after-deduction", "take-home"]),
    ("late", ["overdue", "delayed"]),
    ("expected", ["forecast", "anticipated"]),
    ("disputed", ["contested", "challenged"]),
    ("first", ["initial", "opening"]),
    ("value", ["monetary amount", "price"]),
    ("cost", ["spending", "outlay"]),
    ("weight", ["kilograms", "mass"]),
    ("duration", ["length in hours", "elapsed hours"]),
    ("discount", ["rebate", "price cut"]),
    ("tax", ["levy", "VAT"]),
    ("deposit", ["down payment", "upfront money"]),
    ("penalty", ["sanction", "punishment charge"]),
    ("colour", ["paint shade", "hue"]),
    ("grade", ["quality class", "mark"]),
    ("season", ["quarter like winter", "summer versus winter"]),
    ("origin", ["provenance", "where it came from"]),
    ("language", ["tongue spoken", "English versus French"]),
    ("shift", ["working turn", "night turn"]),
    ("priority", ["importance", "urgency ranking"]),
    ("method", ["technique", "way it was done"]),
    ("size", ["dimensions", "small versus large"]),
    ("brand", ["make", "trademark"]),
    ("route", ["road taken", "path travelled"]),
    ("stage", ["phase", "step reached"]),
    ("rating", ["stars", "score given"]),
    ("format", ["layout", "file type"]),
    ("currency", ["dollars versus euros", "legal tender"]),
    ("gender", ["men versus women", "sex"]),
    ("material", ["wood versus steel", "fabric"]),
    ("voltage", ["volts", "electric tension"]),
];

/// The same for the words of populations.
const STATES_OTHERWISE: [(&str, [&str; 2]); 10] = [
    ("closed", ["finished", "wound up"]),
    ("pending", ["undecided", "outstanding"]),
    ("urgent", ["pressing", "emergency"]),
    ("archived", ["filed away", "historic"]),
    ("rejected", ["turned down", "refused"]),
    ("imported", ["from abroad", "brought in from overseas"]),
    ("verified", ["checked", "confirmed"]),
    ("shared", ["joint", "common to several"]),
    ("insured", ["covered against loss", "protected by underwriters"]),
    ("leased", ["rented", "hired"]),
];

/// Another word for a word of the catalogue.
fn otherwise(word: &str, which: usize) -> &'static str {
    let mut all = OTHERWISE.iter().chain(&STATES_OTHERWISE);
    all.find(|(known, _)| *known == word).map_or("", |(_, others)| others[which % 2])
}

/// How much of a question is in words of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// What it is about; the rest is in other words.
    Half,
    /// Nothing.
    None,
}

/// Questions that [`questions`] asks too, in words that the entries they mean do not have.
pub fn paraphrases(wording: Wording) -> Vec<Asked> {
    let mut all = Vec::new();
    for (name, kind, subject) in datasets() {
        for (noun, _) in NOUNS {
            for what in TRAITS {
                let at = all.len();
                // Different multiples, so that no word goes with always the same other one.
                let said = |word: &'static str, times: usize| otherwise(word, at / times);
                let (about, whose) = match wording {
                    Wording::Half => (subject, kind),
                    Wording::None => (said(subject, 1), said(kind, 2)),
                };
                let (trait_said, noun_said) = (said(what, 3), said(noun, 5));
                let words = match at % 3 {
                    0 => format!("give me {trait_said} {noun_said} per {whose} {about}"),
                    1 => format!("{whose} {about}: {trait_said} {noun_said}"),
                    _ => format!("how big was {trait_said} {noun_said} with {whose} {about}"),
                };
                let (text, population, far) = match at % 3 {
                    0 => (format!("{words}, split according to {}", said(FIELDS[at % 18], 7)), None, true),
                    1 => {
                        let state = STATES[at % 10];
                        (format!("{words}, just {}", said(state, 7)), Some(format!("{state}_{name}")), false)
                    }
                    _ => (words, None, false),
                };
                let mut needed = vec![name.clone()];
                if far {
                    needed.extend([format!("x_{name}"), format!("far_{name}")]);
                }
                let metric = format!("{what}_{noun}_{name}");
                all.push(Asked { text, metric, population, datasets: needed });
            }
        }
    }
    all
}

/// How much of what questions need was listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recall {
    /// How many questions.
    pub asked: usize,
    /// In how many the metric.
    pub metrics: usize,
    /// How many name a population.
    pub with_population: usize,
    /// In how many of them it.
    pub populations: usize,
    /// In how many every table.
    pub tables: usize,
    /// In how many all of it.
    pub whole: usize,
    /// How many entries, all questions together.
    pub listed: usize,
}

impl Recall {
    /// Counts one question, given the names that were listed.
    pub fn count(&mut self, asked: &Asked, metrics: &[String], populations: &[String], datasets: &[String]) {
        let metric = metrics.contains(&asked.metric);
        let population = asked.population.as_ref().is_none_or(|name| populations.contains(name));
        let tables = asked.datasets.iter().all(|name| datasets.contains(name));
        self.asked += 1;
        self.metrics += usize::from(metric);
        self.with_population += usize::from(asked.population.is_some());
        self.populations += usize::from(population && asked.population.is_some());
        self.tables += usize::from(tables);
        self.whole += usize::from(metric && population && tables);
        self.listed += metrics.len() + populations.len() + datasets.len();
    }
}
