//! Owns the life of a DuckDB instance: how it is set up, what it may touch, and when it is locked.
//!
//! Nothing is ever fetched: extensions are neither installed nor loaded by themselves. Deliberately absent: the data.

use std::path::{Path, PathBuf};

use ::duckdb::{Config, Connection};
use tieout_core::halt::Fault;

use super::failure;
use crate::fault;

/// The most memory the engine takes before it writes to its temporary folder, in mebibytes.
const MEMORY_MIB_MAX: u64 = 4096;
/// The most the engine writes to its temporary folder, in mebibytes.
const SPILL_MIB_MAX: u64 = 64 * 1024;

/// An instance that may still read files.
pub(super) struct Session {
    connection: Connection,
    folder: tempfile::TempDir,
    kept: Vec<PathBuf>,
}

impl Session {
    /// Starts an instance in memory, with a folder of its own for what does not fit.
    pub(super) fn start() -> Result<Session, Fault> {
        let folder = tempfile::Builder::new().prefix("tieout-").tempdir().map_err(|error| {
            fault::data(
                format!("no folder for temporary files could be made: {error}"),
                "make room in the folder for temporary files, or name another in TMPDIR",
            )
        })?;
        let spill = folder.path().join("spill");
        let config = Config::default()
            .with("autoinstall_known_extensions", "false")
            .and_then(|config| config.with("autoload_known_extensions", "false"))
            .and_then(|config| config.with("allow_community_extensions", "false"))
            .and_then(|config| config.with("memory_limit", format!("{MEMORY_MIB_MAX}MiB")))
            .and_then(|config| config.with("max_temp_directory_size", format!("{SPILL_MIB_MAX}MiB")))
            .and_then(|config| config.with("temp_directory", spill.to_string_lossy()));
        let connection = config.and_then(Connection::open_in_memory_with_flags).map_err(|error| {
            fault::unreachable(
                format!("DuckDB did not start: {}", failure::words(&error)),
                "run `tieout doctor`",
            )
        })?;
        // Without the extension for time zones there is no such setting, and moments are in UTC anyway.
        let _ = connection.execute_batch("SET GLOBAL TimeZone = 'UTC'");
        Ok(Session { connection, folder, kept: Vec::new() })
    }

    /// Runs statements of our own.
    pub(super) fn execute(&self, sql: &str, what: &str) -> Result<(), Fault> {
        self.connection.execute_batch(sql).map_err(|error| failure::fault(&error, what))
    }

    /// The connection, for statements whose failure is not a fault.
    pub(super) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// A path in the instance's own folder.
    pub(super) fn scratch(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Lets a file stay readable once the instance is locked.
    pub(super) fn keep(&mut self, path: &Path) {
        self.kept.push(path.to_owned());
    }

    /// Shuts the instance off from everything but its own data and the files that were kept.
    pub(super) fn lock(self) -> Result<(Connection, tempfile::TempDir), Fault> {
        let paths: Vec<String> = self.kept.iter().map(|path| literal(&path.to_string_lossy())).collect();
        let sql = format!(
            "SET GLOBAL allowed_paths = [{}]; SET GLOBAL enable_external_access = false; \
             SET GLOBAL lock_configuration = true;",
            paths.join(", ")
        );
        self.execute(&sql, "shutting the engine off")?;
        Ok((self.connection, self.folder))
    }
}

/// A text as an SQL literal.
pub(super) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A name as a quoted SQL identifier.
pub(super) fn name(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
