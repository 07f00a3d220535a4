//! The parser's footing: atoms by place, phrases, numbers, ordinals, months, weekdays and years.
//!
//! Every parsing function takes the place of an atom and gives what it found and the place behind it. Each looks at a
//! bounded number of atoms, so that finding all spans takes time in proportion to the question. Deliberately absent: the
//! expressions themselves (`absolute`, `numeric`, `relative`, `ranges`, `grains`).

use super::{
    atoms::Atom,
    lexicon::{Cue, GrainForm, GrainWord, Lexicon, Phrase},
    unit::{Unit, Year},
};

/// How deep `the first day of the last week of …` may go.
const DEPTH_MAX: u8 = 3;

/// What was found, and the place behind it.
pub(super) type Parsed<T> = Option<(T, usize)>;

/// Atoms and the words to read them with.
#[derive(Clone, Copy)]
pub(super) struct Parser<'p> {
    pub atoms: &'p [Atom<'p>],
    pub words: &'p Lexicon,
}

impl<'p> Parser<'p> {
    /// The text of an atom; none behind the last.
    pub fn text(&self, at: usize) -> Option<&'p str> {
        self.atoms.get(at).map(|atom| atom.text)
    }

    /// The text of an atom that nothing separates from the one before.
    pub fn glued(&self, at: usize) -> Option<&'p str> {
        self.atoms.get(at).filter(|atom| atom.glued).map(|atom| atom.text)
    }

    /// The longest phrase at a place whose key is wanted.
    pub fn phrase<K: Clone>(
        &self,
        candidates: &[Phrase<K>],
        at: usize,
        wanted: impl Fn(&K) -> bool,
    ) -> Parsed<K> {
        let mut best: Parsed<K> = None;
        for (key, words) in candidates.iter().filter(|(key, _)| wanted(key)) {
            if let Some(end) = self.matches(words, at)
                && best.as_ref().is_none_or(|(_, reached)| end > *reached)
            {
                best = Some((key.clone(), end));
            }
        }
        best
    }

    /// The place behind the words, when they stand at a place. A hyphen may stand where a phrase has a space.
    fn matches(&self, words: &[String], at: usize) -> Option<usize> {
        let mut place = at;
        for (i, word) in words.iter().enumerate() {
            if i > 0 && word != "-" && self.glued(place) == Some("-") {
                place += 1;
            }
            if self.text(place) != Some(word) {
                return None;
            }
            place += 1;
        }
        Some(place)
    }

    /// The place behind a phrase with this cue.
    pub fn cue(&self, cue: Cue, at: usize) -> Option<usize> {
        self.phrase(self.atoms.get(at)?.cues, at, |key| *key == cue).map(|(_, end)| end)
    }

    /// The first of several cues at a place.
    pub fn any_cue(&self, cues: &[Cue], at: usize) -> Parsed<Cue> {
        cues.iter().find_map(|cue| self.cue(*cue, at).map(|end| (*cue, end)))
    }

    /// The place behind a phrase with this cue, or the same place without one.
    pub fn skip(&self, cue: Cue, at: usize) -> usize {
        self.cue(cue, at).unwrap_or(at)
    }

    /// A word for a length of time, in one of the forms.
    pub fn grain(&self, forms: &[GrainForm], at: usize) -> Parsed<GrainWord> {
        let ((grain, _), end) =
            self.phrase(self.atoms.get(at)?.grains, at, |(_, form)| forms.contains(form))?;
        Some((grain, end))
    }

    /// A number in digits (`30`, `1,000`) or words (`three`, `twenty-four`, `a hundred`).
    pub fn number(&self, at: usize) -> Parsed<i64> {
        self.digits(at).or_else(|| self.number_words(at))
    }

    fn digits(&self, at: usize) -> Parsed<i64> {
        let first = self.atoms.get(at)?;
        let mut value = first.number()?;
        let mut place = at + 1;
        while self.glued(place) == Some(",")
            && first.text.len() <= 3
            && self.glued(place + 1).is_some_and(|text| text.len() == 3)
            && let Some(group) = self.atoms.get(place + 1).and_then(Atom::number)
        {
            value = value.saturating_mul(1_000).saturating_add(group);
            place += 2;
        }
        let fraction = self.glued(place) == Some(".")
            && self.atoms.get(place + 1).is_some_and(|atom| atom.glued && atom.is_digits());
        (!fraction).then_some((value, place))
    }

    fn number_words(&self, at: usize) -> Parsed<i64> {
        let text = self.text(at)?;
        if let Some(tens) = self.words.tens.get(text) {
            let next = if self.glued(at + 1) == Some("-") { at + 2 } else { at + 1 };
            let ones =
                self.text(next).and_then(|t| self.words.numbers.get(t)).filter(|n| (1..=9).contains(*n));
            return Some(match ones {
                Some(ones) => (tens + ones, next + 1),
                None => (*tens, at + 1),
            });
        }
        let number = *self.words.numbers.get(text)?;
        match self.cue(Cue::Hundred, at + 1) {
            Some(end) => Some((number * 100, end)),
            None => Some((number, at + 1)),
        }
    }

    /// `first`, `3rd`.
    pub fn ordinal(&self, at: usize) -> Parsed<i64> {
        if let Some(number) = self.text(at).and_then(|text| self.words.ordinals.get(text)) {
            return Some((*number, at + 1));
        }
        let number = self.atoms.get(at)?.number()?;
        let suffix = self.glued(at + 1)?;
        self.words.ordinal_suffixes.iter().any(|s| s == suffix).then_some((number, at + 2))
    }

    /// A month's word, with the point of a short one.
    pub fn month_word(&self, at: usize) -> Parsed<i8> {
        let text = self.text(at)?;
        let month = *self.words.months.get(text)?;
        let point = self.glued(at + 1) == Some(".") && text.len() <= 4;
        Some((month, if point { at + 2 } else { at + 1 }))
    }

    /// A weekday's full word.
    pub fn weekday(&self, at: usize) -> Parsed<i8> {
        Some((*self.words.weekdays.get(self.text(at)?)?, at + 1))
    }

    /// A weekday's word, full or short, with the point of a short one.
    pub fn any_weekday(&self, at: usize) -> Parsed<i8> {
        if let Some(found) = self.weekday(at) {
            return Some(found);
        }
        let weekday = *self.words.short_weekdays.get(self.text(at)?)?;
        Some((weekday, if self.glued(at + 1) == Some(".") { at + 2 } else { at + 1 }))
    }

    /// Digits that are a year: four or more, or two behind an apostrophe. `0026` and `12026` are years, too: ones that
    /// do not exist or cannot be counted, which is said when they are resolved.
    pub fn year_digits(&self, at: usize) -> Parsed<i64> {
        if matches!(self.text(at), Some("'" | "’")) {
            let atom = self.atoms.get(at + 1).filter(|atom| atom.glued && atom.text.len() == 2)?;
            return self.ends_number(at + 2).then_some((2_000 + atom.number()?, at + 2));
        }
        let atom = self.atoms.get(at).filter(|atom| atom.text.len() >= 4)?;
        Some((atom.number()?, at + 1)).filter(|_| self.ends_number(at + 1))
    }

    /// Whether digits that end before a place are a whole number by themselves: no fraction, group, unit or further
    /// part of a date is glued to them.
    pub fn ends_number(&self, at: usize) -> bool {
        match self.glued(at) {
            None => true,
            Some("%" | "$" | "€" | "£" | "/") => false,
            Some("." | "," | "-") => {
                !self.atoms.get(at + 1).is_some_and(|atom| atom.glued && atom.is_digits())
            }
            Some(text) => !text.chars().next().is_some_and(char::is_alphanumeric),
        }
    }

    /// The year behind a month or quarter: `2026`, `, 2026`, `of 2026`, `'26`, `last year`.
    pub fn year_tail(&self, at: usize) -> Parsed<Year> {
        let place = match self.glued(at) {
            Some("-" | "/") => at + 1,
            _ => self.skip(Cue::Comma, at),
        };
        let place = self.cue(Cue::Of, place).map_or(place, |end| end);
        if let Some((year, end)) = self.year_digits(place) {
            return Some((Year::Stated(year), end));
        }
        let place = if place == at || self.cue(Cue::Of, at).is_some() {
            self.skip(Cue::The, place)
        } else {
            return None;
        };
        let place = self.skip(Cue::The, place);
        let (cue, end) = self.any_cue(&[Cue::Last, Cue::Previous, Cue::This, Cue::Next], place)?;
        let (grain, end) = self.grain(&[GrainForm::One], end)?;
        let steps = match cue {
            Cue::This => 0,
            Cue::Next => 1,
            _ => -1,
        };
        (grain == GrainWord::Year).then_some((Year::FromNow(steps), end))
    }

    /// The longest expression for days at a place.
    pub fn unit(&self, at: usize) -> Parsed<Unit> {
        self.unit_at_depth(at, 0)
    }

    /// As [`Self::unit`], some wholes deep.
    pub fn unit_at_depth(&self, at: usize, depth: u8) -> Parsed<Unit> {
        if depth > DEPTH_MAX {
            return None;
        }
        let found = [
            self.relative(at),
            self.numeric(at),
            self.day_and_month(at),
            self.month(at),
            self.quarter_or_half(at),
            self.year(at),
            self.part(at, depth),
            self.edge(at, depth),
            self.around(at, depth),
            self.beside(at, depth),
        ];
        // The first of the longest: the order above decides between equals.
        let (unit, end) =
            found.into_iter().flatten().reduce(|best, next| if next.1 > best.1 { next } else { best })?;
        match self.cue(Cue::SoFar, end) {
            Some(end) if !matches!(unit, Unit::SoFar { .. }) => Some((Unit::Clipped(Box::new(unit)), end)),
            Some(end) => Some((unit, end)),
            None => Some((unit, end)),
        }
    }
}
