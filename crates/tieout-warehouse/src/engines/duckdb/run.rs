//! Owns the running of statements: one snapshot, bound values, a limit of rows and a limit of time.
//!
//! Deliberately absent: where statements come from. Only [`Statement::from`] a checked query is used outside tests.

use std::{
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use ::duckdb::{Connection, InterruptHandle, params_from_iter};
use tieout_core::{
    evidence::{Cell, Rows},
    halt::{Fault, FaultKind},
};
use tieout_sql::{CheckedQuery, Value};

use super::{binds, cells::Reader, failure};

/// How often a query that is too slow is told to stop, until it does.
const INTERRUPT_EVERY: Duration = Duration::from_millis(20);

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
pub(super) fn in_one_snapshot(connection: &Connection, statements: &[Statement]) -> Result<Vec<Rows>, Fault> {
    let begin = connection.execute_batch("BEGIN TRANSACTION READ ONLY");
    begin.map_err(|error| failure::fault(&error, "beginning a query"))?;
    let rows = statements.iter().map(|statement| within_time(connection, statement)).collect();
    // Nothing was written, so there is nothing that an end could lose.
    let _ = connection.execute_batch("ROLLBACK");
    rows
}

/// Runs one statement, and stops it when its time is over.
fn within_time(connection: &Connection, statement: &Statement) -> Result<Rows, Fault> {
    let handle = connection.interrupt_handle();
    let (done, waiting) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let watch = scope.spawn(move || watch(&handle, &waiting, statement.timeout));
        let rows = fetch(connection, statement);
        drop(done);
        let late = watch.join().unwrap_or(false);
        match rows {
            Err(_) if late => Err(too_slow(statement.timeout)),
            rows => rows,
        }
    })
}

/// Waits for a statement's end; past its time, interrupts it until it ends. Says whether it was too slow.
fn watch(handle: &Arc<InterruptHandle>, waiting: &mpsc::Receiver<()>, timeout: Duration) -> bool {
    let mut late = false;
    let mut patience = timeout;
    while waiting.recv_timeout(patience) == Err(mpsc::RecvTimeoutError::Timeout) {
        late = true;
        handle.interrupt();
        patience = INTERRUPT_EVERY;
    }
    late
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
