//! SQL expressions in the catalogue: parsed, resolved against their dataset, and held against its declared values.
//!
//! Every unknown field and value is reported, each at its place inside the YAML scalar. Deliberately absent: what a
//! metric may be taken of, which `metrics` says.

use tieout_sql::{Dialect, Fragment, SqlType};

use super::{
    codes, datasets,
    node::{Node, Word},
    problem::{At, Report},
    typing::{self, field},
};
use crate::catalogue::Dataset;

/// Where an expression runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runs {
    /// Inside the source, where hidden fields can be seen but computed ones do not exist yet.
    InSource,
    /// In a query, where computed fields exist but hidden ones cannot be seen.
    InQuery,
}

/// What an expression must give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gives {
    /// True or false.
    Condition,
    /// Any value.
    Value,
}

/// The expression of a key, or none when it is absent or does not parse.
pub(super) fn expression(
    owner: &Node,
    key: &str,
    dataset: &Dataset,
    dialect: &Dialect,
    (runs, gives): (Runs, Gives),
    report: &mut Report<'_>,
) -> Option<Fragment> {
    let node = owner.get(key)?;
    let text = node.scalar().filter(|text| !text.trim().is_empty())?;
    let fragment = match Fragment::parse(text, dialect) {
        Ok(fragment) => fragment,
        Err(error) => {
            let at = inside(node, error.offset, error.length, report);
            report.error(codes::BAD_EXPRESSION, at, error.message, error.hint);
            return None;
        }
    };
    check_fields(node, &fragment, dataset, runs, report);
    check_values(node, &fragment, dataset, report);
    if let Some(name) = typing::unstable_call(fragment.expr(), dialect) {
        let at = word_inside(node, &name, report);
        let message =
            format!("`{name}` gives another value each time, so no answer over it could be replayed");
        report.error(
            codes::BAD_EXPRESSION,
            at,
            message,
            "compare with a date, or leave the period to the question",
        );
    }
    let ty = typing::type_of(fragment.expr(), dataset, dialect);
    if gives == Gives::Condition && !matches!(ty, SqlType::Boolean | SqlType::Unknown) {
        let message = format!("`{key}` is {}, not a condition", type_words(ty));
        report.error(
            codes::NOT_A_CONDITION,
            node.at,
            message,
            "compare it with something, such as \"kind = 'sale'\"",
        );
    }
    Some(fragment)
}

/// A type in words.
pub(super) fn type_words(ty: SqlType) -> &'static str {
    match ty {
        SqlType::Boolean => "true or false",
        SqlType::Integer | SqlType::Decimal | SqlType::Float => "a number",
        SqlType::Text => "a text",
        SqlType::Date => "a date",
        SqlType::Time => "a time of day",
        SqlType::DateTime | SqlType::Instant => "a point in time",
        SqlType::Blob | SqlType::Interval | SqlType::Other | SqlType::Unknown => "something else",
    }
}

fn check_fields(node: &Node, fragment: &Fragment, dataset: &Dataset, runs: Runs, report: &mut Report<'_>) {
    for name in fragment.columns() {
        let at = word_inside(node, name, report);
        let Some(field) = field(dataset, name) else {
            datasets::check_field(Word { text: name, at }, dataset, report);
            continue;
        };
        if runs == Runs::InSource && field.expression.is_some() {
            let message = format!(
                "`{name}` is itself worked out by an expression, and this one runs inside the source"
            );
            report.error(
                codes::COMPUTED_OVER_COMPUTED,
                at,
                message,
                "repeat its expression here in brackets",
            );
        }
        if runs == Runs::InQuery && field.access == tieout_sql::Access::Hidden {
            let message = format!("`{name}` is hidden, so no query may use it");
            report.error(
                codes::HIDDEN_FIELD,
                at,
                message,
                "make the field `sensitive`, or leave it out here",
            );
        }
    }
}

fn check_values(node: &Node, fragment: &Fragment, dataset: &Dataset, report: &mut Report<'_>) {
    for (name, literal) in fragment.literals_by_column() {
        let Some(field) = field(dataset, &name).filter(|field| !field.values.is_empty()) else { continue };
        if field.values.iter().any(|known| known.value == literal) {
            continue;
        }
        let at = literal_inside(node, &literal, report);
        let message = format!("`{literal}` is not among the values of `{}.{}`", dataset.name, field.name);
        let known = field.values.iter().map(|known| known.value.as_str());
        report.unknown(codes::UNKNOWN_VALUE, Word { text: &literal, at }, message, known);
    }
}

/// The place of a name in an expression, outside its quoted literals.
pub(super) fn word_inside(node: &Node, name: &str, report: &Report<'_>) -> At {
    let text = node.scalar().unwrap_or_default();
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut quoted = false;
    for (offset, c) in text.char_indices() {
        if c == '\'' {
            quoted = !quoted;
        }
        let rest = &text[offset..];
        let starts = !quoted && !text[..offset].ends_with(part_of_word);
        if starts && rest.get(..name.len()).is_some_and(|word| word.eq_ignore_ascii_case(name)) {
            let after = rest.get(name.len()..).unwrap_or_default();
            if !after.starts_with(part_of_word) {
                return inside(node, offset, name.len(), report);
            }
        }
    }
    node.at
}

fn literal_inside(node: &Node, literal: &str, report: &Report<'_>) -> At {
    let written = format!("'{}'", literal.replace('\'', "''"));
    match node.scalar().and_then(|text| text.find(&written)) {
        Some(offset) => inside(node, offset, written.len(), report),
        None => node.at,
    }
}

/// The place in the file of a part of a scalar, given in bytes of its text: quotes, escapes and folded lines are walked
/// over. Where the two cannot be matched, the whole scalar is the place.
pub(super) fn inside(node: &Node, offset: usize, length: usize, report: &Report<'_>) -> At {
    let whole = report.text(node.at.file);
    let written = whole.get(node.at.start..node.at.start.saturating_add(node.at.length)).unwrap_or_default();
    let Some(text) = node.scalar() else { return node.at };
    let (Some(before), Some(part)) =
        (text.get(..offset), text.get(offset..offset.saturating_add(length).min(text.len())))
    else {
        return node.at;
    };
    let body = match written.chars().next() {
        Some(quote @ ('\'' | '"')) => quote.len_utf8(),
        _ => 0,
    };
    let Some(start) = walked(written, body, before) else { return node.at };
    let start = skip_blank_break(written, start, part);
    let Some(end) = walked(written, start, part) else { return node.at };
    moved(node.at, written, start, end - start)
}

/// How far into the written form the characters of a decoded text reach.
fn walked(written: &str, from: usize, decoded: &str) -> Option<usize> {
    let quote = written.chars().next().filter(|c| matches!(c, '\'' | '"'));
    let mut at = from;
    for c in decoded.chars() {
        let rest = written.get(at..)?;
        let step = match (c, quote) {
            ('\'', Some('\'')) if rest.starts_with("''") => 2,
            (_, Some('"')) if rest.starts_with('\\') => 1 + rest.chars().nth(1)?.len_utf8(),
            (c, _) if c.is_whitespace() => rest.len() - rest.trim_start().len(),
            (c, _) if rest.starts_with(c) => c.len_utf8(),
            _ => return None,
        };
        let first = rest.chars().next()?;
        let single = c == ' ' && first == ' ' && !rest.trim_start_matches(' ').starts_with(['\n', '\r']);
        at += if single { 1 } else { step };
    }
    Some(at)
}

/// A part that begins after a folded line begins where its first character stands.
fn skip_blank_break(written: &str, start: usize, part: &str) -> usize {
    let rest = written.get(start..).unwrap_or_default();
    let blanks = rest.len() - rest.trim_start().len();
    if part.starts_with(char::is_whitespace) || !rest[..blanks].contains('\n') {
        start
    } else {
        start + blanks
    }
}

/// A place so many bytes into what is written at another.
fn moved(at: At, written: &str, start: usize, length: usize) -> At {
    let before = written.get(..start).unwrap_or_default();
    let breaks = before.matches('\n').count();
    let column = match before.rsplit_once('\n') {
        Some((_, last)) => last.chars().count() + 1,
        None => at.column + before.chars().count(),
    };
    At { line: at.line + breaks, column, start: at.start + start, length, ..at }
}
