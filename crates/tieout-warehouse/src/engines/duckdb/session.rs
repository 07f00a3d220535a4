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
        let session = Session { connection, folder, kept: Vec::new() };
        session.limit_memory()?;
        Ok(session)
    }

    /// Takes less memory than DuckDB would by itself, which is most of the machine's.
    fn limit_memory(&self) -> Result<(), Fault> {
        let failed = |error: ::duckdb::Error| failure::fault(&error, "limiting the engine's memory");
        let sql = "SELECT current_setting('memory_limit')";
        let own: String = self.connection.query_row(sql, [], |row| row.get(0)).map_err(failed)?;
        if mebibytes(&own).is_some_and(|own| own <= MEMORY_MIB_MAX) {
            return Ok(());
        }
        let sql = format!("SET GLOBAL memory_limit = '{MEMORY_MIB_MAX}MiB'");
        self.connection.execute_batch(&sql).map_err(failed)
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
        // The engine compares the text that a view names, and then the path that it means.
        let both = |path: &PathBuf| [path_literal(path), literal(&path.to_string_lossy())];
        let mut paths: Vec<String> = self.kept.iter().flat_map(both).collect();
        paths.dedup();
        let sql = format!(
            "SET GLOBAL allowed_paths = [{}]; SET GLOBAL enable_external_access = false; \
             SET GLOBAL lock_configuration = true;",
            paths.join(", ")
        );
        self.execute(&sql, "shutting the engine off")?;
        Ok((self.connection, self.folder))
    }
}

/// A size as DuckDB writes it, such as `18.8 GiB`, in whole mebibytes.
fn mebibytes(text: &str) -> Option<u64> {
    let (number, unit) = text.split_once(' ')?;
    let (whole, tenths) = number.split_once('.').unwrap_or((number, "0"));
    let tenths = whole.parse::<u64>().ok()?.checked_mul(10)?.checked_add(tenths.get(..1)?.parse().ok()?)?;
    match unit {
        "bytes" | "KiB" => Some(0),
        "MiB" => Some(tenths / 10),
        "GiB" => Some(tenths * 1024 / 10),
        "TiB" => Some(tenths * 1024 * 1024 / 10),
        _ => None,
    }
}

/// A text as an SQL literal.
pub(super) fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// A path as an SQL literal that names one file, and is no pattern for several.
pub(super) fn path_literal(path: &Path) -> String {
    let mut exact = String::new();
    for c in path.to_string_lossy().chars() {
        match c {
            '*' | '?' | '[' => exact.extend(['[', c, ']']),
            c => exact.push(c),
        }
    }
    literal(&exact)
}

/// A name as a quoted SQL identifier.
pub(super) fn name(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(mebibytes("18.8 GiB"), Some(19_251));
        assert_eq!(mebibytes("512.0 MiB"), Some(512));
        assert_eq!(mebibytes("4 GiB"), Some(4096));
        assert_eq!(mebibytes("lots"), None);
    }

    #[test]
    fn a_path_is_no_pattern() {
        assert_eq!(path_literal(Path::new("/it's/a[1]*?.csv")), "'/it''s/a[[]1][*][?].csv'");
    }
}
