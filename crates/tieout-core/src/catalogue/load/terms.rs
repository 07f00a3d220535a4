//! Terms: words that mean one of several things, or nothing here.
//!
//! Deliberately absent: which words other entries claim.

use indexmap::IndexMap;

use super::{Context, codes, node::Word, problem::Report};
use crate::catalogue::{Catalogue, Term, TermMeaning};

/// Every term, by its words.
pub(super) fn read(
    context: &Context<'_>,
    catalogue: &Catalogue,
    report: &mut Report<'_>,
) -> IndexMap<String, Term> {
    let mut terms = IndexMap::new();
    for (name, node) in &context.entries.terms {
        let readings = node.words_of("readings");
        for (index, reading) in readings.iter().enumerate() {
            if readings.iter().take(index).any(|before| before.text == reading.text) {
                report.error(
                    codes::REPEATED,
                    reading.at,
                    format!("`{}` is listed twice", reading.text),
                    "keep one of them",
                );
            }
            check_reading(*reading, context, catalogue, report);
        }
        let meaning = match (node.text_of("absent"), node.get("readings")) {
            (Some(why), None) => TermMeaning::Absent(why),
            (None, Some(_)) => {
                TermMeaning::Ambiguous(readings.iter().map(|reading| reading.owned()).collect())
            }
            (Some(_), Some(list)) => {
                let message = format!("`{name}` both means something and is absent");
                report.error(codes::BAD_VALUE, list.at, message, "keep one of `readings` and `absent`");
                continue;
            }
            (None, None) => {
                let message = format!("`{name}` has neither `readings` nor `absent`");
                report.error(
                    codes::MISSING_KEY,
                    node.at,
                    message,
                    "say what it may mean, or why it means nothing here",
                );
                continue;
            }
        };
        if matches!(&meaning, TermMeaning::Ambiguous(list) if list.is_empty()) {
            let message = format!("`{name}` has no reading");
            report.error(
                codes::BAD_VALUE,
                node.at_of("readings"),
                message,
                "list what it may mean, or write `absent`",
            );
        }
        terms.insert(name.clone(), Term { term: name.clone(), meaning });
    }
    terms
}

fn check_reading(reading: Word<'_>, context: &Context<'_>, catalogue: &Catalogue, report: &mut Report<'_>) {
    let known = match reading.text.split_once('.') {
        Some((dataset, field)) => {
            catalogue.datasets.get(dataset).is_some_and(|dataset| dataset.fields.contains_key(field))
        }
        None => {
            context.entries.metrics.contains_key(reading.text)
                || catalogue.populations.contains_key(reading.text)
        }
    };
    if known || report.full() {
        return;
    }
    let fields = catalogue
        .datasets
        .values()
        .flat_map(|dataset| dataset.fields.keys().map(move |field| format!("{}.{field}", dataset.name)));
    let names: Vec<String> =
        context.entries.metrics.keys().chain(catalogue.populations.keys()).cloned().chain(fields).collect();
    let message = format!("there is no metric, population or field `{}`", reading.text);
    report.unknown(codes::UNKNOWN_READING, reading, message, names.iter().map(String::as_str));
}
