//! Relationships: both sides exist, and the one side is reached by a whole key of the same types.
//!
//! Deliberately absent: the paths that relationships make together, which the graph finds.

use indexmap::IndexMap;
use tieout_sql::{Access, SqlType};

use super::{
    Context, codes, datasets, near,
    node::{Node, Word},
    problem::Report,
};
use crate::catalogue::{Dataset, Relationship};

/// Every relationship that has a name, by it.
pub(super) fn read(
    context: &Context<'_>,
    datasets: &IndexMap<String, Dataset>,
    report: &mut Report<'_>,
) -> IndexMap<String, Relationship> {
    let mut relationships = IndexMap::new();
    for (name, node) in &context.entries.relationships {
        check(node, datasets, report);
        let relationship = Relationship {
            name: name.clone(),
            from: node.text_of("from").unwrap_or_default(),
            to: node.text_of("to").unwrap_or_default(),
            from_columns: node.texts_of("from_columns"),
            to_columns: node.texts_of("to_columns"),
            required: node.flag_of("required").unwrap_or(false),
            synonyms: node.texts_of("synonyms"),
        };
        relationships.insert(name.clone(), relationship);
    }
    relationships
}

/// The dataset of a name, or none with a problem noted.
pub(super) fn dataset<'d>(
    word: Word<'_>,
    datasets: &'d IndexMap<String, Dataset>,
    report: &mut Report<'_>,
) -> Option<&'d Dataset> {
    let found = datasets.get(word.text);
    if found.is_none() {
        let message = format!("there is no dataset `{}`", word.text);
        report.unknown(codes::UNKNOWN_DATASET, word, message, datasets.keys().map(String::as_str));
    }
    found
}

fn check(node: &Node, datasets: &IndexMap<String, Dataset>, report: &mut Report<'_>) {
    let side = |key: &str, report: &mut Report<'_>| dataset(node.word_of(key)?, datasets, report);
    let (from, to) = (side("from", report), side("to", report));
    let (from_columns, to_columns) = (node.words_of("from_columns"), node.words_of("to_columns"));
    let known_from = from.is_some_and(|from| check_columns(&from_columns, from, report));
    let known_to = to.is_some_and(|to| check_columns(&to_columns, to, report));
    if from_columns.len() != to_columns.len() {
        let message = format!("{} columns are paired with {}", from_columns.len(), to_columns.len());
        let hint = "list the columns of both sides in the same order, one for one";
        report.error(codes::KEY_LENGTH, node.at_of("to_columns"), message, hint);
        return;
    }
    if let (Some(to), true) = (to, known_to) {
        check_key(node, &to_columns, to, report);
    }
    if let (Some(from), Some(to), true, true) = (from, to, known_from, known_to) {
        check_types((from, &from_columns), (to, &to_columns), report);
    }
}

fn check_columns(columns: &[Word<'_>], dataset: &Dataset, report: &mut Report<'_>) -> bool {
    let mut all = !columns.is_empty();
    for column in columns {
        let known = datasets::check_field(*column, dataset, report);
        all &= known;
        if dataset.fields.get(column.text).is_some_and(|field| field.access == Access::Hidden) {
            let message = format!("`{}` is hidden, so no query can join along it", column.text);
            report.error(codes::HIDDEN_FIELD, column.at, message, "make the field `sensitive`");
        }
    }
    all
}

/// The one side must be reached by one of its keys, whole: else a row would be joined to several.
fn check_key(node: &Node, columns: &[Word<'_>], to: &Dataset, report: &mut Report<'_>) {
    let keys: Vec<&Vec<String>> =
        std::iter::once(&to.primary_key).chain(&to.unique_keys).filter(|key| !key.is_empty()).collect();
    let names = |key: &[String]| columns.iter().all(|column| key.iter().any(|one| one == column.text));
    if keys.iter().any(|key| key.len() == columns.len() && names(key)) {
        return;
    }
    let at = node.at_of("to_columns");
    let listed = columns.iter().map(|column| column.text).collect::<Vec<_>>();
    if let Some(key) = keys.iter().find(|key| names(key)) {
        let message = format!("{} is only a part of a key of `{}`", near::quoted(&listed, ", "), to.name);
        let whole: Vec<&str> = key.iter().map(String::as_str).collect();
        report.error(codes::PARTIAL_KEY, at, message, format!("pair all of {}", near::quoted(&whole, ", ")));
        return;
    }
    let message = format!("{} is not a key of `{}`", near::quoted(&listed, ", "), to.name);
    let hint = match keys.first() {
        Some(key) => {
            let whole: Vec<&str> = key.iter().map(String::as_str).collect();
            format!("lead to {}, or state a unique key", near::quoted(&whole, ", "))
        }
        None => format!("state the primary_key of `{}`", to.name),
    };
    report.error(codes::NOT_A_KEY, at, message, hint);
}

fn check_types(
    (from, from_columns): (&Dataset, &[Word<'_>]),
    (to, to_columns): (&Dataset, &[Word<'_>]),
    report: &mut Report<'_>,
) {
    for (a, b) in from_columns.iter().zip(to_columns) {
        let (Some(left), Some(right)) = (from.fields.get(a.text), to.fields.get(b.text)) else { continue };
        if !comparable(left.datatype.sql(), right.datatype.sql()) {
            let message = format!(
                "`{}.{}` is of type {}, but `{}.{}` is of type {}",
                from.name,
                a.text,
                left.datatype.name(),
                to.name,
                b.text,
                right.datatype.name()
            );
            report.error(
                codes::KEY_TYPE,
                a.at,
                message,
                "give both fields the same datatype, cast in the source if need be",
            );
        }
    }
}

/// Whether keys of two types can be equal without a conversion that might lose something.
fn comparable(a: SqlType, b: SqlType) -> bool {
    let exact = |ty| matches!(ty, SqlType::Integer | SqlType::Decimal);
    a == b || (exact(a) && exact(b))
}
