//! Text for a terminal: made harmless, measured in columns, and wrapped.
//!
//! Names, values and questions are data: whatever steers a terminal is shown as a sign instead of being sent. Deliberately
//! absent: what is written, which the pages decide.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::surroundings::Colour;

/// The longest text of one cell that is shown, in characters. What is left out is counted; figures are never cut.
pub const CELL_CHARS_MAX: usize = 200;

/// How a run of text looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As it is.
    Plain,
    /// What is looked for first.
    Strong,
    /// What is there when it is looked for.
    Dim,
    /// What must not be overlooked.
    Warning,
    /// What went wrong.
    Bad,
}

impl Style {
    fn code(self) -> Option<&'static str> {
        match self {
            Self::Plain => None,
            Self::Strong => Some("1"),
            Self::Dim => Some("2"),
            Self::Warning => Some("1;33"),
            Self::Bad => Some("1;31"),
        }
    }
}

/// Text with a style, made harmless.
#[must_use]
pub fn paint(text: &str, style: Style, colour: Colour) -> String {
    let text = harmless(text);
    match (colour, style.code()) {
        (Colour::Ansi, Some(code)) if !text.is_empty() => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        (Colour::Ansi, Some(_) | None) | (Colour::Never, _) => text,
    }
}

/// The same text without anything that steers a terminal, breaks a line or turns its direction.
#[must_use]
pub fn harmless(text: &str) -> String {
    if !text.chars().any(is_unsafe) {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => shown.push(' '),
            '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => shown.push('⏎'),
            '\u{00}'..='\u{1f}' => shown.push(char::from_u32(0x2400 + c as u32).unwrap_or('�')),
            '\u{7f}' => shown.push('␡'),
            c if is_unsafe(c) => shown.push_str(&format!("⟨U+{:04X}⟩", c as u32)),
            c => shown.push(c),
        }
    }
    shown
}

/// Whether a character steers a terminal, breaks a line, turns its direction, or is not to be seen at all.
#[must_use]
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// A cell's text, shortened when it is very long.
#[must_use]
pub fn shortened(text: &str) -> String {
    let count = text.chars().count();
    if count <= CELL_CHARS_MAX {
        return text.to_owned();
    }
    let start: String = text.chars().take(CELL_CHARS_MAX).collect();
    format!("{start}… ({} more characters)", count - CELL_CHARS_MAX)
}

/// How many columns a text takes.
#[must_use]
pub fn columns(text: &str) -> usize {
    text.width()
}

/// A run of words with one style, to be wrapped.
#[derive(Clone, Debug)]
pub struct Run {
    text: String,
    style: Style,
}

impl Run {
    /// A run.
    #[must_use]
    pub fn new(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style }
    }

    /// A run as it is.
    #[must_use]
    pub fn plain(text: impl Into<String>) -> Self {
        Self::new(text, Style::Plain)
    }
}

/// Wraps runs into lines of at most `width` columns. A word that is wider stands on lines of its own, cut to the width.
#[must_use]
pub fn wrap(runs: &[Run], width: usize, colour: Colour) -> Vec<String> {
    let mut lines = Lines { width, colour, done: Vec::new(), line: Vec::new(), used: 0 };
    // A word may be made of several runs (`alpha` and `;`), which must not be parted.
    for word in words(runs) {
        let wide: usize = word.iter().map(|(text, _)| columns(text)).sum();
        if lines.used > 0 && lines.used + 1 + wide > width {
            lines.end();
        }
        if lines.used > 0 {
            let style = word.first().map_or(Style::Plain, |(_, style)| *style);
            lines.blank(style);
        }
        for (text, style) in word {
            for piece in cut(&text, width) {
                lines.push(&piece, style);
            }
        }
    }
    lines.end();
    lines.done
}

/// Lines as they grow.
struct Lines {
    width: usize,
    colour: Colour,
    done: Vec<String>,
    line: Vec<(String, Style)>,
    used: usize,
}

impl Lines {
    fn push(&mut self, text: &str, style: Style) {
        let wide = columns(text);
        if self.used > 0 && self.used + wide > self.width {
            self.end();
        }
        self.used += wide;
        match self.line.last_mut() {
            Some((last, same)) if *same == style => last.push_str(text),
            Some(_) | None => self.line.push((text.to_owned(), style)),
        }
    }

    /// A blank between two words, in their style if they share one.
    fn blank(&mut self, next: Style) {
        self.used += 1;
        match self.line.last_mut() {
            Some((last, same)) if *same == next => last.push(' '),
            Some(_) | None => self.line.push((" ".to_owned(), Style::Plain)),
        }
    }

    fn end(&mut self) {
        let line = std::mem::take(&mut self.line);
        self.done.push(line.iter().map(|(text, style)| paint(text, *style, self.colour)).collect());
        self.used = 0;
    }
}

type Word = Vec<(String, Style)>;

fn words(runs: &[Run]) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open = false;
    for run in runs {
        let text = harmless(&run.text);
        let starts = text.starts_with(' ');
        for (i, piece) in text.split(' ').filter(|piece| !piece.is_empty()).enumerate() {
            match words.last_mut() {
                Some(word) if open && i == 0 && !starts => word.push((piece.to_owned(), run.style)),
                Some(_) | None => words.push(vec![(piece.to_owned(), run.style)]),
            }
        }
        open = !text.ends_with(' ') && (!text.is_empty() || open);
    }
    words
}

/// A text in pieces of at most `width` columns.
fn cut(text: &str, width: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let (mut piece, mut used) = (String::new(), 0);
    for c in text.chars() {
        let wide = c.width().unwrap_or(0);
        if used > 0 && used + wide > width {
            pieces.push(std::mem::take(&mut piece));
            used = 0;
        }
        piece.push(c);
        used += wide;
    }
    pieces.push(piece);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown_instead() {
        assert_eq!(harmless("a\u{1b}[31mred\u{7}"), "a␛[31mred␇");
        assert_eq!(harmless("one\r\ntwo\tthree"), "one⏎⏎two three");
        assert_eq!(harmless("abc\u{202e}fdp.exe"), "abc⟨U+202E⟩fdp.exe");
        assert_eq!(harmless("Zoë מלון 東京"), "Zoë מלון 東京");
        assert!(!harmless("\u{9b}2J\u{200b}\u{feff}").chars().any(is_unsafe));
    }

    #[test]
    fn wraps_at_the_width_and_keeps_what_belongs_together() {
        let runs = [
            Run::plain("all ledger entries "),
            Run::new("[catalogue]", Style::Dim),
            Run::plain("; tenant alpha"),
        ];
        let lines = wrap(&runs, 24, Colour::Never);
        assert_eq!(lines, ["all ledger entries", "[catalogue]; tenant", "alpha"]);
        let long = wrap(&[Run::plain(format!("x {}", "y".repeat(50)))], 20, Colour::Never);
        assert!(long.iter().all(|line| columns(line) <= 20), "{long:?}");
        assert_eq!(long.concat().matches('y').count(), 50);
    }

    #[test]
    fn colours_only_where_they_are_wanted() {
        assert_eq!(paint("a", Style::Strong, Colour::Never), "a");
        assert_eq!(paint("a\u{1b}", Style::Strong, Colour::Ansi), "\u{1b}[1ma␛\u{1b}[0m");
    }

    #[test]
    fn long_cells_are_counted_out() {
        let text = "é".repeat(CELL_CHARS_MAX + 7);
        assert!(shortened(&text).ends_with("é… (7 more characters)"));
    }
}
