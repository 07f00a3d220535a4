//! Owns files of rows: a header, cells, and how they are written as delimited text.
//!
//! Deliberately absent: reading. An empty cell is written for "no value".

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// UTF-8, commas.
    Plain,
    /// UTF-8, semicolons.
    Semicolons,
    /// ISO 8859-1, commas; a character that it lacks is written as `?`.
    Latin1,
}

/// A file of rows.
#[derive(Debug)]
pub struct Table {
    path: &'static str,
    style: Style,
    text: String,
}

/// A written file: its path below the folder of worlds, and its bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct File {
    /// Such as `commerce/data/ledger.csv`.
    pub path: &'static str,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl Table {
    /// A file with its header, no rows yet.
    #[must_use]
    pub fn new(path: &'static str, style: Style, header: &str) -> Self {
        let mut table = Self { path, style, text: String::new() };
        table.row(&header.split(' ').map(str::to_owned).collect::<Vec<_>>());
        table
    }

    /// Adds one row.
    pub fn row(&mut self, cells: &[String]) {
        let separator = match self.style {
            Style::Plain | Style::Latin1 => ',',
            Style::Semicolons => ';',
        };
        for (i, cell) in cells.iter().enumerate() {
            if i > 0 {
                self.text.push(separator);
            }
            self.cell(cell, separator);
        }
        self.text.push('\n');
    }

    /// The file.
    #[must_use]
    pub fn file(self) -> File {
        let bytes = match self.style {
            Style::Plain | Style::Semicolons => self.text.into_bytes(),
            Style::Latin1 => self.text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect(),
        };
        File { path: self.path, bytes }
    }

    fn cell(&mut self, cell: &str, separator: char) {
        if cell.contains([separator, '"', '\n', '\r']) {
            self.text.push('"');
            self.text.push_str(&cell.replace('"', "\"\""));
            self.text.push('"');
        } else {
            self.text.push_str(cell);
        }
    }
}

/// The cells of a row, each printed by its `Display`.
#[macro_export]
macro_rules! cells {
    ($($cell:expr),* $(,)?) => { [$($cell.to_string()),*] };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_only_where_needed() {
        let mut table = Table::new("x", Style::Plain, "a b");
        table.row(&cells!["one, \"two\"", ""]);
        assert_eq!(table.file().bytes, b"a,b\n\"one, \"\"two\"\"\",\n");
    }

    #[test]
    fn latin_1_is_one_byte_a_letter() {
        let mut table = Table::new("x", Style::Latin1, "a");
        table.row(&cells!["Zoë"]);
        assert_eq!(table.file().bytes, b"a\nZo\xeb\n");
    }
}
