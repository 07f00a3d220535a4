//! Which statements are meant: one from the command line, those of files, of folders, or of the input.
//!
//! Deliberately absent: what they mean. A statement is taken as it stands, with its place in its file.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

use clap::Args;
use tieout_core::halt::{Fault, FaultKind};
use tieout_sql::{Dialect, Part, statements};

use crate::verbs::Stop;

/// The longest file that is read, in bytes.
pub const SQL_FILE_BYTES_MAX: u64 = 4 * 1024 * 1024;
/// The most files of one run.
pub const SQL_FILES_MAX: usize = 10_000;

/// The statements, as typed.
#[derive(Args, Clone, Debug)]
#[group(id = "statements", required = true, multiple = false)]
pub struct Sources {
    /// Files of SQL, folders of them, or `-` for the input
    #[arg(value_name = "FILE|FOLDER|-", group = "statements")]
    pub files: Vec<PathBuf>,
    /// One statement
    #[arg(long, value_name = "STATEMENT", group = "statements")]
    pub sql: Option<String>,
}

/// A text of statements.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file, as a person named it; none for a statement of the command line.
    pub file: Option<String>,
    text: String,
}

impl Source {
    /// Its statements. One of the command line is one statement, whatever it holds.
    #[must_use]
    pub fn statements(&self, dialect: &Dialect) -> Vec<Part<'_>> {
        match &self.file {
            Some(_) => statements(&self.text, dialect),
            None => vec![Part { text: self.text.trim_end(), line: 1, column: 1 }],
        }
    }
}

impl Sources {
    /// Reads what was named.
    ///
    /// # Errors
    /// When something is not there, cannot be read, is too long, or is no text; and for a folder without SQL.
    pub fn read(&self, folder: &Path) -> Result<Vec<Source>, Stop> {
        if let Some(sql) = &self.sql {
            return match sql.trim().is_empty() {
                true => Err(Stop::usage("the statement is empty", "write one after `--sql`")),
                false => Ok(vec![Source { file: None, text: sql.clone() }]),
            };
        }
        let mut sources = Vec::new();
        for named in &self.files {
            let shown = named.to_string_lossy().into_owned();
            if shown == "-" {
                sources.push(Source { file: Some(shown), text: input()? });
                continue;
            }
            for (path, shown) in files(&folder.join(named), &shown)? {
                sources.push(Source { text: text(&path, &shown)?, file: Some(shown) });
            }
        }
        Ok(sources)
    }
}

/// The file itself, or every `*.sql` of a folder and the folders in it, by name.
fn files(path: &Path, shown: &str) -> Result<Vec<(PathBuf, String)>, Stop> {
    if !path.is_dir() {
        return Ok(vec![(path.to_owned(), shown.to_owned())]);
    }
    let mut found = Vec::new();
    let mut folders = vec![(path.to_owned(), shown.trim_end_matches('/').to_owned())];
    while let Some((folder, shown)) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| unreadable(&shown, &error))?;
        for entry in entries {
            let entry = entry.map_err(|error| unreadable(&shown, &error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type().map_err(|error| unreadable(&shown, &error))?;
            let (path, shown) = (entry.path(), format!("{shown}/{name}"));
            if kind.is_dir() && !name.starts_with('.') {
                folders.push((path, shown));
            } else if !kind.is_dir() && name.to_ascii_lowercase().ends_with(".sql") {
                found.push((path, shown));
            }
        }
        if found.len() > SQL_FILES_MAX {
            return Err(Stop::usage(
                format!("`{shown}` holds more than {SQL_FILES_MAX} files of SQL"),
                "name a folder with fewer of them",
            ));
        }
    }
    if found.is_empty() {
        return Err(Stop::usage(
            format!("`{shown}` holds no file that ends in .sql"),
            "name a folder that does, or the files themselves",
        ));
    }
    found.sort_by(|a, b| a.1.cmp(&b.1));
    Ok(found)
}

fn input() -> Result<String, Stop> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(SQL_FILE_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| unreadable("-", &error))?;
    let length = bytes.len() as u64;
    if length > SQL_FILE_BYTES_MAX {
        return Err(fault(
            format!("the input has more than {SQL_FILE_BYTES_MAX} bytes"),
            "send fewer statements at once",
        ));
    }
    decoded(bytes, "the input")
}

/// The text of a file, as UTF-8 and not too long.
///
/// # Errors
/// When it is not there, cannot be read, is too long, or is not UTF-8.
pub(super) fn text(path: &Path, shown: &str) -> Result<String, Stop> {
    let about = match fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(Stop::usage(format!("`{shown}` is not there"), "check the name"));
        }
        other => other.map_err(|error| unreadable(shown, &error))?,
    };
    if about.is_dir() {
        return Err(Stop::usage(format!("`{shown}` is a folder"), "name a file"));
    }
    if about.len() > SQL_FILE_BYTES_MAX {
        return Err(fault(
            format!("`{shown}` has {} bytes; at most {SQL_FILE_BYTES_MAX} are read", about.len()),
            "split it into several files, and leave out rows that are only data",
        ));
    }
    decoded(fs::read(path).map_err(|error| unreadable(shown, &error))?, &format!("`{shown}`"))
}

fn decoded(bytes: Vec<u8>, shown: &str) -> Result<String, Stop> {
    String::from_utf8(bytes).map(|text| text.trim_start_matches('\u{feff}').to_owned()).map_err(|error| {
        let before = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
        let line = before.filter(|byte| **byte == b'\n').count() + 1;
        fault(format!("{shown} is not UTF-8 text in line {line}"), "save it as UTF-8")
    })
}

fn unreadable(shown: &str, error: &std::io::Error) -> Stop {
    fault(format!("`{shown}` cannot be read: {error}"), "check that it may be read")
}

fn fault(message: String, hint: &str) -> Stop {
    Stop::Fault(Fault { kind: FaultKind::Data, message, hint: hint.to_owned() })
}
