//! Owns the reading of data files as text: where they are, how they are written, which rows can be trusted.
//!
//! A delimited file is judged here, in one place, by rules of our own: engines round `1.5` to an integer, drop the
//! time of a date and the offset of a timestamp without a word. Deliberately absent: any engine, and any SQL.

mod copy;
mod dates;
mod dialect;
mod fields;
mod forms;
mod guess;
mod judge;
mod json;
mod records;
mod scan;
mod settle;

use std::path::{Path, PathBuf};

use tieout_core::{catalogue::FileSource, halt::Fault};

use crate::fault;

pub(crate) use copy::{CleanCopy, Copied, copy_delimited, settle_encoding};
pub(crate) use dates::settle_dates;
pub(crate) use dialect::{Dialect, Encoding, NewLine, sample_records, sniff};
pub(crate) use guess::guess;
pub(crate) use json::{copy_json, sample_json};
pub(crate) use judge::{Judge, Shape, Verdict};
pub(crate) use scan::{Column, Refusals, Scan, Widths, scan};
pub(crate) use settle::{give_way, guess_columns};

/// What a file's path may begin with, to be found outside the project.
pub(crate) const CORPORA_VARIABLE: &str = "TIEOUT_CORPORA";

/// The formats a file may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Fields between separators, one row a line.
    Delimited,
    /// One JSON object a line.
    JsonLines,
    /// Apache Parquet.
    Parquet,
}

/// The format of a file: as declared, else by its ending.
pub(crate) fn format_of(source: &FileSource) -> Result<Format, Fault> {
    let ending =
        || Path::new(&source.path).extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase();
    let word = source.format.clone().unwrap_or_else(ending);
    match word.as_str() {
        "csv" | "tsv" | "txt" | "tab" | "psv" => Ok(Format::Delimited),
        "json" | "jsonl" | "ndjson" => Ok(Format::JsonLines),
        "parquet" | "pq" => Ok(Format::Parquet),
        _ => Err(fault::data(
            format!("`{}` is of no format that is read here", source.path),
            "say `format: csv`, `tsv`, `parquet` or `json` beside its path",
        )),
    }
}

/// Where a file is, held to be a file that can be opened.
pub(crate) fn locate(path: &str, root: &Path, corpora: Option<&Path>) -> Result<PathBuf, Fault> {
    let prefix = format!("${{{CORPORA_VARIABLE}}}/");
    let full = match (path.strip_prefix(&prefix), corpora) {
        (Some(rest), Some(folder)) => folder.join(rest),
        (Some(_), None) => {
            return Err(fault::data(
                format!("`{path}` begins with {CORPORA_VARIABLE}, which is not set"),
                format!("set {CORPORA_VARIABLE} to the folder that holds the published data"),
            ));
        }
        (None, _) => root.join(path),
    };
    readable(&full, path)?;
    // In full, so that it names the same file whatever happens to the working directory.
    full.canonicalize().map_err(|error| open_fault(path, &error))
}

/// Holds that a path is a file that can be opened.
pub(crate) fn readable(full: &Path, shown: &str) -> Result<(), Fault> {
    let gone = |error: std::io::Error| open_fault(shown, &error);
    if std::fs::metadata(full).map_err(gone)?.is_dir() {
        return Err(fault::data(format!("`{shown}` is a folder, not a file"), "name one file of it"));
    }
    std::fs::File::open(full).map_err(gone).map(drop)
}

/// Why a file could not be opened or read, in words.
pub(crate) fn open_fault(shown: &str, error: &std::io::Error) -> Fault {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => fault::data(
            format!("`{shown}` is not there"),
            "check the path in tieout.yml; it starts at the project's folder",
        ),
        ErrorKind::PermissionDenied => {
            fault::data(format!("`{shown}` may not be read"), "give this user permission to read the file")
        }
        _ => fault::data(
            format!("`{shown}` could not be read: {error}"),
            "check the file and the disk it is on",
        ),
    }
}
