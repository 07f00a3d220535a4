//! Owns the limits on how large and how deep a text may be before it is parsed.
//!
//! Deliberately absent: limits on rows and time, which belong to the query that runs.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Location, Token, Tokenizer};

use crate::dialect::Dialect;

/// How long a statement may be.
pub const TEXT_BYTES_MAX: usize = 256 * 1024;
/// How deeply a tree may be nested.
pub const DEPTH_MAX: usize = 128;
/// How many tokens may follow one another without a comma, a bracket or a clause between them. Chains of
/// operators become trees as deep as they are long, so this bounds the depth of what the parser makes.
pub const CHAIN_TOKENS_MAX: usize = 1200;

/// Holds that a text is neither too long nor too deep to parse.
pub(crate) fn within(text: &str, dialect: &Dialect) -> Result<(), String> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(format!("the text is {} bytes long; at most {TEXT_BYTES_MAX} are read", text.len()));
    }
    let Ok(tokens) = Tokenizer::new(dialect.syntax, text).tokenize() else { return Ok(()) };
    match longest_chain(&tokens) > CHAIN_TOKENS_MAX {
        true => Err("an expression is too long to be judged".to_owned()),
        false => Ok(()),
    }
}

/// Tokens since the last comma or clause, and branches of set operations, at one depth of brackets.
#[derive(Clone, Copy, Default)]
struct Level {
    chain: usize,
    branches: usize,
}

/// How many chain tokens one branch of a set operation weighs.
const BRANCH_WEIGHT: usize = 4;

fn longest_chain(tokens: &[Token]) -> usize {
    let mut outer: Vec<Level> = Vec::new();
    let mut level = Level::default();
    let mut longest = 0;
    for token in tokens {
        match token {
            Token::Whitespace(_) => {}
            Token::LParen | Token::LBracket | Token::LBrace => {
                level.chain = level.chain.saturating_add(1);
                outer.push(std::mem::take(&mut level));
            }
            Token::RParen | Token::RBracket | Token::RBrace => level = outer.pop().unwrap_or(level),
            Token::Comma => level.chain = 0,
            Token::Word(word) => match word.keyword {
                Keyword::UNION | Keyword::EXCEPT | Keyword::INTERSECT | Keyword::MINUS => {
                    level.branches = level.branches.saturating_add(1);
                    level.chain = 0;
                }
                Keyword::SELECT
                | Keyword::FROM
                | Keyword::WHERE
                | Keyword::ON
                | Keyword::THEN
                | Keyword::WHEN => {
                    level.chain = 0;
                }
                _ => level.chain = level.chain.saturating_add(1),
            },
            _ => level.chain = level.chain.saturating_add(1),
        }
        longest = longest.max(level.chain).max(level.branches.saturating_mul(BRANCH_WEIGHT));
    }
    longest
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
