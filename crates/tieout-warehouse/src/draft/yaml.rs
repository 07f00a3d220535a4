//! Owns how a draft is written in the project's format.
//!
//! Deliberately absent: reading it again, which `tieout-core` does (and a test holds that it can).

use std::fmt::Write;

use tieout_core::catalogue::{Datatype, FileSource};

use super::{Draft, DraftDataset, DraftProject, DraftRelationship};
use crate::report::grouped;

/// Writes a draft.
pub(crate) fn write(draft: Draft) -> DraftProject {
    DraftProject { project: project(&draft), catalogue: catalogue(&draft), notes: draft.notes }
}

fn project(draft: &Draft) -> String {
    let mut text = String::from(
        "# Drafted by `tieout init`: correct it, then run `tieout catalogue check`.\ntieout: 1\n",
    );
    put(&mut text, format_args!("name: {}\nwarehouse:\n  engine: duckdb\n", scalar(&draft.name)));
    if let Some(path) = &draft.path {
        put(&mut text, format_args!("  path: {}\n", scalar(path)));
    }
    if !draft.files.is_empty() {
        text.push_str("  files:\n");
    }
    for (source, file) in &draft.files {
        put(&mut text, format_args!("    {source}: {}\n", file_source(file)));
    }
    text.push_str("time: { zone: UTC, week_start: monday, fiscal_year_start: january } # draft: say yours\n");
    text.push_str("catalogue: catalogue/\n");
    text
}

fn file_source(file: &FileSource) -> String {
    let mut keys = vec![format!("path: {}", scalar(&file.path))];
    if let Some(mark) = file.thousands {
        keys.push(format!("thousands: {}", quoted(&mark.to_string())));
    }
    if let Some(mark) = file.decimal {
        keys.push(format!("decimal: {}", quoted(&mark.to_string())));
    }
    if let Some(format) = &file.date_format {
        keys.push(format!("date_format: {}", quoted(format)));
    }
    if file.skip_trailing > 0 {
        keys.push(format!("skip_trailing: {}", file.skip_trailing));
    }
    match keys.as_slice() {
        [_] => scalar(&file.path),
        _ => format!("{{ {} }}", keys.join(", ")),
    }
}

fn catalogue(draft: &Draft) -> String {
    let mut text = String::from(
        "# Drafted by `tieout init`. Keys and relationships are drafts: they hold on every row that was there, and\n\
         # only you know whether they are meant. No metrics are drafted: say what the company counts.\n",
    );
    text.push_str("datasets:\n");
    for dataset in &draft.datasets {
        put_dataset(&mut text, dataset);
    }
    if !draft.relationships.is_empty() {
        text.push_str("relationships:\n");
    }
    for relationship in &draft.relationships {
        put_relationship(&mut text, relationship);
    }
    text
}

fn put_dataset(text: &mut String, dataset: &DraftDataset) {
    put(text, format_args!("  - name: {}\n", dataset.name));
    if dataset.source != dataset.name {
        put(text, format_args!("    source: {}\n", scalar(&dataset.source)));
    }
    let rows = grouped(dataset.rows);
    if dataset.primary_key.is_empty() {
        put(
            text,
            format_args!("    # no key was found among its {rows} rows; say `primary_key` if there is one\n"),
        );
    } else {
        let key = dataset.primary_key.join(", ");
        put(text, format_args!("    primary_key: [{key}] # draft: unique over {rows} rows\n"));
    }
    if !dataset.unique_keys.is_empty() {
        let keys: Vec<String> =
            dataset.unique_keys.iter().map(|key| format!("[{}]", key.join(", "))).collect();
        put(text, format_args!("    unique_keys: [{}] # draft: unique over {rows} rows\n", keys.join(", ")));
    }
    let dated: Vec<&str> = dataset
        .fields
        .iter()
        .filter(|field| matches!(field.datatype, Datatype::Date | Datatype::Timestamp | Datatype::Instant))
        .map(|field| field.name.as_str())
        .collect();
    if !dated.is_empty() {
        put(
            text,
            format_args!(
                "    # time: {} # the field that says when, if it is one of these\n",
                dated.join(" | ")
            ),
        );
    }
    text.push_str("    fields:\n");
    for field in &dataset.fields {
        let mut keys = vec![format!("name: {}", field.name), format!("datatype: {}", word(field.datatype))];
        if field.column != field.name {
            keys.push(format!("column: {}", scalar(&field.column)));
        }
        if field.nulls == 0 && !dataset.primary_key.contains(&field.name) && dataset.rows > 0 {
            keys.push("nullable: false".to_owned());
        }
        put(text, format_args!("      - {{ {} }}\n", keys.join(", ")));
    }
}

fn put_relationship(text: &mut String, link: &DraftRelationship) {
    put(
        text,
        format_args!(
            "  # draft: all {} values were found\n  - {{ name: {}, from: {}, to: {}, from_columns: [{}], to_columns: [{}]{} }}\n",
            grouped(link.rows),
            link.name,
            link.from,
            link.to,
            link.from_fields.join(", "),
            link.to_fields.join(", "),
            if link.required { ", required: true" } else { "" },
        ),
    );
}

fn put(text: &mut String, args: std::fmt::Arguments<'_>) {
    // Writing to a text cannot fail.
    let _ = text.write_fmt(args);
}

/// A text as a YAML scalar: plain where nobody could take it for anything else.
fn scalar(text: &str) -> String {
    let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-');
    let letter = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let word = matches!(
        text.to_ascii_lowercase().as_str(),
        "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n"
    );
    match letter && !word && text.chars().all(safe) {
        true => text.to_owned(),
        false => quoted(text),
    }
}

/// A text between quotation marks.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => put(&mut quoted, format_args!("\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn word(datatype: Datatype) -> &'static str {
    match datatype {
        Datatype::String => "string",
        Datatype::Integer => "integer",
        Datatype::Decimal => "decimal",
        Datatype::Float => "float",
        Datatype::Boolean => "boolean",
        Datatype::Date => "date",
        Datatype::Timestamp => "timestamp",
        Datatype::Instant => "instant",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalars_are_what_they_say() {
        for (text, written) in [
            ("data/a-b.csv", "data/a-b.csv"),
            ("a b", "\"a b\""),
            ("yes", "\"yes\""),
            ("No", "\"No\""),
            ("1.5", "\"1.5\""),
            ("a: b", "\"a: b\""),
            ("a \"b\" \\ c\n", "\"a \\\"b\\\" \\\\ c\\n\""),
            ("", "\"\""),
            ("Prämie", "\"Prämie\""),
            ("# x", "\"# x\""),
            ("a\u{7}", "\"a\\u0007\""),
        ] {
            assert_eq!(scalar(text), written);
        }
    }
}
