//! What ran, and what came back.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tieout_core::evidence::{Evidence, EvidenceState, Purpose, Writer};

use super::{Bind, Cell};

/// A query that ran.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Query {
    /// Its id within the record.
    pub id: String,
    /// `figures`, `list`, `support`, `freshness`, `integrity` or `statement`.
    pub purpose: String,
    /// What it fetched, in words.
    pub label: String,
    /// Who wrote its statement. What was recorded before anybody else could is of our own code.
    #[serde(default)]
    pub written_by: WrittenBy,
    /// The datasets it reads.
    pub tables: Vec<String>,
    /// Over the catalogue's names, before the tenant was bound.
    pub written: String,
    /// The values bound in the written form, in order.
    pub written_binds: Vec<Bind>,
    /// As it ran.
    pub sql: String,
    /// The values bound in the form that ran, in order.
    pub binds: Vec<Bind>,
    /// SHA-256 of its rows, whatever their order, in hexadecimal.
    pub digest: String,
    /// How many rows came back.
    pub row_count: u64,
    /// `rows`, `zero`, `none` or `cut_short`.
    pub state: String,
    /// How many columns at the start name a row.
    pub key_columns: usize,
    /// The columns.
    pub columns: Vec<String>,
    /// A copy of the rows: in what `show` prints, where they were few enough to be kept, and in what `query` prints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<RowsCopy>,
}

/// Who wrote a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WrittenBy {
    /// Our own code, from the plan.
    #[default]
    Compiler,
    /// A language model, from the settled definitions, held to what our own statement works out.
    Model,
    /// Whoever asked.
    Asker,
}

impl From<Writer> for WrittenBy {
    fn from(writer: Writer) -> Self {
        match writer {
            Writer::Compiler => Self::Compiler,
            Writer::Model => Self::Model,
            Writer::Asker => Self::Asker,
        }
    }
}

impl From<WrittenBy> for Writer {
    fn from(by: WrittenBy) -> Self {
        match by {
            WrittenBy::Compiler => Self::Compiler,
            WrittenBy::Model => Self::Model,
            WrittenBy::Asker => Self::Asker,
        }
    }
}

/// A copy of rows, in the order in which they came back.
pub type RowsCopy = Vec<Vec<Cell>>;

impl From<&Evidence> for Query {
    fn from(evidence: &Evidence) -> Self {
        let query = evidence.query();
        let binds: Vec<Bind> = query.binds().iter().map(Bind::from).collect();
        // The checker binds the tenant after all values of the statement.
        let own = query.proof().first().map_or(binds.len(), |proof| proof.bind);
        Self {
            id: evidence.id().to_owned(),
            purpose: evidence.purpose().name().to_owned(),
            label: evidence.label().to_owned(),
            written_by: evidence.writer().into(),
            tables: query.tables().to_vec(),
            written: query.written().to_owned(),
            written_binds: binds.iter().take(own).cloned().collect(),
            sql: query.sql().to_owned(),
            binds,
            digest: evidence.digest().to_owned(),
            row_count: evidence.rows().rows.len() as u64,
            state: state(evidence.state()).to_owned(),
            key_columns: evidence.key_columns(),
            columns: evidence.rows().columns.clone(),
            rows: None,
        }
    }
}

/// The rows of some evidence.
#[must_use]
pub fn rows_of(evidence: &Evidence) -> RowsCopy {
    evidence.rows().rows.iter().map(|row| row.iter().map(Cell::from).collect()).collect()
}

fn state(state: EvidenceState) -> &'static str {
    match state {
        EvidenceState::Rows => "rows",
        EvidenceState::Zero => "zero",
        EvidenceState::None => "none",
        EvidenceState::CutShort => "cut_short",
    }
}

/// The purpose that a name stands for.
pub(super) fn purpose(name: &str) -> Option<Purpose> {
    [
        Purpose::Figures,
        Purpose::List,
        Purpose::Support,
        Purpose::Freshness,
        Purpose::Integrity,
        Purpose::Statement,
    ]
    .into_iter()
    .find(|p| p.name() == name)
}
