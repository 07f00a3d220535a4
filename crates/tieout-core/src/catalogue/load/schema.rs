//! The schema that the SQL checker judges by: logical tables over physical sources, made from checked datasets.
//!
//! Deliberately absent: checks; whatever is wrong was found before.

use tieout_sql::{Column, ColumnSource, Relationship, Schema, Table};

use crate::catalogue::{Catalogue, Dataset, Field, FileSource, WarehouseSettings};

/// The schema of a catalogue.
pub(super) fn schema(catalogue: &Catalogue, warehouse: &WarehouseSettings) -> Schema {
    Schema {
        tables: catalogue
            .datasets
            .values()
            .map(|dataset| (dataset.name.clone(), table(dataset, &warehouse.files)))
            .collect(),
        relationships: catalogue
            .relationships
            .values()
            .map(|link| Relationship {
                name: link.name.clone(),
                from: link.from.clone(),
                to: link.to.clone(),
                from_columns: link.from_columns.clone(),
                to_columns: link.to_columns.clone(),
                required: link.required,
            })
            .collect(),
        ..Schema::default()
    }
}

fn table(dataset: &Dataset, files: &indexmap::IndexMap<String, FileSource>) -> Table {
    Table {
        name: dataset.name.clone(),
        relation: relation(&dataset.source, files),
        columns: dataset.fields.values().map(|field| (field.name.clone(), column(field))).collect(),
        primary_key: dataset.primary_key.clone(),
        unique_keys: dataset.unique_keys.clone(),
        tenant: dataset.tenant.clone(),
        // A metric may count by another time than its dataset's; its definition holds the period, not this.
        time: None,
        row_filter: dataset.filter.clone(),
    }
}

/// A data file is one relation under its own name; a table of a database may stand in a schema.
fn relation(source: &str, files: &indexmap::IndexMap<String, FileSource>) -> Vec<String> {
    if files.contains_key(source) {
        return vec![source.to_owned()];
    }
    source.split('.').map(str::to_owned).collect()
}

fn column(field: &Field) -> Column {
    let source = match &field.expression {
        Some(expression) => ColumnSource::Computed(expression.clone()),
        None => ColumnSource::Physical(field.column.clone().unwrap_or_else(|| field.name.clone())),
    };
    let values = field.values.iter().map(|known| known.value.clone()).collect::<Vec<_>>();
    Column {
        name: field.name.clone(),
        source,
        ty: field.datatype.sql(),
        nullable: field.nullable,
        identifier: field.identifier,
        // Whether a field is a balance is said by a metric of the kind `latest`, not by the field.
        balance: false,
        access: field.access,
        values: (!values.is_empty()).then_some(values),
    }
}
