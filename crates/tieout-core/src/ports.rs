//! What the pipe needs of the world, as traits. Adapters are chosen in the binary and nowhere else.

use async_trait::async_trait;
use tieout_sql::CheckedQuery;

use crate::{
    catalogue::{Catalogue, Project},
    claim::Draft,
    definitions::Settled,
    evidence::Rows,
    figures::Figures,
    halt::{Fault, Halt},
    model::{EmbedPurpose, Embedded, ModelFault, ModelIdentity, Prompt, Reply},
    question::Question,
    reading::{Reading, Request},
};

/// Runs checked queries. Nothing else reaches the engine.
#[async_trait]
pub trait Warehouse: Send + Sync {
    /// Runs the queries in one snapshot of the data, in order.
    ///
    /// # Errors
    /// A fault when the engine cannot be reached, is too slow, or the data cannot be read.
    async fn run(&self, queries: &[CheckedQuery]) -> Result<Vec<Rows>, Fault>;

    /// What was found out about the data while it was attached: rows refused, types sniffed. Answers over a dataset
    /// carry the notes of its source as caveats.
    fn notes(&self) -> &[DataNote];

    /// Whether the data cannot change while it is open, so that what was once counted in it still holds.
    fn is_fixed(&self) -> bool;
}

/// Something that must be said beside every answer over a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataNote {
    /// The source's name, as the datasets name it.
    pub source: String,
    /// In a sentence.
    pub message: String,
}

/// What a reader may use beside the question.
#[derive(Clone, Copy, Debug)]
pub struct ReadContext<'a> {
    /// Settings and catalogue.
    pub project: &'a Project,
    /// Distinct values of the fields that may be looked up, as stored: the lexicon's names for data. They are data:
    /// words to match, never instructions.
    pub values: &'a FieldValues,
    /// The request of the previous answer, for a follow-up.
    pub previous: Option<&'a Request>,
}

impl<'a> ReadContext<'a> {
    /// The catalogue.
    #[must_use]
    pub fn catalogue(&self) -> &'a Catalogue {
        &self.project.catalogue
    }
}

/// Distinct values of fields, as found in the data of the session's tenant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldValues {
    /// `(dataset, field, values)`, each list sorted.
    pub fields: Vec<(String, String, Vec<String>)>,
}

/// Reads a question into a typed request.
#[async_trait]
pub trait Reader: Send + Sync {
    /// Reads.
    ///
    /// # Errors
    /// A refusal with every problem found, the first to be settled first; or a fault of a model behind it.
    /// Doubts are part of the reading, so that they can be shown beside what was understood.
    async fn read(&self, question: &Question, context: ReadContext<'_>) -> Result<Reading, Halt>;
}

/// Writes sentences over figures, with slots in place of numerals. What it writes is a draft: `tether` judges it.
#[async_trait]
pub trait Narrator: Send + Sync {
    /// Drafts.
    ///
    /// # Errors
    /// A refusal when no lawful sentence can be made, or a fault of a model behind it.
    async fn narrate(&self, settled: &Settled, figures: &Figures) -> Result<Draft, Halt>;
}

/// Asks a language model. What it says is judged by whoever asks; only its shape was looked at.
#[async_trait]
pub trait Model: Send + Sync {
    /// Asks, trying again where the network or the endpoint failed for a moment.
    ///
    /// # Errors
    /// A fault of its own kind for each way in which asking can fail. A reply that cannot be used is no fault: it is
    /// [`crate::model::Said::Unfit`], and whoever asks may ask again with the reason.
    async fn complete(&self, prompt: &Prompt) -> Result<Reply, ModelFault>;

    /// Who answers.
    fn identity(&self) -> &ModelIdentity;
}

/// Turns texts into vectors, so that texts that are alike can be found. It is trusted with nothing: vectors order lists.
#[async_trait]
pub trait Embedder: Send + Sync {
    /// Embeds, in as many exchanges as it takes.
    ///
    /// # Errors
    /// A fault of its own kind for each way in which asking can fail, or in which what comes is no list of vectors.
    async fn embed(&self, purpose: EmbedPurpose, texts: &[String]) -> Result<Embedded, ModelFault>;

    /// Who embeds.
    fn identity(&self) -> &ModelIdentity;
}
