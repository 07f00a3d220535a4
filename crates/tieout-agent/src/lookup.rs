//! The names that the data gives: distinct values of the fields that may be looked up.
//!
//! They are fetched by checked queries in the session's own scope, so that no tenant learns another's names, and are
//! words to match, never instructions.

use tieout_core::{
    catalogue::{Datatype, Project},
    evidence::Cell,
    halt::Fault,
    ports::{FieldValues, Warehouse},
    scope::Scope,
};
use tieout_sql::{
    Access, CheckedQuery, Context, Limits, Select,
    build::{Order, SelectBuilder, col, is_not_null},
    check,
};

/// The most distinct values of one field that are looked up; a field with more has none that can be named.
pub const VALUES_PER_FIELD_MAX: u64 = 20_000;

/// Looks up the distinct values of every field that allows it.
///
/// # Errors
/// A fault of the warehouse.
pub async fn field_values(
    project: &Project,
    scope: &Scope,
    warehouse: &dyn Warehouse,
) -> Result<FieldValues, Fault> {
    let mut names = Vec::new();
    let mut queries = Vec::new();
    for dataset in project.catalogue.datasets.values() {
        for field in dataset.fields.values() {
            let open = field.access == Access::Open && field.datatype == Datatype::String;
            if !(field.lookup && open && field.values.is_empty()) {
                continue;
            }
            // A table of tenants in a session without one is refused here as anywhere: it has no names to give.
            if let Some(query) = distinct_values(project, scope, &dataset.name, &field.name) {
                names.push((dataset.name.clone(), field.name.clone()));
                queries.push(query);
            }
        }
    }
    let results = if queries.is_empty() { Vec::new() } else { warehouse.run(&queries).await? };
    let mut fields = Vec::new();
    for ((dataset, field), rows) in names.into_iter().zip(results) {
        if rows.cut {
            continue;
        }
        let values = rows.rows.into_iter().filter_map(|row| match row.into_iter().next() {
            Some(Cell::Text(text)) => Some(text),
            Some(_) | None => None,
        });
        fields.push((dataset, field, values.collect()));
    }
    Ok(FieldValues { fields })
}

fn distinct_values(project: &Project, scope: &Scope, dataset: &str, field: &str) -> Option<CheckedQuery> {
    let value = col(dataset, field);
    let query = SelectBuilder::new()
        .distinct()
        .from_table(dataset, dataset)
        .column(value.clone(), "value")
        .filter(is_not_null(value.clone()))
        .order_by(value, Order::Ascending)
        .build();
    let scope = scope.warehouse();
    let context = Context {
        dialect: project.catalogue.dialect,
        schema: &project.catalogue.schema,
        scope: &scope,
        limits: Limits {
            rows_max: VALUES_PER_FIELD_MAX,
            timeout: std::time::Duration::from_millis(project.policy.timeout_ms),
        },
    };
    check(Select { query, binds: Vec::new() }, &context).ok()
}
