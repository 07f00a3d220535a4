//! Numbers in words, and the signs and words of units.

use std::collections::HashMap;

use bigdecimal::BigDecimal;
use serde::Deserialize;

use crate::tokens::{Token, TokenKind};

/// The most digits of a number that is read; more are not understood.
const DIGITS_MAX: usize = 38;

/// The data of a language's numbers.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Numbers {
    words: HashMap<String, u32>,
    multipliers: HashMap<String, u64>,
    currencies: HashMap<String, Vec<String>>,
    percent: Vec<String>,
}

/// A number as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// How much.
    pub value: BigDecimal,
    /// The currency or percent sign beside it.
    pub unit: WrittenUnit,
    /// Index of the token after it.
    pub next: usize,
}

/// The unit written beside a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrittenUnit {
    /// None.
    None,
    /// A currency, by its code.
    Currency(String),
    /// Percent.
    Percent,
}

impl Numbers {
    /// The number that starts at `at`: digits or words, a multiplier, a unit before or behind.
    #[must_use]
    pub fn read(&self, tokens: &[Token], at: usize) -> Option<Written> {
        let first = tokens.get(at)?;
        let (mut unit, mut next) = match self.unit(first) {
            WrittenUnit::None => (WrittenUnit::None, at),
            found => (found, at.saturating_add(1)),
        };
        let negative = tokens.get(next).is_some_and(|token| token.text == "-");
        if negative {
            next = next.saturating_add(1);
        }
        let (mut value, after) = self.plain(tokens, next)?;
        next = after;
        while let Some(times) = tokens.get(next).and_then(|token| self.multipliers.get(&token.text)) {
            value *= BigDecimal::from(*times);
            next = next.saturating_add(1);
        }
        if let Some(token) = tokens.get(next) {
            let behind = self.unit(token);
            if behind != WrittenUnit::None && unit == WrittenUnit::None {
                (unit, next) = (behind, next.saturating_add(1));
            }
        }
        Some(Written { value: if negative { -value } else { value }, unit, next })
    }

    fn plain(&self, tokens: &[Token], at: usize) -> Option<(BigDecimal, usize)> {
        let token = tokens.get(at)?;
        let next = at.saturating_add(1);
        match token.kind {
            TokenKind::Number => self.digits(&token.text).map(|value| (value, next)),
            TokenKind::Word => {
                let tens = *self.words.get(&token.text)?;
                let ones =
                    tokens.get(next).and_then(|token| self.words.get(&token.text)).filter(|ones| **ones < 10);
                match ones {
                    Some(ones) if tens >= 20 && *ones > 0 => {
                        Some((BigDecimal::from(tens.saturating_add(*ones)), next.saturating_add(1)))
                    }
                    _ => Some((BigDecimal::from(tens), next)),
                }
            }
            TokenKind::Quoted | TokenKind::Sign => None,
        }
    }

    /// `1,000.50` or `5k`; commas must stand between groups of three.
    fn digits(&self, text: &str) -> Option<BigDecimal> {
        let end = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
        let (digits, suffix) = text.split_at_checked(end)?;
        let times = match suffix {
            "" => 1,
            other => *self.multipliers.get(other)?,
        };
        let plain = without_commas(digits)?;
        if plain.len() > DIGITS_MAX || !plain.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
            return None;
        }
        plain.parse::<BigDecimal>().ok().map(|value| value * BigDecimal::from(times))
    }

    /// The unit that a token names, if it names one.
    #[must_use]
    pub fn unit(&self, token: &Token) -> WrittenUnit {
        if self.percent.contains(&token.text) {
            return WrittenUnit::Percent;
        }
        let code = self.currencies.iter().find(|(_, words)| words.contains(&token.text));
        code.map_or(WrittenUnit::None, |(code, _)| WrittenUnit::Currency(code.clone()))
    }
}

fn without_commas(digits: &str) -> Option<String> {
    let (whole, fraction) =
        digits.split_once('.').map_or((digits, None), |(whole, rest)| (whole, Some(rest)));
    let groups: Vec<&str> = whole.split(',').collect();
    let grouped = groups.len() == 1
        || (groups.first().is_some_and(|first| (1..=3).contains(&first.len()))
            && groups.iter().skip(1).all(|group| group.len() == 3));
    if !grouped || fraction.is_some_and(|rest| rest.contains(['.', ','])) {
        return None;
    }
    let whole = groups.concat();
    Some(fraction.map_or_else(|| whole.clone(), |rest| format!("{whole}.{rest}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{language::Language, tokens::tokens};

    fn read(text: &str) -> Option<(String, WrittenUnit)> {
        let written = Language::english().numbers.read(&tokens(text), 0)?;
        Some((written.value.to_plain_string(), written.unit))
    }

    #[test]
    fn numbers_as_written() {
        assert_eq!(read("1,000.50"), Some(("1000.50".into(), WrittenUnit::None)));
        assert_eq!(read("$5k"), Some(("5000".into(), WrittenUnit::Currency("USD".into()))));
        assert_eq!(read("twenty five percent"), Some(("25".into(), WrittenUnit::Percent)));
        assert_eq!(read("2 million euros"), Some(("2000000".into(), WrittenUnit::Currency("EUR".into()))));
        assert_eq!(read("two hundred"), Some(("200".into(), WrittenUnit::None)));
        assert_eq!(read("- 3"), Some(("-3".into(), WrittenUnit::None)));
        assert_eq!(read("1,00"), None);
        assert_eq!(read("2026-09-01"), None);
        assert_eq!(read("10:30"), None);
    }
}
