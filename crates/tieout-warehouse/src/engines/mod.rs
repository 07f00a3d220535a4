//! Owns the table of engines: one folder or file each, and one line here.
//!
//! Deliberately absent: anything that only one engine knows.

pub mod duckdb;

use std::path::Path;

use tieout_core::{catalogue::Project, halt::Fault, ports::Warehouse};

use crate::{fault, report::DataReport};

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

/// What an engine can do with a project's data.
struct Engine {
    /// As people write it in a project file.
    name: &'static str,
    open: fn(Attachment<'_>) -> Result<Box<dyn Warehouse>, Fault>,
    check: fn(Attachment<'_>) -> Result<DataReport, Fault>,
    version: fn() -> Result<String, Fault>,
}

/// Every engine.
const ENGINES: &[Engine] =
    &[Engine { name: "duckdb", open: duckdb::open, check: duckdb::check, version: duckdb::version }];

/// Every engine's name and the version of it that is there, as it says itself.
#[must_use]
pub fn versions() -> Vec<(&'static str, Result<String, Fault>)> {
    ENGINES.iter().map(|engine| (engine.name, (engine.version)())).collect()
}

/// Opens the project's engine on its data.
///
/// # Errors
/// A fault when there is no such engine, or the data cannot be read.
pub fn open(at: Attachment<'_>) -> Result<Box<dyn Warehouse>, Fault> {
    (engine(at.project)?.open)(at)
}

/// Checks the project's data, whole: what was decided about each source, which rows are refused, and whether keys,
/// relationships and declared values hold.
///
/// # Errors
/// A fault when there is no such engine, or it does not start. A source that cannot be read is part of the report.
pub fn check(at: Attachment<'_>) -> Result<DataReport, Fault> {
    (engine(at.project)?.check)(at)
}

fn engine(project: &Project) -> Result<&'static Engine, Fault> {
    let wanted = project.warehouse.engine.as_str();
    ENGINES.iter().find(|engine| engine.name == wanted).ok_or_else(|| {
        let names: Vec<&str> = ENGINES.iter().map(|engine| engine.name).collect();
        fault::data(
            format!("there is no engine `{wanted}`"),
            format!("say `engine: {}` under `warehouse` in tieout.yml", names.join("` or `")),
        )
    })
}
