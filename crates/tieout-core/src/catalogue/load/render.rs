//! How a problem is drawn: the sentence, file, line and column, the line itself with a caret under the place, the hint.
//!
//! Deliberately absent: where it is written to, and whether that place has colours, which the surface knows.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::problem::{CatalogueProblem, Severity};

/// Whether colours are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Plain text.
    Never,
    /// ANSI colours.
    Ansi,
}

/// How many lines around the place are drawn. The drawing is cut from them, so that a large file is not drawn whole.
const LINES_AROUND: usize = 1;
/// How many characters of a line are drawn before and after the place.
const CHARS_AROUND: usize = 120;

/// Draws one problem over the text of its file.
#[must_use]
pub fn render(problem: &CatalogueProblem, text: &str, colour: Colour) -> String {
    let CatalogueProblem { severity, code, file, line, column, length, message, hint } = problem;
    let drawing = Drawing {
        severity: *severity,
        code,
        file,
        line: *line,
        column: *column,
        length: *length,
        message,
        hint,
        text_line: 1,
    };
    draw(&drawing, text, colour)
}

/// What is drawn of a problem, whoever found it.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    /// How much it weighs.
    pub severity: Severity,
    /// Which kind.
    pub code: &'a str,
    /// The file, as shown.
    pub file: &'a str,
    /// From 1; 0 for a problem without a place, which is drawn without a line.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// In characters.
    pub length: usize,
    /// What is wrong.
    pub message: &'a str,
    /// What to do; may be empty.
    pub hint: &'a str,
    /// The number of the text's first line, where only a part of the file is at hand.
    pub text_line: usize,
}

/// Draws a problem over the text that its lines count in.
#[must_use]
pub fn draw(problem: &Drawing<'_>, text: &str, colour: Colour) -> String {
    let level = match problem.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(problem.message).id(problem.code);
    let renderer = match colour {
        Colour::Never => Renderer::plain(),
        Colour::Ansi => Renderer::styled(),
    };
    let help = (!problem.hint.is_empty()).then(|| Level::HELP.message(problem.hint));
    if problem.line == 0 {
        let group = match help {
            Some(help) => title.element(help),
            None => Group::with_title(title),
        };
        return renderer.render(&[group]);
    }
    let text = text.trim_start_matches('\u{feff}');
    let first = problem.line.saturating_sub(LINES_AROUND).max(problem.text_line);
    let lines: Vec<&str> = text.lines().skip(first - problem.text_line).take(LINES_AROUND * 2 + 1).collect();
    let window = problem.column.saturating_sub(CHARS_AROUND + 1);
    let cut: Vec<String> = lines.iter().map(|line| cut(line, window)).collect();
    let source = cut.join("\n");
    let before: usize = cut.iter().take(problem.line.saturating_sub(first)).map(|line| line.len() + 1).sum();
    let line = cut.get(problem.line.saturating_sub(first)).map_or("", String::as_str);
    let bytes = |chars: usize| line.chars().take(chars).map(char::len_utf8).sum::<usize>();
    let start = bytes(problem.column - 1 - window);
    let end = bytes(problem.column - 1 - window + problem.length);
    let span = (before + start).min(source.len())..(before + end.max(start)).min(source.len());
    let snippet = Snippet::source(source.as_str()).line_start(first);
    let caret = AnnotationKind::Primary.span(span);
    // A line that is cut on the left shows its column beside the caret: counted from the cut it would be wrong.
    let snippet = match window {
        0 if problem.file.is_empty() => snippet.annotation(caret),
        0 => snippet.path(problem.file).annotation(caret),
        _ => {
            let file = if problem.file.is_empty() { "" } else { &format!("{}:", problem.file) };
            snippet.annotation(caret.label(format!("{file}{}:{}", problem.line, problem.column)))
        }
    };
    let mut group = title.element(snippet);
    if let Some(help) = help {
        group = group.element(help);
    }
    renderer.render(&[group])
}

fn cut(line: &str, window: usize) -> String {
    line.chars().skip(window).take(CHARS_AROUND * 2).map(|c| if c == '\t' { ' ' } else { c }).collect()
}
