//! The independent witness: SQL written by hand, run on a database of its own over the raw files.

use std::{path::Path, str::FromStr};

use bigdecimal::BigDecimal;
use duckdb::{Connection, types::Value};
use tieout_core::{
    evidence::{Cell, Evidence},
    figures::{FigureValue, Figures},
};

/// Raw tables, read by the world's own hand-written statements.
pub struct Witness(Connection);

impl Witness {
    /// Reads the raw files of a world.
    pub fn open(world: &Path) -> Self {
        let connection = Connection::open_in_memory().unwrap();
        let tables = std::fs::read_to_string(world.join("witness/_tables.sql")).unwrap();
        let root = world.display().to_string().replace('\'', "''");
        connection.execute_batch(&format!("set file_search_path = '{root}';\n{tables}")).unwrap();
        Self(connection)
    }

    /// Reads every CSV file of a folder as a table of the file's name, in lower case.
    pub fn of_folder(folder: &Path) -> Self {
        let connection = Connection::open_in_memory().unwrap();
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.extension().is_some_and(|e| e == "csv") {
                let name = path.file_stem().unwrap().to_string_lossy().to_lowercase();
                let file = path.display().to_string().replace('\'', "''");
                let sql = format!("create table \"{name}\" as from read_csv('{file}', header = true)");
                connection.execute_batch(&sql).unwrap();
            }
        }
        Self(connection)
    }

    /// The rows of a hand-written query, as plain text a cell.
    pub fn rows(&self, sql: &str) -> Result<Vec<Vec<String>>, String> {
        let sql = sql.trim().trim_end_matches(';');
        let wrapped = format!("select columns(*)::varchar from ({sql}) as witness");
        let mut statement = self.0.prepare(&wrapped).map_err(|e| e.to_string())?;
        let mut rows = statement.query([]).map_err(|e| e.to_string())?;
        let width = rows.as_ref().map_or(0, duckdb::Statement::column_count);
        let mut all = Vec::new();
        while let Some(row) = rows.next().map_err(|e| e.to_string())? {
            let cell = |i| match row.get::<_, Value>(i) {
                Ok(Value::Text(text)) => plain(&text),
                Ok(_) | Err(_) => "(none)".to_owned(),
            };
            all.push((0..width).map(cell).collect());
        }
        Ok(all)
    }
}

/// What tieout's table says, in the same plain form: the groups, then a column for each figure.
pub fn table(figures: &Figures, evidence: &[Evidence]) -> Vec<Vec<String>> {
    if let Some(listing) = &figures.listing {
        let rows = evidence.iter().find(|e| e.id() == listing.evidence).unwrap().rows();
        let cell = |row: &Vec<Cell>, column: &tieout_core::figures::ListColumn| match &row[column.place] {
            Cell::Number(n) => {
                let (digits, scale) = n.as_bigint_and_exponent();
                number(&BigDecimal::new(digits, scale - column.tens))
            }
            Cell::Boolean(b) => b.to_string(),
            other => plain(&other.shown()),
        };
        return rows.rows.iter().map(|r| listing.columns.iter().map(|c| cell(r, c)).collect()).collect();
    }
    let lines = if figures.groupings.is_empty() { figures.total.as_slice() } else { &figures.lines };
    let key = |key: &tieout_core::figures::Key| match &key.cell {
        Cell::Null => "(none)".to_owned(),
        Cell::Boolean(b) => b.to_string(),
        Cell::Number(_) => plain(&key.shown.replace(',', "")),
        _ => plain(&key.shown),
    };
    let figure = |f: &tieout_core::figures::Figure| match &f.value {
        FigureValue::Number(n) => number(n),
        FigureValue::Undefined(_) | FigureValue::NoRows => "(none)".to_owned(),
        FigureValue::Withheld => "(withheld)".to_owned(),
    };
    lines.iter().map(|l| l.keys.iter().map(key).chain(l.figures.iter().map(figure)).collect()).collect()
}

/// Whether two tables hold the same rows, in order where the question ranks. Numbers are compared to four digits after
/// the point, which is what witnesses round quotients to.
pub fn agree(ours: &[Vec<String>], theirs: &[Vec<String>], ordered: bool) -> bool {
    let (mut ours, mut theirs) = (ours.to_vec(), theirs.to_vec());
    if !ordered {
        ours.sort();
        theirs.sort();
    }
    ours == theirs
}

fn plain(text: &str) -> String {
    match BigDecimal::from_str(text) {
        Ok(n) if text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-')) => number(&n),
        _ if text.as_bytes().first().is_some_and(u8::is_ascii_digit) => {
            text.replace('T', " ").trim_end_matches(" 00:00:00").to_owned()
        }
        _ => text.to_owned(),
    }
}

fn number(n: &BigDecimal) -> String {
    let rounded = n.with_scale_round(4, bigdecimal::RoundingMode::HalfUp).normalized();
    rounded.to_plain_string()
}
