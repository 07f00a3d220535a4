//! Rows of a statement, and whether two tables say the same.
//!
//! What is compared is forgiving where a person would be: further columns, another order of columns, a month written
//! otherwise, a fraction instead of a percentage, fewer digits after the point. It is exact where a person would be too:
//! every figure, every group, and no row more.

use std::{path::Path, str::FromStr};

use bigdecimal::{BigDecimal, RoundingMode};
use duckdb::{Connection, types::Value};
use jiff::civil::Date;
use tieout_core::{
    evidence::{Cell, Evidence},
    figures::{Figure, FigureValue, Figures, Key, ListColumn},
};

/// What stands for a missing value.
const NONE: &str = "(none)";
/// How many digits after the point witnesses round quotients to.
const DIGITS_MAX: i64 = 4;
/// The fewest digits after the point with which a figure that has more is still said rightly.
const DIGITS_MIN: i64 = 2;
/// The most rows of a statement that are looked at.
const ROWS_MAX: usize = 5_000;

/// Columns with their names, and rows as plain text a cell.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// Names of columns.
    pub columns: Vec<String>,
    /// Rows.
    pub rows: Vec<Vec<String>>,
}

/// The raw files of a world, in a database of their own.
pub struct Raw(Connection);

impl Raw {
    /// Reads the files of a world by its own hand-written statements.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn open(world: &Path) -> Result<Self, Box<dyn std::error::Error>> {
        let connection = Connection::open_in_memory()?;
        let tables = std::fs::read_to_string(world.join("witness/_tables.sql"))?;
        let root = world.display().to_string().replace('\'', "''");
        connection.execute_batch(&format!("set file_search_path = '{root}';\n{tables}"))?;
        // What a model writes can read these tables, and nothing outside them.
        connection.execute_batch("set enable_external_access = false; set lock_configuration = true;")?;
        Ok(Self(connection))
    }

    /// The rows of a statement, which can only read, since it stands within another.
    ///
    /// # Errors
    /// The engine's own words.
    pub fn rows(&self, sql: &str) -> Result<Table, String> {
        let sql = sql.trim().trim_end_matches(';');
        let named = format!("select * from ({sql}\n) as named limit 0");
        let columns = {
            let mut statement = self.0.prepare(&named).map_err(|e| e.to_string())?;
            let _ = statement.query([]).map_err(|e| e.to_string())?;
            statement.column_names()
        };
        let wrapped = format!("select columns(*)::varchar from ({sql}\n) as told");
        let mut statement = self.0.prepare(&wrapped).map_err(|e| e.to_string())?;
        let mut rows = statement.query([]).map_err(|e| e.to_string())?;
        let mut table = Table { columns, rows: Vec::new() };
        while let Some(row) = rows.next().map_err(|e| e.to_string())? {
            let cell = |place| match row.get::<_, Value>(place) {
                Ok(Value::Text(text)) => plain(&text),
                Ok(_) | Err(_) => NONE.to_owned(),
            };
            table.rows.push((0..table.columns.len()).map(cell).collect());
            if table.rows.len() > ROWS_MAX {
                return Err(format!("it gives more than {ROWS_MAX} rows"));
            }
        }
        Ok(table)
    }
}

/// What an answer's table says, in the same plain form.
#[must_use]
pub fn answered(figures: &Figures, evidence: &[Evidence]) -> Table {
    if let Some(listing) = &figures.listing {
        let columns = listing.columns.iter().map(|column| column.label.clone()).collect();
        let found = evidence.iter().find(|e| e.id() == listing.evidence);
        let shown = |row: &Vec<Cell>| {
            let cell = |c: &ListColumn| row.get(c.place).map_or(NONE.to_owned(), |v| listed(v, c));
            listing.columns.iter().map(cell).collect::<Vec<_>>()
        };
        let rows = found.into_iter().flat_map(|e| &e.rows().rows).map(shown);
        return Table { columns, rows: rows.collect() };
    }
    let lines = if figures.groupings.is_empty() { figures.total.as_slice() } else { &figures.lines };
    let labels = figures.columns.iter().map(|column| column.label.clone());
    let row = |line: &tieout_core::figures::Line| {
        line.keys.iter().map(key).chain(line.figures.iter().map(figure)).collect()
    };
    Table {
        columns: figures.groupings.iter().cloned().chain(labels).collect(),
        rows: lines.iter().map(row).collect(),
    }
}

fn listed(cell: &Cell, column: &ListColumn) -> String {
    match cell {
        Cell::Number(n) => {
            let (digits, scale) = n.as_bigint_and_exponent();
            number(&BigDecimal::new(digits, scale - column.tens))
        }
        Cell::Boolean(b) => b.to_string(),
        Cell::Null
        | Cell::NotFinite(_)
        | Cell::Text(_)
        | Cell::Date(_)
        | Cell::DateTime(_)
        | Cell::Instant(_) => plain(&cell.shown()),
    }
}

fn key(key: &Key) -> String {
    match &key.cell {
        Cell::Null => NONE.to_owned(),
        Cell::Boolean(b) => b.to_string(),
        Cell::Number(_) => plain(&key.shown.replace(',', "")),
        Cell::NotFinite(_) | Cell::Text(_) | Cell::Date(_) | Cell::DateTime(_) | Cell::Instant(_) => {
            plain(&key.shown)
        }
    }
}

fn figure(figure: &Figure) -> String {
    match &figure.value {
        FigureValue::Number(n) => number(n),
        FigureValue::Undefined(_) | FigureValue::NoRows => NONE.to_owned(),
        FigureValue::Withheld => "(withheld)".to_owned(),
    }
}

fn plain(text: &str) -> String {
    match BigDecimal::from_str(text) {
        Ok(n) if text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-')) => number(&n),
        Ok(_) | Err(_) if text.as_bytes().first().is_some_and(u8::is_ascii_digit) => {
            text.replace('T', " ").trim_end_matches(" 00:00:00").to_owned()
        }
        Ok(_) | Err(_) => text.to_owned(),
    }
}

fn number(n: &BigDecimal) -> String {
    n.with_scale_round(DIGITS_MAX, RoundingMode::HalfUp).normalized().to_plain_string()
}

/// Whether the rows told are those of the witness: each column of the witness is found among those told, and then the
/// rows are the same. Rows whose figures are all zero or missing count as not told.
#[must_use]
pub fn agree(witness: &Table, told: &Table, order: Order, held: Held) -> bool {
    let (ours, theirs) = (witness.full(), told.full());
    if ours.rows.len() != theirs.rows.len() {
        return false;
    }
    let mut chosen = Vec::new();
    fits(&ours, &theirs, (order, held), &mut chosen)
}

/// Whether the order of rows counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// It does.
    Counts,
    /// It does not.
    IsFree,
}

/// How figures are held to the witness's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// To every digit.
    Exactly,
    /// As a person would who reads fewer digits, a fraction for a percentage, or cents that say that they are.
    Kindly,
}

impl Table {
    /// The rows that say something.
    fn full(&self) -> Self {
        let is_numeric = |place: usize| {
            let mut cells = self.rows.iter().filter_map(|row| row.get(place)).filter(|cell| *cell != NONE);
            cells.all(|cell| BigDecimal::from_str(cell).is_ok())
        };
        let figures: Vec<usize> = (0..self.columns.len()).filter(|place| is_numeric(*place)).collect();
        let says = |row: &&Vec<String>| {
            let empty = |cell: &String| cell == NONE || cell == "0";
            figures.is_empty() || !figures.iter().filter_map(|place| row.get(*place)).all(empty)
        };
        let only = self.rows.len() == 1;
        let rows = self.rows.iter().filter(|row| only || says(row)).cloned().collect();
        Self { columns: self.columns.clone(), rows }
    }

    fn column(&self, place: usize) -> Vec<String> {
        self.rows.iter().map(|row| row.get(place).cloned().unwrap_or_default()).collect()
    }
}

/// Finds a column told for each column of the witness, the next one being as many as are chosen.
fn fits(ours: &Table, theirs: &Table, how: (Order, Held), chosen: &mut Vec<Vec<String>>) -> bool {
    let place = chosen.len();
    if place == ours.columns.len() {
        let mut told: Vec<Vec<String>> = (0..ours.rows.len())
            .map(|row| chosen.iter().filter_map(|column| column.get(row).cloned()).collect())
            .collect();
        let mut right = ours.rows.clone();
        if how.0 == Order::IsFree {
            told.sort();
            right.sort();
        }
        return told == right;
    }
    let wanted = ours.column(place);
    for candidate in 0..theirs.columns.len() {
        let name = theirs.columns.get(candidate).map_or("", String::as_str);
        let is_percent = ours.columns.get(place).is_some_and(|name| name == "percent");
        for read in readings(&theirs.column(candidate), &wanted, name, is_percent, how.1) {
            let (mut one, mut other) = (read.clone(), wanted.clone());
            one.sort();
            other.sort();
            if one != other {
                continue;
            }
            chosen.push(read);
            if fits(ours, theirs, how, chosen) {
                return true;
            }
            chosen.pop();
        }
    }
    false
}

/// The ways in which a column may be read, each in the witness's own writing where it says the same.
fn readings(
    told: &[String],
    wanted: &[String],
    name: &str,
    is_percent: bool,
    held: Held,
) -> Vec<Vec<String>> {
    let mut ways = vec![told.to_vec(), told.iter().map(|cell| dated(cell, wanted)).collect()];
    if held == Held::Exactly {
        return ways;
    }
    let minor = name.contains("minor") || name.contains("cents");
    let moved = [Some(0), is_percent.then_some(-2), minor.then_some(2)];
    for tens in moved.into_iter().flatten() {
        ways.push(told.iter().map(|cell| rounded(cell, wanted, tens)).collect());
    }
    ways
}

/// A figure with fewer digits after the point than the witness, where it says the same; moved by a power of ten first.
fn rounded(cell: &str, wanted: &[String], tens: i64) -> String {
    let Ok(told) = BigDecimal::from_str(cell) else { return cell.to_owned() };
    let (digits, scale) = told.as_bigint_and_exponent();
    let told = BigDecimal::new(digits, scale + tens);
    let places = told.fractional_digit_count().clamp(DIGITS_MIN, DIGITS_MAX);
    let round = |n: &BigDecimal| n.with_scale_round(places, RoundingMode::HalfUp);
    let same = |right: &&String| BigDecimal::from_str(right).is_ok_and(|right| round(&right) == round(&told));
    wanted.iter().find(same).cloned().unwrap_or_else(|| number(&told))
}

/// A step of time in the witness's writing: the first day of it.
fn dated(cell: &str, wanted: &[String]) -> String {
    let spelt =
        |right: &&String| Date::from_str(right).is_ok_and(|day| spellings(day).iter().any(|s| s == cell));
    wanted.iter().find(spelt).cloned().unwrap_or_else(|| cell.to_owned())
}

/// How the step of time that begins on a day is written.
fn spellings(day: Date) -> Vec<String> {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    let (year, month) = (day.year(), day.month());
    let quarter = (month - 1) / 3 + 1;
    let name = usize::try_from(month - 1).ok().and_then(|at| MONTHS.get(at)).copied().unwrap_or_default();
    let mut all = vec![
        day.to_string(),
        format!("{year}-{month:02}"),
        format!("{name} {year}"),
        name.to_owned(),
        month.to_string(),
        format!("{month:02}"),
        format!("week of {day}"),
    ];
    if matches!(month, 1 | 4 | 7 | 10) {
        all.extend([
            format!("Q{quarter} {year}"),
            format!("{year}-Q{quarter}"),
            format!("{year} Q{quarter}"),
            format!("Q{quarter}"),
            quarter.to_string(),
        ]);
    }
    if month == 1 {
        all.push(year.to_string());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(columns: &[&str], rows: &[&[&str]]) -> Table {
        let text = |all: &[&str]| all.iter().map(|cell| plain(cell)).collect::<Vec<_>>();
        Table { columns: text(columns), rows: rows.iter().map(|row| text(row)).collect() }
    }

    #[test]
    fn the_same_is_the_same_however_it_is_written() {
        let right = table(&["month", "amount"], &[&["2026-01-01", "12.5"], &["2026-02-01", "7"]]);
        for told in [
            table(&["month", "total"], &[&["2026-02", "7.00"], &["2026-01", "12.50"]]),
            table(&["sum", "m", "n"], &[&["7", "February 2026", "1"], &["12.5", "January 2026", "3"]]),
            table(&["m", "amount_minor"], &[&["1", "1250"], &["2", "700"]]),
            table(&["m", "v"], &[&["2026-01-01", "12.5"], &["2026-02-01", "7"], &["2026-03-01", "0"]]),
        ] {
            assert!(agree(&right, &told, Order::IsFree, Held::Kindly), "{told:?}");
        }
        let percent = table(&["percent"], &[&["12.3457"]]);
        for told in ["12.35", "0.123457", "12.3457"] {
            assert!(agree(&percent, &table(&["rate"], &[&[told]]), Order::IsFree, Held::Kindly), "{told}");
        }
    }

    #[test]
    fn what_is_held_exactly_is_held_to_every_digit() {
        let percent = table(&["percent"], &[&["12.3457"]]);
        assert!(agree(&percent, &table(&["rate"], &[&["12.3457"]]), Order::IsFree, Held::Exactly));
        for told in ["12.35", "0.123457"] {
            assert!(!agree(&percent, &table(&["rate"], &[&[told]]), Order::IsFree, Held::Exactly), "{told}");
        }
    }

    #[test]
    fn another_figure_group_or_row_is_another_answer() {
        let right = table(&["channel", "amount"], &[&["direct", "12.5"], &["other", "7"]]);
        for told in [
            table(&["c", "v"], &[&["direct", "12.51"], &["other", "7"]]),
            table(&["c", "v"], &[&["direct", "7"], &["other", "12.5"]]),
            table(&["c", "v"], &[&["direct", "12.5"]]),
            table(&["c", "v"], &[&["direct", "12.5"], &["other", "7"], &["more", "1"]]),
            table(&["c", "v"], &[&["direct", "1250"], &["other", "700"]]),
            table(&["v"], &[&["12.5"], &["7"]]),
        ] {
            assert!(!agree(&right, &told, Order::IsFree, Held::Kindly), "{told:?}");
        }
        let percent = table(&["percent"], &[&["12.3457"]]);
        for told in ["12", "12.3", "0.12", "1234.57"] {
            assert!(!agree(&percent, &table(&["rate"], &[&[told]]), Order::IsFree, Held::Kindly), "{told}");
        }
        let ranked = table(&["name", "n"], &[&["a", "3"], &["b", "2"]]);
        assert!(!agree(
            &ranked,
            &table(&["name", "n"], &[&["b", "2"], &["a", "3"]]),
            Order::Counts,
            Held::Kindly
        ));
    }
}
