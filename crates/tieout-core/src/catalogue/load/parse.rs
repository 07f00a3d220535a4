//! From YAML text to a tree that knows its places, within a budget.
//!
//! Duplicate keys and merge keys pass through to the tree, so that all of them can be reported, not only the first.
//! Deliberately absent: what the keys mean.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{
    Error, Location, Options, Spanned,
    options::{DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy},
};

use super::{
    codes,
    node::{Content, Node, ScalarKind},
    problem::{At, Report},
};

/// The largest file that is read, in bytes.
pub const FILE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// The deepest nesting of lists and mappings.
const DEPTH_MAX: usize = 32;
/// The most lists, mappings and scalars in one file.
const NODES_MAX: usize = 1_000_000;
/// What may stand around a number that a tag makes one.
const QUOTES: [char; 2] = ['"', '\''];
/// The most nodes that aliases may repeat in one file.
const REPEATED_NODES_MAX: usize = 200_000;

/// The tree of one file, or none when it cannot be read or holds nothing.
pub(super) fn parse(file: usize, report: &mut Report<'_>) -> Option<Node> {
    let text = report.text(file);
    let start = At { file, line: 1, column: 1, start: 0, length: 0 };
    if text.len() > FILE_BYTES_MAX {
        let message = format!("the file has {} bytes; at most {FILE_BYTES_MAX} are read", text.len());
        report.error(codes::TOO_LARGE, start, message, "split it into several files");
        return None;
    }
    match serde_saphyr::from_str_with_options::<Spanned<Raw>>(text, options()) {
        Ok(root) => Some(placed(root, file, text)),
        Err(error) => {
            let at = error.location().map_or(start, |location| place(location, file, text));
            let (code, message, hint) = explained(&error);
            report.error(code, at, message, hint);
            None
        }
    }
}

fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: DEPTH_MAX,
            max_nodes: NODES_MAX,
            max_events: NODES_MAX * 3,
            max_documents: 2,
            max_anchors: 1_000,
            max_aliases: 10_000,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: REPEATED_NODES_MAX,
        },
        duplicate_keys: DuplicateKeyPolicy::PassThrough,
        merge_keys: MergeKeyPolicy::AsOrdinary,
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        underscored_numbers_as_strings: true,
        strict_booleans: true,
        reject_unsupported_tags: true,
        with_snippet: false,
    }
}

/// What the library found, as code, sentence and hint.
fn explained(error: &Error) -> (&'static str, String, &'static str) {
    match error.without_snippet() {
        Error::AliasError { error, .. } => explained(error),
        Error::MultipleDocuments { .. } => (
            codes::SYNTAX,
            "a second document begins here".to_owned(),
            "keep one document in a file: remove the line `---`, or move what follows to its own file",
        ),
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. }
        | Error::AliasReplayCounterOverflow { .. } => (
            codes::TOO_LARGE,
            format!(
                "the file is larger, deeper or repeats more than is read (at most {DEPTH_MAX} levels, {NODES_MAX} values, \
                 {REPEATED_NODES_MAX} values repeated by aliases)"
            ),
            "write the entries out plainly, or split the file",
        ),
        Error::UnsupportedTag { .. } => (
            codes::SYNTAX,
            "a tag stands here, and no tag has a meaning in a project".to_owned(),
            "remove the word that begins with `!`, or put the text in quotes",
        ),
        other => (
            codes::SYNTAX,
            format!("this is not YAML that can be read: {}", sentence(other)),
            "check the indentation, the quotes and the brackets here and on the line before",
        ),
    }
}

/// The library's sentence, without the place, which is shown beside it.
fn sentence(error: &Error) -> String {
    let text = error.without_snippet().to_string();
    let first = text.lines().next().unwrap_or_default();
    first.split_once(" at line ").map_or(first, |(sentence, _)| sentence).to_owned()
}

/// A node as the library gives it.
enum Raw {
    Nothing,
    Text(String),
    Number,
    Boolean(bool),
    List(Vec<Spanned<Raw>>),
    Mapping(Vec<(Spanned<Raw>, Spanned<Raw>)>),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Nothing)
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Nothing)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Boolean(value))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_i128<E>(self, _: i128) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_u128<E>(self, _: u128) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Raw, E> {
        Ok(Raw::Number)
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Raw, E> {
        Ok(Raw::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Raw, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Raw::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Raw, A::Error> {
        let mut mapping = Vec::new();
        while let Some(pair) = pairs.next_entry()? {
            mapping.push(pair);
        }
        Ok(Raw::Mapping(mapping))
    }
}

/// The tree with the places of one file. Nesting is bounded by the budget, so the recursion is too.
fn placed(raw: Spanned<Raw>, file: usize, text: &str) -> Node {
    let defined = place(raw.defined, file, text);
    let written = || {
        text.get(defined.start..defined.start + defined.length)
            .unwrap_or_default()
            .trim()
            .trim_matches(QUOTES)
    };
    let content = match raw.value {
        Raw::Nothing => Content::Nothing,
        Raw::Boolean(value) => Content::Scalar { text: value.to_string(), kind: ScalarKind::Boolean },
        Raw::Number => Content::Scalar { text: written().to_owned(), kind: ScalarKind::Number },
        Raw::Text(value) => Content::Scalar { text: value, kind: ScalarKind::Text },
        Raw::List(items) => Content::List(items.into_iter().map(|item| placed(item, file, text)).collect()),
        Raw::Mapping(pairs) => Content::Mapping(
            pairs
                .into_iter()
                .map(|(key, value)| (placed(key, file, text), placed(value, file, text)))
                .collect(),
        ),
    };
    Node { at: place(raw.referenced, file, text), content }
}

fn place(location: Location, file: usize, text: &str) -> At {
    let whole = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
    let (line, column) = (whole(location.line()).max(1), whole(location.column()).max(1));
    let span = location.span();
    let start = span.byte_offset().map_or_else(|| byte_of(text, line, column), whole);
    let length = span.byte_len().map_or(1, whole);
    let start = floor(text, start.min(text.len()));
    let length = floor(text, start.saturating_add(length).min(text.len())) - start;
    At { file, line, column, start, length }
}

/// The byte at which a line and column begin.
fn byte_of(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let rest = text.get(before..).unwrap_or_default();
    before + rest.chars().take(column - 1).map(char::len_utf8).sum::<usize>()
}

/// The nearest boundary between characters at or before a byte.
fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
