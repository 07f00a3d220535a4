//! Owns the proof of keys and relationships: what names suggest is tried on every row.
//!
//! Deliberately absent: anything that holds on a sample only.

use ::duckdb::Error;
use tieout_core::catalogue::Datatype;

use super::{draft::Drafted, proof, session::Session};
use crate::draft::{DraftField, DraftRelationship, Names, identifying, refers};

/// The most fields that are tried together as a key.
const KEY_FIELDS_MAX: usize = 3;
/// The most fields that are combined.
const COMBINED_MAX: usize = 5;

/// Proves keys of a dataset: single fields that identify, else a few of them together.
pub(super) fn keys(session: &Session, drafted: &mut Drafted) -> Result<(), Error> {
    if drafted.dataset.rows == 0 {
        return Ok(());
    }
    let full = |field: &&DraftField| field.nulls == 0 && keyable(field.datatype);
    let candidates: Vec<String> = drafted
        .dataset
        .fields
        .iter()
        .enumerate()
        .filter(|(place, field)| (*place == 0 || identifying(&field.name)) && full(field))
        .map(|(_, field)| field.name.clone())
        .collect();
    let mut proven = Vec::new();
    for field in &candidates {
        if unique(session, drafted, std::slice::from_ref(field))? {
            proven.push(vec![field.clone()]);
        }
    }
    if proven.is_empty() {
        let combined: Vec<&String> = candidates.iter().take(COMBINED_MAX).collect();
        for size in 2..=KEY_FIELDS_MAX.min(combined.len()) {
            for key in combinations(&combined, size) {
                if proven.is_empty() && unique(session, drafted, &key)? {
                    proven.push(key);
                }
            }
        }
    }
    let mut proven = proven.into_iter();
    drafted.dataset.primary_key = proven.next().unwrap_or_default();
    drafted.dataset.unique_keys = proven.collect();
    Ok(())
}

/// Proves relationships: every value of fields that could refer to a key is one of that key's.
pub(super) fn relationships(session: &Session, drafted: &[Drafted]) -> Result<Vec<DraftRelationship>, Error> {
    let mut names = Names::default();
    let mut found: Vec<DraftRelationship> = Vec::new();
    for from in drafted {
        for to in drafted.iter().filter(|to| to.dataset.name != from.dataset.name) {
            for (from_fields, to_fields) in pairs(from, to) {
                let back = found.iter().any(|link| {
                    link.from == to.dataset.name
                        && link.to == from.dataset.name
                        && link.from_fields == to_fields
                });
                if back {
                    continue;
                }
                let Some(rows) = contained(session, from, to, &from_fields, &to_fields)? else { continue };
                let by = if from_fields == to_fields {
                    String::new()
                } else {
                    format!("_{}", from_fields.join("_"))
                };
                found.push(DraftRelationship {
                    name: names.give(&format!("{}_{}{by}", from.dataset.name, to.dataset.name)),
                    from: from.dataset.name.clone(),
                    to: to.dataset.name.clone(),
                    required: rows == from.dataset.rows,
                    from_fields,
                    to_fields,
                    rows,
                });
            }
        }
    }
    Ok(found)
}

/// Fields of one dataset that could refer to a key of another, by name and datatype.
fn pairs(from: &Drafted, to: &Drafted) -> Vec<(Vec<String>, Vec<String>)> {
    let mut pairs = Vec::new();
    let keys = std::iter::once(&to.dataset.primary_key).chain(&to.dataset.unique_keys);
    for key in keys.filter(|key| !key.is_empty()) {
        if let [one] = key.as_slice() {
            let fitting = from.dataset.fields.iter().filter(|field| {
                refers(&field.name, &to.dataset.name, one) && to.datatype(one) == Some(field.datatype)
            });
            pairs.extend(fitting.map(|field| (vec![field.name.clone()], key.clone())));
        } else if key
            .iter()
            .all(|field| from.datatype(field).is_some() && from.datatype(field) == to.datatype(field))
        {
            pairs.push((key.clone(), key.clone()));
        }
    }
    pairs
}

/// Whether fields together tell all rows apart.
fn unique(session: &Session, drafted: &Drafted, key: &[String]) -> Result<bool, Error> {
    let columns: Vec<String> = key.iter().map(|field| drafted.column(field)).collect();
    let target = &drafted.target;
    if let ([field], [column]) = (key, columns.as_slice()) {
        if drafted.datatype(field) == Some(Datatype::Integer)
            && let Some(different) = proof::all_different(session.connection(), target, column)?
        {
            return Ok(different);
        }
        // A rough count, which costs little, rules most columns out.
        let rough: u64 = session.connection().query_row(
            &format!("SELECT approx_count_distinct({column}) FROM {target}"),
            [],
            |row| row.get(0),
        )?;
        if rough < drafted.dataset.rows / 2 {
            return Ok(false);
        }
    }
    let sql = format!("SELECT count(*) FROM (SELECT DISTINCT {} FROM {target})", columns.join(", "));
    let distinct: u64 = session.connection().query_row(&sql, [], |row| row.get(0))?;
    Ok(distinct == drafted.dataset.rows)
}

/// How many rows point somewhere, when all of those find what they point to; none when one does not, or none points.
fn contained(
    session: &Session,
    from: &Drafted,
    to: &Drafted,
    from_fields: &[String],
    to_fields: &[String],
) -> Result<Option<u64>, Error> {
    let whole: Vec<String> =
        from_fields.iter().map(|field| format!("m.{} IS NOT NULL", from.column(field))).collect();
    let whole = whole.join(" AND ");
    let pairs: Vec<String> = from_fields
        .iter()
        .zip(to_fields)
        .map(|(field, key)| format!("m.{} = o.{}", from.column(field), to.column(key)))
        .collect();
    let found = format!("EXISTS (SELECT 1 FROM {} o WHERE {})", to.target, pairs.join(" AND "));
    let sql = format!(
        "SELECT count(*), count(*) FILTER (WHERE NOT found) FROM (SELECT {found} AS found FROM {} m WHERE {whole})",
        from.target
    );
    let (rows, lost): (u64, u64) =
        session.connection().query_row(&sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok((rows > 0 && lost == 0).then_some(rows))
}

/// Whether values of a datatype can name things.
fn keyable(datatype: Datatype) -> bool {
    match datatype {
        Datatype::String | Datatype::Integer | Datatype::Date => true,
        Datatype::Decimal | Datatype::Float | Datatype::Boolean => false,
        Datatype::Timestamp | Datatype::Instant => false,
    }
}

/// The combinations of some of the items, in order.
fn combinations(items: &[&String], size: usize) -> Vec<Vec<String>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for (place, item) in items.iter().enumerate() {
        for rest in combinations(items.get(place + 1..).unwrap_or_default(), size - 1) {
            let mut one = vec![(*item).clone()];
            one.extend(rest);
            found.push(one);
        }
    }
    found
}
