//! The engines: run a checked query, and nothing else.
//!
//! Owns the adapters of [`tieout_core::ports::Warehouse`], the reading of data files for engines that hold none of
//! their own, and what can be found out about data without asking a question of it. Deliberately absent: metrics,
//! readings and everything else a query is made from.

mod draft;
pub mod engines;
mod fault;
mod files;
mod report;
#[cfg(test)]
mod testing;

pub use draft::DraftProject;
pub use engines::{Attachment, check, open, versions};
pub use report::{
    ColumnReport, DataReport, DecidedBy, KeyReport, OutsideReport, RefusedRow, RelationshipReport,
    SourceReport,
};

/// Drafts a project from data files, or from one DuckDB database: datasets with the datatypes that the data bears out,
/// keys and relationships that hold on every row, and no metrics.
///
/// Paths are written into the draft as they are given.
///
/// # Errors
/// A fault when a file cannot be read, or files and a database are mixed.
pub fn draft(files: &[std::path::PathBuf]) -> Result<DraftProject, tieout_core::halt::Fault> {
    engines::duckdb::draft(files)
}
