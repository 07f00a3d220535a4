//! Owns what a check says when it says no: rules by name, sentences, hints and places.
//!
//! Deliberately absent: how a rejection is drawn (carets, colours, JSON); surfaces do that.

use std::fmt;

/// How much a rejection weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The statement may run; the person should know.
    Warn,
    /// The statement does not run.
    Reject,
}

/// A place in the text of a statement. Lines and columns count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line.
    pub line: u64,
    /// The column, in characters.
    pub column: u64,
    /// The length in characters, at least 1.
    pub length: u64,
}

/// One finding of one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The rule's name.
    pub rule: &'static str,
    /// How much it weighs.
    pub severity: Severity,
    /// What is wrong, in one lower-case sentence.
    pub message: String,
    /// What to do about it.
    pub hint: String,
    /// Where, when the text is known.
    pub place: Option<Place>,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.rule, self.message)?;
        if let Some(place) = self.place {
            write!(f, " (line {}, column {})", place.line, place.column)?;
        }
        if !self.hint.is_empty() {
            write!(f, "; {}", self.hint)?;
        }
        Ok(())
    }
}

/// A statement that was not accepted. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Every finding, rejections before warnings.
    pub rejections: Vec<Rejection>,
}

impl Rejected {
    /// A rejection that stands alone.
    pub(crate) fn one(rejection: Rejection) -> Rejected {
        Rejected { rejections: vec![rejection] }
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, rejection) in self.rejections.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{rejection}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Rejected {}
