//! Owns the running of statements: one snapshot, bound values, a limit of rows and a limit of time.
//!
//! Deliberately absent: where statements come from. Only [`Statement::from`] a checked query is used outside tests.

use std::time::Duration;

use ::duckdb::{Connection, params_from_iter};
use tieout_core::{
    evidence::{Cell, Rows},
    halt::{Fault, FaultKind},
};
use tieout_sql::{CheckedQuery, Value};

use super::{binds, cells::Reader, failure, watchdog::Watchdog};

/// A statement to run, with what it may cost.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) sql: String,
    pub(super) binds: Vec<Value>,
    pub(super) rows_max: u64,
    pub(super) timeout: Duration,
}

impl From<&CheckedQuery> for Statement {
    fn from(query: &CheckedQuery) -> Statement {
        let limits = query.limits();
        Statement {
            sql: query.sql().to_owned(),
            binds: query.binds().to_vec(),
            rows_max: limits.rows_max,
            timeout: limits.timeout,
        }
    }
}

/// Runs statements in one transaction, so that all see the same data.
pub(super) fn in_one_snapshot(
    connection: &Connection,
    statements: &[Statement],
    watchdog: &Watchdog,
) -> Result<Vec<Rows>, Fault> {
    let begin = execute(connection, "BEGIN TRANSACTION READ ONLY");
    begin.map_err(|error| failure::fault(&error, "beginning a query"))?;
    let rows = statements.iter().map(|statement| within_time(connection, statement, watchdog)).collect();
    // Nothing was written, so there is nothing that an end could lose.
    let _ = execute(connection, "ROLLBACK");
    rows
}

/// Runs a statement of our own that every question needs.
fn execute(connection: &Connection, sql: &str) -> Result<usize, ::duckdb::Error> {
    connection.prepare_cached(sql)?.execute([])
}

/// Runs one statement, and stops it when its time is over.
fn within_time(connection: &Connection, statement: &Statement, watchdog: &Watchdog) -> Result<Rows, Fault> {
    let watch = watchdog.watch(connection.interrupt_handle(), statement.timeout);
    let rows = fetch(connection, statement);
    match (watch.was_late(), rows) {
        (true, Err(_)) => Err(too_slow(statement.timeout)),
        (_, rows) => rows,
    }
}

fn fetch(connection: &Connection, statement: &Statement) -> Result<Rows, Fault> {
    let failed = |error: ::duckdb::Error| failure::fault(&error, "the query");
    let binds: Vec<_> = statement.binds.iter().map(binds::bound).collect::<Result<_, _>>()?;
    let mut prepared = connection.prepare_cached(&statement.sql).map_err(failed)?;
    // The iterator would panic on an error; the batches are fetched one by one below instead.
    let schema = prepared.stream_arrow(params_from_iter(binds)).map_err(failed)?.get_schema();
    let names: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
    let logical: Vec<_> = (0..names.len()).map(|column| prepared.column_logical_type(column).id()).collect();
    let limit = usize::try_from(statement.rows_max).unwrap_or(usize::MAX);
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let mut cut = false;
    'batches: while let Some(batch) = prepared.step().map_err(failed)? {
        let readers: Vec<Reader<'_>> = batch
            .columns()
            .iter()
            .zip(&logical)
            .zip(&names)
            .map(|((column, logical), name)| Reader::new(column, *logical, name))
            .collect();
        let length = ::duckdb::arrow::array::Array::len(&batch);
        for row in 0..length {
            if rows.len() == limit {
                cut = true;
                break 'batches;
            }
            rows.push(readers.iter().map(|reader| reader.cell(row)).collect::<Result<_, _>>()?);
        }
    }
    Ok(Rows { columns: names, rows, cut })
}

fn too_slow(timeout: Duration) -> Fault {
    Fault {
        kind: FaultKind::Timeout,
        message: format!("the query took longer than {} seconds and was stopped", timeout.as_secs_f64()),
        hint: "ask for a shorter period or fewer groups, or raise `timeout` under `policy` in tieout.yml"
            .to_owned(),
    }
}
