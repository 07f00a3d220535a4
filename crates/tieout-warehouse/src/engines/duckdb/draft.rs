//! Owns the drafting of a project from data files or a database, on DuckDB.
//!
//! A guess from names chooses what to try; only what holds on every row is drafted. Deliberately absent: metrics,
//! which nobody but the company can say.

use std::path::{Path, PathBuf};

use tieout_core::{
    catalogue::{Datatype, FileSource},
    halt::Fault,
};

use super::{
    database, failure, links, load, relation,
    session::{Session, name},
    wanted::word,
};
use crate::{
    draft::{Draft, DraftDataset, DraftField, DraftProject, Names, dataset_of, plain_name, write},
    fault,
    files::{self, Column, Format, Judge},
    report::grouped,
};

/// The endings of database files.
const DATABASE_ENDINGS: [&str; 2] = ["duckdb", "ddb"];

/// A dataset that is being drafted, with the engine's name for its rows.
pub(super) struct Drafted {
    pub(super) dataset: DraftDataset,
    pub(super) target: String,
}

impl Drafted {
    /// A field's column, as the engine writes it.
    pub(super) fn column(&self, field: &str) -> String {
        let found = self.dataset.fields.iter().find(|known| known.name == field);
        name(found.map_or(field, |known| known.column.as_str()))
    }

    /// A field's datatype.
    pub(super) fn datatype(&self, field: &str) -> Option<Datatype> {
        self.dataset.fields.iter().find(|known| known.name == field).map(|known| known.datatype)
    }
}

/// Drafts a project.
pub(crate) fn draft(paths: &[PathBuf]) -> Result<DraftProject, Fault> {
    let session = Session::start()?;
    let mut draft = Draft { name: project_name(paths), ..Draft::default() };
    let databases = paths.iter().filter(|path| is_database(path)).count();
    let mut drafted = match (databases, paths) {
        (_, []) => {
            return Err(fault::data(
                "there is nothing to draft from",
                "name some data files, or one database",
            ));
        }
        (0, files) => from_files(&session, files, &mut draft)?,
        (1, [path]) => from_database(&session, path, &mut draft)?,
        _ => {
            return Err(fault::data(
                "a project is drafted from data files or from one database, not from both",
                "name the files without the database, or the database alone",
            ));
        }
    };
    for one in &mut drafted {
        links::keys(&session, one).map_err(|error| failure::fault(&error, "looking for keys"))?;
    }
    draft.relationships = links::relationships(&session, &drafted)
        .map_err(|error| failure::fault(&error, "looking for relationships"))?;
    draft.datasets = drafted.into_iter().map(|one| one.dataset).collect();
    Ok(write(draft))
}

fn is_database(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
    DATABASE_ENDINGS.contains(&ending.as_str())
}

/// The name of the folder that holds the first file, or of the folder around a folder named `data`.
fn project_name(paths: &[PathBuf]) -> String {
    let full = paths.first().and_then(|path| std::path::absolute(path).ok()).unwrap_or_default();
    let folders = full.ancestors().skip(1).filter_map(|folder| folder.file_name()?.to_str());
    folders.map(plain_name).find(|name| name != "data").unwrap_or_else(|| "project".to_owned())
}

fn from_files(session: &Session, paths: &[PathBuf], draft: &mut Draft) -> Result<Vec<Drafted>, Fault> {
    let mut names = Names::default();
    let mut drafted = Vec::new();
    for path in paths {
        let shown = path.to_string_lossy().into_owned();
        files::readable(path, &shown)?;
        let dataset = names.give(&dataset_of(&shown));
        let mut file = FileSource { path: shown.clone(), ..FileSource::default() };
        let one = match files::format_of(&file)? {
            Format::Delimited => from_delimited(session, &dataset, path, &mut file, &mut draft.notes)?,
            Format::JsonLines => from_json(session, &dataset, path, &shown, &mut draft.notes)?,
            Format::Parquet => from_relation(session, &dataset, &dataset, &relation::parquet(path), &shown)?,
        };
        draft.files.push((dataset, file));
        drafted.push(one);
    }
    Ok(drafted)
}

fn from_database(session: &Session, path: &Path, draft: &mut Draft) -> Result<Vec<Drafted>, Fault> {
    let shown = path.to_string_lossy().into_owned();
    files::readable(path, &shown)?;
    database::attach(session, path, &shown)?;
    draft.path = Some(shown.clone());
    let mut names = Names::default();
    let tables = database::tables(session)?;
    if tables.is_empty() {
        return Err(fault::data(format!("`{shown}` has no tables"), "name a database that holds some"));
    }
    let each = tables.iter().map(|table| {
        let (relation, _, _) = database::relation(table);
        let dataset = names.give(&plain_name(table));
        from_relation(session, &dataset, table, &relation, &format!("{shown}: {table}"))
    });
    each.collect()
}

fn from_delimited(
    session: &Session,
    dataset: &str,
    path: &Path,
    file: &mut FileSource,
    notes: &mut Vec<String>,
) -> Result<Drafted, Fault> {
    let mut dialect = files::sniff(path, file)?;
    let sample = files::sample_records(&dialect)?;
    let mut columns = files::guess_columns(&dialect, file, &sample);
    let target = name(dataset);
    let mut outcome = load::load_delimited(session, &target, &mut dialect, &columns, &sample);
    if outcome.as_ref().map_or(true, |loaded| loaded.refusals.count > 0) {
        let strays = files::give_way(&dialect, &mut columns)?;
        for (column, strays) in columns.iter().zip(strays).filter(|(_, strays)| *strays > 0) {
            let datatype = word(column.judge.datatype);
            let column = &column.name;
            notes.push(match strays {
                1 => format!("{dataset}: 1 value of `{column}` is not of datatype {datatype}; its row is refused"),
                _ => format!(
                    "{dataset}: {} values of `{column}` are not of datatype {datatype}; their rows are refused",
                    grouped(strays)
                ),
            });
        }
        outcome = load::load_delimited(session, &target, &mut dialect, &columns, &sample);
    }
    let loaded = outcome?;
    if loaded.refusals.count > 0 {
        let (refused, all) = (grouped(loaded.refusals.count), grouped(loaded.refusals.count + loaded.rows));
        let verb = if loaded.refusals.count == 1 { "is" } else { "are" };
        notes.push(format!(
            "{dataset}: {refused} of {all} rows {verb} refused; `tieout data check` says which"
        ));
    }
    if let Some(line) = &dialect.totals {
        notes.push(format!(
            "{dataset}: the last line looks like a total: `{line}`; if it is one, say `skip_trailing: 1`"
        ));
    }
    if !dialect.repeated.is_empty() {
        notes.push(format!(
            "{dataset}: columns of one name were told apart by numbers: {}",
            dialect.repeated.join(", ")
        ));
    }
    drafted(session, dataset, dataset, target, &columns)
}

fn from_json(
    session: &Session,
    dataset: &str,
    path: &Path,
    shown: &str,
    notes: &mut Vec<String>,
) -> Result<Drafted, Fault> {
    let seen = files::sample_json(path, shown)?;
    let texts = |place: usize| seen.rows.iter().filter_map(move |row| row.get(place)).map(String::as_str);
    let mut columns: Vec<Column> = seen
        .names
        .iter()
        .enumerate()
        .map(|(place, name)| Column {
            place,
            name: name.clone(),
            judge: Judge::plain(files::guess(texts(place))),
        })
        .collect();
    let target = name(dataset);
    let read = |columns: &[Column]| {
        load::load_copy(session, &target, shown, columns, |copy| files::copy_json(path, shown, columns, copy))
    };
    let mut outcome = read(&columns);
    if outcome.as_ref().map_or(true, |loaded| loaded.refusals.count > 0) {
        // Which column was wrong is not told apart here: all that were guessed give way to text.
        let told = outcome.as_ref().map_or(1, |loaded| loaded.refusals.count);
        for column in &mut columns {
            column.judge = Judge::plain(Datatype::String);
        }
        outcome = read(&columns);
        if outcome.as_ref().is_ok_and(|loaded| loaded.refusals.count < told) {
            notes.push(format!("{dataset}: later values are not of the datatypes that the first ones show; all its fields are drafted as text"));
        }
    }
    outcome?;
    drafted(session, dataset, dataset, target, &columns)
}

/// Drafts from what DuckDB reads by itself: types are the source's own.
fn from_relation(
    session: &Session,
    dataset: &str,
    source: &str,
    relation: &str,
    shown: &str,
) -> Result<Drafted, Fault> {
    let naturals = relation::natural(session, relation, shown)?;
    let columns: Vec<Column> = naturals
        .iter()
        .enumerate()
        .map(|(place, natural)| Column {
            place,
            name: natural.name.clone(),
            judge: Judge::plain(relation::datatype(&natural.ty)),
        })
        .collect();
    drafted(session, dataset, source, relation.to_owned(), &columns)
}

/// Counts rows and values.
fn drafted(
    session: &Session,
    dataset: &str,
    source: &str,
    target: String,
    columns: &[Column],
) -> Result<Drafted, Fault> {
    let counts: Vec<String> =
        columns.iter().map(|column| format!(", count({})", name(&column.name))).collect();
    let sql = format!("SELECT count(*){} FROM {target}", counts.concat());
    let counted: Vec<u64> = session
        .connection()
        .query_row(&sql, [], |row| (0..=columns.len()).map(|at| row.get(at)).collect())
        .map_err(|error| failure::fault(&error, &format!("counting the rows of `{dataset}`")))?;
    let rows = counted.first().copied().unwrap_or_default();
    let mut names = Names::default();
    let fields = columns
        .iter()
        .enumerate()
        .map(|(at, column)| DraftField {
            name: names.give(&column.name),
            column: column.name.clone(),
            datatype: column.judge.datatype,
            nulls: rows.saturating_sub(counted.get(at + 1).copied().unwrap_or_default()),
        })
        .collect();
    let dataset = DraftDataset {
        name: dataset.to_owned(),
        source: source.to_owned(),
        rows,
        fields,
        primary_key: Vec::new(),
        unique_keys: Vec::new(),
    };
    Ok(Drafted { dataset, target })
}
