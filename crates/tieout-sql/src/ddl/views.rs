//! Owns the views of a DDL: a view is a query over tables that are known, and one that is not says why.
//!
//! Deliberately absent: putting a view's query in its place (`crate::views`).

use sqlparser::ast::{CreateView, Ident, ObjectName, ObjectNamePart, Query, Statement};
use sqlparser::tokenizer::{Token, Tokenizer};

use super::settle::place;
use crate::dialect::Dialect;
use crate::facts::{Facts, NameKind, Permission};
use crate::resolve::{Level, Record, resolve};
use crate::schema::{Schema, View, ViewBody};
use crate::size::{self, TEXT_BYTES_MAX, Unread};
use crate::split::Part;
use crate::views::written_out;

/// How many views may stand on one another.
const VIEW_DEPTH_MAX: usize = 16;

/// A view as it was read, before the tables are known.
pub(super) struct Read {
    path: Vec<String>,
    columns: Vec<String>,
    query: Result<Box<Query>, String>,
}

/// Reads CREATE VIEW; `None` when not even its name can be read.
pub(super) fn read(part: &Part, dialect: &Dialect) -> Option<Read> {
    let called = |ident: &Ident| {
        dialect.created(&Ident { value: crate::spelling::plain(ident).into_owned(), ..ident.clone() })
    };
    match parsed(part.text, dialect) {
        Ok(CreateView { name, columns, query, to: None, .. }) => Some(Read {
            path: path(&name).into_iter().map(called).collect(),
            columns: columns.iter().map(|column| called(&column.name)).collect(),
            query: Ok(query),
        }),
        Ok(CreateView { name, .. }) => {
            let path = path(&name).into_iter().map(called).collect();
            Some(Read { path, columns: Vec::new(), query: Err("it writes into a table".to_owned()) })
        }
        Err(reason) => {
            let path = named(part.text, dialect)?;
            Some(Read { path, columns: Vec::new(), query: Err(reason) })
        }
    }
}

fn parsed(text: &str, dialect: &Dialect) -> Result<CreateView, String> {
    let mut parser = size::placeless_parser(text, dialect).map_err(|unread| match unread {
        Unread::Refused { message, .. } => message,
        Unread::Syntax(error) => size::split_parser_message(&error.to_string()).0,
    })?;
    match parser.parse_statement() {
        Ok(Statement::CreateView(view)) => Ok(view),
        Ok(_) => Err("it is no plain view".to_owned()),
        Err(error) => {
            let (message, _) = size::split_parser_message(&error.to_string());
            Err(format!("its query does not parse: {message}"))
        }
    }
}

fn path(name: &ObjectName) -> Vec<&Ident> {
    name.0.iter().filter_map(ObjectNamePart::as_ident).collect()
}

/// The name after VIEW, from the tokens of a definition that does not parse.
fn named(text: &str, dialect: &Dialect) -> Option<Vec<String>> {
    let tokens = Tokenizer::new(dialect.syntax, text).tokenize().ok()?;
    let is = |token: &Token, words: &[&str]| match token {
        Token::Word(word) => {
            word.quote_style.is_none() && words.iter().any(|known| word.value.eq_ignore_ascii_case(known))
        }
        Token::Whitespace(_) => true,
        _ => false,
    };
    let after =
        tokens.iter().position(|token| !matches!(token, Token::Whitespace(_)) && is(token, &["VIEW"]))?;
    let rest =
        tokens.iter().skip(after.saturating_add(1)).skip_while(|token| is(token, &["IF", "NOT", "EXISTS"]));
    let mut path = Vec::new();
    for token in rest {
        match token {
            Token::Word(word) if path.is_empty() || matches!(path.last(), Some(None)) => {
                let ident = Ident {
                    value: word.value.clone(),
                    quote_style: word.quote_style,
                    span: sqlparser::tokenizer::Span::empty(),
                };
                path.push(Some(dialect.created(&ident)));
            }
            Token::Period => path.push(None),
            _ => break,
        }
    }
    let path: Vec<String> = path.into_iter().flatten().collect();
    (!path.is_empty()).then_some(path)
}

/// Adds the views to a schema whose tables are known, each over those before it. The last of one name counts; a table of
/// the same name goes before.
pub(super) fn settle(read: Vec<Read>, schema: &mut Schema, dialect: &Dialect) {
    for Read { path, columns, query } in read {
        let Some(name) = path.last().cloned() else { continue };
        if place(schema.tables.keys(), &name, dialect).is_some() {
            continue;
        }
        let mut view = View {
            name: name.clone(),
            relation: path,
            columns,
            reads: Vec::new(),
            body: ViewBody::Unseen(String::new()),
        };
        match query.and_then(|query| seen(&query, &view, schema, dialect)) {
            Ok((body, reads)) => (view.body, view.reads) = (body, reads),
            Err(reason) => view.body = ViewBody::Unseen(reason),
        }
        if let Some(at) = place(schema.views.keys(), &name, dialect) {
            schema.views.shift_remove_index(at);
        }
        schema.views.insert(name, view);
    }
}

/// The query of a view with the views below it written out, and the names that it reads.
fn seen(
    query: &Query,
    view: &View,
    schema: &Schema,
    dialect: &Dialect,
) -> Result<(ViewBody, Vec<String>), String> {
    let below = written_out(query, schema, dialect).map_err(|unseen| unseen.message)?;
    let depth = below.as_ref().map_or(Ok(1), |_| {
        let first = resolve(query, schema, dialect, Level::Logical, Record::Nothing);
        let depths = first.references.values().filter_map(|reference| reference.depth(schema));
        match depths.max().unwrap_or(0).saturating_add(1) {
            depth if depth > VIEW_DEPTH_MAX => {
                Err(format!("more than {VIEW_DEPTH_MAX} views stand on one another"))
            }
            depth => Ok(depth),
        }
    })?;
    let whole = below.unwrap_or_else(|| query.clone());
    let bytes = whole.to_string().len();
    if bytes > TEXT_BYTES_MAX {
        return Err("it is too large once the views below it are written out".to_owned());
    }
    let resolved = resolve(&whole, schema, dialect, Level::Logical, Record::Nothing);
    if let Some(reason) = unreadable(&resolved.facts) {
        return Err(reason);
    }
    let width = resolved.facts.output.len();
    if view.columns.len() > width {
        return Err(format!("it names {} columns and its query has {width}", view.columns.len()));
    }
    let mut reads: Vec<String> = Vec::new();
    for index in resolved.references.values() {
        if let Some((name, _)) = index.table().and_then(|index| schema.tables.get_index(index))
            && !reads.contains(name)
        {
            reads.push(name.clone());
        }
    }
    reads.sort_unstable();
    Ok((ViewBody::Query { query: Box::new(whole), bytes, depth }, reads))
}

/// Why a query cannot be looked through; `None` when it can.
fn unreadable(facts: &Facts) -> Option<String> {
    if let Some(problem) = facts.names.first() {
        let what = match problem.kind {
            NameKind::UnknownTable => "reads a table that is not known",
            NameKind::UnseenView => "reads a view that cannot be looked through",
            NameKind::UnknownColumn => "names a column that is not known",
            NameKind::AmbiguousColumn => "names a column that could be more than one",
            NameKind::DuplicateSource => "gives one name twice",
            NameKind::ColumnCount => "has sides of different width",
            NameKind::SystemCatalogue => "reads the engine's own catalogue",
        };
        return Some(format!("it {what}: `{}`", problem.name));
    }
    if let Some(found) = facts.functions.iter().find(|found| found.permission != Permission::Allowed) {
        return Some(format!("it calls `{}`, which is on no list", found.name));
    }
    let unsupported = facts.unsupported.first().map(|found| found.what.clone());
    let found = unsupported.or_else(|| facts.writes.first().map(|write| write.what.clone()))?;
    Some(format!("it holds {found}"))
}
