//! What can be wrong with a project, and where: one value for errors, warnings and lint alike.
//!
//! Deliberately absent: how a problem is drawn, which `render` does.

use std::fmt;

use super::{SourceText, near, node::Word};

/// The most problems that are reported in one go; the last then says that there are more.
pub const PROBLEMS_MAX: usize = 1_000;

/// How much a problem weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The project does not load.
    Error,
    /// The project loads; somebody should look.
    Warning,
}

impl Severity {
    /// As shown and as written in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogueProblem {
    /// How much it weighs.
    pub severity: Severity,
    /// Which kind: one of [`super::CODES`]. Stable; programs may act on it.
    pub code: &'static str,
    /// The file as it was handed in.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// In characters; 0 for a place between two.
    pub length: usize,
    /// What is wrong, in a sentence that names the word.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl fmt::Display for CatalogueProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { severity, code, file, line, column, length: _, message, hint } = self;
        write!(f, "{} {code} {file}:{line}:{column} {message}", severity.name())?;
        if hint.is_empty() { Ok(()) } else { write!(f, " | {hint}") }
    }
}

/// Everything that is wrong with a project, errors and warnings, in the order of the files. At least one is an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems(pub Vec<CatalogueProblem>);

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// A place in one of the files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct At {
    /// Which file, by its index.
    pub file: usize,
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// In bytes from the start of the file.
    pub start: usize,
    /// In bytes.
    pub length: usize,
}

/// Collects problems while a project is loaded, so that all are reported in one go.
#[derive(Debug)]
pub(super) struct Report<'t> {
    files: &'t [&'t SourceText],
    found: Vec<(At, CatalogueProblem)>,
    left_out: usize,
}

impl<'t> Report<'t> {
    pub fn new(files: &'t [&'t SourceText]) -> Self {
        Self { files, found: Vec::new(), left_out: 0 }
    }

    /// Notes something that keeps the project from loading.
    pub fn error(&mut self, code: &'static str, at: At, message: impl Into<String>, hint: impl Into<String>) {
        self.note(Severity::Error, code, at, message.into(), hint.into());
    }

    /// Notes something that somebody should look at.
    pub fn warn(&mut self, code: &'static str, at: At, message: impl Into<String>, hint: impl Into<String>) {
        self.note(Severity::Warning, code, at, message.into(), hint.into());
    }

    /// Notes a name that does not exist, with the nearest of those that do. They are looked for only while problems are
    /// kept.
    pub fn unknown<'a>(
        &mut self,
        code: &'static str,
        name: Word<'_>,
        message: impl Into<String>,
        known: impl IntoIterator<Item = &'a str>,
    ) {
        let hint = if self.full() { String::new() } else { near::hint(name.text, known) };
        self.error(code, name.at, message, hint);
    }

    /// Whether no more problems are kept, so that hints need not be looked for.
    pub fn full(&self) -> bool {
        self.found.len() >= PROBLEMS_MAX
    }

    /// Whether an error was noted.
    pub fn has_errors(&self) -> bool {
        self.left_out > 0 || self.found.iter().any(|(_, problem)| problem.severity == Severity::Error)
    }

    /// The text of the file at a place.
    pub fn text(&self, file: usize) -> &'t str {
        self.files.get(file).map_or("", |source| source.text.as_str())
    }

    /// How a person finds a place: `catalogue/metrics.yml line 12`.
    pub fn place(&self, at: At) -> String {
        format!("{} line {}", self.path(at.file), at.line)
    }

    /// A file's path as shown.
    pub fn path(&self, file: usize) -> &'t str {
        self.files.get(file).map_or("", |source| source.path.as_str())
    }

    /// How many characters of its first line a place covers.
    pub fn length(&self, at: At) -> usize {
        let covered =
            self.text(at.file).get(at.start..at.start.saturating_add(at.length)).unwrap_or_default();
        covered.lines().next().unwrap_or_default().trim_end().chars().count()
    }

    /// All that was noted, in the order of the files.
    pub fn finish(mut self) -> Vec<CatalogueProblem> {
        self.found.sort_by_key(|(at, problem)| (at.file, at.start, problem.severity));
        self.found.dedup();
        let mut problems: Vec<_> = self.found.into_iter().map(|(_, problem)| problem).collect();
        if let (true, Some(last)) = (self.left_out > 0, problems.last().cloned()) {
            problems.push(CatalogueProblem {
                severity: Severity::Error,
                code: super::codes::MORE_PROBLEMS,
                message: format!("{} more problems are not shown", self.left_out),
                hint: "mend these first, then check again".to_owned(),
                ..last
            });
        }
        problems
    }

    fn note(&mut self, severity: Severity, code: &'static str, at: At, message: String, hint: String) {
        if self.full() {
            self.left_out += 1;
            return;
        }
        let (file, length) = (self.path(at.file).to_owned(), self.length(at));
        let (line, column) = (at.line.max(1), at.column.max(1));
        let problem = CatalogueProblem { severity, code, file, line, column, length, message, hint };
        self.found.push((at, problem));
    }
}
