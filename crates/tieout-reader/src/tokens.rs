//! Cuts a question into tokens, each with its place in the text as typed.
//!
//! Owns what a word is: letters and digits run together, numbers keep their inner signs, quotes keep what they hold,
//! and `'s` and `n't` are words of their own. Text is compared after Unicode NFKC and lower-casing, so that a token's
//! text may be longer or shorter than the bytes it stands for. Deliberately absent: what any word means.

use unicode_normalization::UnicodeNormalization;

/// What a token is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Letters, or letters and digits.
    Word,
    /// Starts with a digit: a number, a date, an identifier.
    Number,
    /// Something between quotation marks.
    Quoted,
    /// Any other sign.
    Sign,
}

/// One token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Normalised and lower-cased; of a quotation, without its marks.
    pub text: String,
    /// As typed; of a quotation, without its marks.
    pub raw: String,
    /// Where it starts, in bytes.
    pub start: usize,
    /// Where it ends, in bytes, exclusive.
    pub end: usize,
    /// What it is made of.
    pub kind: TokenKind,
}

impl Token {
    fn new(question: &str, start: usize, end: usize, kind: TokenKind) -> Self {
        let raw = question.get(start..end).unwrap_or_default();
        Self { text: normalise(raw), raw: raw.to_owned(), start, end, kind }
    }

    /// Whether the token is a sign that only separates.
    #[must_use]
    pub fn is_punctuation(&self) -> bool {
        self.kind == TokenKind::Sign
            && matches!(self.text.as_str(), "?" | "." | "!" | "," | ";" | ":" | "…" | "..." | "-" | "–" | "—")
    }

    /// Whether the token begins with a capital letter as typed.
    #[must_use]
    pub fn is_capitalised(&self) -> bool {
        self.raw.chars().next().is_some_and(char::is_uppercase)
    }
}

/// NFKC and lower case.
#[must_use]
pub fn normalise(text: &str) -> String {
    if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        text.nfkc().flat_map(char::to_lowercase).collect()
    }
}

/// Every token of `question`, in order. Each byte that is not blank, nor a joiner between two letters, lies in exactly
/// one of them.
#[must_use]
pub fn tokens(question: &str) -> Vec<Token> {
    let mut scanner =
        Scanner { question, chars: question.char_indices().collect(), at: 0, found: Vec::new() };
    while scanner.at < scanner.chars.len() {
        scanner.step();
    }
    scanner.found
}

struct Scanner<'a> {
    question: &'a str,
    chars: Vec<(usize, char)>,
    at: usize,
    found: Vec<Token>,
}

impl Scanner<'_> {
    fn step(&mut self) {
        let Some(c) = self.char(self.at) else { return };
        if c.is_whitespace() || c.is_control() {
            self.at += 1;
        } else if c.is_ascii_digit()
            || (c == '.' && self.is_digit(self.at + 1) && !self.is_word(self.at.wrapping_sub(1)))
        {
            self.number();
        } else if is_word_char(c) {
            self.word();
        } else if !self.quotation(c) {
            self.sign(c);
        }
    }

    fn char(&self, at: usize) -> Option<char> {
        self.chars.get(at).map(|(_, c)| *c)
    }

    fn is_word(&self, at: usize) -> bool {
        self.char(at).is_some_and(is_word_char)
    }

    fn is_digit(&self, at: usize) -> bool {
        self.char(at).is_some_and(|c| c.is_ascii_digit())
    }

    /// The byte at which the character of an index starts.
    fn byte(&self, at: usize) -> usize {
        self.chars.get(at).map_or(self.question.len(), |(byte, _)| *byte)
    }

    fn push(&mut self, from: usize, to: usize, kind: TokenKind) {
        let (start, end) = (self.byte(from), self.byte(to));
        self.found.push(Token::new(self.question, start, end, kind));
    }

    /// `1,000.50`, `2026-09-01`, `10:30`, `5k`, `3rd`: inner signs stay inside when a digit follows; letters too.
    fn number(&mut self) {
        let start = self.at;
        self.at += 1;
        while let Some(c) = self.char(self.at) {
            let joined = match c {
                ',' | '.' | ':' | '/' => self.is_digit(self.at - 1) && self.is_digit(self.at + 1),
                '-' => {
                    self.is_digit(self.at - 1)
                        && self.is_word(self.at + 1)
                        && !self.looks_spelled(self.at + 1)
                }
                other => is_word_char(other),
            };
            if !joined {
                break;
            }
            self.at += 1;
        }
        self.push(start, self.at, TokenKind::Number);
    }

    /// Whether a run of letters of two or more starts here: `30-day` is two words, `2026-W09` is one.
    fn looks_spelled(&self, at: usize) -> bool {
        self.char(at).is_some_and(char::is_alphabetic) && self.char(at + 1).is_some_and(char::is_alphabetic)
    }

    fn word(&mut self) {
        let start = self.at;
        while self.is_word(self.at) {
            self.at += 1;
        }
        let clitic = self.char(self.at).is_some_and(is_apostrophe);
        if clitic
            && self.char(self.at + 1).is_some_and(|c| c.eq_ignore_ascii_case(&'t'))
            && !self.is_word(self.at + 2)
            && self.ends_in_n(start)
        {
            return self.negation(start);
        }
        self.push(start, self.at, TokenKind::Word);
        if clitic && self.is_word(self.at + 1) {
            self.clitic();
        }
        self.skip_joiner();
    }

    fn ends_in_n(&self, start: usize) -> bool {
        self.at >= start + 2 && self.char(self.at - 1).is_some_and(|c| c.eq_ignore_ascii_case(&'n'))
    }

    /// `haven't` is `have` and `n't`.
    fn negation(&mut self, start: usize) {
        self.push(start, self.at - 1, TokenKind::Word);
        self.push(self.at - 1, self.at + 2, TokenKind::Word);
        self.at += 2;
        if let Some(token) = self.found.last_mut() {
            "n't".clone_into(&mut token.text);
        }
    }

    /// `'s`, `'ve`, `'d`, `'re`: an apostrophe and the letters behind it.
    fn clitic(&mut self) {
        let start = self.at;
        self.at += 1;
        while self.is_word(self.at) {
            self.at += 1;
        }
        self.push(start, self.at, TokenKind::Word);
        if let Some(token) = self.found.last_mut() {
            token.text = token.text.replace(is_apostrophe, "'");
        }
    }

    /// A hyphen, underscore or dot between two words belongs to neither: `net_revenue` is said `net revenue`.
    fn skip_joiner(&mut self) {
        let joiner = self.char(self.at).is_some_and(|c| matches!(c, '-' | '‐' | '‑' | '_' | '.'));
        if joiner && self.is_word(self.at + 1) {
            self.at += 1;
        }
    }

    /// What stands between quotation marks, where the closing mark ends a word.
    fn quotation(&mut self, open: char) -> bool {
        let Some(close) = closing_mark(open) else { return false };
        let inner = self.at + 1;
        let mut end = inner;
        while let Some(c) = self.char(end) {
            let closes = c == close && end > inner && (is_unambiguous(close) || !self.is_word(end + 1));
            if closes {
                self.push(inner, end, TokenKind::Quoted);
                let (start, stop) = (self.byte(self.at), self.byte(end + 1));
                if let Some(token) = self.found.last_mut() {
                    (token.start, token.end) = (start, stop);
                }
                self.at = end + 1;
                return true;
            }
            end += 1;
        }
        false
    }

    fn sign(&mut self, c: char) {
        let two = self.char(self.at + 1).is_some_and(|next| {
            matches!(
                (c, next),
                ('!' | '<' | '>' | '=', '=') | ('<', '>') | ('-', '-') | ('|', '|') | ('&', '&')
            )
        });
        let length = if two { 2 } else { 1 };
        self.push(self.at, self.at + length, TokenKind::Sign);
        self.at += length;
    }
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c)
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | 'ʼ' | '´')
}

fn closing_mark(open: char) -> Option<char> {
    match open {
        '"' => Some('"'),
        '“' | '„' => Some('”'),
        '‘' => Some('’'),
        '«' => Some('»'),
        '\'' => Some('\''),
        '`' => Some('`'),
        _ => None,
    }
}

/// Whether a mark can only be a quotation mark; the others may be an apostrophe inside a word.
fn is_unambiguous(mark: char) -> bool {
    !is_apostrophe(mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(question: &str) -> Vec<String> {
        tokens(question).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn words_numbers_and_signs() {
        assert_eq!(
            texts("Orders over $1,000.50, please!"),
            ["orders", "over", "$", "1,000.50", ",", "please", "!"]
        );
        assert_eq!(texts("on 2026-09-01 or 03/04/2026"), ["on", "2026-09-01", "or", "03/04/2026"]);
        assert_eq!(texts("last 30-day year-to-date"), ["last", "30", "-", "day", "year", "to", "date"]);
        assert_eq!(texts("net_revenue of customers.region"), ["net", "revenue", "of", "customers", "region"]);
        assert_eq!(texts("5k >= 10% <>"), ["5k", ">=", "10", "%", "<>"]);
        assert_eq!(texts("2026. Then"), ["2026", ".", "then"]);
    }

    #[test]
    fn clitics_and_quotes() {
        assert_eq!(
            texts("who haven't paid last month's bill"),
            ["who", "have", "n't", "paid", "last", "month", "'s", "bill"]
        );
        assert_eq!(texts("named \"A, B\" and 'c d'"), ["named", "a, b", "and", "c d"]);
        assert_eq!(texts("customers' orders"), ["customers", "'", "orders"]);
        assert_eq!(texts("x' OR 1=1 --"), ["x", "'", "or", "1", "=", "1", "--"]);
        assert_eq!(texts("O’Brien"), ["o", "'brien"]);
    }

    #[test]
    fn normalises_and_keeps_places() {
        let found = tokens("ﬁrst Ｋｉｎｄ é");
        assert_eq!(found[0].text, "first");
        assert_eq!(found[1].text, "kind");
        assert_eq!((found[1].start, found[1].end), (7, 19));
    }
}
