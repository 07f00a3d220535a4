//! The record as it is written to the ledger, printed by `--json` and taken by every renderer: one type for all.
//!
//! Owns the JSON form and its conversions from and back to the values of the pipe. Decimals and integers are strings
//! beside a unit, moments are RFC 3339, periods in words carry their dates. Deliberately absent: any judgement; what
//! is not in the outcome is not here.

mod back;
mod check;
mod claims;
mod data;
mod figures;
mod make;
mod models;
mod queries;
mod reading;
mod record;
mod shortlist;
mod values;
mod working;

pub use back::{Unreadable, recorded, with_rows};
pub use check::{
    AcceptedStatement, BoundBy, BoundValue, CHECK_VERSION, CheckReport, ExplainReport, Explained,
    Explanation, FindingPlace, HeldPart, HeldVerdict, JoinOf, JoinedPair, Judged, OutputColumn, SeverityName,
    SourceColumn, StatementFinding, TenantBound, VerdictName,
};
pub use claims::{Claim, ClaimValue, Source};
pub use data::DataReport;
pub use figures::{Column, Figure, FigureValue, Key, Line, ListCell, ListColumn, Listing, Table};
pub use make::{Asked, ledger_entry, query_record, record};
pub use models::Exchange;
pub use queries::{Query, RowsCopy, WrittenBy, rows_of};
pub use reading::{BlockLine, BlockPart, Caveat, Choice, Doubt, Problem, WordUse};
pub use record::{
    Answer, AskedAs, Confirmed, Edit, Ending, Fault, ProjectRef, QueryRows, RECORD_VERSION, Record, Refusal,
    SessionRef, Timings, TrailEntry,
};
pub use shortlist::{ByMeaning, ListedEntry, Shortlist};
pub use values::{Bind, Cell, Unit};
pub use working::{CellRef, Working};

/// The JSON Schema of a record, as it is checked in at `schema/record.schema.json`.
#[must_use]
pub fn schema() -> serde_json::Value {
    titled(schemars::schema_for!(Record), "a record of tieout")
}

/// The JSON Schema of what `check` prints, as it is checked in at `schema/check.schema.json`.
#[must_use]
pub fn check_schema() -> serde_json::Value {
    titled(schemars::schema_for!(CheckReport), "what tieout says of statements")
}

/// The JSON Schema of what `explain` prints, as it is checked in at `schema/explain.schema.json`.
#[must_use]
pub fn explain_schema() -> serde_json::Value {
    titled(schemars::schema_for!(ExplainReport), "what statements count, as tieout reads them")
}

fn titled(mut schema: schemars::Schema, title: &str) -> serde_json::Value {
    schema.insert("title".to_owned(), title.into());
    schema.to_value()
}
