//! What `data check` found, as a program reads it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tieout_warehouse as found;

use super::Fault;

/// What was found out about a project's data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DataReport {
    /// How many findings somebody should do something about.
    pub findings: u64,
    /// One for each source that could be read.
    pub sources: Vec<SourceReport>,
    /// Sources that could not.
    pub unreadable: Vec<Unreadable>,
    /// One for each dataset with a stated key.
    pub keys: Vec<KeyReport>,
    /// One for each relationship.
    pub relationships: Vec<RelationshipReport>,
    /// One for each field with stored values that it does not declare.
    pub outside: Vec<OutsideReport>,
    /// Checks that could not be made, and why.
    pub unchecked: Vec<String>,
}

/// A source that could not be read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Unreadable {
    /// As datasets name it.
    pub source: String,
    /// Why.
    pub fault: Fault,
}

/// What was decided about a source, and what it holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SourceReport {
    /// As datasets name it.
    pub source: String,
    /// The file, as the project names it.
    pub file: String,
    /// `csv`, `json lines`, `parquet` or `table`.
    pub format: String,
    /// How it is written, decision by decision.
    pub decisions: Vec<Decision>,
    /// How many rows are used.
    pub rows: u64,
    /// How many are not.
    pub refused: u64,
    /// The first of those.
    pub refusals: Vec<RefusedRow>,
    /// By column.
    pub columns: Vec<ColumnReport>,
    /// Columns that no field names.
    pub unnamed: Vec<String>,
    /// What else must be said beside every answer over the source.
    pub notes: Vec<String>,
}

/// One decision about how a file is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Decision {
    /// What was decided.
    pub what: String,
    /// How.
    pub decided: String,
}

/// A row that is not used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RefusedRow {
    /// `line 5` of a file, or `row 5` of a table.
    pub place: String,
    /// Why.
    pub reason: String,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ColumnReport {
    /// Its name.
    pub name: String,
    /// Its datatype.
    pub datatype: String,
    /// `catalogue`, `sniffed` or `source`.
    pub decided_by: String,
    /// As the engine keeps it.
    pub stored: String,
    /// How its dates are written, where that is not as ISO 8601 has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_format: Option<String>,
    /// How many rows have no value.
    pub nulls: u64,
    /// How many values are NaN or infinite.
    pub not_finite: u64,
}

/// Whether a stated key is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct KeyReport {
    /// Whose key.
    pub dataset: String,
    /// Its fields.
    pub fields: Vec<String>,
    /// How many keys more than one row has.
    pub duplicates: u64,
    /// Some of them.
    pub examples: Vec<Example>,
    /// How many rows lack part of the key.
    pub incomplete: u64,
}

/// Whether every row that points to another finds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RelationshipReport {
    /// Its name.
    pub name: String,
    /// The many side and the one side.
    pub link: String,
    /// How many rows of the many side point somewhere.
    pub rows: u64,
    /// How many of them point to nothing.
    pub orphans: u64,
    /// Some of the keys that are not there.
    pub examples: Vec<String>,
    /// How many rows point nowhere although the relationship is required.
    pub missing: u64,
}

/// Stored values that a field does not declare.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OutsideReport {
    /// `dataset.field`.
    pub field: String,
    /// How many rows have such a value.
    pub rows: u64,
    /// Some of the values.
    pub examples: Vec<Example>,
}

/// A value, and how many rows have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Example {
    /// The value.
    pub value: String,
    /// How many rows.
    pub rows: u64,
}

impl From<&found::DataReport> for DataReport {
    fn from(report: &found::DataReport) -> Self {
        let unreadable = |(source, fault): &(String, tieout_core::halt::Fault)| Unreadable {
            source: source.clone(),
            fault: Fault::from(fault),
        };
        Self {
            findings: report.findings(),
            sources: report.sources.iter().map(SourceReport::from).collect(),
            unreadable: report.unreadable.iter().map(unreadable).collect(),
            keys: report.keys.iter().map(key).collect(),
            relationships: report.relationships.iter().map(relationship).collect(),
            outside: report.outside.iter().map(outside).collect(),
            unchecked: report.unchecked.clone(),
        }
    }
}

impl From<&found::SourceReport> for SourceReport {
    fn from(source: &found::SourceReport) -> Self {
        let decision = |(what, decided): &(&str, String)| Decision {
            what: (*what).to_owned(),
            decided: decided.clone(),
        };
        let refusal =
            |row: &found::RefusedRow| RefusedRow { place: row.place.clone(), reason: row.reason.clone() };
        Self {
            source: source.source.clone(),
            file: source.file.clone(),
            format: source.format.to_owned(),
            decisions: source.decisions.iter().map(decision).collect(),
            rows: source.rows,
            refused: source.refused,
            refusals: source.refusals.iter().map(refusal).collect(),
            columns: source.columns.iter().map(column).collect(),
            unnamed: source.unnamed.clone(),
            notes: source.notes.clone(),
        }
    }
}

fn column(column: &found::ColumnReport) -> ColumnReport {
    ColumnReport {
        name: column.name.clone(),
        datatype: column.datatype.clone(),
        decided_by: column.decided_by.word().to_owned(),
        stored: column.stored.clone(),
        date_format: column.date_format.clone(),
        nulls: column.nulls,
        not_finite: column.not_finite,
    }
}

fn key(key: &found::KeyReport) -> KeyReport {
    KeyReport {
        dataset: key.dataset.clone(),
        fields: key.fields.clone(),
        duplicates: key.duplicates,
        examples: examples(&key.examples),
        incomplete: key.incomplete,
    }
}

fn relationship(link: &found::RelationshipReport) -> RelationshipReport {
    RelationshipReport {
        name: link.name.clone(),
        link: link.link.clone(),
        rows: link.rows,
        orphans: link.orphans,
        examples: link.examples.clone(),
        missing: link.missing,
    }
}

fn outside(found: &found::OutsideReport) -> OutsideReport {
    OutsideReport { field: found.field.clone(), rows: found.rows, examples: examples(&found.examples) }
}

fn examples(found: &[(String, u64)]) -> Vec<Example> {
    found.iter().map(|(value, rows)| Example { value: value.clone(), rows: *rows }).collect()
}
