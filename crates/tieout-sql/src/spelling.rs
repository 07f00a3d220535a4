//! Owns how names and texts are spelled in a tree. Trees keep quoted parts exactly as they are written, with their
//! doubled quotes, because the printer takes what looks doubled for already doubled; this module goes between that
//! spelling and the plain one.
//!
//! Deliberately absent: folding of case (`dialect`).

use sqlparser::ast::Ident;
use sqlparser::parser::{Parser, ParserOptions};

use crate::dialect::Dialect;

/// A parser that keeps quoted parts as they are written.
pub(crate) fn parser(dialect: &Dialect) -> Parser<'_> {
    let options = ParserOptions::new()
        .with_trailing_commas(dialect.syntax.supports_trailing_commas())
        .with_unescape(false);
    Parser::new(dialect.syntax).with_options(options)
}

/// A quoted identifier for a plain name.
pub(crate) fn quoted(quote: char, name: &str) -> Ident {
    Ident::with_quote(quote, name.replace(quote, &format!("{quote}{quote}")))
}

/// The plain name of an identifier.
pub(crate) fn plain(ident: &Ident) -> String {
    match ident.quote_style {
        Some(quote) => ident.value.replace(&format!("{quote}{quote}"), &quote.to_string()),
        None => ident.value.clone(),
    }
}

/// The plain text of a literal in single quotes.
pub(crate) fn text(written: &str) -> String {
    written.replace("''", "'")
}
