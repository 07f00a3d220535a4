//! Owns the attaching of an existing DuckDB file, to read only.
//!
//! Deliberately absent: its tables, which stand behind views like any other relation.

use std::{fs::File, io::Read, path::Path};

use tieout_core::halt::{Fault, FaultKind};

use super::{
    failure,
    session::{Session, literal, name},
};
use crate::{fault, files};

/// What an attached database is called inside the engine.
const ALIAS: &str = "tieout attached";
/// Where a DuckDB file says what it is.
const MAGIC: (usize, &[u8]) = (8, b"DUCK");

/// Attaches a database file.
pub(super) fn attach(session: &Session, path: &Path, shown: &str) -> Result<(), Fault> {
    let mut head = [0; 12];
    let file = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    let magic = head.get(MAGIC.0..) == Some(MAGIC.1);
    match file {
        Err(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => {
            return Err(files::open_fault(shown, &error));
        }
        Ok(()) if magic => {}
        _ => {
            return Err(fault::data(
                format!("`{shown}` is not a DuckDB database"),
                "name a file that DuckDB made, or list data files under `files`",
            ));
        }
    }
    let sql =
        format!("ATTACH {} AS {} (TYPE duckdb, READ_ONLY)", literal(&path.to_string_lossy()), name(ALIAS));
    session.connection().execute_batch(&sql).map_err(|error| told(&error, shown))
}

/// The relation of a table, and the statement that makes room for its view.
pub(super) fn relation(source: &str) -> (String, String, Option<String>) {
    let (schema, table) = source.split_once('.').unwrap_or(("main", source));
    let relation = format!("{}.{}.{}", name(ALIAS), name(schema), name(table));
    let target = format!("{}.{}", name(schema), name(table));
    let room = (schema != "main").then(|| format!("CREATE SCHEMA IF NOT EXISTS {}", name(schema)));
    (relation, target, room)
}

/// The tables and views of the attached database, as datasets name them.
pub(super) fn tables(session: &Session) -> Result<Vec<String>, Fault> {
    let failed = |error: ::duckdb::Error| failure::fault(&error, "listing the database's tables");
    let sql =
        "SELECT table_schema, table_name FROM information_schema.tables WHERE table_catalog = ? ORDER BY ALL";
    let mut listed = session.connection().prepare(sql).map_err(failed)?;
    let rows = listed.query_map([ALIAS], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
    let rows = rows.and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(failed)?;
    Ok(rows
        .into_iter()
        .map(|(schema, table)| if schema == "main" { table } else { format!("{schema}.{table}") })
        .collect())
}

fn told(error: &::duckdb::Error, shown: &str) -> Fault {
    let words = failure::words(error);
    if words.contains("Conflicting lock") || words.contains("Could not set lock") {
        return Fault {
            kind: FaultKind::Unreachable,
            message: format!("`{shown}` is being written by another program"),
            hint: "close that program, or work on a copy of the file".to_owned(),
        };
    }
    if words.contains("version") {
        return fault::data(
            format!("`{shown}` was made by a version of DuckDB that is not read here: {words}"),
            "export it and import it again with DuckDB 1.5 or earlier",
        );
    }
    fault::data(
        format!("`{shown}` cannot be opened: {words}"),
        "the file may be broken; open it with DuckDB itself to see, or restore a copy",
    )
}
