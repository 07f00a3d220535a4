//! Owns the attaching of a project's sources: which are needed, which columns of each, and what is said about them.
//!
//! Deliberately absent: how each format is read.

use std::path::{Path, PathBuf};

use tieout_core::{
    catalogue::{Datatype, FileSource, Project},
    halt::Fault,
    ports::DataNote,
};

use super::{
    database,
    load::{self, Loaded},
    relation::{self, Natural},
    session::{Session, name},
    wanted::{Wanted, datasets, wanted},
};
use crate::{
    fault,
    files::{self, Column, Dialect, Format, Judge, Refusals},
};

/// How much of a project's data is attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// The sources and columns that the catalogue names.
    Named,
    /// Every source, and every column of it.
    Everything,
}

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

/// A column that is attached.
#[derive(Clone, Debug)]
pub(super) struct AttachedColumn {
    pub(super) name: String,
    /// As DuckDB keeps it.
    pub(super) stored: String,
    pub(super) origin: Origin,
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

/// A source that is attached, and what was found out about it.
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
    /// What must be said beside every answer over the source.
    pub(super) fn notes(&self) -> Vec<DataNote> {
        let mut notes = Vec::new();
        let mut note = |message: String| notes.push(DataNote { source: self.source.clone(), message });
        if self.refusals.count > 0 {
            let all = self.refusals.count + self.rows.unwrap_or_default();
            let verb = if self.refusals.count == 1 { "was" } else { "were" };
            note(format!(
                "{}: {} of {} rows {verb} refused; see `tieout data check`",
                self.source,
                grouped(self.refusals.count),
                grouped(all)
            ));
        }
        if let Kind::Delimited(dialect) = &self.kind
            && let Some(line) = &dialect.totals
        {
            note(format!(
                "{}: the last line looks like a total and may be counted as a row: `{line}` (if it is one, say `skip_trailing: 1`)",
                self.source
            ));
        }
        notes
    }

    fn stored(
        mut self,
        columns: Vec<(Column, Origin)>,
        loaded: Option<Loaded>,
        naturals: &[Natural],
    ) -> Attached {
        let types = loaded.as_ref().map(|loaded| loaded.types.clone());
        self.columns = columns
            .into_iter()
            .enumerate()
            .map(|(at, (column, origin))| AttachedColumn {
                stored: match &types {
                    Some(types) => types.get(at).cloned(),
                    None => naturals.get(column.place).map(|natural| natural.ty.clone()),
                }
                .unwrap_or_default(),
                name: column.name,
                origin,
                date_format: column.judge.date_format,
            })
            .collect();
        if let Some(loaded) = loaded {
            self.rows = Some(loaded.rows);
            self.refusals = loaded.refusals;
        }
        self
    }
}

/// Attaches the project's sources.
pub(super) fn attach(
    session: &mut Session,
    project: &Project,
    root: &Path,
    corpora: Option<&Path>,
    extent: Extent,
) -> Result<Vec<Attached>, Fault> {
    let mut attached = Vec::new();
    let settings = &project.warehouse;
    for (source, file) in &settings.files {
        let named = datasets(&project.catalogue, source).next().is_some();
        if named || extent == Extent::Everything {
            let columns = wanted(&project.catalogue, source)?;
            let path = files::locate(&file.path, root, corpora)?;
            attached.push(attach_file(session, source, file, path, &columns, extent)?);
        }
    }
    if let Some(shown) = &settings.path {
        let path = files::locate(shown, root, corpora)?;
        database::attach(session, &path, shown)?;
    }
    let mut tables: Vec<&str> = Vec::new();
    for dataset in project.catalogue.datasets.values() {
        if settings.files.contains_key(&dataset.source) || tables.contains(&dataset.source.as_str()) {
            continue;
        }
        let Some(shown) = &settings.path else {
            let names: Vec<&str> = settings.files.keys().map(String::as_str).collect();
            return Err(fault::data(
                format!(
                    "dataset `{}` is read from `{}`, and there is no such source",
                    dataset.name, dataset.source
                ),
                format!("the sources under `warehouse` are: {}", names.join(", ")),
            ));
        };
        tables.push(&dataset.source);
        let columns = wanted(&project.catalogue, &dataset.source)?;
        attached.push(attach_table(session, &dataset.source, shown, &columns, extent)?);
    }
    Ok(attached)
}

/// Attaches one file.
pub(super) fn attach_file(
    session: &mut Session,
    source: &str,
    file: &FileSource,
    path: PathBuf,
    wanted: &[Wanted],
    extent: Extent,
) -> Result<Attached, Fault> {
    let blank = |kind: Kind| Attached {
        source: source.to_owned(),
        shown: file.path.clone(),
        target: name(source),
        kind,
        columns: Vec::new(),
        rows: None,
        refusals: Refusals::none("line"),
    };
    match files::format_of(file)? {
        Format::Delimited => {
            let dialect = files::sniff(&path, file)?;
            let sample = files::sample_records(&dialect)?;
            let mut planned =
                plan(&dialect.columns, file, wanted, extent, &sample, |wanted| missing(&dialect, wanted))?;
            files::settle_dates(&dialect, planned.iter_mut().map(|(column, _)| column), &sample)?;
            let columns: Vec<Column> = planned.iter().map(|(column, _)| column.clone()).collect();
            let loaded = load::load_delimited(session, &name(source), &dialect, &columns, &sample)?;
            Ok(blank(Kind::Delimited(Box::new(dialect))).stored(planned, Some(loaded), &[]))
        }
        Format::JsonLines => {
            let seen = files::sample_json(&path, &file.path)?;
            let names = with_wanted(seen.names, wanted);
            let planned =
                plan(&names, file, wanted, extent, &seen.rows, |_| fault::internal("a name was lost"))?;
            let columns: Vec<Column> = planned.iter().map(|(column, _)| column.clone()).collect();
            let write = |target: &Path| files::copy_json(&path, &file.path, &columns, target);
            let loaded = load::load_copy(session, &name(source), &file.path, &columns, write)?;
            Ok(blank(Kind::Json).stored(planned, Some(loaded), &[]))
        }
        Format::Parquet => {
            let relation = relation::parquet(&path);
            session.keep(&path);
            attach_relation(session, &relation, wanted, extent, blank(Kind::Parquet))
        }
    }
}

/// Attaches one table of the attached database.
pub(super) fn attach_table(
    session: &Session,
    source: &str,
    shown: &str,
    wanted: &[Wanted],
    extent: Extent,
) -> Result<Attached, Fault> {
    let tables = database::tables(session)?;
    if !tables.iter().any(|table| table.eq_ignore_ascii_case(source)) {
        return Err(fault::data(
            format!("`{shown}` has no table `{source}`"),
            format!("its tables are: {}", tables.join(", ")),
        ));
    }
    let (relation, target, room) = database::relation(source);
    if let Some(room) = room {
        session.execute(&room, "making room for a table")?;
    }
    let blank = Attached {
        source: source.to_owned(),
        shown: format!("{shown}: {source}"),
        target,
        kind: Kind::Table,
        columns: Vec::new(),
        rows: None,
        refusals: Refusals::none("line"),
    };
    attach_relation(session, &relation, wanted, extent, blank)
}

fn attach_relation(
    session: &Session,
    relation: &str,
    wanted: &[Wanted],
    extent: Extent,
    blank: Attached,
) -> Result<Attached, Fault> {
    let naturals = relation::natural(session, relation, &blank.shown)?;
    let names: Vec<String> = naturals.iter().map(|natural| natural.name.clone()).collect();
    let lost = |wanted: &Wanted| no_column(&blank.shown, &names, wanted, "");
    let planned: Vec<(Column, Origin)> = plan(&names, &FileSource::default(), wanted, extent, &[], lost)?
        .into_iter()
        .map(|(column, origin)| match origin {
            Origin::Sniffed(_) => (column, Origin::Source),
            Origin::Catalogue(_) | Origin::Source => (column, origin),
        })
        .collect();
    let columns: Vec<Column> = planned.iter().map(|(column, _)| column.clone()).collect();
    let loaded = relation::stand(session, &blank.target, relation, &blank.shown, &columns, &naturals)?;
    Ok(blank.stored(planned, loaded, &naturals))
}

/// The columns to attach, in the source's order for those that nobody names.
fn plan(
    names: &[String],
    file: &FileSource,
    wanted: &[Wanted],
    extent: Extent,
    sample: &[Vec<String>],
    lost: impl Fn(&Wanted) -> Fault,
) -> Result<Vec<(Column, Origin)>, Fault> {
    let mut planned = Vec::new();
    for wanted in wanted {
        let place = names.iter().position(|name| name.eq_ignore_ascii_case(&wanted.column));
        let place = place.ok_or_else(|| lost(wanted))?;
        let judge = Judge {
            datatype: wanted.datatype.unwrap_or(Datatype::String),
            thousands: file.thousands,
            decimal: file.decimal,
            date_format: file.date_format.clone(),
        };
        let origin = match wanted.datatype {
            Some(datatype) => Origin::Catalogue(datatype),
            None => Origin::Sniffed(files::guess(texts(sample, place))),
        };
        planned.push((Column { place, name: wanted.column.clone(), judge }, origin));
    }
    if extent == Extent::Everything {
        for (place, name) in names.iter().enumerate() {
            if !planned.iter().any(|(column, _)| column.place == place) {
                let origin = Origin::Sniffed(files::guess(texts(sample, place)));
                planned.push((
                    Column { place, name: name.clone(), judge: Judge::plain(Datatype::String) },
                    origin,
                ));
            }
        }
    }
    Ok(planned)
}

fn texts(sample: &[Vec<String>], place: usize) -> impl Iterator<Item = &str> {
    sample.iter().filter_map(move |row| row.get(place)).map(String::as_str)
}

/// The names that a sample of objects has, and those that somebody wants of them; names are told apart by case.
fn with_wanted(mut names: Vec<String>, wanted: &[Wanted]) -> Vec<String> {
    for wanted in wanted {
        if !names.contains(&wanted.column) {
            names.retain(|name| !name.eq_ignore_ascii_case(&wanted.column));
            names.push(wanted.column.clone());
        }
    }
    names
}

fn missing(dialect: &Dialect, wanted: &Wanted) -> Fault {
    let (column, shown, by) = (&wanted.column, &dialect.shown, &wanted.named_by);
    if dialect.repeated.iter().any(|name| name.eq_ignore_ascii_case(column)) {
        let prefix = format!("{}_", column.to_ascii_lowercase());
        let numbered = |name: &&String| name.to_ascii_lowercase().starts_with(&prefix);
        let names: Vec<String> =
            dialect.columns.iter().filter(numbered).map(|name| format!("`column: {name}`")).collect();
        return fault::data(
            format!("`{shown}` has more than one column `{column}`, so {by} could mean any of them"),
            format!("say which: {}", names.join(" or ")),
        );
    }
    no_column(shown, &dialect.columns, wanted, ", or the file's `delimiter` or `header`")
}

fn no_column(shown: &str, names: &[String], wanted: &Wanted, or: &str) -> Fault {
    fault::data(
        format!("`{shown}` has no column `{}`, which {} needs", wanted.column, wanted.named_by),
        format!("its columns are: {}; correct the field's `column`{or}", names.join(", ")),
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
