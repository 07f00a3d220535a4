//! What is asked of a language model, what it said, and how asking can fail; and texts as vectors.
//!
//! A model is trusted with nothing: what it says is judged by the code that judges everything else. Owns the prompt
//! and its digest, the reply and whether it fits the shape that was asked for, the faults of asking, and the settings
//! of a project. Deliberately absent: any network, any key (settings only say where one is found), the texts of
//! prompts (the agent's), and every meaning of a reply.

mod budget;
mod embedding;
mod fault;
mod prompt;
mod reply;
mod settings;
mod vectors;

pub use budget::{Budget, BudgetMeasure, BudgetSpan, BudgetSpent, Prices, Spend, TOKENS_PRICED};
pub use embedding::{DIMENSIONS_MAX, EmbedPurpose, EmbedTook, Embedded, NoVector, Vector};
pub use fault::{BadReply, ModelFault, ModelFaultKind};
pub use prompt::{Prompt, PromptLimits, Purpose, Speaker, Turn, canonical_json};
pub use reply::{ModelIdentity, Reply, Said, Unfit, UnfitKind, Usage, UsageSource};
pub use settings::{
    DraftMode, EmbeddingSettings, KeySource, Mode, ModelSettings, ModelUse, NarrateMode, PROVIDER_NAMES,
    Plaintext, ProviderSettings, ReadMode,
};
pub use vectors::BadVectors;
