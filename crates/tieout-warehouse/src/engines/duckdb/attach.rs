//! Owns the attaching of a project's sources: which are needed, which columns of each, and what is said about them.
//!
//! Deliberately absent: how each format is read.

use std::path::Path;

use tieout_core::{
    catalogue::{Datatype, FileSource, Project},
    halt::Fault,
    ports::DataNote,
};

use super::{
    load::{self, Loaded},
    session::{Session, name},
    wanted::{Wanted, datasets, wanted},
};
use crate::{
    fault,
    files::{self, Column, Dialect, Format, Judge},
};

/// A source that is attached, and what was found out about it.
#[derive(Debug)]
pub(super) struct Attached {
    pub(super) source: String,
    pub(super) dialect: Option<Dialect>,
    pub(super) columns: Vec<Column>,
    pub(super) loaded: Option<Loaded>,
}

impl Attached {
    /// What must be said beside every answer over the source.
    pub(super) fn notes(&self) -> Vec<DataNote> {
        let mut notes = Vec::new();
        let mut note = |message: String| notes.push(DataNote { source: self.source.clone(), message });
        if let Some(loaded) = self.loaded.as_ref().filter(|loaded| loaded.refusals.count > 0) {
            let (refused, all) = (loaded.refusals.count, loaded.refusals.count + loaded.rows);
            let verb = if refused == 1 { "was" } else { "were" };
            note(format!(
                "{}: {} of {} rows {verb} refused; see `tieout data check`",
                self.source,
                grouped(refused),
                grouped(all)
            ));
        }
        if let Some(line) = self.dialect.as_ref().and_then(|dialect| dialect.totals.as_ref()) {
            note(format!(
                "{}: the last line looks like a total and may be counted as a row: `{line}` (if it is one, say `skip_trailing: 1`)",
                self.source
            ));
        }
        notes
    }
}

/// Attaches every source that a dataset is over.
pub(super) fn attach(
    session: &mut Session,
    project: &Project,
    root: &Path,
    corpora: Option<&Path>,
) -> Result<Vec<Attached>, Fault> {
    let mut attached = Vec::new();
    for (source, file) in &project.warehouse.files {
        if datasets(&project.catalogue, source).next().is_none() {
            continue;
        }
        let columns = wanted(&project.catalogue, source)?;
        let path = files::locate(&file.path, root, corpora)?;
        attached.push(match files::format_of(file)? {
            Format::Delimited => delimited(session, source, file, &path, &columns)?,
            Format::JsonLines | Format::Parquet => {
                return Err(fault::data(format!("`{}` cannot be read yet", file.path), "use a CSV file"));
            }
        });
    }
    Ok(attached)
}

fn delimited(
    session: &Session,
    source: &str,
    file: &FileSource,
    path: &Path,
    wanted: &[Wanted],
) -> Result<Attached, Fault> {
    let dialect = files::sniff(path, file)?;
    let mut columns =
        wanted.iter().map(|wanted| column(&dialect, file, wanted)).collect::<Result<Vec<_>, _>>()?;
    let sample = files::sample_records(&dialect)?;
    files::settle_dates(&dialect, &mut columns, &sample)?;
    let loaded = load::load(session, &name(source), &dialect, &columns, &sample)?;
    Ok(Attached { source: source.to_owned(), dialect: Some(dialect), columns, loaded: Some(loaded) })
}

/// Finds a wanted column in the file.
fn column(dialect: &Dialect, file: &FileSource, wanted: &Wanted) -> Result<Column, Fault> {
    let Some(place) = dialect.column(&wanted.column) else { return Err(missing(dialect, wanted)) };
    let judge = Judge {
        datatype: wanted.datatype.unwrap_or(Datatype::String),
        thousands: file.thousands,
        decimal: file.decimal,
        date_format: file.date_format.clone(),
    };
    Ok(Column { place, name: wanted.column.clone(), judge })
}

fn missing(dialect: &Dialect, wanted: &Wanted) -> Fault {
    let (column, shown, by) = (&wanted.column, &dialect.shown, &wanted.named_by);
    if dialect.repeated.iter().any(|name| name.eq_ignore_ascii_case(column)) {
        let prefix = format!("{}_", column.to_ascii_lowercase());
        let names: Vec<String> = dialect
            .columns
            .iter()
            .filter(|name| name.to_ascii_lowercase().starts_with(&prefix))
            .map(|name| format!("`column: {name}`"))
            .collect();
        return fault::data(
            format!("`{shown}` has more than one column `{column}`, so {by} could mean any of them"),
            format!("say which: {}", names.join(" or ")),
        );
    }
    let columns = dialect.columns.join(", ");
    fault::data(
        format!("`{shown}` has no column `{column}`, which {by} needs"),
        format!(
            "its columns are: {columns}; correct the field's `column`, or the file's `delimiter` or `header`"
        ),
    )
}

/// A count with separators between thousands.
pub(super) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
