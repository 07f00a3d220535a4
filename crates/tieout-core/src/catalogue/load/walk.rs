//! Holds a tree against the table of keys: unknown, double and missing keys, and values of the wrong type or form.
//!
//! Everything is reported, each with its place. Deliberately absent: names that must exist elsewhere.

use std::collections::HashSet;

use super::{
    codes,
    keys::{Key, KeyPresence, Section, Shape},
    near,
    node::{Content, Node, ScalarKind},
    problem::Report,
    scalars,
};

/// Holds a mapping against its section.
pub(super) fn check(node: &Node, section: &'static Section, report: &mut Report<'_>) {
    if !matches!(node.content, Content::Mapping(_)) {
        let what = section.what;
        let message = format!("{what} should stand here, as keys and values, not {}", found(node));
        report.error(codes::WRONG_TYPE, node.at, message, format!("write the keys of {what}, one a line"));
        return;
    }
    let mut seen: HashSet<&str> = HashSet::new();
    for (name, value) in node.pairs() {
        let Some(written) = name.scalar() else {
            let hint = "write a plain word before the colon";
            report.error(
                codes::WRONG_TYPE,
                name.at,
                format!("a key of {} is {}", section.what, found(name)),
                hint,
            );
            continue;
        };
        if seen.contains(written) {
            let message = format!("`{written}` is written twice in {}", section.what);
            report.error(codes::DUPLICATE_KEY, name.at, message, "keep one of them");
            continue;
        }
        match section.key(written) {
            Some(key) => check_shape(value, key.name, &key.shape, report),
            None => unknown_key(name, written, section, report),
        }
        seen.insert(written);
    }
    for key in missing(section, &seen) {
        let message = format!("{} has no `{}`", section.what, key.name);
        report.error(codes::MISSING_KEY, node.at, message, format!("add `{}`: {}", key.name, key.about));
    }
}

fn missing<'s>(section: &'s Section, seen: &HashSet<&str>) -> impl Iterator<Item = &'s Key> {
    section.keys.iter().filter(|key| key.presence == KeyPresence::Required && !seen.contains(key.name))
}

fn unknown_key(name: &Node, written: &str, section: &'static Section, report: &mut Report<'_>) {
    let hint = if written == "<<" {
        "merge keys are not read; write the keys out".to_owned()
    } else if report.full() {
        String::new()
    } else {
        near::hint(written, section.keys.iter().map(|key| key.name))
    };
    report.error(codes::UNKNOWN_KEY, name.at, format!("{} has no key `{written}`", section.what), hint);
}

/// Holds a value against its shape. `key` names it in messages.
fn check_shape(node: &Node, key: &str, shape: &'static Shape, report: &mut Report<'_>) {
    match (shape, &node.content) {
        (_, Content::Nothing) => {
            let message = format!("`{key}` has no value");
            report.error(codes::WRONG_TYPE, node.at, message, "give it one, or leave the key out");
        }
        (Shape::List(item), Content::List(items)) => {
            items.iter().for_each(|one| check_shape(one, key, item, report));
        }
        (Shape::Mapping(section), Content::Mapping(_)) | (Shape::Either(_, section), Content::Mapping(_)) => {
            check(node, section, report);
        }
        (Shape::Named(inner), Content::Mapping(_)) => check_named(node, key, inner, report),
        (Shape::Either(short, _), Content::Scalar { .. }) => check_shape(node, key, short, report),
        (_, Content::Scalar { text, kind }) if is_scalar(shape) => {
            check_scalar(node, key, shape, (text, *kind), report)
        }
        (_, Content::Scalar { .. } | Content::List(_) | Content::Mapping(_)) => {
            let message = format!("`{key}` should be {}, not {}", wanted(shape), found(node));
            report.error(codes::WRONG_TYPE, node.at, message, example(shape));
        }
    }
}

fn check_named(node: &Node, key: &str, inner: &'static Shape, report: &mut Report<'_>) {
    let mut seen: HashSet<&str> = HashSet::new();
    for (name, value) in node.pairs() {
        match name.scalar() {
            Some(written) if seen.contains(written) => {
                let message = format!("`{written}` is written twice in `{key}`");
                report.error(codes::DUPLICATE_KEY, name.at, message, "keep one of them");
            }
            Some(written) => {
                seen.insert(written);
                check_shape(value, written, inner, report);
            }
            None => {
                let message = format!("a name in `{key}` is {}", found(name));
                report.error(codes::WRONG_TYPE, name.at, message, "write a plain word before the colon");
            }
        }
    }
}

fn is_scalar(shape: &Shape) -> bool {
    !matches!(shape, Shape::List(_) | Shape::Mapping(_) | Shape::Named(_) | Shape::Either(..))
}

/// Holds a scalar against its shape.
fn check_scalar(
    node: &Node,
    key: &str,
    shape: &Shape,
    (text, kind): (&str, ScalarKind),
    report: &mut Report<'_>,
) {
    let text = if matches!(shape, Shape::Stored | Shape::Character) { text } else { text.trim() };
    let is_flag = kind == ScalarKind::Boolean;
    let fits = match shape {
        Shape::Flag => is_flag,
        Shape::Whole(least, most) => text.parse::<u64>().is_ok_and(|value| (*least..=*most).contains(&value)),
        Shape::Text => !text.is_empty() && text.len() <= scalars::TEXT_BYTES_MAX && !text.contains('\0'),
        Shape::Expression | Shape::Arithmetic => !text.is_empty(),
        Shape::Stored => text.len() <= scalars::TEXT_BYTES_MAX,
        Shape::Outside => !text.is_empty() && !text.contains(char::is_control),
        Shape::Name => scalars::is_name(text),
        Shape::FieldPath => scalars::is_field_path(text),
        Shape::OneOf(words) => words().contains(&text),
        Shape::Date => scalars::date(text).is_some(),
        Shape::Duration => scalars::duration_ms(text).is_some(),
        Shape::Zone => scalars::zone(text).is_some(),
        Shape::Character => scalars::character(text).is_some(),
        Shape::Currency => scalars::is_currency(text),
        Shape::Path => scalars::is_path(text),
        Shape::List(_) | Shape::Mapping(_) | Shape::Named(_) | Shape::Either(..) => true,
    };
    if fits {
        return;
    }
    let code = match (shape, kind) {
        (Shape::Flag, _) => codes::WRONG_TYPE,
        (Shape::Whole(..), ScalarKind::Text | ScalarKind::Boolean) => codes::WRONG_TYPE,
        _ => codes::BAD_VALUE,
    };
    let shown = if text.is_empty() { "empty".to_owned() } else { format!("`{}`", shortened(text)) };
    let hint = match shape {
        Shape::OneOf(words) => near::near(text, words()).unwrap_or_else(|| "choose one of them".to_owned()),
        Shape::Zone => {
            let zones: Vec<String> = jiff::tz::db().available().map(|name| name.to_string()).collect();
            near::near(text, zones.iter().map(String::as_str)).unwrap_or_else(|| example(shape))
        }
        _ => example(shape),
    };
    report.error(code, node.at, format!("`{key}` should be {}, not {shown}", wanted(shape)), hint);
}

/// At most so many characters of a value are repeated in a message.
const SHOWN_CHARS_MAX: usize = 60;

/// The start of a value, on one line.
fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let start: String = line.chars().take(SHOWN_CHARS_MAX).collect();
    if start.len() < text.len() { format!("{start}…") } else { start }
}

/// What stands there, in words.
fn found(node: &Node) -> &'static str {
    match &node.content {
        Content::Nothing => "nothing",
        Content::Scalar { kind: ScalarKind::Text, .. } => "a text",
        Content::Scalar { kind: ScalarKind::Number, .. } => "a number",
        Content::Scalar { kind: ScalarKind::Boolean, .. } => "true or false",
        Content::List(_) => "a list",
        Content::Mapping(_) => "a mapping",
    }
}

/// What should stand there, in words.
fn wanted(shape: &Shape) -> String {
    let words = match shape {
        Shape::Text => "a text",
        Shape::Name => "a name",
        Shape::FieldPath => "a field, or dataset.field",
        Shape::Outside => "the name of a thing in the source",
        Shape::Stored => "a value",
        Shape::Expression => "an expression",
        Shape::Arithmetic => "an expression over metrics",
        Shape::Flag => "true or false",
        Shape::Whole(least, most) if least == most => return format!("{least}"),
        Shape::Whole(least, most) => return format!("a whole number from {least} to {most}"),
        Shape::OneOf(words) => return format!("one of {}", words().join(", ")),
        Shape::Date => "a date",
        Shape::Duration => "a length of time",
        Shape::Zone => "a time zone",
        Shape::Character => "one character",
        Shape::Currency => "a currency code",
        Shape::Path => "a path",
        Shape::List(_) => "a list",
        Shape::Mapping(section) => return format!("a mapping with the keys of {}", section.what),
        Shape::Named(_) => "a mapping of names to things",
        Shape::Either(short, section) => return format!("{} or the keys of {}", wanted(short), section.what),
    };
    words.to_owned()
}

/// How to write it.
fn example(shape: &Shape) -> String {
    let words = match shape {
        Shape::Text => "write it in words, not empty and not very long",
        Shape::Name => {
            "use lower-case letters, digits and underscores, starting with a letter, such as `net_revenue`"
        }
        Shape::FieldPath => "write `region` or `customers.region`",
        Shape::Outside => "write the name as the source has it",
        Shape::Stored => "write the value as it is stored, in quotes if need be",
        Shape::Expression => "write SQL over the dataset's fields in quotes, such as \"kind = 'sale'\"",
        Shape::Arithmetic => "write metrics with + - * / and brackets, such as \"gross - refunds\"",
        Shape::Flag => "write `true` or `false`, without quotes",
        Shape::Whole(..) => "write it in digits",
        Shape::OneOf(_) => "write one of them, alone",
        Shape::Date => "write it as year-month-day, such as 2024-01-31",
        Shape::Duration => "write a number and a unit (ms, s, m, h, d), such as 30s or 26h",
        Shape::Zone => "write a name such as Europe/Berlin",
        Shape::Character => "write one character in quotes, such as \";\"",
        Shape::Currency => "write three capital letters, such as USD",
        Shape::Path => {
            "write a path such as data/orders.csv; the one variable allowed is ${TIEOUT_…}/ at its start"
        }
        Shape::List(item) => {
            return format!("write {} in square brackets, or one a line after dashes", wanted(item));
        }
        Shape::Mapping(section) => return keys_hint(section),
        Shape::Named(_) => "write `name: value`, one a line",
        Shape::Either(short, _) => return example(short),
    };
    words.to_owned()
}

fn keys_hint(section: &Section) -> String {
    let names: Vec<&str> = section.keys.iter().map(|key| key.name).take(4).collect();
    format!("write keys such as {}", near::quoted(&names, ", "))
}
