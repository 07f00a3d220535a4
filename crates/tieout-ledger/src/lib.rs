//! What happened: every question, its queries, a bounded copy of their rows, its claims and its outcome.
//!
//! Owns one SQLite file that is only ever added to. A record is one transaction that is on the disk before its answer
//! is shown; a process may be killed at any instant and several may write at once. Deliberately absent: the meaning
//! of what is stored (documents, binds and rows are texts here; the binary's wire types read them), and any way to
//! change or remove a record.

mod append;
mod entry;
mod fault;
mod open;
mod read;

pub use append::rows_fit;
pub use entry::{
    ClaimEntry, Entry, QueryEntry, ROWS_KEPT_BYTES_MAX, ROWS_KEPT_MAX, RowsCopy, Stored, Summary, Viewer,
};
pub use open::{BUSY_WAIT_MS_MAX, Ledger, SCHEMA_VERSION};
