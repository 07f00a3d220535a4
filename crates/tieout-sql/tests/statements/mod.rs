//! Reads `cases/lawful` and `cases/hostile`: statements over one shared schema, as files.

#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "each test uses a part, and may stop")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use tieout_sql::{CheckedQuery, Context, Dialect, Limits, Rejected, Schema, Scope, Value, check_text};

/// The tenant in whose name everything is asked.
pub const TENANT: i128 = 7;

/// A lawful statement.
pub struct Lawful {
    /// Its file and what it is about.
    pub name: String,
    pub sql: String,
    /// The values of its own placeholders.
    pub binds: Vec<Value>,
    /// Whether the engine that tests have at hand lacks it, though the other engine of the dialect has it.
    pub elsewhere: bool,
}

/// A statement that must not get through.
pub struct Hostile {
    pub class: String,
    /// Whether the text as it stands may be run on an engine, to show what it would have got.
    pub raw: bool,
    /// Whether it may be accepted, provided that it is bound and shows nothing but the tenant's rows.
    pub bound: bool,
    pub sql: String,
}

pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases").join(name)
}

/// What every statement is over.
pub fn shop() -> Schema {
    super::case_files::schema(&std::fs::read_to_string(folder("lawful").join("schema.txt")).unwrap())
}

/// The lawful statements of a dialect: those of every dialect, then its own. A title is a comment on a line of its
/// own; a statement ends with the semicolon that ends a line.
pub fn lawful(dialect: &str) -> Vec<Lawful> {
    let mut found = Vec::new();
    for file in ["common", dialect] {
        let text = std::fs::read_to_string(folder("lawful").join(file).with_extension("sql")).unwrap();
        let mut open: Option<Lawful> = None;
        for line in text.lines() {
            let Some(statement) = &mut open else {
                let title = line.strip_prefix("-- ").unwrap_or_else(|| panic!("no title: {line}"));
                let elsewhere = title.ends_with(" only]");
                let binds = match title == "bound values" {
                    true => vec![Value::Integer(20), Value::Integer(3)],
                    false => Vec::new(),
                };
                open =
                    Some(Lawful { name: format!("{file}: {title}"), sql: String::new(), binds, elsewhere });
                continue;
            };
            if !statement.sql.is_empty() {
                statement.sql.push('\n');
            }
            statement.sql.push_str(line.strip_suffix(';').unwrap_or(line));
            if line.ends_with(';') {
                found.extend(open.take());
            }
        }
        assert!(open.is_none(), "{file} ends within a statement");
    }
    found
}

/// The hostile statements of a dialect: those of every dialect, then its own. `## ` begins a class, with `[raw]` and
/// `[bound]` after its name as [`Hostile`] has them, and every other line is a statement, in which `\n`, `\t`, `\r`, `\\` and `\u{…}` stand for what cannot be seen.
pub fn hostile(dialect: &str) -> Vec<Hostile> {
    let mut found = Vec::new();
    for file in ["common", dialect] {
        let text = std::fs::read_to_string(folder("hostile").join(file).with_extension("txt")).unwrap();
        let mut class = String::new();
        for line in text.lines().filter(|line| !line.is_empty()) {
            match line.strip_prefix("## ") {
                Some(next) => next.clone_into(&mut class),
                None => found.push(Hostile {
                    class: class.split(" [").next().unwrap().to_owned(),
                    raw: class.contains("[raw]"),
                    bound: class.contains("[bound]"),
                    sql: seen(line),
                }),
            }
        }
    }
    found
}

fn seen(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let (sign, end) = match after.chars().next() {
            Some('n') => ('\n', 1),
            Some('t') => ('\t', 1),
            Some('r') => ('\r', 1),
            Some('\\') => ('\\', 1),
            Some('u') => {
                let (code, _) = after[1..].strip_prefix('{').unwrap().split_once('}').unwrap();
                (char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap(), code.len() + 3)
            }
            _ => panic!("an escape that is not known: {line}"),
        };
        text.push(sign);
        rest = &after[end..];
    }
    text + rest
}

/// A statement checked in the name of the tenant.
pub fn checked(
    sql: &str,
    binds: Vec<Value>,
    dialect: &Dialect,
    schema: &Schema,
) -> Result<CheckedQuery, Rejected> {
    let scope = Scope::tenant(Value::Integer(TENANT));
    let limits = Limits { rows_max: 10_000, timeout: Duration::from_secs(30) };
    check_text(sql, binds, &Context { dialect, schema, scope: &scope, limits })
}
