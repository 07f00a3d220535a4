//! Projects made by hand, for tests.

use std::path::Path;

use indexmap::IndexMap;
use tieout_core::{
    catalogue::{
        BlockField, Catalogue, Dataset, Datatype, Field, FileSource, Policy, Project, WarehouseSettings,
    },
    time::Calendar,
};

/// A field of a name and a datatype.
pub(crate) fn field(name: &str, datatype: Datatype) -> Field {
    Field {
        name: name.to_owned(),
        label: name.replace('_', " "),
        synonyms: Vec::new(),
        description: None,
        datatype,
        column: None,
        expression: None,
        unit: None,
        values: Vec::new(),
        lookup: false,
        identifier: false,
        nullable: true,
        access: tieout_sql::Access::Open,
    }
}

/// A dataset over a source of its own name.
pub(crate) fn dataset(name: &str, fields: &[(&str, Datatype)]) -> Dataset {
    Dataset {
        name: name.to_owned(),
        source: name.to_owned(),
        label: name.to_owned(),
        synonyms: Vec::new(),
        description: None,
        primary_key: Vec::new(),
        unique_keys: Vec::new(),
        tenant: None,
        time: None,
        freshness: None,
        filter: None,
        display: None,
        fields: fields.iter().map(|(name, ty)| ((*name).to_owned(), field(name, *ty))).collect(),
    }
}

/// A project over files and datasets.
pub(crate) fn project(files: &[(&str, FileSource)], datasets: Vec<Dataset>) -> Project {
    Project {
        name: "test".to_owned(),
        warehouse: WarehouseSettings {
            engine: "duckdb".to_owned(),
            files: files.iter().map(|(name, file)| ((*name).to_owned(), file.clone())).collect(),
            path: None,
            url_env: None,
        },
        calendar: Calendar {
            zone: jiff::tz::TimeZone::UTC,
            week_start: jiff::civil::Weekday::Monday,
            fiscal_start_month: 1,
        },
        model: None,
        policy: Policy {
            confirm: vec![BlockField::Metric],
            minimum_group: 1,
            rows_max: 1000,
            timeout_ms: 30_000,
            period_days_max: None,
        },
        catalogue: Catalogue {
            datasets: datasets.into_iter().map(|dataset| (dataset.name.clone(), dataset)).collect(),
            relationships: IndexMap::new(),
            populations: IndexMap::new(),
            metrics: IndexMap::new(),
            terms: IndexMap::new(),
            schema: tieout_sql::Schema::default(),
            dialect: &tieout_sql::DUCKDB,
            digest: String::new(),
        },
    }
}

/// A file source with nothing declared.
pub(crate) fn source(path: &str) -> FileSource {
    FileSource { path: path.to_owned(), ..FileSource::default() }
}

/// Writes a file in a folder.
pub(crate) fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    std::fs::write(folder.join(name), bytes).unwrap();
}
