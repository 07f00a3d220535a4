//! Owns which columns of a source the catalogue names, and of which type each is.
//!
//! Deliberately absent: the source itself.

use indexmap::IndexMap;
use tieout_core::{
    catalogue::{Catalogue, Dataset, Datatype},
    halt::Fault,
};

use crate::fault;

/// A column that a dataset names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Its name in the source, as the catalogue writes it.
    pub(super) column: String,
    /// What its values are; none for a column that only binds the tenant.
    pub(super) datatype: Option<Datatype>,
    /// Who names it, for messages: `ledger.amount_minor`.
    pub(super) named_by: String,
}

/// The columns that the datasets over a source name, each once.
pub(super) fn wanted(catalogue: &Catalogue, source: &str) -> Result<Vec<Wanted>, Fault> {
    let mut found: IndexMap<String, Wanted> = IndexMap::new();
    for dataset in datasets(catalogue, source) {
        for field in dataset.fields.values().filter(|field| field.expression.is_none()) {
            let column = field.column.as_ref().unwrap_or(&field.name);
            let named_by = format!("{}.{}", dataset.name, field.name);
            add(
                &mut found,
                source,
                Wanted { column: column.clone(), datatype: Some(field.datatype), named_by },
            )?;
        }
        if let Some(column) = &dataset.tenant {
            let named_by = format!("the tenant of {}", dataset.name);
            add(&mut found, source, Wanted { column: column.clone(), datatype: None, named_by })?;
        }
    }
    Ok(found.into_values().collect())
}

/// The datasets over a source.
pub(super) fn datasets<'a>(catalogue: &'a Catalogue, source: &str) -> impl Iterator<Item = &'a Dataset> {
    catalogue.datasets.values().filter(move |dataset| dataset.source.eq_ignore_ascii_case(source))
}

fn add(found: &mut IndexMap<String, Wanted>, source: &str, new: Wanted) -> Result<(), Fault> {
    let key = new.column.to_ascii_lowercase();
    let Some(old) = found.get_mut(&key) else {
        found.insert(key, new);
        return Ok(());
    };
    match (old.datatype, new.datatype) {
        (Some(one), Some(other)) if one != other => Err(fault::data(
            format!(
                "column `{}` of `{source}` is {} as {} and {} as {}",
                new.column,
                word(one),
                old.named_by,
                word(other),
                new.named_by
            ),
            "give both fields the same datatype",
        )),
        (None, Some(_)) => {
            *old = new;
            Ok(())
        }
        _ => Ok(()),
    }
}

/// A datatype as written in the catalogue.
pub(super) fn word(datatype: Datatype) -> &'static str {
    match datatype {
        Datatype::String => "string",
        Datatype::Integer => "integer",
        Datatype::Decimal => "decimal",
        Datatype::Float => "float",
        Datatype::Boolean => "boolean",
        Datatype::Date => "date",
        Datatype::Timestamp => "timestamp",
        Datatype::Instant => "instant",
    }
}
