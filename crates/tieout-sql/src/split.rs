//! Owns taking a text of many statements apart, each with its place in the text, and counting placeholders.
//!
//! The parts are found with the dialect's own tokens, so that no semicolon inside a string, a comment or a quoted name
//! ends a statement. Deliberately absent: judging; each part meets the checker as it stands.

use sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};

use crate::dialect::Dialect;
use crate::lower::placeholder_index;

/// One statement of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// The statement, from its first word to before its semicolon.
    pub text: &'a str,
    /// The line of the text on which it begins, from 1.
    pub line: u64,
    /// The column in which it begins, in characters, from 1.
    pub column: u64,
}

impl Part<'_> {
    /// The line and column in the whole text of a place in the statement.
    #[must_use]
    pub fn place(&self, line: u64, column: u64) -> (u64, u64) {
        let before = if line <= 1 { self.column.saturating_sub(1) } else { 0 };
        (self.line.saturating_add(line.saturating_sub(1)), column.saturating_add(before))
    }
}

/// The statements of a text, in their order. What follows a piece that has no tokens (a quote that never ends) belongs
/// to the statement it stands in.
#[must_use]
pub fn statements<'a>(text: &'a str, dialect: &Dialect) -> Vec<Part<'a>> {
    let mut tokens: Vec<TokenWithSpan> = Vec::new();
    let whole = Tokenizer::new(dialect.syntax, text)
        .with_unescape(false)
        .tokenize_with_location_into_buf(&mut tokens);
    let mut cursor = Cursor { text, at: 0, line: 1, column: 1 };
    let mut found = Vec::new();
    let mut open: Option<(usize, Location)> = None;
    let mut last = Location { line: 1, column: 1 };
    for TokenWithSpan { token, span } in &tokens {
        match token {
            Token::Whitespace(_) | Token::EOF => {}
            Token::SemiColon => {
                let end = cursor.reach(span.start);
                found.extend(open.take().and_then(|(start, place)| part(text, start, end, place)));
            }
            _ if open.is_none() => open = Some((cursor.reach(span.start), span.start)),
            _ => {}
        }
        last = span.end;
    }
    if whole.is_err() && open.is_none() {
        cursor.reach(last);
        cursor.skip_blanks();
        open = Some((cursor.at, Location { line: cursor.line, column: cursor.column }));
    }
    found.extend(open.and_then(|(start, place)| part(text, start, text.len(), place)));
    found
}

/// The parts of one statement that each create a table: tools write them one after another, with no semicolon between.
pub(crate) fn tables_apart<'a>(whole: Part<'a>, dialect: &Dialect) -> Vec<Part<'a>> {
    let Ok(tokens) = Tokenizer::new(dialect.syntax, whole.text).with_unescape(false).tokenize_with_location()
    else {
        return vec![whole];
    };
    let words: Vec<&TokenWithSpan> =
        tokens.iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).collect();
    let is = |token: &TokenWithSpan, name: &str| matches!(&token.token, Token::Word(word) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(name));
    let (mut depth, mut starts) = (0_usize, vec![Location { line: 1, column: 1 }]);
    for (position, pair) in words.windows(2).enumerate() {
        let [one, next] = pair else { continue };
        match one.token {
            Token::LParen => depth = depth.saturating_add(1),
            Token::RParen => depth = depth.saturating_sub(1),
            _ if depth == 0 && position > 0 && is(one, "CREATE") && is(next, "TABLE") => {
                starts.push(one.span.start);
            }
            _ => {}
        }
    }
    let mut cursor = Cursor { text: whole.text, at: 0, line: 1, column: 1 };
    let mut cuts: Vec<(usize, Location)> =
        starts.iter().map(|start| (cursor.reach(*start), *start)).collect();
    cuts.push((whole.text.len(), Location { line: 1, column: 1 }));
    let piece = |pair: &[(usize, Location)]| {
        let [(from, place), (to, _)] = pair else { return None };
        let (line, column) = whole.place(place.line, place.column);
        part(whole.text, *from, *to, Location { line, column })
    };
    cuts.windows(2).filter_map(piece).collect()
}

/// How many values the placeholders of a text stand for.
#[must_use]
pub fn placeholders(text: &str, dialect: &Dialect) -> usize {
    let Ok(tokens) = Tokenizer::new(dialect.syntax, text).tokenize() else { return 0 };
    let (mut plain, mut highest) = (0_usize, 0_usize);
    for token in &tokens {
        match token {
            Token::Placeholder(name) if name == "?" => plain = plain.saturating_add(1),
            Token::Placeholder(name) => {
                let number = placeholder_index(name).map_or(0, |index| index.saturating_add(1));
                highest = highest.max(number);
            }
            _ => {}
        }
    }
    plain.max(highest)
}

fn part(text: &str, start: usize, end: usize, place: Location) -> Option<Part<'_>> {
    let text = text.get(start..end)?.trim_end();
    (!text.is_empty()).then_some(Part { text, line: place.line, column: place.column })
}

/// A place in a text that only moves on, so that a long text is walked once.
struct Cursor<'a> {
    text: &'a str,
    at: usize,
    line: u64,
    column: u64,
}

impl Cursor<'_> {
    /// The byte at which a line and column begin.
    fn reach(&mut self, place: Location) -> usize {
        while (self.line, self.column) < (place.line, place.column) {
            if !self.step() {
                break;
            }
        }
        self.at
    }

    fn skip_blanks(&mut self) {
        while self.text.get(self.at..).is_some_and(|rest| rest.starts_with(char::is_whitespace)) {
            self.step();
        }
    }

    fn step(&mut self) -> bool {
        let Some(next) = self.text.get(self.at..).and_then(|rest| rest.chars().next()) else { return false };
        self.at = self.at.saturating_add(next.len_utf8());
        match next {
            '\n' => {
                self.line = self.line.saturating_add(1);
                self.column = 1;
            }
            _ => self.column = self.column.saturating_add(1),
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, placeholders, statements};
    use crate::{DUCKDB, MYSQL, POSTGRES};

    fn places<'a>(parts: &[Part<'a>]) -> Vec<(&'a str, u64, u64)> {
        parts.iter().map(|part| (part.text, part.line, part.column)).collect()
    }

    #[test]
    fn a_text_falls_apart_at_its_own_semicolons_only() {
        let text = "-- first; not yet\nselect ';' as \"a;b\" /* ; */ from t ;\n\n  select 2;;\n-- the end;\n";
        let found = statements(text, &POSTGRES);
        assert_eq!(places(&found), [("select ';' as \"a;b\" /* ; */ from t", 2, 1), ("select 2", 4, 3)]);
        let quoted = statements("select $$ ; $$; select 'it''s; fine'", &POSTGRES);
        assert_eq!(places(&quoted), [("select $$ ; $$", 1, 1), ("select 'it''s; fine'", 1, 17)]);
        let escaped = statements(r"select 'a\'; b'; select 2", &MYSQL);
        assert_eq!(places(&escaped), [(r"select 'a\'; b'", 1, 1), ("select 2", 1, 18)]);
    }

    #[test]
    fn a_quote_that_never_ends_takes_the_rest_and_loses_nothing_before() {
        let found = statements("select 1;\nselect 'open; select 3;\n", &DUCKDB);
        assert_eq!(places(&found), [("select 1", 1, 1), ("select 'open; select 3;", 2, 1)]);
        let bare = statements("select 1;\n  'open", &DUCKDB);
        assert_eq!(places(&bare), [("select 1", 1, 1), ("'open", 2, 3)]);
        assert_eq!(places(&statements(" \n -- nothing\n", &DUCKDB)), []);
    }

    #[test]
    fn columns_count_characters() {
        let found = statements("select 'äöü€😀'; select 2", &DUCKDB);
        assert_eq!(places(&found), [("select 'äöü€😀'", 1, 1), ("select 2", 1, 17)]);
    }

    #[test]
    fn a_value_is_counted_for_every_placeholder() {
        assert_eq!(placeholders("select ? + ?, '?'", &MYSQL), 2);
        assert_eq!(placeholders("select $2 + $1 + $2", &POSTGRES), 2);
        assert_eq!(placeholders("select 1", &POSTGRES), 0);
    }
}
