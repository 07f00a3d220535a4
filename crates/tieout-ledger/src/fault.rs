//! How SQLite's failures are told: what is wrong with which file, and what to do.

use std::path::Path;

use tieout_core::halt::{Fault, FaultKind};

/// SQLite's primary result codes that have a sentence of their own (<https://www.sqlite.org/rescode.html>).
const BUSY: u32 = 5;
const READ_ONLY: u32 = 8;
const IO: u32 = 10;
const CORRUPT: u32 = 11;
const FULL: u32 = 13;
const CANNOT_OPEN: u32 = 14;
const NOT_A_DATABASE: u32 = 26;

/// A fault of the ledger.
pub(crate) fn ledger(message: impl Into<String>, hint: impl Into<String>) -> Fault {
    Fault { kind: FaultKind::Ledger, message: message.into(), hint: hint.into() }
}

/// A fault for an error of SQLite on a ledger's file.
pub(crate) fn of_sqlite(error: &sqlx::Error, path: &Path) -> Fault {
    let place = path.display();
    match primary_code(error) {
        Some(READ_ONLY) => not_writable(path),
        Some(FULL) => ledger(
            format!("the disk that holds the ledger {place} is full"),
            "make room on it, or name another place with `--ledger`",
        ),
        Some(CORRUPT | NOT_A_DATABASE) => ledger(
            format!("the ledger {place} is damaged or is no ledger"),
            "move the file away and bring it back from a copy; nothing was written to it",
        ),
        Some(CANNOT_OPEN) => ledger(
            format!("the ledger {place} cannot be opened"),
            "check that its folder is there and may be written to, or name another place with `--ledger`",
        ),
        Some(BUSY) => ledger(
            format!("another process keeps the ledger {place} locked"),
            "ask again; if it lasts, look for a process that holds the file",
        ),
        Some(IO) => ledger(
            format!("the disk that holds the ledger {place} fails to read or write: {error}"),
            "check the disk, or name another place with `--ledger`",
        ),
        Some(_) | None => ledger(format!("the ledger {place} failed: {error}"), "run `tieout doctor`"),
    }
}

/// The file or its folder may not be written to.
pub(crate) fn not_writable(path: &Path) -> Fault {
    ledger(
        format!("the ledger {} may not be written to", path.display()),
        "give this user permission to write the file and its folder, or name another place with `--ledger`",
    )
}

/// Whether another connection holds a lock that is needed.
pub(crate) fn is_busy(error: &sqlx::Error) -> bool {
    primary_code(error) == Some(BUSY)
}

fn primary_code(error: &sqlx::Error) -> Option<u32> {
    let code = error.as_database_error()?.code()?;
    code.parse::<u32>().ok().map(|extended| extended & 0xff)
}
