//! When the rows of a dataset last arrived.

use tieout_sql::{
    Select,
    build::{Distinct, SelectBuilder, agg, col},
};

use crate::catalogue::Dataset;

/// The latest value of a dataset's freshness column, or none when the catalogue names no such column.
#[must_use]
pub fn compile_freshness(dataset: &Dataset) -> Option<Select> {
    let column = dataset.freshness.as_ref()?.column.as_ref()?;
    let latest = agg("max", &[col(&dataset.name, column)], Distinct::All, None);
    let query =
        SelectBuilder::new().from_table(&dataset.name, &dataset.name).column(latest, "loaded").build();
    Some(Select { query, binds: Vec::new() })
}
