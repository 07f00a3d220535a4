//! Owns the spelling of ASOF joins. Engines write `ASOF [LEFT] JOIN r ON r.key = o.key AND o.day >= r.day`; the parser has a
//! tree for them, read from `ASOF JOIN r MATCH_CONDITION (o.day >= r.day) ON r.key = o.key`, without an outer form. This
//! module goes between the two: what a tree prints is never what an engine is sent, and the other way round.
//!
//! In a tree, `(o.day >= r.day) IS TRUE` stands for the comparison of an outer one; no engine takes that in an ASOF join.
//! Deliberately absent: what such a join means (`resolve`).

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer, Word};

use crate::dialect::{Dialect, Support};

/// How many ASOF joins one statement may have; each is looked for through the whole of it.
const JOINS_MAX: usize = 16;

/// Tokens of a text as the parser reads them. What is no ASOF join that this module knows stays as it is.
pub(crate) fn read(tokens: Vec<TokenWithSpan>, dialect: &Dialect) -> Vec<TokenWithSpan> {
    if dialect.asof == Support::Missing {
        return tokens;
    }
    let joins = tokens.iter().filter(|token| is(token, Keyword::ASOF)).count();
    if joins == 0 || joins > JOINS_MAX {
        return tokens;
    }
    let mut kept: Vec<TokenWithSpan> =
        tokens.into_iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).collect();
    // From the last one on, so that what was rewritten is never looked at again.
    for at in (0..kept.len()).rev() {
        if kept.get(at).is_some_and(|token| is(token, Keyword::ASOF))
            && let Some(rewritten) = rewritten(&kept, at)
        {
            kept = rewritten;
        }
    }
    kept
}

/// The tokens with the ASOF join at a place written as the parser reads it.
fn rewritten(tokens: &[TokenWithSpan], at: usize) -> Option<Vec<TokenWithSpan>> {
    let head: Vec<&TokenWithSpan> = tokens.iter().skip(at).skip(1).take(3).collect();
    let join = head.iter().position(|token| is(token, Keyword::JOIN))?;
    let words = head.get(..join)?;
    let outer = words.first().is_some_and(|token| is(token, Keyword::LEFT));
    let known = [Keyword::LEFT, Keyword::OUTER, Keyword::INNER];
    if !words.iter().all(|token| known.iter().any(|keyword| is(token, *keyword))) {
        return None;
    }
    let join = at.checked_add(join)?.checked_add(1)?;
    let on = outside(tokens, join, |index| is_at(tokens, index, Keyword::ON))?;
    let after = on.checked_add(1)?;
    let end = outside(tokens, after, |index| ends(tokens, index))
        .or_else(|| closing(tokens, after))
        .unwrap_or(tokens.len());
    let condition = tokens.get(on.checked_add(1)?..end)?;
    let (compared, rest) = parted(condition)?;
    let span = tokens.get(on)?.span;
    let sign = |token: Token| TokenWithSpan { token, span };
    let mut found: Vec<TokenWithSpan> = tokens.get(..=at)?.to_vec();
    found.extend_from_slice(tokens.get(join..on)?);
    found.extend([sign(word("MATCH_CONDITION", Keyword::MATCH_CONDITION)), sign(Token::LParen)]);
    if outer {
        found.push(sign(Token::LParen));
    }
    found.extend(compared);
    if outer {
        found.extend([sign(Token::RParen), sign(word("IS", Keyword::IS)), sign(word("TRUE", Keyword::TRUE))]);
    }
    found.push(sign(Token::RParen));
    if !rest.is_empty() {
        found.push(sign(word("ON", Keyword::ON)));
        found.extend(rest);
    }
    found.extend_from_slice(tokens.get(end..)?);
    Some(found)
}

/// The one comparison of order among the parts of a condition, and the others, with AND between them.
fn parted(condition: &[TokenWithSpan]) -> Option<(Vec<TokenWithSpan>, Vec<TokenWithSpan>)> {
    let mut parts: Vec<Vec<TokenWithSpan>> = vec![Vec::new()];
    let mut signs = Vec::new();
    let mut depth = 0_usize;
    for token in condition {
        match &token.token {
            Token::LParen | Token::LBracket | Token::LBrace => depth = depth.saturating_add(1),
            Token::RParen | Token::RBracket | Token::RBrace => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            Token::Word(word) => match word.keyword {
                Keyword::AND => {
                    parts.push(Vec::new());
                    signs.push(token.clone());
                    continue;
                }
                Keyword::OR | Keyword::BETWEEN | Keyword::CASE | Keyword::IS => return None,
                _ => {}
            },
            _ => {}
        }
        parts.last_mut()?.push(token.clone());
    }
    let ordered = |part: &&Vec<TokenWithSpan>| {
        part.iter().any(|token| matches!(token.token, Token::Lt | Token::LtEq | Token::Gt | Token::GtEq))
    };
    let [_] = parts.iter().filter(ordered).collect::<Vec<_>>().as_slice() else { return None };
    let place = parts.iter().position(|part| ordered(&part))?;
    let compared = parts.remove(place);
    let and = signs.first().cloned();
    let mut rest = Vec::new();
    for part in parts {
        if !rest.is_empty() {
            rest.extend(and.clone());
        }
        rest.extend(part);
    }
    Some((compared, rest))
}

/// The text of a tree as the engine reads it.
pub(crate) fn written(text: String, dialect: &Dialect) -> String {
    if dialect.asof == Support::Missing || !text.contains("MATCH_CONDITION") {
        return text;
    }
    let Ok(tokens) = Tokenizer::new(dialect.syntax, &text).with_unescape(false).tokenize_with_location()
    else {
        return text;
    };
    let tokens: Vec<TokenWithSpan> = tokens;
    let mut kept = tokens.clone();
    for at in (0..tokens.len()).rev() {
        if is_at(&tokens, at, Keyword::ASOF)
            && let Some(spelled) = spelled(&kept, at)
        {
            kept = spelled;
        }
    }
    kept.iter().map(|token| token.token.to_string()).collect()
}

/// The tokens, blanks among them, with the ASOF join at a place written as the engine reads it.
fn spelled(tokens: &[TokenWithSpan], at: usize) -> Option<Vec<TokenWithSpan>> {
    let matched = outside(tokens, at, |index| is_at(tokens, index, Keyword::MATCH_CONDITION))?;
    let open = (matched..tokens.len())
        .find(|at| matches!(tokens.get(*at).map(|t| &t.token), Some(Token::LParen)))?;
    let close = closing(tokens, open.checked_add(1)?)?;
    let inside = tokens.get(open.checked_add(1)?..close)?;
    let compared = without_mark(inside);
    let outer = compared.is_some();
    let compared = compared.unwrap_or(inside);
    let span = tokens.get(at)?.span;
    let sign = |token: Token| TokenWithSpan { token, span };
    let blank = || sign(Token::Whitespace(sqlparser::tokenizer::Whitespace::Space));
    let mut found = tokens.get(..=at)?.to_vec();
    if outer {
        found.extend([blank(), sign(word("LEFT", Keyword::LEFT))]);
    }
    found.extend_from_slice(tokens.get(at.checked_add(1)?..matched)?);
    found.extend([sign(word("ON", Keyword::ON)), blank()]);
    found.extend_from_slice(compared);
    found.push(blank());
    let mut next = close.checked_add(1)?;
    while tokens.get(next).is_some_and(is_blank) {
        next = next.checked_add(1)?;
    }
    match tokens.get(next).is_some_and(|token| is(token, Keyword::ON)) {
        true => {
            found.push(sign(word("AND", Keyword::AND)));
            found.extend_from_slice(tokens.get(next.checked_add(1)?..)?);
        }
        false => found.extend_from_slice(tokens.get(next..)?),
    }
    Some(found)
}

/// What stands in the brackets before `IS TRUE`, the mark of an outer join.
fn without_mark(inside: &[TokenWithSpan]) -> Option<&[TokenWithSpan]> {
    let solid: Vec<usize> =
        inside.iter().enumerate().filter(|(_, token)| !is_blank(token)).map(|(index, _)| index).collect();
    let [first, .., bracket, one, two] = solid.as_slice() else { return None };
    let marked = is(inside.get(*one)?, Keyword::IS) && is(inside.get(*two)?, Keyword::TRUE);
    let bracketed =
        inside.get(*first)?.token == Token::LParen && inside.get(*bracket)?.token == Token::RParen;
    (marked && bracketed).then(|| inside.get(first.checked_add(1)?..*bracket))?
}

/// The first place from one on, outside of every bracket that is opened since, of which something holds; `None` when a
/// bracket closes before that which was opened earlier.
fn outside(tokens: &[TokenWithSpan], from: usize, holds: impl Fn(usize) -> bool) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(from) {
        match token.token {
            Token::LParen | Token::LBracket | Token::LBrace => depth = depth.checked_add(1)?,
            Token::RParen | Token::RBracket | Token::RBrace => depth = depth.checked_sub(1)?,
            _ if depth == 0 && holds(index) => return Some(index),
            _ => {}
        }
    }
    None
}

/// The place from one on where a bracket closes that was opened before.
fn closing(tokens: &[TokenWithSpan], from: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(from) {
        match token.token {
            Token::LParen | Token::LBracket | Token::LBrace => depth = depth.checked_add(1)?,
            Token::RParen | Token::RBracket | Token::RBrace if depth == 0 => return Some(index),
            Token::RParen | Token::RBracket | Token::RBrace => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// Whether the condition of a join ends before a token that stands in no bracket.
fn ends(tokens: &[TokenWithSpan], at: usize) -> bool {
    use Keyword as K;
    match tokens.get(at).map(|token| &token.token) {
        None | Some(Token::Comma | Token::SemiColon | Token::EOF) => true,
        Some(Token::Word(word)) if word.quote_style.is_none() => match word.keyword {
            // `left(x, 2)` is a call.
            K::LEFT | K::RIGHT => {
                !matches!(tokens.get(at.saturating_add(1)).map(|next| &next.token), Some(Token::LParen))
            }
            K::JOIN
            | K::INNER
            | K::FULL
            | K::CROSS
            | K::NATURAL
            | K::ASOF
            | K::SEMI
            | K::ANTI
            | K::WHERE
            | K::GROUP
            | K::HAVING
            | K::ORDER
            | K::LIMIT
            | K::OFFSET
            | K::QUALIFY
            | K::WINDOW
            | K::UNION
            | K::EXCEPT
            | K::INTERSECT
            | K::SELECT
            | K::USING
            | K::FETCH
            | K::ON => true,
            _ => word.value.eq_ignore_ascii_case("positional"),
        },
        Some(_) => false,
    }
}

fn is(token: &TokenWithSpan, keyword: Keyword) -> bool {
    matches!(&token.token, Token::Word(word) if word.keyword == keyword && word.quote_style.is_none())
}

fn is_at(tokens: &[TokenWithSpan], at: usize, keyword: Keyword) -> bool {
    tokens.get(at).is_some_and(|token| is(token, keyword))
}

fn is_blank(token: &TokenWithSpan) -> bool {
    matches!(token.token, Token::Whitespace(_))
}

fn word(text: &str, keyword: Keyword) -> Token {
    Token::Word(Word { value: text.to_owned(), quote_style: None, keyword })
}
