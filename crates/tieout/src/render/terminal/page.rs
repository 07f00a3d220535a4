//! A page as it grows: lines, sections, and the few forms that all of them share.

use super::{Layout, Style};
use crate::render::text::{Run, columns, paint, wrap};

/// The blank columns before every line; a mark may stand there.
const GUTTER: usize = 2;
/// The columns that a field's name takes.
const NAME_COLUMNS: usize = 12;

/// A page.
pub struct Page<'a> {
    /// How it is laid out.
    pub layout: &'a Layout,
    text: String,
}

impl<'a> Page<'a> {
    /// An empty page.
    #[must_use]
    pub fn new(layout: &'a Layout) -> Self {
        Self { layout, text: String::new() }
    }

    /// The text.
    #[must_use]
    pub fn finish(self) -> String {
        self.text
    }

    /// How wide a line's text may be.
    #[must_use]
    pub fn width(&self) -> usize {
        self.layout.columns.saturating_sub(GUTTER).max(GUTTER)
    }

    /// A blank line between sections; none at the top.
    pub fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// The name of a section.
    pub fn heading(&mut self, text: &str) {
        self.gap();
        self.raw(0, &paint(text, Style::Strong, self.layout.colour));
    }

    /// A line that is laid out and painted already.
    pub fn raw(&mut self, indent: usize, line: &str) {
        let line = line.trim_end();
        if !line.is_empty() {
            self.text.push_str(&" ".repeat(GUTTER + indent));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// A drawing that is laid out, painted and made harmless already, without a margin.
    pub fn drawn(&mut self, drawing: &str) {
        self.text.push_str(drawing);
        self.text.push('\n');
    }

    /// Runs of words, wrapped, every line indented.
    pub fn flow(&mut self, indent: usize, runs: &[Run]) {
        let width = self.width().saturating_sub(indent).max(1);
        for line in wrap(runs, width, self.layout.colour) {
            self.raw(indent, &line);
        }
    }

    /// A field's name and what it says, with a mark before it where it must not be overlooked.
    pub fn field(&mut self, name: &str, runs: &[Run], mark: Option<char>) {
        let width = self.width().saturating_sub(NAME_COLUMNS).max(1);
        let pad = " ".repeat(NAME_COLUMNS.saturating_sub(columns(name)));
        for (i, line) in wrap(runs, width, self.layout.colour).iter().enumerate() {
            if i > 0 {
                self.raw(NAME_COLUMNS, line);
                continue;
            }
            let gutter = match mark {
                Some(mark) => format!("{} ", paint(&mark.to_string(), Style::Warning, self.layout.colour)),
                None => " ".repeat(GUTTER),
            };
            let name = paint(name, Style::Dim, self.layout.colour);
            self.text.push_str(format!("{gutter}{name}{pad}{line}").trim_end());
            self.text.push('\n');
        }
    }

    /// A field's name and a plain text, in a section of its own.
    pub fn note(&mut self, name: &str, text: &str) {
        self.gap();
        self.field(name, &[Run::plain(text)], None);
    }

    /// A text and a remark beside it, or beneath where there is no room.
    pub fn pair(&mut self, text: &str, remark: &str, style: Style) {
        let room = self.width().saturating_sub(NAME_COLUMNS);
        let remark = format!("# {remark}");
        if columns(text) + 2 + columns(&remark) <= room {
            let line = format!(
                "{}  {}",
                paint(text, Style::Plain, self.layout.colour),
                paint(&remark, style, self.layout.colour)
            );
            self.raw(NAME_COLUMNS, &line);
        } else {
            self.flow(NAME_COLUMNS, &[Run::new(remark, style)]);
            // A command is not wrapped: it is there to be copied.
            self.raw(NAME_COLUMNS, &paint(text, Style::Plain, self.layout.colour));
        }
    }
}
