//! The figures' plain form: one line a group, every figure with its id.

use std::fmt;

use super::{Figures, Line};

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(listing) = &self.listing {
            let labels: Vec<_> = listing.columns.iter().map(|c| c.label.as_str()).collect();
            return write!(f, "list of {}: {}", listing.evidence, labels.join(" | "));
        }
        let columns: Vec<_> = self.columns.iter().map(|c| format!("{} {}", c.label, c.role.name())).collect();
        writeln!(f, "{}", columns.join(" | "))?;
        for line in &self.lines {
            self.line(f, line)?;
        }
        match &self.total {
            Some(total) => self.line(f, total),
            None => Ok(()),
        }
    }
}

impl Figures {
    fn line(&self, f: &mut fmt::Formatter<'_>, line: &Line) -> fmt::Result {
        let keys: Vec<_> = line.keys.iter().map(|k| k.shown.as_str()).collect();
        write!(f, "{}:", if keys.is_empty() { "total".to_owned() } else { keys.join(", ") })?;
        for figure in &line.figures {
            let shown =
                self.columns.get(figure.column).map(|c| figure.value.shown(&c.unit)).unwrap_or_default();
            write!(f, " {}={shown}", figure.id)?;
        }
        writeln!(f)
    }
}
