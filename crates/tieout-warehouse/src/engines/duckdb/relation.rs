//! Owns how a relation that DuckDB reads by itself (a Parquet file, a table of a database) stands behind a view, and
//! what happens when its types are not those that the catalogue says.
//!
//! A column of the same kind stays as it is, or is cast without loss. When any is of another kind, every row goes
//! through the judge as text and the sound ones become a table. Deliberately absent: casts that could change a value.

use std::{borrow::Cow, path::Path};

use tieout_core::{catalogue::Datatype, halt::Fault};

use super::{
    failure,
    load::{self, Loaded},
    session::{Session, name, path_literal},
};
use crate::files::{CleanCopy, Column, Copied};

/// A column as the relation has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Natural {
    /// Its name.
    pub(super) name: String,
    /// Its type, as DuckDB writes it.
    pub(super) ty: String,
}

/// The columns of a relation.
pub(super) fn natural(session: &Session, relation: &str, shown: &str) -> Result<Vec<Natural>, Fault> {
    let failed = |error: ::duckdb::Error| failure::fault(&error, &format!("opening `{shown}`"));
    let mut described =
        session.connection().prepare(&format!("DESCRIBE SELECT * FROM {relation}")).map_err(failed)?;
    let rows = described
        .query_map([], |row| Ok(Natural { name: row.get(0)?, ty: row.get(1)? }))
        .and_then(Iterator::collect::<Result<Vec<_>, _>>);
    rows.map_err(failed)
}

/// The relation of a Parquet file.
pub(super) fn parquet(path: &Path) -> String {
    format!("read_parquet({}, hive_partitioning = false)", path_literal(path))
}

/// Puts a relation's columns behind a name: as a view where no value changes, else as a table of judged rows. Says
/// how the columns are stored, and the rows that are not there.
pub(super) fn stand(
    session: &Session,
    target: &str,
    relation: &str,
    shown: &str,
    columns: &[Column],
    naturals: &[Natural],
) -> Result<Option<Loaded>, Fault> {
    let casts: Option<Vec<String>> = columns
        .iter()
        .map(|column| {
            let natural = naturals.get(column.place)?;
            lossless(&natural.ty, column.judge.datatype).map(|cast| match cast {
                None => format!("{} AS {}", name(&natural.name), name(&column.name)),
                Some(ty) => format!("CAST({} AS {ty}) AS {}", name(&natural.name), name(&column.name)),
            })
        })
        .collect();
    let Some(casts) = casts else {
        let texts: Vec<String> = columns
            .iter()
            .filter_map(|column| naturals.get(column.place))
            .map(|natural| format!("CAST({} AS VARCHAR)", name(&natural.name)))
            .collect();
        let select = format!("SELECT {} FROM {relation}", texts.join(", "));
        let write = |path: &Path| copy_texts(session, &select, shown, columns, path);
        return load::load_copy(session, target, shown, columns, write).map(Some);
    };
    let selected = if casts.is_empty() { "1 AS \"nothing named\"".to_owned() } else { casts.join(", ") };
    let view = format!("CREATE VIEW {target} AS SELECT {selected} FROM {relation}");
    session.execute(&view, &format!("opening `{shown}`"))?;
    Ok(None)
}

/// Judges the rows of a query whose columns are all text.
fn copy_texts(
    session: &Session,
    select: &str,
    shown: &str,
    columns: &[Column],
    target: &Path,
) -> Result<Copied, Fault> {
    let failed = |error: ::duckdb::Error| failure::fault(&error, &format!("reading `{shown}`"));
    let mut copy = CleanCopy::begin(target, shown, columns, "row")?;
    let mut prepared = session.connection().prepare(select).map_err(failed)?;
    prepared.stream_arrow([]).map(drop).map_err(failed)?;
    let mut place = 0;
    while let Some(batch) = prepared.step().map_err(failed)? {
        use ::duckdb::arrow::array::{Array, AsArray};
        for row in 0..batch.len() {
            place += 1;
            let judged = copy.judge(|column| {
                let at = columns.iter().position(|wanted| wanted.name == column.name)?;
                let texts = batch.column(at).as_string_opt::<i32>()?;
                texts.is_valid(row).then(|| Cow::Borrowed(texts.value(row)))
            });
            copy.push(place, judged)?;
        }
    }
    copy.finish()
}

/// The datatype that a type is of; text when it is of none, since everything can be shown as text.
pub(super) fn datatype(ty: &str) -> Datatype {
    let candidates = [
        Datatype::Integer,
        Datatype::Boolean,
        Datatype::Date,
        Datatype::Timestamp,
        Datatype::Instant,
        Datatype::Decimal,
        Datatype::Float,
    ];
    candidates.into_iter().find(|datatype| lossless(ty, *datatype) == Some(None)).unwrap_or(Datatype::String)
}

/// Whether a type can stand for a datatype without loss: as it is, or through the named cast.
fn lossless(ty: &str, datatype: Datatype) -> Option<Option<&'static str>> {
    let integer = matches!(
        ty,
        "TINYINT"
            | "SMALLINT"
            | "INTEGER"
            | "BIGINT"
            | "HUGEINT"
            | "UTINYINT"
            | "USMALLINT"
            | "UINTEGER"
            | "UBIGINT"
            | "UHUGEINT"
    );
    let decimal = ty.starts_with("DECIMAL(");
    match datatype {
        Datatype::String if ty == "VARCHAR" => Some(None),
        Datatype::String => Some(Some("VARCHAR")),
        Datatype::Integer if integer || (decimal && ty.ends_with(",0)")) => Some(None),
        Datatype::Decimal if integer || decimal => Some(None),
        Datatype::Float if integer || decimal || matches!(ty, "FLOAT" | "DOUBLE") => Some(None),
        Datatype::Boolean if ty == "BOOLEAN" => Some(None),
        Datatype::Date if ty == "DATE" => Some(None),
        Datatype::Timestamp
            if matches!(ty, "TIMESTAMP" | "TIMESTAMP_S" | "TIMESTAMP_MS" | "TIMESTAMP_NS") =>
        {
            Some(None)
        }
        Datatype::Timestamp if ty == "DATE" => Some(Some("TIMESTAMP")),
        Datatype::Instant if ty == "TIMESTAMP WITH TIME ZONE" => Some(None),
        Datatype::Integer | Datatype::Decimal | Datatype::Float | Datatype::Boolean => None,
        Datatype::Date | Datatype::Timestamp | Datatype::Instant => None,
    }
}
