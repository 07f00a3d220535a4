//! Things that are grouped by a name are told apart by their key.
//!
//! Two customers of one name are two customers. Where the catalogue does not say that a name is unique, the key stands
//! beside it as a grouping of its own, from the catalogue, so that figures of different things are never one figure.
//! Deliberately absent: a look at the data, which the pipe takes for names that are only filtered by.

use tieout_sql::Access;

use crate::{
    catalogue::{Catalogue, Dataset},
    reading::{FieldRef, FiguresRequest, Grouping, MeasureRef, Source, Sourced},
};

/// Puts the key beside each name that is grouped by, unless the name is one, or the things themselves are counted.
pub(super) fn told_apart(request: &mut FiguresRequest, catalogue: &Catalogue) {
    let mut groupings = Vec::with_capacity(request.groupings.len());
    for grouping in std::mem::take(&mut request.groupings) {
        let key = match &grouping.value {
            Grouping::Field(field) if !measured(&field.dataset, &request.measures, catalogue) => {
                key_of(field, catalogue)
            }
            Grouping::Field(_) | Grouping::Time(_) => None,
        };
        groupings.push(grouping);
        groupings.extend(key.map(|key| Sourced { value: Grouping::Field(key), source: Source::Catalogue }));
    }
    for grouping in groupings {
        if request.groupings.iter().all(|known| known.value != grouping.value) {
            request.groupings.push(grouping);
        }
    }
}

/// The primary key of the thing that a field names, when the name alone does not tell things apart and the key may be
/// shown. A key of several fields is one of a link or a part, whose name is the name of something else.
fn key_of(name: &FieldRef, catalogue: &Catalogue) -> Option<FieldRef> {
    let dataset = catalogue.datasets.get(&name.dataset)?;
    let [key] = dataset.primary_key.as_slice() else { return None };
    let unique = *key == name.field || dataset.unique_keys.contains(&vec![name.field.clone()]);
    let names_it = dataset.display.as_ref() == Some(&name.field) && may_be_shown(dataset, key);
    (names_it && !unique).then(|| FieldRef { field: key.clone(), ..name.clone() })
}

fn may_be_shown(dataset: &Dataset, key: &String) -> bool {
    dataset.tenant.as_ref() != Some(key)
        && dataset.fields.get(key).is_some_and(|found| match found.access {
            Access::Open => true,
            Access::Hidden | Access::Sensitive => false,
        })
}

/// Whether rows of the dataset are what the measures are over.
fn measured(dataset: &str, measures: &[Sourced<MeasureRef>], catalogue: &Catalogue) -> bool {
    measures.iter().any(|measure| match &measure.value {
        MeasureRef::Metric(name) => catalogue.aggregates_within(name).any(|(_, a)| a.dataset == dataset),
        MeasureRef::Count { dataset: of } | MeasureRef::AdHoc { dataset: of, .. } => of == dataset,
    })
}
