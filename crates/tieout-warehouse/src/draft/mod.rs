//! Owns the first draft of a project, as the two files that `tieout init` writes.
//!
//! It says only what the data proves, marks it as a draft, and invents no metric. Deliberately absent: looking at the
//! data, which each engine does in its own way.

mod names;
mod yaml;

use tieout_core::catalogue::{Datatype, FileSource};

pub(crate) use names::{Names, dataset_of, identifying, plain_name, refers};
pub(crate) use yaml::write;

/// A drafted project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftProject {
    /// The text of `tieout.yml`.
    pub project: String,
    /// The text of `catalogue/datasets.yml`.
    pub catalogue: String,
    /// What a person should know, in sentences.
    pub notes: Vec<String>,
}

/// What a project is drafted from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    /// The project's name.
    pub(crate) name: String,
    /// Data files by source name, with the settings that were found out.
    pub(crate) files: Vec<(String, FileSource)>,
    /// A database file instead of data files.
    pub(crate) path: Option<String>,
    pub(crate) datasets: Vec<DraftDataset>,
    pub(crate) relationships: Vec<DraftRelationship>,
    pub(crate) notes: Vec<String>,
}

/// A drafted dataset.
#[derive(Clone, Debug)]
pub(crate) struct DraftDataset {
    pub(crate) name: String,
    pub(crate) source: String,
    pub(crate) rows: u64,
    pub(crate) fields: Vec<DraftField>,
    /// Fields that together name one row, proven on every row.
    pub(crate) primary_key: Vec<String>,
    /// Others that do.
    pub(crate) unique_keys: Vec<Vec<String>>,
}

/// A drafted field.
#[derive(Clone, Debug)]
pub(crate) struct DraftField {
    pub(crate) name: String,
    pub(crate) column: String,
    pub(crate) datatype: Datatype,
    /// How many rows have no value.
    pub(crate) nulls: u64,
}

/// A drafted relationship, every value of which was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DraftRelationship {
    pub(crate) name: String,
    pub(crate) from: String,
    pub(crate) to: String,
    pub(crate) from_fields: Vec<String>,
    pub(crate) to_fields: Vec<String>,
    /// Whether every row points somewhere.
    pub(crate) required: bool,
    /// How many rows do.
    pub(crate) rows: u64,
}
