//! Questions made from a catalogue: plain ones, whose right reading is known, and the same in words that nobody knows.

use serde_json::{Map, Value, json};
use tieout_core::{
    catalogue::{Datatype, Measure, Project, Status},
    reading::Request,
};

use crate::Tape;

/// Words that no catalogue knows, for a measure.
const SLANG: [&str; 4] = ["moolah", "zorps", "whatsits", "gubbins"];
/// Words that no catalogue knows, and that ask for nothing.
const NOISE: [&str; 4] = ["pronto", "pals", "yikes", "sarah"];
/// Times that questions say.
const TIMES: [&str; 5] = ["in September 2026", "in August 2026", "in Q3 2026", "in 2025", "in Q2 2025"];

/// What a plain question asks for and is answered with.
#[derive(Clone, Debug)]
pub struct Truth {
    pub request: Request,
    pub figures: Vec<String>,
}

/// A plain question, by its parts.
#[derive(Clone, Debug)]
pub struct Plain {
    measure: (String, String),
    by: Option<(String, String)>,
    condition: Option<(String, String, String, bool)>,
    population: Option<(String, String)>,
    period: Option<&'static str>,
    against: Option<&'static str>,
    share: bool,
    order: Option<(bool, usize)>,
}

/// A question as it is asked, with the reply that reads it rightly.
#[derive(Clone, Debug)]
pub struct Asked {
    pub text: String,
    pub slang: Option<&'static str>,
    pub right: Value,
}

impl Plain {
    pub fn random(tape: &mut Tape, project: &Project) -> Self {
        let catalogue = &project.catalogue;
        let metrics: Vec<_> = catalogue
            .metrics
            .values()
            .filter(|metric| metric.status == Status::Approved)
            .map(|metric| (metric.name.clone(), metric.label.clone()))
            .collect();
        let measure = tape.one(&metrics).clone();
        let sets = datasets(project, &measure.0);
        let near = |dataset: &str| {
            sets.iter().any(|set| {
                set == dataset
                    || catalogue.relationships.values().any(|link| link.from == *set && link.to == dataset)
            })
        };
        let mut fields = Vec::new();
        for dataset in catalogue.datasets.values().filter(|dataset| near(&dataset.name)) {
            for field in dataset.fields.values() {
                if field.datatype == Datatype::String && field.access == tieout_sql::Access::Open {
                    let values: Vec<_> = field.values.iter().map(|value| value.value.clone()).collect();
                    fields.push((format!("{}.{}", dataset.name, field.name), field.label.clone(), values));
                }
            }
        }
        let valued: Vec<_> = fields.iter().filter(|(.., values)| !values.is_empty()).collect();
        let populations: Vec<_> = catalogue
            .populations
            .values()
            .filter(|population| sets.contains(&population.dataset))
            .map(|population| (population.name.clone(), population.label.clone()))
            .collect();
        let by = (!fields.is_empty() && !tape.once_in(3)).then(|| {
            let (key, label, _) = tape.one(&fields);
            (key.clone(), label.clone())
        });
        let condition = (!valued.is_empty() && tape.once_in(3)).then(|| {
            let (key, label, values) = *tape.one(&valued);
            (key.clone(), label.clone(), tape.one(values).clone(), !tape.once_in(4))
        });
        let population = (!populations.is_empty() && tape.once_in(4)).then(|| tape.one(&populations).clone());
        let period = (!tape.once_in(6)).then(|| *tape.one(&TIMES));
        let against =
            (period.is_some() && tape.once_in(5)).then(|| *tape.one(&TIMES)).filter(|t| Some(*t) != period);
        let share = by.is_some() && against.is_none() && tape.once_in(8);
        let order = (by.is_some() && against.is_none() && !share && tape.once_in(4))
            .then(|| (tape.once_in(2), 1 + tape.below(4)));
        Self { measure, by, condition, population, period, against, share, order }
    }

    pub fn measure_words(&self) -> &str {
        &self.measure.1
    }

    /// The question, its measure in these words.
    pub fn text(&self, measure: &str) -> String {
        let mut text = if self.share { format!("share of {measure}") } else { measure.to_owned() };
        if let Some((_, label)) = &self.population {
            text += &format!(" for {label}");
        }
        if let Some((_, label, value, is)) = &self.condition {
            text += &format!(" where {label} {} \"{value}\"", if *is { "is" } else { "is not" });
        }
        if let Some((_, label)) = &self.by {
            text += &format!(" by {label}");
        }
        if let Some(period) = self.period {
            text += &format!(" {period}");
        }
        if let Some(against) = self.against {
            text += &format!(" compared with {}", against.trim_start_matches("in "));
        }
        if let Some((top, limit)) = self.order {
            text += &format!(", {} {limit} by {measure}", if top { "top" } else { "bottom" });
        }
        text
    }

    /// The right reply, but for its words.
    fn reply(&self) -> Map<String, Value> {
        let mut reply = Map::new();
        let mut put = |key: &str, value: Value| reply.insert(key.to_owned(), value);
        put("ask", json!("figures"));
        put("measures", json!([self.measure.0]));
        put("by", json!(self.by.iter().map(|(key, _)| key).collect::<Vec<_>>()));
        let condition = |(key, _, value, is): &(String, String, String, bool)| json!({ "field": key, "test": if *is { "is" } else { "is_not" }, "values": [value] });
        put("conditions", json!(self.condition.iter().map(condition).collect::<Vec<_>>()));
        if let Some((name, _)) = &self.population {
            put("populations", json!([{ "name": name, "members": "in" }]));
        }
        put("period", json!(if self.period.is_some() { "t1" } else { "all" }));
        if self.against.is_some() {
            put("against", json!("t2"));
        }
        if self.share {
            put("share", json!("of_total"));
        }
        if let Some((top, limit)) = self.order {
            let first = if top { "greatest" } else { "least" };
            put("order", json!({ "by": self.measure.0, "first": first, "limit": limit }));
        }
        reply
    }
}

impl Asked {
    pub fn random(tape: &mut Tape, plain: Plain) -> Self {
        let slang = (!tape.once_in(4)).then(|| *tape.one(&SLANG));
        let noise = (slang.is_none() || tape.once_in(3)).then(|| *tape.one(&NOISE));
        let mut text = plain.text(slang.unwrap_or(plain.measure_words()));
        let mut words = Map::new();
        if let Some(noise) = noise {
            text = format!("{noise} {text}");
            words.insert(noise.to_owned(), json!("irrelevant"));
        }
        if let Some(slang) = slang {
            words.insert(slang.to_owned(), json!(plain.measure.0));
        }
        let mut right = Map::from_iter([("words".to_owned(), Value::Object(words))]);
        right.extend(plain.reply());
        Self { text, slang, right: Value::Object(right) }
    }
}

/// The datasets whose rows a metric reads.
fn datasets(project: &Project, metric: &str) -> Vec<String> {
    let own = match project.catalogue.metrics.get(metric).map(|metric| &metric.measure) {
        Some(Measure::Aggregate(aggregate)) => Some(aggregate.dataset.clone()),
        Some(Measure::Ratio { .. } | Measure::Derived { .. }) | None => None,
    };
    let within = project.catalogue.aggregates_within(metric).map(|(_, aggregate)| aggregate.dataset.clone());
    own.into_iter().chain(within).collect()
}
