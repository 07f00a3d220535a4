//! The settings of `tieout.yml`, read from a tree that `walk` has checked.
//!
//! Deliberately absent: the catalogue, and opening any file it names.

use indexmap::IndexMap;
use jiff::{civil::Weekday, tz::TimeZone};

use super::{
    codes, keys,
    node::{Content, Node},
    problem::Report,
    scalars,
};
use crate::{
    catalogue::{BlockField, FileSource, Policy, WarehouseSettings},
    time::Calendar,
};

/// The most rows one query may return when the project says nothing.
const ROWS_MAX: u64 = 10_000;
/// The longest one query may take when the project says nothing, in milliseconds.
const TIMEOUT_MS: u64 = 30_000;
/// The longest that a project may let one query take, in milliseconds: one hour.
const TIMEOUT_MS_MAX: u64 = 3_600_000;

/// Where the data is.
pub(super) fn warehouse(project: &Node, report: &mut Report<'_>) -> WarehouseSettings {
    let node = project.get("warehouse");
    let text = |key: &str| node.and_then(|node| node.text_of(key));
    let files = node.and_then(|node| node.get("files")).map(files).unwrap_or_default();
    if let Some(node) = node {
        let places: Vec<&str> =
            ["files", "path", "url_env"].into_iter().filter(|key| node.get(key).is_some()).collect();
        let hint = "give one of `files`, `path` and `url_env`";
        match places.as_slice() {
            [_] => {}
            [] => report.error(
                codes::MISSING_KEY,
                node.at,
                "the warehouse does not say where the data is",
                hint,
            ),
            [_, second, ..] => {
                let message = "the warehouse names more than one place for the data";
                report.error(codes::BAD_VALUE, node.at_of(second), message, hint);
            }
        }
        if node.get("files").is_some() && text("engine").is_some_and(|engine| engine != "duckdb") {
            let message = "data files are read by the engine duckdb only";
            report.error(
                codes::BAD_VALUE,
                node.at_of("engine"),
                message,
                "write `engine: duckdb`, or give `path` or `url_env`",
            );
        }
    }
    WarehouseSettings {
        engine: text("engine").unwrap_or_else(|| tieout_sql::DUCKDB.name.to_owned()),
        files,
        path: text("path"),
        url_env: text("url_env"),
    }
}

fn files(node: &Node) -> IndexMap<String, FileSource> {
    let mut files = IndexMap::new();
    for (name, value) in node.pairs() {
        if let (Some(name), Some(source)) = (name.scalar(), file(value)) {
            files.entry(name.to_owned()).or_insert(source);
        }
    }
    files
}

fn file(node: &Node) -> Option<FileSource> {
    let character = |key: &str| node.get(key).and_then(Node::scalar).and_then(scalars::character);
    match &node.content {
        Content::Scalar { text, .. } => {
            Some(FileSource { path: text.trim().to_owned(), ..FileSource::default() })
        }
        Content::Mapping(_) => Some(FileSource {
            path: node.text_of("path")?,
            format: node.text_of("format"),
            delimiter: character("delimiter"),
            encoding: node.text_of("encoding"),
            date_format: node.text_of("date_format"),
            thousands: character("thousands"),
            decimal: character("decimal"),
            skip_trailing: node.whole_of("skip_trailing").unwrap_or(0),
            header: node.flag_of("header"),
        }),
        Content::Nothing | Content::List(_) => None,
    }
}

/// Zone, week and fiscal year.
pub(super) fn calendar(project: &Node) -> Calendar {
    let time = project.get("time");
    let word = |key: &str| time.and_then(|node| node.word_of(key)).map(|word| word.text);
    let place = |words: Vec<&'static str>, key: &str| {
        word(key).and_then(|word| words.iter().position(|one| *one == word))
    };
    let weekday = place(keys::weekdays(), "week_start").and_then(|index| i8::try_from(index).ok());
    let month = place(keys::months(), "fiscal_year_start").and_then(|index| i8::try_from(index + 1).ok());
    Calendar {
        zone: word("zone").and_then(scalars::zone).unwrap_or(TimeZone::UTC),
        week_start: weekday
            .and_then(|index| Weekday::from_monday_zero_offset(index).ok())
            .unwrap_or(Weekday::Monday),
        fiscal_start_month: month.unwrap_or(1),
    }
}

/// Limits, and what must be confirmed.
pub(super) fn policy(project: &Node, report: &mut Report<'_>) -> Policy {
    let node = project.get("policy");
    let whole = |key: &str| node.and_then(|node| node.whole_of(key));
    let timeout = node.and_then(|node| node.word_of("timeout"));
    let timeout_ms = timeout.and_then(|word| scalars::duration_ms(word.text)).unwrap_or(TIMEOUT_MS);
    if let (Some(word), true) = (timeout, timeout_ms > TIMEOUT_MS_MAX) {
        report.error(
            codes::BAD_VALUE,
            word.at,
            "a query may take an hour at most",
            "write a shorter time, such as 30s",
        );
    }
    let confirm = node.filter(|node| node.get("confirm").is_some()).map(|node| confirmed(node, report));
    Policy {
        confirm: confirm.unwrap_or_else(|| vec![BlockField::Metric, BlockField::Population]),
        minimum_group: whole("minimum_group").unwrap_or(1),
        rows_max: whole("rows_max").unwrap_or(ROWS_MAX),
        timeout_ms,
        period_days_max: whole("period_days_max").and_then(|days| i64::try_from(days).ok()),
    }
}

/// The listed fields, in the order of the block.
fn confirmed(policy: &Node, report: &mut Report<'_>) -> Vec<BlockField> {
    let words = policy.words_of("confirm");
    for (index, word) in words.iter().enumerate() {
        if words.iter().take(index).any(|before| before.text == word.text) {
            report.error(
                codes::REPEATED,
                word.at,
                format!("`{}` is listed twice", word.text),
                "keep one of them",
            );
        }
    }
    for always in [BlockField::Metric, BlockField::Population] {
        if !words.iter().any(|word| word.text == always.name()) {
            let message = format!(
                "`{}` is not listed, and an assumed one always stops for confirmation",
                always.name()
            );
            report.error(
                codes::BAD_VALUE,
                policy.at_of("confirm"),
                message,
                format!("add `{}`", always.name()),
            );
        }
    }
    BlockField::ALL.into_iter().filter(|field| words.iter().any(|word| word.text == field.name())).collect()
}
