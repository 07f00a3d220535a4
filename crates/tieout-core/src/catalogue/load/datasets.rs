//! Datasets: what they are read from, their keys and their time.
//!
//! Deliberately absent: their fields one by one, which `fields` reads, and what other entries want of them.

use std::collections::HashSet;

use indexmap::IndexMap;

use super::{
    Context, codes,
    expressions::{Gives, Runs, expression},
    fields,
    node::{Node, Word},
    problem::Report,
    scalars, spoken,
};
use crate::catalogue::{Dataset, Freshness, WarehouseSettings};

/// Every dataset that has a name, by it.
pub(super) fn read(
    context: &Context<'_>,
    warehouse: &WarehouseSettings,
    report: &mut Report<'_>,
) -> IndexMap<String, Dataset> {
    let linked = linked_fields(context);
    context
        .entries
        .datasets
        .iter()
        .map(|(name, node)| (name.clone(), dataset(name, node, context, (warehouse, &linked), report)))
        .collect()
}

/// The fields that relationships run along, as dataset and field.
fn linked_fields<'n>(context: &Context<'n>) -> HashSet<(&'n str, &'n str)> {
    let mut linked = HashSet::new();
    for node in context.entries.relationships.values() {
        for (side, columns) in [("from", "from_columns"), ("to", "to_columns")] {
            let Some(dataset) = node.word_of(side) else { continue };
            linked.extend(node.words_of(columns).into_iter().map(|column| (dataset.text, column.text)));
        }
    }
    linked
}

fn dataset(
    name: &str,
    node: &Node,
    context: &Context<'_>,
    (warehouse, linked): (&WarehouseSettings, &HashSet<(&str, &str)>),
    report: &mut Report<'_>,
) -> Dataset {
    let primary_key = node.texts_of("primary_key");
    let unique_keys: Vec<Vec<String>> = node
        .items_of("unique_keys")
        .iter()
        .map(|key| words(key).into_iter().map(Word::owned).collect())
        .collect();
    let in_key = |field: &str| {
        primary_key.iter().any(|one| one == field)
            || unique_keys.iter().flatten().any(|one| one == field)
            || linked.contains(&(name, field))
    };
    let mut dataset = Dataset {
        name: name.to_owned(),
        source: node.text_of("source").unwrap_or_else(|| name.to_owned()),
        label: node.text_of("label").unwrap_or_else(|| spoken(name)),
        synonyms: node.texts_of("synonyms"),
        description: node.text_of("description"),
        fields: fields::read(node, &primary_key, &in_key, report),
        primary_key,
        unique_keys,
        tenant: node.text_of("tenant"),
        time: node.text_of("time"),
        freshness: node.get("freshness").map(freshness),
        filter: None,
        display: node.text_of("display"),
    };
    check_source(node, &dataset, warehouse, report);
    check_keys(node, &dataset, report);
    check_named_fields(node, &dataset, report);
    fields::read_expressions(node, &mut dataset, context.dialect, report);
    let wanted = (Runs::InSource, Gives::Condition);
    dataset.filter = expression(node, "where", &dataset, context.dialect, wanted, report);
    dataset
}

fn freshness(node: &Node) -> Freshness {
    let lag_ms = node.word_of("max_lag").and_then(|word| scalars::duration_ms(word.text));
    Freshness {
        column: node.text_of("column"),
        max_lag_s: lag_ms.and_then(|ms| i64::try_from(ms / 1_000).ok()),
        history_start: node.word_of("history_start").and_then(|word| scalars::date(word.text)),
    }
}

fn words(list: &Node) -> Vec<Word<'_>> {
    list.items().iter().filter_map(Node::word).collect()
}

fn check_source(node: &Node, dataset: &Dataset, warehouse: &WarehouseSettings, report: &mut Report<'_>) {
    let at = node.get("source").map_or_else(|| node.at_of("name"), |source| source.at);
    let source = &dataset.source;
    if warehouse.path.is_some() || warehouse.url_env.is_some() {
        if source.split('.').any(|part| part.trim().is_empty()) || source.split('.').count() > 3 {
            let message = format!("`{source}` does not name a table");
            report.error(
                codes::BAD_VALUE,
                at,
                message,
                "write a table's name, perhaps after its schema's: `sales.orders`",
            );
        }
        return;
    }
    if !warehouse.files.is_empty() && !warehouse.files.contains_key(source) {
        let message =
            format!("`{}` is read from `{source}`, which is not among the warehouse's files", dataset.name);
        let files = warehouse.files.keys().map(String::as_str);
        report.unknown(codes::UNKNOWN_SOURCE, Word { text: source, at }, message, files);
    }
}

fn check_keys(node: &Node, dataset: &Dataset, report: &mut Report<'_>) {
    let mut keys = vec![node.words_of("primary_key")];
    keys.extend(node.items_of("unique_keys").iter().map(words));
    for key in keys {
        let mut seen: HashSet<&str> = HashSet::new();
        for word in key {
            check_field(word, dataset, report);
            if !seen.insert(word.text) {
                report.error(
                    codes::REPEATED,
                    word.at,
                    format!("`{}` is listed twice", word.text),
                    "keep one of them",
                );
            }
        }
    }
}

/// Notes a field that the dataset does not have; says whether it has it.
pub(super) fn check_field(word: Word<'_>, dataset: &Dataset, report: &mut Report<'_>) -> bool {
    let known = dataset.fields.contains_key(word.text);
    if !known {
        let message = format!("`{}` has no field `{}`", dataset.name, word.text);
        report.unknown(codes::UNKNOWN_FIELD, word, message, dataset.fields.keys().map(String::as_str));
    }
    known
}

fn check_named_fields(node: &Node, dataset: &Dataset, report: &mut Report<'_>) {
    if let Some(time) = node.word_of("time") {
        check_time(time, dataset, report);
    }
    if let Some(column) = node.get("freshness").and_then(|freshness| freshness.word_of("column")) {
        check_time(column, dataset, report);
    }
    let Some(display) = node.word_of("display") else { return };
    if check_field(display, dataset, report) && is_hidden(dataset, display.text) {
        let message = format!("`{}` is hidden, so it cannot name a row to a person", display.text);
        report.error(codes::HIDDEN_FIELD, display.at, message, "choose a field that is open");
    }
}

/// Whether nobody may see a field.
pub(super) fn is_hidden(dataset: &Dataset, field: &str) -> bool {
    dataset.fields.get(field).is_some_and(|field| field.access == tieout_sql::Access::Hidden)
}

/// Holds a field that should say when.
pub(super) fn check_time(word: Word<'_>, dataset: &Dataset, report: &mut Report<'_>) {
    if !check_field(word, dataset, report) {
        return;
    }
    let Some(field) = dataset.fields.get(word.text) else { return };
    if !field.datatype.says_when() {
        let message =
            format!("`{}` is of type {}, so it does not say when", word.text, field.datatype.name());
        report.error(
            codes::WRONG_TYPE,
            word.at,
            message,
            "choose a field of type date, timestamp or instant",
        );
    }
    if is_hidden(dataset, word.text) {
        let message = format!("`{}` is hidden, so no query may use it", word.text);
        report.error(codes::HIDDEN_FIELD, word.at, message, "make the field `sensitive`, or choose another");
    }
}
