//! Reads `cases/checker/*.md` and the schemas in them.

#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

use std::path::{Path, PathBuf};

use tieout_sql::{Access, Column, ColumnSource, DUCKDB, Fragment, Relationship, Schema, SqlType, Table};

pub struct Fence {
    pub info: Vec<String>,
    pub body: String,
}

pub struct Case {
    pub name: String,
    pub fences: Vec<Fence>,
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/checker")
}

/// The cases of a file; the first has no name and holds the shared fences.
pub fn parse(text: &str) -> Vec<Case> {
    let mut cases = vec![Case { name: String::new(), fences: Vec::new() }];
    let mut open: Option<Fence> = None;
    for line in text.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                let info = info.split_whitespace().map(str::to_owned).collect();
                open = Some(Fence { info, body: String::new() });
            }
            (Some(_), Some(_)) => cases.last_mut().unwrap().fences.extend(open.take()),
            (Some(fence), None) => fence.body.push_str(&format!("{line}\n")),
            (None, None) => {
                if let Some(name) = line.strip_prefix("## ") {
                    cases.push(Case { name: name.to_owned(), fences: Vec::new() });
                }
            }
        }
    }
    cases
}

/// `table: column type [key] [id] [required] [hidden|sensitive] [{a|b}] [= expression], …`, then indented lines
/// `tenant c`, `relation a.b`, `filter expression`, `unique a b`; and `a.x -> b.y` for relationships.
pub fn schema(text: &str) -> Schema {
    let mut schema = Schema::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if let Some((from, to)) = line.split_once(" -> ") {
            let (to, required) = to.strip_suffix(" optional").map_or((to, true), |to| (to, false));
            let end = |text: &str| -> (String, Vec<String>) {
                let (table, columns) = text.trim().split_once('.').unwrap();
                (table.to_owned(), columns.split('+').map(str::to_owned).collect())
            };
            let ((from, from_columns), (to, to_columns)) = (end(from), end(to));
            let name = format!("{from}_{to}");
            schema.relationships.push(Relationship { name, from, to, from_columns, to_columns, required });
        } else if let Some(attribute) = line.strip_prefix("  ") {
            let (word, rest) = attribute.split_once(' ').unwrap();
            let (_, table) = schema.tables.last_mut().unwrap();
            match word {
                "tenant" => table.tenant = Some(rest.to_owned()),
                "time" => table.time = Some(rest.to_owned()),
                "relation" => table.relation = rest.split('.').map(str::to_owned).collect(),
                "filter" => table.row_filter = Some(Fragment::parse(rest, &DUCKDB).unwrap()),
                "unique" => table.unique_keys.push(rest.split_whitespace().map(str::to_owned).collect()),
                other => panic!("unknown attribute {other}"),
            }
        } else {
            let (name, columns) = line.split_once(": ").unwrap();
            let mut table = Table::plain(name, Vec::new());
            for text in columns.split(", ") {
                column(&mut table, text);
            }
            schema.tables.insert(name.to_owned(), table);
        }
    }
    schema
}

fn column(table: &mut Table, text: &str) {
    let (text, computed) = text.split_once(" = ").map_or((text, None), |(text, rest)| (text, Some(rest)));
    let mut words = text.split_whitespace();
    let (name, ty) = (words.next().unwrap(), words.next().unwrap());
    let ty = match ty {
        "integer" => SqlType::Integer,
        "decimal" => SqlType::Decimal,
        "text" => SqlType::Text,
        "date" => SqlType::Date,
        "datetime" => SqlType::DateTime,
        "instant" => SqlType::Instant,
        "boolean" => SqlType::Boolean,
        other => panic!("unknown type {other}"),
    };
    let mut column = Column::plain(name, ty);
    for word in words {
        match word {
            "key" => {
                table.primary_key.push(name.to_owned());
                column.nullable = false;
            }
            "id" => column.identifier = true,
            "balance" => column.balance = true,
            "required" => column.nullable = false,
            "hidden" => column.access = Access::Hidden,
            "sensitive" => column.access = Access::Sensitive,
            values => {
                let values = values.trim_matches(['{', '}']).split('|');
                column.values = Some(values.map(str::to_owned).collect());
            }
        }
    }
    if let Some(expression) = computed {
        column.source = ColumnSource::Computed(Fragment::parse(expression, &DUCKDB).unwrap());
    }
    table.columns.insert(name.to_owned(), column);
}
