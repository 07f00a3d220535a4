//! The block's plain form: one line a field, every part with its source.

use std::fmt;

use super::{BlockLine, Settled};

impl fmt::Display for BlockLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<_> = self.parts.iter().map(|p| format!("{} [{}]", p.text, p.source)).collect();
        write!(f, "{}: {}", self.field.name(), parts.join("; "))
    }
}

impl fmt::Display for Settled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.block() {
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}
