//! Owns the choice of a source's columns: those that datasets name, and when everything is wanted, the others.
//!
//! Deliberately absent: reading them.

use tieout_core::{
    catalogue::{Datatype, FileSource},
    halt::Fault,
};

use super::{
    attach::Extent,
    attached::{Naming, Origin, Planned},
    wanted::Wanted,
};
use crate::{
    fault,
    files::{self, Column, Dialect, Judge},
};

/// The columns to attach, in the source's order for those that nobody names.
pub(super) fn plan(
    names: &[String],
    file: &FileSource,
    wanted: &[Wanted],
    extent: Extent,
    sample: &[Vec<String>],
    lost: impl Fn(&Wanted) -> Fault,
) -> Result<Vec<Planned>, Fault> {
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
        let column = Column { place, name: wanted.column.clone(), judge };
        planned.push(Planned { column, origin, naming: Naming::Named });
    }
    if extent == Extent::Everything {
        for (place, name) in names.iter().enumerate() {
            let twice = |planned: &Planned| planned.column.name.eq_ignore_ascii_case(name);
            if !planned.iter().any(|planned| planned.column.place == place || twice(planned)) {
                let origin = Origin::Sniffed(files::guess(texts(sample, place)));
                let column = Column { place, name: name.clone(), judge: Judge::plain(Datatype::String) };
                planned.push(Planned { column, origin, naming: Naming::Unnamed });
            }
        }
    }
    Ok(planned)
}

fn texts(sample: &[Vec<String>], place: usize) -> impl Iterator<Item = &str> {
    sample.iter().filter_map(move |row| row.get(place)).map(String::as_str)
}

/// The names that a sample of objects has, and those that somebody wants of them; names are told apart by case.
pub(super) fn with_wanted(mut names: Vec<String>, wanted: &[Wanted]) -> Vec<String> {
    for wanted in wanted {
        if !names.contains(&wanted.column) {
            names.retain(|name| !name.eq_ignore_ascii_case(&wanted.column));
            names.push(wanted.column.clone());
        }
    }
    names
}

/// Why a file has no such column.
pub(super) fn missing(dialect: &Dialect, wanted: &Wanted) -> Fault {
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

/// That a source has no such column, with those that it has.
pub(super) fn no_column(shown: &str, names: &[String], wanted: &Wanted, or: &str) -> Fault {
    fault::data(
        format!("`{shown}` has no column `{}`, which {} needs", wanted.column, wanted.named_by),
        format!("its columns are: {}; correct the field's `column`{or}", names.join(", ")),
    )
}
