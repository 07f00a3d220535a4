//! What the model says: the right reply, one that is near it, any other of the same shape, or no such thing at all.

use serde_json::{Value, json};
use tieout_core::{
    catalogue::Project,
    model::{BadReply, ModelFaultKind},
};
use tieout_model::{said::Ending, scripted::Says};

use crate::{Tape, questions::Asked};

pub fn random(tape: &mut Tape, asked: &Asked, project: &Project) -> Says {
    let mut reply = asked.right.clone();
    match tape.below(12) {
        // The right one, often enough that something is offered.
        0 => {}
        1..=5 => change(tape, &mut reply, project),
        6..=7 => (0..3).for_each(|_| change(tape, &mut reply, project)),
        8..=9 => reply = anything(tape, &reply, project),
        _ => return malformed(tape, &reply.to_string()),
    }
    Says::reply(reply.to_string())
}

/// Any field, measure, population, dataset and word of the catalogue, and some that are none of its.
struct Names {
    measures: Vec<String>,
    fields: Vec<String>,
    populations: Vec<String>,
    datasets: Vec<String>,
    values: Vec<String>,
}

impl Names {
    fn of(project: &Project) -> Self {
        let catalogue = &project.catalogue;
        let mut names = Self {
            measures: catalogue.metrics.keys().cloned().collect(),
            fields: vec!["orders.tenant_id".to_owned(), "nothing.at_all".to_owned()],
            populations: catalogue.populations.keys().cloned().collect(),
            datasets: catalogue.datasets.keys().cloned().collect(),
            values: ["beta", "zzz", "", "1", "-5", "' or 1=1 --", "x\" or y is \"z", "2026-01-01"]
                .map(str::to_owned)
                .to_vec(),
        };
        for dataset in catalogue.datasets.values() {
            names.measures.push(format!("count {}", dataset.name));
            for field in dataset.fields.values() {
                names.fields.push(format!("{}.{}", dataset.name, field.name));
                names.measures.push(format!("average {}.{}", dataset.name, field.name));
                names.values.extend(field.values.iter().map(|value| value.value.clone()));
            }
        }
        names
    }

    fn condition(&self, tape: &mut Tape) -> Value {
        const TESTS: [&str; 8] =
            ["is", "is_not", "above", "at_least", "below", "at_most", "missing", "present"];
        let values: Vec<_> = (0..tape.below(3)).map(|_| tape.one(&self.values)).collect();
        json!({ "field": tape.one(&self.fields), "test": tape.one(&TESTS), "values": values })
    }

    fn order(&self, tape: &mut Tape) -> Value {
        let by = if tape.once_in(3) { tape.one(&self.fields) } else { tape.one(&self.measures) };
        json!({ "by": by, "first": tape.one(&["greatest", "least"]), "limit": 1 + tape.below(5) })
    }
}

const TIMES: [&str; 5] = ["t1", "t2", "t3", "all", "none"];
const GRAINS: [&str; 4] = ["month", "quarter", "year", "week"];
const PARTS: [&str; 6] = ["irrelevant", "order", "compare", "share", "negation", "condition"];

/// Drops, changes or adds one part.
fn change(tape: &mut Tape, reply: &mut Value, project: &Project) {
    let names = Names::of(project);
    match tape.below(18) {
        0 => reply["measures"] = json!([tape.one(&names.measures)]),
        1 => reply["measures"] = json!([reply["measures"][0], tape.one(&names.measures)]),
        2 => reply["by"] = json!([]),
        3 => reply["by"] = json!([tape.one(&names.fields)]),
        4 => reply["by"] = json!([tape.one(&GRAINS)]),
        5 => push(&mut reply["by"], json!(tape.one(&names.fields))),
        6 => reply["conditions"] = json!([]),
        7 => push(&mut reply["conditions"], names.condition(tape)),
        8 => {
            if let Some(first) = reply["conditions"].get_mut(0) {
                turned(tape, first, &names);
            }
        }
        9 => reply["period"] = json!(tape.one(&TIMES)),
        10 => reply["against"] = json!(tape.one(&TIMES)),
        11 => {
            let swapped = (reply["against"].clone(), reply["period"].clone());
            (reply["period"], reply["against"]) = swapped;
        }
        12 => reply["share"] = json!(tape.one(&["none", "of_total"])),
        13 => reply["order"] = if tape.once_in(3) { Value::Null } else { names.order(tape) },
        14 if !names.populations.is_empty() => {
            let members = tape.one(&["in", "out"]);
            reply["populations"] = json!([{ "name": tape.one(&names.populations), "members": members }]);
        }
        15 => {
            let rows = tape.one(&["some", "none"]);
            reply["related"] = json!([{ "dataset": tape.one(&names.datasets), "rows": rows }]);
        }
        16 => reply["populations"] = json!([]),
        _ => word(tape, reply, &names),
    }
}

/// A condition that says something else.
fn turned(tape: &mut Tape, condition: &mut Value, names: &Names) {
    match tape.below(4) {
        0 => condition["test"] = json!(if condition["test"] == "is" { "is_not" } else { "is" }),
        1 => condition["values"] = json!([tape.one(&names.values)]),
        2 => condition["field"] = json!(tape.one(&names.fields)),
        _ => condition["values"] = json!([condition["values"][0], tape.one(&names.values)]),
    }
}

/// A word that is said to stand for something else.
fn word(tape: &mut Tape, reply: &mut Value, names: &Names) {
    let Some(words) = reply["words"].as_object_mut() else { return };
    let keys: Vec<String> = words.keys().cloned().collect();
    if keys.is_empty() {
        return;
    }
    let part = match tape.below(4) {
        0 => tape.one(&names.measures).clone(),
        1 => tape.one(&names.fields).clone(),
        2 => tape.one(&names.datasets).clone(),
        _ => (*tape.one(&PARTS)).to_owned(),
    };
    words.insert(tape.one(&keys).clone(), json!(part));
}

fn push(list: &mut Value, value: Value) {
    if let Some(list) = list.as_array_mut() {
        list.push(value);
    }
}

/// A request of any kind, with the words that it must have.
fn anything(tape: &mut Tape, right: &Value, project: &Project) -> Value {
    let names = Names::of(project);
    let mut reply = json!({
        "words": right["words"], "ask": tape.one(&["figures", "figures", "rows", "nothing"]),
        "measures": [], "by": [], "conditions": [], "period": tape.one(&TIMES),
    });
    if reply["ask"] == "rows" {
        reply["rows_of"] = json!(tape.one(&names.datasets));
        if tape.once_in(2) {
            reply["columns"] = json!([tape.one(&names.fields)]);
        }
    } else {
        reply["measures"] = json!([tape.one(&names.measures)]);
    }
    for _ in 0..tape.below(4) {
        change(tape, &mut reply, project);
    }
    for _ in 0..tape.below(3) {
        word(tape, &mut reply, &names);
    }
    reply
}

/// What is no reply, or no reply alone.
fn malformed(tape: &mut Tape, right: &str) -> Says {
    let ended = |text: &str, ending| Says::Reply { text: text.to_owned(), ending };
    match tape.below(16) {
        0 => Says::reply(""),
        1 => Says::reply(&right[..right.len() / 2]),
        2 => Says::reply(format!("Here it is:\n{right}")),
        3 => Says::reply(format!("{right}\n{right}")),
        4 => Says::reply(format!("{}, \"period\": \"all\"}}", &right[..right.len() - 1])),
        5 => Says::reply("[".repeat(20_000)),
        6 => Says::reply(format!("\"{}\"", "x".repeat(300_000))),
        7 => Says::reply("I'm sorry, I can't help with that."),
        8 => Says::reply("{\"sql\": \"select * from ledger\"}"),
        9 => Says::reply(right.replacen('{', "{\"tenant\": \"beta\", ", 1)),
        10 => ended(right, Ending::Cut),
        11 => ended(right, Ending::NoCall),
        12 => ended("no", Ending::Declined),
        13 => Says::reply(format!("```json\n{right}\n```")),
        14 => Says::Fault(ModelFaultKind::BadReply(BadReply::NotUtf8)),
        _ => Says::Fault(ModelFaultKind::RateLimited { retry_after: None }),
    }
}
