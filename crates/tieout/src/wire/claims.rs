//! Sentences that hold, each with what it says and where it comes from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tieout_core::claim;

use super::{Cell, FigureValue, Unit, Working};

/// A sentence that holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Claim {
    /// Its id within the answer.
    pub id: String,
    /// `value`, `change`, `share`, `rank`, `list`, `definition` or `inference`.
    pub kind: String,
    /// The sentence.
    pub text: String,
    /// The figures it names, in order.
    pub values: Vec<ClaimValue>,
    /// `computed`, `retrieved` or `inferred`.
    pub confidence: String,
    /// Text copied letter by letter, where the claim quotes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verbatim: Option<String>,
    /// Where it comes from, or for an inference what it reasons from; never empty.
    pub sources: Vec<Source>,
    /// `template`, or `model` where a language model worded it; its figures are filled in by code all the same.
    #[serde(default = "template", skip_serializing_if = "is_template")]
    pub author: String,
}

fn template() -> String {
    claim::Author::Template.name().to_owned()
}

fn is_template(author: &String) -> bool {
    *author == template()
}

/// A figure that a claim names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ClaimValue {
    /// The figure's id.
    pub figure: String,
    /// What came of it.
    #[serde(flatten)]
    pub value: FigureValue,
    /// Its unit.
    pub unit: Unit,
    /// As it stands in the sentence.
    pub shown: String,
    /// How it is made.
    pub working: Working,
}

/// Where a claim comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// A cell of a query's result.
    Cell {
        /// The query's id.
        query: String,
        /// The datasets it reads.
        tables: Vec<String>,
        /// The row's key.
        row_key: Vec<Cell>,
        /// The column.
        column: String,
    },
    /// The rows of a query's result.
    Rows {
        /// The query's id.
        query: String,
        /// The datasets it reads.
        tables: Vec<String>,
    },
    /// An entry of the catalogue.
    Catalogue {
        /// Its kind and name.
        entry: String,
    },
}

impl From<&claim::Claim> for Claim {
    fn from(claim: &claim::Claim) -> Self {
        let value = |v: &claim::ClaimValue| ClaimValue {
            figure: v.figure.clone(),
            value: FigureValue::from(&v.value),
            unit: Unit::from(&v.unit),
            shown: v.shown.clone(),
            working: Working::from(&v.working),
        };
        Self {
            id: claim.id.clone(),
            kind: claim.kind.name().to_owned(),
            text: claim.text.clone(),
            values: claim.values.iter().map(value).collect(),
            confidence: claim.confidence.name().to_owned(),
            verbatim: claim.verbatim.clone(),
            sources: claim.sources.iter().map(Source::from).collect(),
            author: claim.author.name().to_owned(),
        }
    }
}

impl From<&claim::ClaimSource> for Source {
    fn from(source: &claim::ClaimSource) -> Self {
        match source {
            claim::ClaimSource::Cell { query, tables, row_key, column } => Self::Cell {
                query: query.clone(),
                tables: tables.clone(),
                row_key: row_key.iter().map(Cell::from).collect(),
                column: column.clone(),
            },
            claim::ClaimSource::Rows { query, tables } => {
                Self::Rows { query: query.clone(), tables: tables.clone() }
            }
            claim::ClaimSource::Catalogue { entry } => Self::Catalogue { entry: entry.clone() },
        }
    }
}
