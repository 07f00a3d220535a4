//! Owns the DuckDB engine: data files and databases attached once, then locked, and checked queries run on them.
//!
//! A delimited or JSON file becomes a table in memory when the engine opens: rows are judged once, every question sees
//! the same snapshot, and no query can read a file. Parquet files and databases stay where they are, behind views.
//! Deliberately absent: any way to run a text that the checker has not made, outside of this folder.

mod attach;
mod attached;
mod binds;
mod cells;
mod check;
mod database;
mod draft;
mod failure;
mod links;
mod load;
mod plan;
mod proof;
mod relation;
mod run;
mod session;
#[cfg(test)]
mod tests;
mod wanted;
mod watchdog;

use std::{
    path::Path,
    sync::{Arc, Mutex},
};

use ::duckdb::Connection;
use async_trait::async_trait;
use tieout_core::{
    catalogue::Project,
    evidence::Rows,
    halt::Fault,
    ports::{DataNote, Warehouse},
};
use tieout_sql::CheckedQuery;

use crate::{Attachment, fault};
pub(super) use check::check;
pub(crate) use draft::draft;

/// The most idle connections that are kept for the next question.
const IDLE_CONNECTIONS_MAX: usize = 8;

/// DuckDB with a project's data.
pub struct DuckDb {
    shared: Arc<Shared>,
    notes: Vec<DataNote>,
    is_fixed: bool,
}

/// What queries on other threads use.
struct Shared {
    /// Connections that wait for a question. The first is never handed out, so that the data outlives all others.
    idle: Mutex<Vec<Connection>>,
    /// Stops what takes too long.
    watchdog: watchdog::Watchdog,
    /// Dropped last: the folder for what does not fit in memory.
    _folder: tempfile::TempDir,
}

impl DuckDb {
    /// Attaches the project's data, reads what must be read, and locks the engine.
    ///
    /// `root` is the project's folder; `corpora` is the folder that paths may name as `${TIEOUT_CORPORA}`.
    ///
    /// # Errors
    /// A fault when a file is gone, broken, or not of the shape that the catalogue says.
    pub fn open(project: &Project, root: &Path, corpora: Option<&Path>) -> Result<DuckDb, Fault> {
        let mut session = session::Session::start()?;
        let attached = attach::attach(&mut session, project, root, corpora)?;
        let (connection, folder) = session.lock()?;
        let watchdog = watchdog::Watchdog::start()?;
        let shared = Shared { idle: Mutex::new(vec![connection]), watchdog, _folder: folder };
        Ok(DuckDb {
            shared: Arc::new(shared),
            is_fixed: attached.iter().all(attached::Attached::is_fixed),
            notes: attached.iter().flat_map(attached::Attached::notes).collect(),
        })
    }
}

/// Opens the engine behind the port.
pub(super) fn open(at: Attachment<'_>) -> Result<Box<dyn Warehouse>, Fault> {
    DuckDb::open(at.project, at.root, at.corpora).map(|engine| Box::new(engine) as Box<dyn Warehouse>)
}

impl Shared {
    /// A connection to run on.
    fn connection(&self) -> Result<Connection, Fault> {
        let mut idle =
            self.idle.lock().map_err(|_| fault::internal("a query before this one broke off badly"))?;
        if idle.len() > 1
            && let Some(connection) = idle.pop()
        {
            return Ok(connection);
        }
        let first = idle.first().ok_or_else(|| fault::internal("the engine has no connection left"))?;
        first.try_clone().map_err(|error| failure::fault(&error, "another connection"))
    }

    /// Takes a connection back.
    fn give_back(&self, connection: Connection) {
        if let Ok(mut idle) = self.idle.lock()
            && idle.len() <= IDLE_CONNECTIONS_MAX
        {
            idle.push(connection);
        }
    }
}

#[async_trait]
impl Warehouse for DuckDb {
    async fn run(&self, queries: &[CheckedQuery]) -> Result<Vec<Rows>, Fault> {
        let shared = Arc::clone(&self.shared);
        let statements: Vec<run::Statement> = queries.iter().map(run::Statement::from).collect();
        let task = tokio::task::spawn_blocking(move || {
            let connection = shared.connection()?;
            let rows = run::in_one_snapshot(&connection, &statements, &shared.watchdog)?;
            shared.give_back(connection);
            Ok(rows)
        });
        task.await.map_err(|error| fault::internal(format!("the query broke off: {error}")))?
    }

    fn notes(&self) -> &[DataNote] {
        &self.notes
    }

    fn is_fixed(&self) -> bool {
        self.is_fixed
    }
}

/// The version of DuckDB that is there, as it says itself.
pub(super) fn version() -> Result<String, Fault> {
    let session = session::Session::start()?;
    let said = session.connection().query_row("SELECT version()", [], |row| row.get(0));
    said.map_err(|error| failure::fault(&error, "asking DuckDB for its version"))
}
