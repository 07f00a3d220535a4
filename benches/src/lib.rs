//! A made-up project as large as the product promises to read fast, and questions about it.
//!
//! Everything is worked out from counters, so that two runs measure the same. Deliberately absent: data; a question is
//! read without any.

use std::fmt::Write as _;

use tieout_core::{
    catalogue::{
        Project,
        load::{Problems, SourceText, load},
    },
    ports::FieldValues,
};

/// How many metrics the catalogue has.
pub const METRICS: usize = 200;

/// How many synonyms, all metrics together.
pub const SYNONYMS: usize = 2_000;

/// How many distinct values, all fields together.
pub const VALUES: usize = 100_000;

const DATASETS: usize = 10;
const VALUE_FIELDS: [&str; 4] = ["city", "product", "campaign", "account"];

const PROJECT: &str = "tieout: 1\nname: large\nwarehouse: { engine: duckdb, path: large.duckdb }\n\
    time: { zone: America/New_York, week_start: sunday, fiscal_year_start: february }\n";

/// A project and the values of its fields.
pub struct Large {
    /// Settings and catalogue.
    pub project: Project,
    /// The values.
    pub values: FieldValues,
}

impl Large {
    /// Makes it.
    ///
    /// # Errors
    /// The catalogue's problems, were it not sound.
    pub fn make() -> Result<Self, Problems> {
        let file = |path: &str, text: String| SourceText { path: path.to_owned(), text };
        let loaded = load(&file("tieout.yml", PROJECT.to_owned()), &[file("all.yml", catalogue())])?;
        Ok(Self { project: loaded.project, values: values() })
    }
}

/// A word that nobody knows, another for every number: `belo`, `dorak`.
fn word(mut number: usize) -> String {
    const FIRST: [&str; 16] =
        ["b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "tr"];
    const SECOND: [&str; 8] = ["a", "e", "i", "o", "u", "au", "ei", "oa"];
    let mut word = String::new();
    for _ in 0..3 {
        word.push_str(FIRST.get(number % FIRST.len()).unwrap_or(&""));
        number /= FIRST.len();
        word.push_str(SECOND.get(number % SECOND.len()).unwrap_or(&""));
        number /= SECOND.len();
    }
    word.push('x');
    word
}

/// A metric's synonym: two words, the second a usual one.
#[must_use]
pub fn synonym(number: usize) -> String {
    const USUAL: [&str; 5] = ["cost", "income", "margin", "charge", "spend"];
    format!("{} {}", word(number * 7 + 11), USUAL.get(number % USUAL.len()).unwrap_or(&"cost"))
}

/// A stored value.
fn value(number: usize) -> String {
    let capital = |word: String| {
        let mut letters = word.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    format!("{} {}", capital(word(number * 3 + 5)), capital(word(number / 5 + 40_000)))
}

fn catalogue() -> String {
    let mut text = String::from("datasets:\n");
    for d in 0..DATASETS {
        let _ = writeln!(text, "  - name: facts_{d}\n    primary_key: [id]\n    time: day\n    fields:");
        let _ = writeln!(text, "      - {{ name: id, datatype: integer }}");
        let _ = writeln!(text, "      - {{ name: day, datatype: date }}");
        let _ = writeln!(text, "      - {{ name: customer_id, datatype: integer }}");
        let _ = writeln!(text, "      - {{ name: amount_{d}, datatype: decimal }}");
        let _ =
            writeln!(text, "      - {{ name: channel, datatype: string, values: [direct, partner, shop] }}");
        if d < 6 {
            let field = VALUE_FIELDS.get(d % VALUE_FIELDS.len()).unwrap_or(&"city");
            let _ = writeln!(text, "      - {{ name: {field}, datatype: string }}");
        }
    }
    text.push_str("  - name: customers\n    primary_key: [id]\n    display: customer_name\n    fields:\n");
    text.push_str("      - { name: id, datatype: integer }\n      - { name: region, datatype: string }\n");
    text.push_str("      - { name: customer_name, datatype: string }\n");
    text.push_str("relationships:\n");
    for d in 0..DATASETS {
        let _ = writeln!(
            text,
            "  - {{ name: facts_{d}_customer, from: facts_{d}, to: customers, from_columns: [customer_id], to_columns: [id] }}"
        );
    }
    text.push_str("metrics:\n");
    for m in 0..METRICS {
        let each = SYNONYMS / METRICS;
        let names: Vec<String> = (0..each).map(|i| synonym(m * each + i)).collect();
        let _ = writeln!(
            text,
            "  - {{ name: metric_{m}, owner: bench, description: made up, dataset: facts_{d}, kind: sum, of: amount_{d}, \
             unit: {{ currency: USD, scale: 2 }}, synonyms: [{}] }}",
            names.join(", "),
            d = m % DATASETS,
        );
    }
    text
}

fn values() -> FieldValues {
    let mut fields: Vec<(String, String)> = (0..6)
        .map(|d| {
            (format!("facts_{d}"), VALUE_FIELDS.get(d % VALUE_FIELDS.len()).unwrap_or(&"city").to_string())
        })
        .collect();
    fields.push(("customers".to_owned(), "customer_name".to_owned()));
    fields.push(("customers".to_owned(), "region".to_owned()));
    let count = fields.len();
    let each = VALUES / count;
    let mut made = Vec::with_capacity(count);
    for (index, (dataset, field)) in fields.into_iter().enumerate() {
        let mut values: Vec<String> = (0..each).map(|i| value(index * each + i)).collect();
        values.sort();
        made.push((dataset, field, values));
    }
    FieldValues { fields: made }
}

/// Numbers that look like chance and are the same in every run.
struct Dice(u64);

impl Dice {
    fn throw(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % sides.max(1)
    }
}

/// Questions of every shape that the reader knows, and some that must be declined: unknown words, near misses, values
/// that do not exist.
#[must_use]
pub fn questions(count: usize) -> Vec<String> {
    const WHEN: [&str; 8] = [
        "in September 2026",
        "last month",
        "in the last 30 days",
        "between 2026-03-01 and 2026-05-31",
        "year to date",
        "in fiscal Q1 2026",
        "since March, in New York time",
        "from August to September 2026",
    ];
    let mut dice = Dice(2_026);
    (0..count)
        .map(|i| {
            let (a, b) = (synonym(dice.throw(SYNONYMS)), synonym(dice.throw(SYNONYMS)));
            let (v, w) = (value(dice.throw(VALUES)), value(dice.throw(VALUES)));
            let when = WHEN.get(dice.throw(WHEN.len())).unwrap_or(&"last month");
            match i % 12 {
                0 => format!("What was the {a} {when}?"),
                1 => format!("{a} by channel and month {when}"),
                2 => {
                    format!("Could you please show me {a} and {b} by region {when}, I need it for the board")
                }
                3 => format!("{a} for {v} {when}"),
                4 => format!("compare {a} in September 2026 with August by channel"),
                5 => format!("top 5 customers by {a} {when} excluding {v}"),
                6 => format!("which channel had the highest {a} {when}"),
                7 => format!("{a} in {v} or {w} {when} by region with {a} over 1,000"),
                8 => format!("what share of {a} came from {v} {when}"),
                9 => format!("month over month growth of {a} for {v}"),
                10 => format!("{}q by chanel for {}zz {when}", a, v.to_lowercase()),
                _ => format!("how many customers in {v} had {a} above 100 {when} and what is unheardof"),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn it_is_as_large_as_promised() {
        let large = Large::make().unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(large.project.catalogue.metrics.len(), METRICS);
        let synonyms: HashSet<String> = (0..SYNONYMS).map(synonym).collect();
        assert_eq!(synonyms.len(), SYNONYMS);
        let values: usize = large.values.fields.iter().map(|(_, _, values)| values.len()).sum();
        assert_eq!(values, VALUES);
    }
}
