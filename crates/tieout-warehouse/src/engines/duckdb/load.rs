//! Owns how a delimited file becomes a table.
//!
//! DuckDB reads the file while our own judge walks over it; only when every row is sound, plainly written and counted
//! alike by both does the table stand. Otherwise the judge writes a clean copy, and DuckDB reads that. Deliberately
//! absent: judging (see `files`).

use std::{path::Path, thread};

use ::duckdb::Connection;
use tieout_core::{catalogue::Datatype, halt::Fault};

use super::{
    failure,
    session::{Session, literal, name, path_literal},
};
use crate::{
    fault,
    files::{
        Column, Copied, Dialect, NewLine, Refusals, Scan, Shape, Verdict, Widths, copy_delimited, scan,
        settle_encoding,
    },
};

/// The digits before the point for which a whole number surely fits eight bytes.
const BIGINT_DIGITS: usize = 18;
/// The digits of a decimal that fits eight bytes.
const SMALL_DECIMAL_DIGITS: usize = 18;

/// A file that became a table.
#[derive(Debug)]
pub(super) struct Loaded {
    /// How many rows it has.
    pub(super) rows: u64,
    /// The rows that are not in it.
    pub(super) refusals: Refusals,
    /// How its columns are stored, in the order of the wanted ones.
    pub(super) types: Vec<String>,
}

/// Makes a table of a delimited file.
pub(super) fn load_delimited(
    session: &Session,
    table: &str,
    dialect: &mut Dialect,
    columns: &[Column],
    sample: &[Vec<String>],
) -> Result<Loaded, Fault> {
    if let Some(loaded) = load_as_it_stands(session, table, dialect, columns, sample)? {
        return Ok(loaded);
    }
    dialect.encoding = settle_encoding(dialect)?;
    let dialect = &*dialect;
    load_copy(session, table, &dialect.shown, columns, |path| copy_delimited(dialect, columns, path))
}

/// Makes a table of a file that can be read as it stands; none when it cannot.
fn load_as_it_stands(
    session: &Session,
    table: &str,
    dialect: &Dialect,
    columns: &[Column],
    sample: &[Vec<String>],
) -> Result<Option<Loaded>, Fault> {
    let guess = widths_of_sample(columns, sample);
    let types = types(columns, &guess);
    let direct = create(table, &as_it_stands(dialect, columns, &types));
    let attempt =
        session.connection().try_clone().map_err(|error| failure::fault(&error, "another connection"))?;
    let (read, scanned) = thread::scope(|scope| {
        let reading = scope.spawn(move || counted(&attempt, table, &direct));
        let scanned = scan(dialect, columns);
        (reading.join(), scanned)
    });
    let read = read.map_err(|_| fault::internal("reading a file broke off"))?;
    if let Scan::Clean { rows, widths } = scanned? {
        if read.as_ref().is_ok_and(|read| *read == rows) && fits(columns, &guess, &widths) {
            return Ok(Some(Loaded { rows, refusals: Refusals::none("line"), types }));
        }
        let wider = self::types(columns, &widths);
        let again = create(table, &as_it_stands(dialect, columns, &wider));
        if counted(session.connection(), table, &again).is_ok_and(|read| read == rows) {
            return Ok(Some(Loaded { rows, refusals: Refusals::none("line"), types: wider }));
        }
    }
    Ok(None)
}

/// Makes a table of a clean copy that `write` makes in a file of ours.
pub(super) fn load_copy(
    session: &Session,
    table: &str,
    shown: &str,
    columns: &[Column],
    write: impl FnOnce(&Path) -> Result<Copied, Fault>,
) -> Result<Loaded, Fault> {
    let path = session.scratch("clean.csv");
    let copied = write(&path)?;
    if copied.rows == 0
        && let Some(first) = copied.refusals.kept.first()
    {
        return Err(fault::data(
            format!(
                "none of the {} rows of `{shown}` can be read; the first, {} {}: {}",
                copied.refusals.count, copied.refusals.unit, first.place, first.reason
            ),
            "compare the data with its fields' datatypes; `tieout data check` shows what was decided",
        ));
    }
    let types = types(columns, &copied.widths);
    let sql = create(table, &clean_copy(&path, columns, &types));
    let read = counted(session.connection(), table, &sql);
    let _ = std::fs::remove_file(&path);
    match read {
        Ok(read) if read == copied.rows => Ok(Loaded { rows: read, refusals: copied.refusals, types }),
        Ok(read) => Err(fault::internal(format!(
            "the engine read {read} rows of `{shown}` where there are {}",
            copied.rows
        ))),
        Err(error) => Err(failure::fault(&error, &format!("reading `{shown}`"))),
    }
}

fn create(table: &str, select: &str) -> String {
    format!("CREATE OR REPLACE TABLE {table} AS {select}")
}

fn counted(connection: &Connection, table: &str, sql: &str) -> Result<u64, ::duckdb::Error> {
    connection.execute_batch(sql)?;
    connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))
}

/// Reads a file as it is written.
fn as_it_stands(dialect: &Dialect, columns: &[Column], types: &[String]) -> String {
    let declared: Vec<String> = dialect
        .columns
        .iter()
        .enumerate()
        .map(|(place, column)| {
            let wanted = columns.iter().position(|wanted| wanted.place == place);
            let ty = wanted.and_then(|wanted| types.get(wanted)).map_or("VARCHAR", String::as_str);
            format!("{}: {}", literal(column), literal(ty))
        })
        .collect();
    let newline = match dialect.newline {
        NewLine::ReturnFeed => "\\r\\n",
        NewLine::Feed | NewLine::Return | NewLine::Mixed => "\\n",
    };
    let selected: Vec<String> = columns.iter().map(|column| name(&column.name)).collect();
    let delimiter = char::from(dialect.delimiter).to_string();
    let path = path_literal(&dialect.path);
    let shape =
        format!("header = {}, delim = {}, new_line = '{newline}'", dialect.header, literal(&delimiter));
    reading(&selected, &path, &shape, &declared)
}

/// Reads a clean copy.
fn clean_copy(path: &Path, columns: &[Column], types: &[String]) -> String {
    let declared: Vec<String> = columns
        .iter()
        .zip(types)
        .map(|(column, ty)| format!("{}: {}", literal(&column.name), literal(ty)))
        .collect();
    // Two quotation marks are an empty text there, and nothing at all is no value.
    let shape = "header = false, delim = ',', new_line = '\\n', allow_quoted_nulls = false";
    reading(&["*".to_owned()], &path_literal(path), shape, &declared)
}

fn reading(selected: &[String], path: &str, shape: &str, declared: &[String]) -> String {
    format!(
        "SELECT {} FROM read_csv({path}, auto_detect = false, {shape}, quote = '\"', escape = '\"', \
         strict_mode = true, null_padding = false, hive_partitioning = false, columns = {{{}}})",
        selected.join(", "),
        declared.join(", ")
    )
}

/// How each column is stored, given the widest of its numbers.
fn types(columns: &[Column], widths: &Widths) -> Vec<String> {
    columns.iter().zip(widths).map(|(column, width)| stored(column.judge.datatype, *width)).collect()
}

fn stored(datatype: Datatype, width: Shape) -> String {
    match datatype {
        Datatype::String => "VARCHAR".to_owned(),
        Datatype::Integer if width.whole <= BIGINT_DIGITS => "BIGINT".to_owned(),
        Datatype::Integer => "HUGEINT".to_owned(),
        Datatype::Decimal if width.whole + width.fraction <= SMALL_DECIMAL_DIGITS => {
            format!("DECIMAL({SMALL_DECIMAL_DIGITS},{})", width.fraction)
        }
        Datatype::Decimal => format!("DECIMAL(38,{})", width.fraction),
        Datatype::Float => "DOUBLE".to_owned(),
        Datatype::Boolean => "BOOLEAN".to_owned(),
        Datatype::Date => "DATE".to_owned(),
        Datatype::Timestamp => "TIMESTAMP".to_owned(),
        Datatype::Instant => "TIMESTAMPTZ".to_owned(),
    }
}

/// The widths that a sample shows.
fn widths_of_sample(columns: &[Column], sample: &[Vec<String>]) -> Widths {
    columns
        .iter()
        .map(|column| {
            let mut width = Shape::default();
            for text in sample.iter().filter_map(|row| row.get(column.place)) {
                if let Verdict::Same(shape) | Verdict::Rewritten(_, shape) = column.judge.judge(text) {
                    width.whole = width.whole.max(shape.whole);
                    width.fraction = width.fraction.max(shape.fraction);
                }
            }
            width
        })
        .collect()
}

/// Whether columns stored for a guess hold numbers of these widths without loss.
fn fits(columns: &[Column], guess: &Widths, found: &Widths) -> bool {
    columns.iter().zip(guess).zip(found).all(|((column, guess), found)| match column.judge.datatype {
        Datatype::Integer => guess.whole > BIGINT_DIGITS || found.whole <= BIGINT_DIGITS,
        Datatype::Decimal => {
            let room =
                if guess.whole + guess.fraction <= SMALL_DECIMAL_DIGITS { SMALL_DECIMAL_DIGITS } else { 38 };
            found.fraction <= guess.fraction && found.whole <= room - guess.fraction
        }
        Datatype::String | Datatype::Float | Datatype::Boolean => true,
        Datatype::Date | Datatype::Timestamp | Datatype::Instant => true,
    })
}
