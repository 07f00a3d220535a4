//! Owns the attaching of a project's sources: which are needed, and which columns of each.
//!
//! Deliberately absent: how each format is read, and what is said about it.

use std::path::Path;

use tieout_core::{
    catalogue::{FileSource, Project},
    halt::Fault,
};

use super::{
    attached::{Attached, Kind, Origin, Planned},
    database, load,
    plan::{self, plan},
    relation,
    session::{Session, name},
    wanted::{Wanted, datasets, wanted},
};
use crate::{
    fault,
    files::{self, Column, Format},
};

/// How much of a project's data is attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// The sources and columns that the catalogue names.
    Named,
    /// Every source, and every column of it.
    Everything,
}

/// How it went with each source, by its name.
pub(super) type Outcomes = Vec<(String, Result<Attached, Fault>)>;

/// Attaches the sources that the catalogue names.
pub(super) fn attach(
    session: &mut Session,
    project: &Project,
    root: &Path,
    corpora: Option<&Path>,
) -> Result<Vec<Attached>, Fault> {
    let each = attach_each(session, project, root, corpora, Extent::Named)?;
    each.into_iter().map(|(_, outcome)| outcome).collect()
}

/// Attaches the project's sources, and says of each how it went.
pub(super) fn attach_each(
    session: &mut Session,
    project: &Project,
    root: &Path,
    corpora: Option<&Path>,
    extent: Extent,
) -> Result<Outcomes, Fault> {
    let mut attached = Vec::new();
    let settings = &project.warehouse;
    for (source, file) in &settings.files {
        let named = datasets(&project.catalogue, source).next().is_some();
        if named || extent == Extent::Everything {
            let outcome = wanted(&project.catalogue, source).and_then(|columns| {
                let path = files::locate(&file.path, root, corpora)?;
                attach_file(session, source, file, &path, &columns, extent)
            });
            attached.push((source.clone(), outcome));
        }
    }
    if let Some(shown) = &settings.path {
        let path = files::locate(shown, root, corpora)?;
        database::attach(session, &path, shown)?;
    }
    for dataset in project.catalogue.datasets.values() {
        let source = &dataset.source;
        if settings.files.contains_key(source) || attached.iter().any(|(seen, _)| seen == source) {
            continue;
        }
        let outcome = match &settings.path {
            Some(shown) => wanted(&project.catalogue, source)
                .and_then(|columns| attach_table(session, source, shown, &columns, extent)),
            None => Err(no_source(project, &dataset.name, source)),
        };
        attached.push((source.clone(), outcome));
    }
    Ok(attached)
}

fn no_source(project: &Project, dataset: &str, source: &str) -> Fault {
    let names: Vec<&str> = project.warehouse.files.keys().map(String::as_str).collect();
    let hint = match names.is_empty() {
        true => "list data files as `files`, or name a database as `path`, under `warehouse` in tieout.yml"
            .to_owned(),
        false => format!("the sources under `warehouse` are: {}", names.join(", ")),
    };
    fault::data(format!("dataset `{dataset}` is read from `{source}`, and there is no such source"), hint)
}

/// Attaches one file.
pub(super) fn attach_file(
    session: &mut Session,
    source: &str,
    file: &FileSource,
    path: &Path,
    wanted: &[Wanted],
    extent: Extent,
) -> Result<Attached, Fault> {
    let target = name(source);
    let blank = |kind: Kind| Attached::blank(source, file.path.clone(), target.clone(), kind);
    match files::format_of(file)? {
        Format::Delimited => {
            let mut dialect = files::sniff(path, file)?;
            let sample = files::sample_records(&dialect)?;
            let lost = |wanted: &Wanted| plan::missing(&dialect, wanted);
            let mut planned = plan(&dialect.columns, file, wanted, extent, &sample, lost)?;
            files::settle_dates(&dialect, planned.iter_mut().map(|planned| &mut planned.column), &sample)?;
            let loaded = load::load_delimited(session, &target, &mut dialect, &columns(&planned), &sample)?;
            Ok(blank(Kind::Delimited(Box::new(dialect))).stored(planned, Some(loaded), &[]))
        }
        Format::JsonLines => {
            let seen = files::sample_json(path, &file.path)?;
            let names = plan::with_wanted(seen.names, wanted);
            let planned =
                plan(&names, file, wanted, extent, &seen.rows, |_| fault::internal("a name was lost"))?;
            let columns = columns(&planned);
            let write = |target: &Path| files::copy_json(path, &file.path, &columns, target);
            let loaded = load::load_copy(session, &target, &file.path, &columns, write)?;
            Ok(blank(Kind::Json).stored(planned, Some(loaded), &[]))
        }
        Format::Parquet => {
            let relation = relation::parquet(path);
            session.keep(path);
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
    let blank = Attached::blank(source, format!("{shown}: {source}"), target, Kind::Table);
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
    let lost = |wanted: &Wanted| plan::no_column(&blank.shown, &names, wanted, "");
    let mut planned = plan(&names, &FileSource::default(), wanted, extent, &[], lost)?;
    for planned in &mut planned {
        match planned.origin {
            Origin::Sniffed(_) => planned.origin = Origin::Source,
            Origin::Catalogue(_) | Origin::Source => {}
        }
    }
    let loaded =
        relation::stand(session, &blank.target, relation, &blank.shown, &columns(&planned), &naturals)?;
    Ok(blank.stored(planned, loaded, &naturals))
}

fn columns(planned: &[Planned]) -> Vec<Column> {
    planned.iter().map(|planned| planned.column.clone()).collect()
}
