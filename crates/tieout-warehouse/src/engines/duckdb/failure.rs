//! Owns how DuckDB's errors are told. Deliberately absent: guessing at a cause that DuckDB does not name.

use ::duckdb::Error;
use tieout_core::halt::Fault;

use crate::fault;

/// How much of the engine's own words is shown, in characters.
const SHOWN_CHARACTERS_MAX: usize = 400;

/// The engine's own words, in one line.
pub(super) fn words(error: &Error) -> String {
    let told = error.to_string();
    let first: Vec<&str> = told.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    first.join(" ").chars().take(SHOWN_CHARACTERS_MAX).collect()
}

/// A fault for an error of the engine while it did `what`.
pub(super) fn fault(error: &Error, what: &str) -> Fault {
    let told = words(error);
    if told.contains("Out of Memory") || told.contains("could not allocate") {
        return fault::data(
            format!("{what} needs more memory than the engine may use: {told}"),
            "ask for a shorter period or fewer groups",
        );
    }
    if told.contains("No space left") || told.contains("max_temp_directory_size") {
        return fault::data(
            format!("{what} needs more room than there is for temporary files: {told}"),
            "make room in the folder for temporary files, or name another in TMPDIR",
        );
    }
    if told.contains("'icu'") {
        return fault::data(
            format!("{what} needs the engine's time zones, which this build does not have: {told}"),
            "in the catalogue, write functions of moments over `cast(… as timestamp)`, which is in UTC",
        );
    }
    fault::data(
        format!("{what} failed: {told}"),
        "run `tieout data check` to see whether the data can be read",
    )
}
