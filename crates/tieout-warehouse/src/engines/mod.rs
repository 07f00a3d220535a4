//! Owns the table of engines: one folder or file each, and one line here.
//!
//! Deliberately absent: anything that only one engine knows.

pub mod duckdb;

use std::path::Path;

use tieout_core::{catalogue::Project, halt::Fault, ports::Warehouse};

use crate::fault;

/// What an engine is opened on.
#[derive(Clone, Copy, Debug)]
pub struct Attachment<'a> {
    /// The project, with the catalogue that says of what types its columns are.
    pub project: &'a Project,
    /// The project's folder, at which paths start.
    pub root: &'a Path,
    /// The folder that paths may name as `${TIEOUT_CORPORA}`.
    pub corpora: Option<&'a Path>,
}

/// Opens an engine.
type Open = fn(Attachment<'_>) -> Result<Box<dyn Warehouse>, Fault>;

/// Every engine, by the name people write in a project file.
const ENGINES: &[(&str, Open)] = &[("duckdb", |at| {
    duckdb::DuckDb::open(at.project, at.root, at.corpora).map(|engine| Box::new(engine) as Box<dyn Warehouse>)
})];

/// Opens the project's engine on its data.
///
/// # Errors
/// A fault when there is no such engine, or the data cannot be read.
pub fn open(at: Attachment<'_>) -> Result<Box<dyn Warehouse>, Fault> {
    let name = at.project.warehouse.engine.as_str();
    match ENGINES.iter().find(|(engine, _)| *engine == name) {
        Some((_, open)) => open(at),
        None => {
            let names: Vec<&str> = ENGINES.iter().map(|(engine, _)| *engine).collect();
            Err(fault::data(
                format!("there is no engine `{name}`"),
                format!("say `engine: {}` under `warehouse` in tieout.yml", names.join("` or `")),
            ))
        }
    }
}
