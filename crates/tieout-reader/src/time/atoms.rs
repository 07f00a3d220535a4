//! Tokens cut into atoms: runs of letters, runs of digits, and single signs.
//!
//! The grammar reads atoms, so that it does not matter whether `2026-09-03` or `q3` came as one token or as several.
//! Deliberately absent: any meaning of an atom.

use super::{
    TimeToken,
    lexicon::{Cue, GrainForm, GrainWord, Lexicon, Phrase},
};

/// A run of letters, a run of digits, or one sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atom<'a> {
    /// The text, in lower case.
    pub text: &'a str,
    /// The token it was cut from.
    pub token: usize,
    /// Whether nothing stands between it and the atom before.
    pub glued: bool,
    /// Whether at most one byte stands there, which may be a hyphen that the reader dropped.
    pub near: bool,
    /// Whether it begins its token.
    pub opens: bool,
    /// Whether it ends its token.
    pub closes: bool,
    /// The phrases of the grammar that begin with it.
    pub cues: &'a [Phrase<Cue>],
    /// The phrases for lengths of time that begin with it.
    pub grains: &'a [Phrase<(GrainWord, GrainForm)>],
}

impl Atom<'_> {
    /// Whether it is digits.
    pub fn is_digits(&self) -> bool {
        self.text.bytes().next().is_some_and(|b| b.is_ascii_digit())
    }

    /// Its number, when it is digits. More digits than can be counted give the greatest number.
    pub fn number(&self) -> Option<i64> {
        self.is_digits().then(|| self.text.parse().unwrap_or(i64::MAX))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    Sign,
}

fn class(c: char) -> Class {
    if c.is_ascii_digit() {
        Class::Digit
    } else if c.is_alphabetic() {
        Class::Letter
    } else {
        Class::Sign
    }
}

/// The atoms of all tokens, in order, each with the phrases that may begin there: every part of the grammar asks for
/// them, so they are looked up once.
pub(super) fn read_atoms<'a>(tokens: &[TimeToken<'a>], words: &'a Lexicon) -> Vec<Atom<'a>> {
    let mut atoms = atoms(tokens);
    for atom in &mut atoms {
        atom.cues = words.cues.get(atom.text).map_or(&[], Vec::as_slice);
        atom.grains = words.grains.get(atom.text).map_or(&[], Vec::as_slice);
    }
    atoms
}

/// The atoms of all tokens, in order.
pub(super) fn atoms<'a>(tokens: &[TimeToken<'a>]) -> Vec<Atom<'a>> {
    let mut atoms = Vec::with_capacity(tokens.len() * 2);
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| tokens.get(before));
        let gap = before.map_or(usize::MAX, |before| token.start.saturating_sub(before.end));
        cut(token.text, index, gap, &mut atoms);
    }
    atoms
}

fn cut<'a>(text: &'a str, token: usize, gap: usize, atoms: &mut Vec<Atom<'a>>) {
    let from = atoms.len();
    let (mut glued, mut near) = (gap == 0, gap <= 1);
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let kind = class(first);
        let length = match kind {
            Class::Sign => first.len_utf8(),
            Class::Letter | Class::Digit => rest.find(|c| class(c) != kind).unwrap_or(rest.len()),
        };
        let (atom, after) = rest.split_at(length);
        atoms.push(Atom {
            text: atom,
            token,
            glued,
            near,
            opens: false,
            closes: false,
            cues: &[],
            grains: &[],
        });
        rest = after.trim_start();
        glued = rest.len() == after.len();
        near = true;
    }
    if let Some(first) = atoms.get_mut(from) {
        first.opens = true;
        if let Some(last) = atoms.last_mut() {
            last.closes = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(token: &str) -> Vec<&str> {
        atoms(&[TimeToken { text: token, start: 0, end: token.len() }]).iter().map(|atom| atom.text).collect()
    }

    #[test]
    fn cuts_where_the_kind_changes() {
        assert_eq!(texts("2026-09-03"), ["2026", "-", "09", "-", "03"]);
        assert_eq!(texts("fy2026"), ["fy", "2026"]);
        assert_eq!(texts("são's"), ["são", "'", "s"]);
        assert_eq!(texts("a  b"), ["a", "b"]);
        assert!(texts("").is_empty());
    }

    #[test]
    fn says_what_touches() {
        let tokens = [
            TimeToken { text: "q", start: 0, end: 1 },
            TimeToken { text: "3", start: 1, end: 2 },
            TimeToken { text: "2026", start: 3, end: 7 },
        ];
        let glued: Vec<bool> = atoms(&tokens).iter().map(|atom| atom.glued).collect();
        assert_eq!(glued, [false, true, false]);
    }
}
