//! Owns what each statement of a DDL tells, by its words, before any is parsed; and passing over what is no statement.
//!
//! Deliberately absent: reading the statements.

use sqlparser::tokenizer::{Token, Tokenizer};

use crate::dialect::Dialect;
use crate::split::Part;

/// Rows that a dump carries beside its tables, and commands to the program that reads it, as empty lines.
pub(super) fn without_data(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut in_rows = false;
    for line in text.split_inclusive('\n') {
        let word = line.trim_end();
        let lower = word.to_ascii_lowercase();
        let command = word.starts_with('\\');
        if !in_rows && lower.starts_with("copy ") && lower.ends_with("from stdin;") {
            in_rows = true;
            kept.push('\n');
        } else if in_rows || command {
            in_rows = in_rows && word != "\\.";
            kept.push('\n');
        } else {
            kept.push_str(line);
        }
    }
    kept
}

/// What a statement tells of a schema.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// A table.
    Table,
    /// A key, a foreign key or a column of a table told before.
    Key,
    /// A view.
    View,
    /// The values that columns may have.
    Values,
    /// Nothing.
    Other,
}

/// What a statement tells, by its words.
pub(super) fn told(part: &Part, dialect: &Dialect) -> Told {
    let Ok(tokens) = Tokenizer::new(dialect.syntax, part.text).tokenize() else {
        return told_at_start(part.text);
    };
    let words: Vec<String> = tokens
        .iter()
        .filter_map(|token| match token {
            Token::Word(word) if word.quote_style.is_none() => Some(word.value.to_ascii_uppercase()),
            _ => None,
        })
        .collect();
    let has = |wanted: &str| words.iter().any(|word| word == wanted);
    match words.first().map(String::as_str) {
        Some("CREATE") => told_at_start(&words.join(" ")),
        Some("ALTER") if words.get(1).is_some_and(|word| word == "TABLE") => {
            let tells = ["PRIMARY", "UNIQUE", "FOREIGN", "COLUMN", "REFERENCES", "NULL"].into_iter().any(has);
            match (tells, has("CHECK") || has("CONSTRAINT")) {
                (true, _) => Told::Key,
                (false, true) => Told::Values,
                (false, false) => Told::Other,
            }
        }
        Some("ALTER") if words.get(1).is_some_and(|word| word == "TYPE") => Told::Values,
        _ => Told::Other,
    }
}

/// What a CREATE makes: the first of its words that names a kind of thing.
fn told_at_start(text: &str) -> Told {
    let mut unique = false;
    let mut words = text.split_ascii_whitespace().map(str::to_ascii_uppercase);
    if words.next().as_deref() != Some("CREATE") {
        return Told::Other;
    }
    for word in words {
        match word.as_str() {
            "TABLE" => return Told::Table,
            "TYPE" => return Told::Values,
            "VIEW" => return Told::View,
            "UNIQUE" => unique = true,
            "INDEX" => return if unique { Told::Key } else { Told::Other },
            "OR" | "REPLACE" | "TEMP" | "TEMPORARY" | "UNLOGGED" | "GLOBAL" | "LOCAL" | "EXTERNAL"
            | "MATERIALIZED" | "RECURSIVE" | "ALGORITHM" | "UNDEFINED" | "MERGE" | "TEMPTABLE"
            | "DEFINER" | "SQL" | "SECURITY" | "INVOKER" => {}
            _ => return Told::Other,
        }
    }
    Told::Other
}
