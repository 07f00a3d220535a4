//! Owns what was found out about a project's data without asking a question of it, as plain values that print
//! themselves.
//!
//! Deliberately absent: finding it out, which each engine does in its own way; and colours.

use std::fmt;

use tieout_core::halt::Fault;

/// What `tieout data check` says.
#[derive(Clone, Debug, Default)]
pub struct DataReport {
    /// One for each source, in the project's order.
    pub sources: Vec<SourceReport>,
    /// Sources that could not be read at all, and why.
    pub unreadable: Vec<(String, Fault)>,
    /// One for each dataset with a stated key.
    pub keys: Vec<KeyReport>,
    /// One for each relationship.
    pub relationships: Vec<RelationshipReport>,
    /// One for each field whose stored values are not all among its declared ones.
    pub outside: Vec<OutsideReport>,
    /// Checks that could not be made, and why.
    pub unchecked: Vec<String>,
}

/// What was decided about a source, and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceReport {
    /// As datasets name it.
    pub source: String,
    /// The file, as the project names it.
    pub file: String,
    /// `csv`, `json lines`, `parquet` or `table`.
    pub format: &'static str,
    /// How it is written, decision by decision; empty where a format leaves nothing to decide.
    pub decisions: Vec<(&'static str, String)>,
    /// How many rows are used.
    pub rows: u64,
    /// How many are not.
    pub refused: u64,
    /// The first of those.
    pub refusals: Vec<RefusedRow>,
    /// By column, those that the catalogue names first.
    pub columns: Vec<ColumnReport>,
    /// Columns that no field names.
    pub unnamed: Vec<String>,
    /// What else must be said beside every answer over the source.
    pub notes: Vec<String>,
}

/// A row that is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedRow {
    /// `line 5` of a file, or `row 5` of a table.
    pub place: String,
    /// Why, in words.
    pub reason: String,
}

/// Who said of which type a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedBy {
    /// A field of the catalogue.
    Catalogue,
    /// Nobody; it was guessed from the file's beginning.
    Sniffed,
    /// The file or database itself.
    Source,
}

impl DecidedBy {
    /// As shown.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Catalogue => "catalogue",
            Self::Sniffed => "sniffed",
            Self::Source => "source",
        }
    }
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnReport {
    /// Its name.
    pub name: String,
    /// Its datatype, as the catalogue writes it; of a source's own, as the engine writes it.
    pub datatype: String,
    /// Who said so.
    pub decided_by: DecidedBy,
    /// As the engine keeps it.
    pub stored: String,
    /// How its dates are written, where that is not as ISO 8601 has them.
    pub date_format: Option<String>,
    /// How many rows have no value.
    pub nulls: u64,
    /// How many values are NaN or infinite.
    pub not_finite: u64,
}

/// Rows whose key is not a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyReport {
    /// Whose key.
    pub dataset: String,
    /// Its fields.
    pub fields: Vec<String>,
    /// How many keys more than one row has.
    pub duplicates: u64,
    /// Some of them, with how many rows each has.
    pub examples: Vec<(String, u64)>,
    /// How many rows lack part of the key.
    pub incomplete: u64,
}

/// Rows that point to a row that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationshipReport {
    /// Its name.
    pub name: String,
    /// The many side and the one side, with their fields: `ledger.customer_id to customers.customer_id`.
    pub link: String,
    /// How many rows of the many side point somewhere.
    pub rows: u64,
    /// How many of them point to nothing.
    pub orphans: u64,
    /// Some of the keys that are not there.
    pub examples: Vec<String>,
    /// How many rows point nowhere although the relationship is required.
    pub missing: u64,
}

/// Stored values that are not among those a field declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideReport {
    /// `ledger.channel`.
    pub field: String,
    /// How many rows have such a value.
    pub rows: u64,
    /// Some of the values, with how many rows each has.
    pub examples: Vec<(String, u64)>,
}

impl DataReport {
    /// How many findings somebody should do something about.
    #[must_use]
    pub fn findings(&self) -> u64 {
        let sources: u64 = self
            .sources
            .iter()
            .map(|source| {
                let strange: u64 = source.columns.iter().map(|column| column.not_finite).sum();
                u64::from(source.refused > 0) + u64::from(!source.notes.is_empty()) + u64::from(strange > 0)
            })
            .sum();
        let keys = self.keys.iter().filter(|key| key.duplicates + key.incomplete > 0).count();
        let links = self.relationships.iter().filter(|link| link.orphans + link.missing > 0).count();
        let others = self.unreadable.len() + keys + links + self.outside.len() + self.unchecked.len();
        sources + u64::try_from(others).unwrap_or(u64::MAX)
    }
}

impl fmt::Display for DataReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for source in &self.sources {
            writeln!(f, "{source}")?;
        }
        for (source, fault) in &self.unreadable {
            writeln!(f, "{source}\n  not read     {}\n               {}\n", fault.message, fault.hint)?;
        }
        section(f, "keys", self.keys.iter())?;
        section(f, "relationships", self.relationships.iter())?;
        section(f, "values that no field declares", self.outside.iter())?;
        section(f, "not checked", self.unchecked.iter())?;
        match self.findings() {
            0 => write!(f, "nothing to look at"),
            some => write!(f, "{} to look at", counted(some, "finding", "findings")),
        }
    }
}

fn section<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    items: impl ExactSizeIterator<Item = T>,
) -> fmt::Result {
    if items.len() == 0 {
        return Ok(());
    }
    writeln!(f, "{title}")?;
    for item in items {
        writeln!(f, "  {item}")?;
    }
    writeln!(f)
}

impl fmt::Display for SourceReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.source)?;
        writeln!(f, "  {:<11}  {}", "file", self.file)?;
        writeln!(f, "  {:<11}  {}", "format", self.format)?;
        for (what, decision) in &self.decisions {
            writeln!(f, "  {what:<11}  {decision}")?;
        }
        writeln!(f, "  {:<11}  {}", "rows", grouped(self.rows))?;
        if self.refused > 0 {
            writeln!(f, "  {:<11}  {}", "refused", grouped(self.refused))?;
            for row in &self.refusals {
                writeln!(f, "    {}: {}", row.place, row.reason)?;
            }
            let kept = u64::try_from(self.refusals.len()).unwrap_or(u64::MAX);
            if self.refused > kept {
                writeln!(f, "    and {} more", grouped(self.refused - kept))?;
            }
        }
        for note in &self.notes {
            writeln!(f, "  {:<11}  {note}", "note")?;
        }
        self.columns(f)?;
        if !self.unnamed.is_empty() {
            writeln!(f, "  {:<11}  {}", "not named", self.unnamed.join(", "))?;
        }
        Ok(())
    }
}

impl SourceReport {
    fn columns(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |text: fn(&ColumnReport) -> &str| {
            self.columns.iter().map(|column| text(column).chars().count()).max().unwrap_or_default()
        };
        let (names, types) = (width(|column| &column.name), width(|column| &column.datatype));
        let stored = width(|column| &column.stored);
        if !self.columns.is_empty() {
            writeln!(f, "  columns")?;
        }
        for column in &self.columns {
            let share = share(column.nulls, self.rows);
            write!(
                f,
                "    {:<names$}  {:<types$}  {:<9}  {:<stored$}  {share:>7} null",
                column.name,
                column.datatype,
                column.decided_by.word(),
                column.stored,
            )?;
            if let Some(format) = &column.date_format {
                write!(f, ", dates as {format}")?;
            }
            if column.not_finite > 0 {
                write!(f, ", {} not finite", grouped(column.not_finite))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for KeyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): ", self.dataset, self.fields.join(", "))?;
        let mut told = Vec::new();
        if self.duplicates > 0 {
            let keys = counted(self.duplicates, "key", "keys");
            told.push(format!("{keys} of more than one row{}", examples(&self.examples)));
        }
        if self.incomplete > 0 {
            told.push(format!("{} without a whole key", counted(self.incomplete, "row", "rows")));
        }
        match told.is_empty() {
            true => f.write_str("a key"),
            false => f.write_str(&told.join("; ")),
        }
    }
}

impl fmt::Display for RelationshipReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: ", self.name, self.link)?;
        let mut told = Vec::new();
        if self.orphans > 0 {
            let some = self.examples.join(", ");
            let (orphans, rows) = (grouped(self.orphans), counted(self.rows, "row", "rows"));
            let point = if self.orphans == 1 { "points" } else { "point" };
            told.push(format!("{orphans} of {rows} {point} to nothing, such as {some}"));
        }
        if self.missing > 0 {
            let rows = counted(self.missing, "row points", "rows point");
            told.push(format!("{rows} nowhere, and it is required"));
        }
        match told.is_empty() {
            true => write!(f, "{} without an orphan", counted(self.rows, "row", "rows")),
            false => f.write_str(&told.join("; ")),
        }
    }
}

impl fmt::Display for OutsideReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}{}", self.field, counted(self.rows, "row", "rows"), examples(&self.examples))
    }
}

fn examples(examples: &[(String, u64)]) -> String {
    let told: Vec<String> =
        examples.iter().map(|(value, rows)| format!("{value} ({})", grouped(*rows))).collect();
    match told.is_empty() {
        true => String::new(),
        false => format!(", such as {}", told.join(", ")),
    }
}

/// A count with its word.
fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// A share in percent, to one digit, never rounded to none or all.
fn share(part: u64, whole: u64) -> String {
    match (part, whole) {
        (0, _) => "0 %".to_owned(),
        (part, whole) if part == whole => "100 %".to_owned(),
        (part, whole) => {
            let tenths = u128::from(part) * 1000 / u128::from(whole.max(1));
            match tenths {
                0 => "<0.1 %".to_owned(),
                tenths => format!("{}.{} %", tenths / 10, tenths % 10),
            }
        }
    }
}

/// A count with separators between thousands.
pub(crate) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_shares() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(share(0, 0), "0 %");
        assert_eq!(share(1, 3), "33.3 %");
        assert_eq!(share(1, 100_000), "<0.1 %");
        assert_eq!(share(99_999, 100_000), "99.9 %");
        assert_eq!(share(5, 5), "100 %");
    }
}
