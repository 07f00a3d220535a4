//! A model's sentence taken apart: slots, names that the answer has, words that may be said, and marks.
//!
//! Deliberately absent: what the parts mean together (`sense`). A word that is on no list, a numeral outside a name, a
//! quotation or any other sign ends the sentence here, with the reason.

use tieout_core::{
    claim::Piece,
    figures::{Figure, FigureColumn, Figures, Line, Role},
};
use tieout_reader::language::sentences::{SentenceClass, SentenceWords};

/// The longest sentence, in characters.
pub(super) const SENTENCE_CHARS_MAX: usize = 400;

/// What a name is a name of. One name may be several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A measure.
    Measure,
    /// A grouping: what the groups are groups of.
    Grouping,
    /// A group, by the place of its grouping.
    Key(usize),
    /// A period.
    Period,
    /// What narrows the rows.
    Condition,
}

/// A name that a sentence may copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) kinds: Vec<Kind>,
}

/// A figure that a sentence may name.
#[derive(Clone, Copy)]
pub(super) struct Offered<'a> {
    pub(super) line: &'a Line,
    pub(super) figure: &'a Figure,
    pub(super) column: &'a FigureColumn,
    /// Whether it is of the total, or of the only line.
    pub(super) of_total: bool,
}

/// What sentences are made of: the answer's figures, its names, and what the reading says of both.
pub(super) struct Matter<'a> {
    pub(super) figures: &'a Figures,
    pub(super) offered: Vec<Offered<'a>>,
    /// The longest first, so that a name is not taken for a shorter one within it.
    pub(super) names: Vec<Name>,
    /// The period of the answer, in words.
    pub(super) period: &'a str,
    /// What narrows the rows.
    pub(super) conditions: &'a [String],
}

impl<'a> Matter<'a> {
    /// The matter of an answer; none where our own sentences say all that can be said of it.
    pub(super) fn of(figures: &'a Figures, period: &'a str, conditions: &'a [String]) -> Option<Self> {
        let apart = |role| matches!(role, Role::Part | Role::Whole);
        let twice = |i: usize, c: &FigureColumn| {
            figures.columns.iter().skip(i.saturating_add(1)).any(|o| o.label == c.label && o.role == c.role)
        };
        // Two parts of a whole, or two measures of one name, differ in what no slot shows.
        if figures.columns.iter().enumerate().any(|(i, c)| apart(c.role) || twice(i, c)) {
            return None;
        }
        let lines = figures.total.iter().map(|l| (l, true)).chain(figures.lines.iter().map(|l| (l, false)));
        let offered: Vec<Offered<'a>> = lines
            .flat_map(|(line, of_total)| line.figures.iter().map(move |figure| (line, of_total, figure)))
            .filter_map(|(line, of_total, figure)| {
                let column = figures.columns.get(figure.column)?;
                // The step before has no name in the line that it stands in.
                let unnamed = column.role == Role::Baseline && column.period.is_none();
                (figure.value.number().is_some() && !unnamed).then_some(Offered {
                    line,
                    figure,
                    column,
                    of_total,
                })
            })
            .collect();
        if offered.is_empty() {
            return None;
        }
        Some(Self { figures, offered, names: names(figures, period, conditions), period, conditions })
    }

    pub(super) fn slot(&self, id: &str) -> Option<&Offered<'a>> {
        self.offered.iter().find(|offered| offered.figure.id == id)
    }

    /// The period that is compared, or the only one.
    pub(super) fn later(&self) -> &str {
        let value = self.figures.columns.iter().find(|c| c.role == Role::Value);
        value.and_then(|c| c.period.as_deref()).unwrap_or(self.period)
    }

    /// The period that it is compared with, where that one has a name.
    pub(super) fn earlier(&self) -> Option<&str> {
        self.figures.columns.iter().find(|c| c.role == Role::Baseline)?.period.as_deref()
    }

    /// What a figure's measure is called, whatever the figure is beside it.
    pub(super) fn measure(&self, slot: &Offered<'a>) -> &'a str {
        let of_measure = |c: &&FigureColumn| c.measure == slot.column.measure && c.role == Role::Value;
        self.figures.columns.iter().find(of_measure).unwrap_or(slot.column).label.as_str()
    }
}

fn names(figures: &Figures, period: &str, conditions: &[String]) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    let mut add = |text: &str, kind| {
        if !text.chars().any(char::is_alphanumeric) {
            return;
        }
        match names.iter_mut().find(|name| name.text == text) {
            Some(name) if name.kinds.contains(&kind) => {}
            Some(name) => name.kinds.push(kind),
            None => names.push(Name { text: text.to_owned(), kinds: vec![kind] }),
        }
    };
    add(period, Kind::Period);
    conditions.iter().for_each(|condition| add(condition, Kind::Condition));
    for column in &figures.columns {
        if matches!(column.role, Role::Value) {
            add(&column.label, Kind::Measure);
        }
        if let Some(period) = &column.period {
            add(period, Kind::Period);
        }
    }
    figures.groupings.iter().for_each(|grouping| add(grouping, Kind::Grouping));
    for line in &figures.lines {
        for (place, key) in line.keys.iter().enumerate() {
            add(&key.shown, Kind::Key(place));
        }
    }
    names.sort_by_key(|name| std::cmp::Reverse(name.text.chars().count()));
    names
}

/// A part of a sentence.
#[derive(Clone)]
pub(super) enum Part<'m> {
    /// A word that may be said.
    Word(SentenceClass, String),
    /// A mark.
    Mark(char),
    /// A name of the answer.
    Name(&'m Name),
    /// A figure.
    Slot(&'m Offered<'m>),
}

/// A sentence taken apart.
pub(super) struct Wording<'m> {
    pub(super) parts: Vec<Part<'m>>,
    pub(super) pieces: Vec<Piece>,
}

/// Takes a sentence apart.
///
/// # Errors
/// Why it cannot be said.
pub(super) fn wording<'m>(text: &str, matter: &'m Matter<'m>) -> Result<Wording<'m>, String> {
    let text = text.trim().trim_end_matches('.');
    if text.chars().count() > SENTENCE_CHARS_MAX {
        return Err(format!("it is longer than {SENTENCE_CHARS_MAX} characters"));
    }
    let mut read = Wording { parts: Vec::new(), pieces: Vec::new() };
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first.is_alphanumeric() && matches!(read.pieces.last(), Some(Piece::Name(_) | Piece::Figure(_))) {
            return Err("a space is missing after a figure or a name".to_owned());
        }
        let taken = match read.name(rest, matter) {
            Some(taken) => taken,
            None => read.other(rest, first, matter)?,
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    Ok(read)
}

impl<'m> Wording<'m> {
    /// The longest name that the text begins with; how many bytes it is.
    fn name(&mut self, text: &str, matter: &'m Matter<'m>) -> Option<usize> {
        let (name, bytes) = matter.names.iter().find_map(|name| Some((name, begins(text, &name.text)?)))?;
        self.parts.push(Part::Name(name));
        self.pieces.push(Piece::Name(name.text.clone()));
        Some(bytes)
    }

    /// A slot, a word or a mark; how many bytes it is.
    fn other(&mut self, text: &str, first: char, matter: &'m Matter<'m>) -> Result<usize, String> {
        if first == '{' {
            let end = text.find('}').ok_or("a slot is not closed")?;
            let id = text.get(1..end).unwrap_or_default();
            let slot = matter.slot(id).ok_or_else(|| format!("there is no figure {{{id}}} to name"))?;
            self.parts.push(Part::Slot(slot));
            self.pieces.push(Piece::Figure(id.to_owned()));
            return Ok(end.saturating_add(1));
        }
        if first.is_alphabetic() {
            let word: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '-').collect();
            let class = said(&word)?;
            self.parts.push(Part::Word(class, word.to_lowercase()));
            self.words(&word);
            return Ok(word.len());
        }
        if first.is_numeric() {
            let numeral: String = text.chars().take_while(|c| !c.is_whitespace()).collect();
            return Err(format!("“{numeral}” is a numeral outside any slot"));
        }
        if let Some(owned) = ["'s", "’s"].into_iter().find(|s| text.starts_with(s)) {
            if !matches!(self.parts.last(), Some(Part::Name(_))) {
                return Err(format!("“{owned}” follows no name"));
            }
            self.words("'s");
            return Ok(owned.len());
        }
        match first {
            ' ' => {}
            ',' | ';' | ':' | '(' | ')' | '–' => self.parts.push(Part::Mark(first)),
            other => return Err(format!("“{other}” may not stand in a sentence")),
        }
        self.words(&first.to_string());
        Ok(first.len_utf8())
    }

    fn words(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Words(words)) => words.push_str(text),
            Some(Piece::Name(_) | Piece::Figure(_) | Piece::RowCount(_) | Piece::From(_)) | None => {
                self.pieces.push(Piece::Words(text.to_owned()));
            }
        }
    }
}

/// What a word does where no inference is made.
fn said(word: &str) -> Result<SentenceClass, String> {
    match SentenceWords::english().class(word) {
        None => Err(format!("“{word}” is no word that the figures hold")),
        Some(SentenceClass::Cause | SentenceClass::Hedge) => {
            Err(format!("“{word}” goes beyond the figures, and the sentence is not marked as inferred"))
        }
        Some(SentenceClass::Number) => Err(format!("“{word}” is a quantity outside any slot")),
        Some(SentenceClass::Negation) => Err(format!("“{word}” turns the sentence round")),
        Some(class) => Ok(class),
    }
}

/// How many bytes of a text are a name, whatever its capitals; none when it begins with something else, or goes on
/// within a word.
fn begins(text: &str, name: &str) -> Option<usize> {
    let mut letters = text.char_indices();
    for wanted in name.chars() {
        let (_, found) = letters.next()?;
        if found != wanted && !found.to_lowercase().eq(wanted.to_lowercase()) {
            return None;
        }
    }
    let (end, next) = letters.next().map_or((text.len(), None), |(at, next)| (at, Some(next)));
    let within = |c: char| c.is_alphanumeric() || c == '_';
    let ends_in_word = name.chars().next_back().is_some_and(within);
    (!(ends_in_word && next.is_some_and(within))).then_some(end)
}
