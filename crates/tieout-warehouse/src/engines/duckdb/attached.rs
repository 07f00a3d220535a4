//! Owns what was found out about a source while it was attached.
//!
//! Deliberately absent: attaching.

use tieout_core::{catalogue::Datatype, ports::DataNote};

use super::{load::Loaded, relation::Natural};
use crate::{
    files::{Column, Dialect, Judge, Refusals},
    report::grouped,
};

/// Who said of which type a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A field of the catalogue.
    Catalogue(Datatype),
    /// Nobody: it was guessed from a sample, and the column is kept as text.
    Sniffed(Datatype),
    /// The source itself.
    Source,
}

/// Whether a dataset names a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// It does, as a field or as the tenant.
    Named,
    /// None does.
    Unnamed,
}

/// A column to attach.
#[derive(Clone, Debug)]
pub(super) struct Planned {
    pub(super) column: Column,
    pub(super) origin: Origin,
    pub(super) naming: Naming,
}

/// A column that is attached.
#[derive(Clone, Debug)]
pub(super) struct AttachedColumn {
    pub(super) name: String,
    /// As DuckDB keeps it.
    pub(super) stored: String,
    pub(super) origin: Origin,
    pub(super) naming: Naming,
    /// How its dates are written, where that is not as ISO 8601 has them.
    pub(super) date_format: Option<String>,
}

/// What a source is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Delimited(Box<Dialect>),
    Json,
    Parquet,
    Table,
}

/// Whether a column holds dates, whose form is worth telling.
fn dated(judge: &Judge) -> bool {
    match judge.datatype {
        Datatype::Date | Datatype::Timestamp => true,
        Datatype::Instant | Datatype::String | Datatype::Boolean => false,
        Datatype::Integer | Datatype::Decimal | Datatype::Float => false,
    }
}

/// A source that is attached.
#[derive(Debug)]
pub(super) struct Attached {
    /// As datasets name it.
    pub(super) source: String,
    /// As the project names the file.
    pub(super) shown: String,
    /// The engine's name for it.
    pub(super) target: String,
    pub(super) kind: Kind,
    pub(super) columns: Vec<AttachedColumn>,
    /// How many rows were read; none for what stays where it is.
    pub(super) rows: Option<u64>,
    pub(super) refusals: Refusals,
}

impl Attached {
    /// A source of which nothing is known yet.
    pub(super) fn blank(source: &str, shown: String, target: String, kind: Kind) -> Attached {
        let refusals = Refusals::none("line");
        Attached { source: source.to_owned(), shown, target, kind, columns: Vec::new(), rows: None, refusals }
    }

    /// With the columns that were planned, and what came of them.
    pub(super) fn stored(
        mut self,
        planned: Vec<Planned>,
        loaded: Option<Loaded>,
        naturals: &[Natural],
    ) -> Attached {
        let types = loaded.as_ref().map(|loaded| loaded.types.clone());
        let stored = |at: usize, place: usize| match &types {
            Some(types) => types.get(at).cloned(),
            None => naturals.get(place).map(|natural| natural.ty.clone()),
        };
        self.columns = planned
            .into_iter()
            .enumerate()
            .map(|(at, Planned { column, origin, naming })| AttachedColumn {
                stored: stored(at, column.place).unwrap_or_default(),
                name: column.name,
                origin,
                naming,
                date_format: dated(&column.judge).then_some(column.judge.date_format).flatten(),
            })
            .collect();
        if let Some(loaded) = loaded {
            self.rows = Some(loaded.rows);
            self.refusals = loaded.refusals;
        }
        self
    }

    /// Whether its rows cannot change while it is attached: they were read into memory, or lie in a database that DuckDB
    /// keeps other programs from writing.
    pub(super) fn is_fixed(&self) -> bool {
        match self.kind {
            Kind::Delimited(_) | Kind::Json | Kind::Table => true,
            Kind::Parquet => false,
        }
    }

    /// What must be said beside every answer over the source.
    pub(super) fn notes(&self) -> Vec<DataNote> {
        let note = |message: String| DataNote { source: self.source.clone(), message };
        self.refused().into_iter().chain(self.totals()).map(note).collect()
    }

    /// What must be said of rows that are not used.
    fn refused(&self) -> Option<String> {
        let refused = self.refusals.count;
        let all = refused + self.rows.unwrap_or_default();
        let verb = if refused == 1 { "was" } else { "were" };
        (refused > 0).then(|| {
            format!(
                "{}: {} of {} rows {verb} refused; see `tieout data check`",
                self.source,
                grouped(refused),
                grouped(all)
            )
        })
    }

    /// What must be said of a last line that looks like a total.
    pub(super) fn totals(&self) -> Option<String> {
        let Kind::Delimited(dialect) = &self.kind else { return None };
        dialect.totals.as_ref().map(|line| {
            format!(
                "{}: the last line looks like a total and may be counted as a row: `{line}` (if it is one, say \
                 `skip_trailing: 1`)",
                self.source
            )
        })
    }
}
