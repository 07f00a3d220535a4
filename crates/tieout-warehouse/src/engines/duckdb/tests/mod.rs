//! The engine on real files, and below the port: statements that no checker would pass.

mod checked;
mod delimited;
mod drafted;
mod exact;
mod other;
mod port;
mod shut;

use std::{path::Path, time::Duration};

use tieout_core::{
    catalogue::{Dataset, FileSource},
    evidence::{Cell, Rows},
    halt::Fault,
};
use tieout_sql::Value;

use super::{DuckDb, run};
use crate::testing::project;

/// An engine over one file of a folder.
pub(super) fn over(folder: &Path, file: FileSource, dataset: Dataset) -> Result<DuckDb, Fault> {
    let name = dataset.source.clone();
    DuckDb::open(&project(&[(&name, file)], vec![dataset]), folder, None)
}

impl DuckDb {
    /// Runs a text below the port.
    pub(super) fn raw(&self, sql: &str, binds: &[Value]) -> Result<Rows, Fault> {
        self.raw_within(sql, binds, 1000, Duration::from_secs(30))
    }

    /// Runs a text below the port, within limits.
    pub(super) fn raw_within(
        &self,
        sql: &str,
        binds: &[Value],
        rows_max: u64,
        timeout: Duration,
    ) -> Result<Rows, Fault> {
        let connection = self.shared.connection()?;
        let statement = run::Statement { sql: sql.to_owned(), binds: binds.to_vec(), rows_max, timeout };
        let rows = run::in_one_snapshot(&connection, &[statement], &self.shared.watchdog)
            .map(|mut rows| rows.remove(0));
        self.shared.give_back(connection);
        rows
    }

    /// The rows of a text, printed.
    pub(super) fn printed(&self, sql: &str) -> Vec<String> {
        let rows = self.raw(sql, &[]).unwrap();
        rows.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(" | ")).collect()
    }
}

/// A cell with its kind.
pub(super) fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Null => "null".to_owned(),
        Cell::Boolean(value) => value.to_string(),
        Cell::Number(value) => value.to_plain_string(),
        Cell::NotFinite(value) => format!("not finite {value}"),
        Cell::Text(value) => format!("'{value}'"),
        Cell::Date(value) => format!("date {value}"),
        Cell::DateTime(value) => format!("civil {value}"),
        Cell::Instant(value) => format!("moment {value}"),
    }
}
