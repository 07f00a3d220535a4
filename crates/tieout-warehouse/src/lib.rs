//! The engines: run a checked query, and nothing else.
//!
//! Owns the adapters of [`tieout_core::ports::Warehouse`], the reading of data files for engines that hold none of
//! their own, and what can be found out about data without asking a question of it. Deliberately absent: metrics,
//! readings and everything else a query is made from.

pub mod engines;
mod fault;
mod files;
mod report;
#[cfg(test)]
mod testing;

pub use engines::{Attachment, check, open};
pub use report::{
    ColumnReport, DataReport, DecidedBy, KeyReport, OutsideReport, RefusedRow, RelationshipReport,
    SourceReport,
};
