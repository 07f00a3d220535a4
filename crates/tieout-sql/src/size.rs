//! Owns the limits on how large and how deep a text may be before it is parsed.
//!
//! Deliberately absent: limits on rows and time, which belong to the query that runs.

use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Location, Span, Token, TokenWithSpan, Tokenizer, Whitespace};

use crate::asof;
use crate::dialect::{Dialect, Support};
use crate::spelling;

/// How long a statement may be.
pub const TEXT_BYTES_MAX: usize = 256 * 1024;
/// How deeply a tree may be nested.
pub const DEPTH_MAX: usize = 128;
/// How deep a tree the parser may make. Chains of operators become trees as deep as they are long, without any
/// bracket, so the depth is worked out from the tokens before they are parsed.
pub const TREE_DEPTH_MAX: usize = 200;

/// Why a text is not even parsed.
pub(crate) enum Unread {
    /// It is too long or too deep, or engines read it differently.
    Refused {
        /// The rule.
        rule: &'static str,
        /// What is wrong.
        message: String,
        /// What to do.
        hint: &'static str,
    },
    /// It does not fall into tokens.
    Syntax(ParserError),
}

/// A parser at the start of a text, held to be neither too long nor too deep to parse. The text falls into tokens once;
/// blanks are left out, which no grammar of ours looks at and the parser would step over again and again.
pub(crate) fn parser<'d>(text: &str, dialect: &'d Dialect) -> Result<Parser<'d>, Unread> {
    Ok(spelling::parser(dialect).with_tokens_with_locations(judged_tokens(text, dialect)?))
}

fn judged_tokens(text: &str, dialect: &Dialect) -> Result<Vec<TokenWithSpan>, Unread> {
    let size = |message| Unread::Refused { rule: "size", message, hint: "write less at once" };
    if text.len() > TEXT_BYTES_MAX {
        let message = format!("the text is {} bytes long; at most {TEXT_BYTES_MAX} are read", text.len());
        return Err(size(message));
    }
    let mut tokens = tokens(text, dialect).map_err(Unread::Syntax)?;
    plain_numbers(text, &tokens, dialect)?;
    if depth(&tokens) > TREE_DEPTH_MAX {
        return Err(size("an expression is too long or too deep to be judged".to_owned()));
    }
    tokens.retain(|token| !is_blank(&token.token));
    Ok(asof::read(tokens, dialect))
}

/// A parser at the start of a text whose places say nothing to whoever reads a statement over it.
pub(crate) fn placeless_parser<'d>(text: &str, dialect: &'d Dialect) -> Result<Parser<'d>, Unread> {
    let mut tokens = judged_tokens(text, dialect)?;
    tokens.iter_mut().for_each(|token| token.span = Span::empty());
    Ok(spelling::parser(dialect).with_tokens_with_locations(tokens))
}

/// A parser at the start of a text that we printed, which may be longer than one that is read; and the indexes of its
/// placeholders, in the order of the text.
pub(crate) fn printed_parser<'d>(
    text: &str,
    dialect: &'d Dialect,
) -> Result<(Parser<'d>, Vec<usize>), ParserError> {
    let mut tokens = tokens(text, dialect)?;
    tokens.retain(|token| !is_blank(&token.token));
    // Nobody is shown a place in it, and the parser writes places down whenever it has tried something else first.
    tokens.iter_mut().for_each(|token| token.span = Span::empty());
    let signs = tokens.iter().filter_map(|token| match &token.token {
        Token::Placeholder(name) => crate::lower::placeholder_index(name),
        _ => None,
    });
    let signs = signs.collect();
    Ok((spelling::parser(dialect).with_tokens_with_locations(asof::read(tokens, dialect)), signs))
}

/// The tokens of a text.
fn tokens(text: &str, dialect: &Dialect) -> Result<Vec<TokenWithSpan>, ParserError> {
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let mut tokenizer = Tokenizer::new(dialect.syntax, text).with_unescape(false);
    tokenizer.tokenize_with_location_into_buf(&mut tokens)?;
    Ok(tokens)
}

/// Whether a token is a blank. Comments are not: a parser may look for hints in them.
fn is_blank(token: &Token) -> bool {
    matches!(token, Token::Whitespace(Whitespace::Space | Whitespace::Tab | Whitespace::Newline))
}

/// Holds that numbers are read as the engine reads them: `0x1F` is a number on one engine, bytes on another and a column's
/// name after a zero on a third, and so is every number that runs into a word.
fn plain_numbers(text: &str, tokens: &[TokenWithSpan], dialect: &Dialect) -> Result<(), Unread> {
    let plain = |number: &str| number.bytes().all(|byte| !byte.is_ascii_alphabetic() || byte | 32 == b'e');
    let (mut odd, mut bytes, mut after_number) = (false, false, false);
    for TokenWithSpan { token, span: _ } in tokens {
        match token {
            Token::Number(number, _) => odd |= !plain(number),
            Token::HexStringLiteral(_) => bytes = true,
            Token::Word(_) => odd |= after_number,
            _ => {}
        }
        after_number = matches!(token, Token::Number(number, _) if !number.is_empty());
    }
    let zero_x = bytes && dialect.zero_x_bytes == Support::Missing && writes_zero_x(text, tokens);
    match odd || zero_x {
        true => Err(Unread::Refused {
            rule: "syntax",
            message: "a number is not written in plain digits, or runs into a word".to_owned(),
            hint: "write numbers in decimal digits, and a space after them",
        }),
        false => Ok(()),
    }
}

/// Whether bytes are written as `0x41` somewhere.
fn writes_zero_x(text: &str, tokens: &[TokenWithSpan]) -> bool {
    let lines: Vec<&str> = text.split('\n').collect();
    tokens.iter().filter(|token| matches!(token.token, Token::HexStringLiteral(_))).any(|token| {
        let at = |number: u64| usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
        let start = token.span.start;
        lines.get(at(start.line)).and_then(|line| line.chars().nth(at(start.column))) == Some('0')
    })
}

/// What is between two brackets, as far as its depth goes.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Operators since the last comma or clause.
    chain: usize,
    /// The deepest bracket since then.
    inner: usize,
    /// Set operations.
    branches: usize,
    /// The deepest part that a comma or clause ended.
    ended: usize,
}

impl Level {
    fn end_part(&mut self) {
        self.ended = self.ended.max(self.chain.saturating_add(self.inner));
        self.chain = 0;
        self.inner = 0;
    }

    fn depth(mut self) -> usize {
        self.end_part();
        self.ended.saturating_add(self.branches).saturating_add(1)
    }
}

/// An upper bound of the depth of the tree that some tokens become.
fn depth(tokens: &[TokenWithSpan]) -> usize {
    let mut outer: Vec<Level> = Vec::new();
    let mut level = Level::default();
    let mut deepest = 0;
    for TokenWithSpan { token, span: _ } in tokens {
        match token {
            Token::LParen | Token::LBracket | Token::LBrace => outer.push(std::mem::take(&mut level)),
            Token::RParen | Token::RBracket | Token::RBrace => {
                if let Some(mut parent) = outer.pop() {
                    parent.inner = parent
                        .inner
                        .max(level.depth())
                        .saturating_add(usize::from(*token == Token::RBracket));
                    level = parent;
                }
            }
            Token::Comma => level.end_part(),
            Token::Word(word) if word.quote_style.is_none() => match word.keyword {
                Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT | Keyword::MINUS => {
                    level.end_part();
                    level.branches = level.branches.saturating_add(1);
                }
                Keyword::SELECT | Keyword::FROM | Keyword::WHERE | Keyword::GROUP | Keyword::ORDER => {
                    level.end_part()
                }
                keyword if is_infix(keyword) => level.chain = level.chain.saturating_add(1),
                _ => {}
            },
            other if is_symbol(other) => level.chain = level.chain.saturating_add(1),
            _ => {}
        }
        deepest = deepest.max(level.depth().saturating_add(outer.len()));
    }
    while let Some(mut parent) = outer.pop() {
        parent.inner = parent.inner.max(level.depth());
        level = parent;
    }
    deepest.max(level.depth())
}

fn is_infix(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::AND
            | Keyword::OR
            | Keyword::XOR
            | Keyword::IS
            | Keyword::NOT
            | Keyword::LIKE
            | Keyword::ILIKE
            | Keyword::SIMILAR
            | Keyword::RLIKE
            | Keyword::REGEXP
            | Keyword::MATCH
            | Keyword::GLOB
            | Keyword::BETWEEN
            | Keyword::IN
            | Keyword::COLLATE
            | Keyword::AT
            | Keyword::DIV
            | Keyword::OVERLAPS
            | Keyword::MEMBER
            | Keyword::NOTNULL
            | Keyword::OPERATOR
            | Keyword::CASE
            | Keyword::PRIOR
    )
}

/// Whether a token is an operator sign: everything that is no word, literal, blank or punctuation.
fn is_symbol(token: &Token) -> bool {
    !matches!(
        token,
        Token::EOF
            | Token::Word(_)
            | Token::Number(_, _)
            | Token::Char(_)
            | Token::Whitespace(_)
            | Token::Period
            | Token::SemiColon
            | Token::Placeholder(_)
            | Token::SingleQuotedString(_)
            | Token::DoubleQuotedString(_)
            | Token::NationalStringLiteral(_)
            | Token::EscapedStringLiteral(_)
            | Token::UnicodeStringLiteral(_)
            | Token::HexStringLiteral(_)
            | Token::DollarQuotedString(_)
    )
}

/// Splits `… at Line: 3, Column: 7` off a parser's message.
pub(crate) fn split_parser_message(message: &str) -> (String, Option<Location>) {
    let message = message.trim_start_matches("sql parser error: ");
    let Some((sentence, place)) = message.rsplit_once(" at Line: ") else {
        return (message.to_owned(), None);
    };
    let location = place.split_once(", Column: ").and_then(|(line, column)| {
        let column: String = column.chars().take_while(char::is_ascii_digit).collect();
        Some(Location { line: line.trim().parse().ok()?, column: column.parse().ok()? })
    });
    (sentence.to_owned(), location)
}
