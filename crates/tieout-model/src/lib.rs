//! Asks language models, and trusts them with nothing.
//!
//! Owns the providers, the one host through which a process asks them, budgets, the one judgement of a reply's shape,
//! the cassettes that play recorded exchanges and the scripts that stand in for a model; and the same for texts that are
//! turned into vectors, with the file that keeps those of a catalogue. Deliberately absent: the texts of prompts and the
//! meaning of replies (the agent's), and any choice of which model is used (the binary's).

pub mod budget;
pub mod cassette;
mod host;
mod http;
pub mod kept;
mod key;
pub mod probe;
mod providers;
pub mod said;
pub mod scripted;
mod source;

pub use host::{EmbeddingHost, ModelHost, Patience, Progress, QuestionEmbedder, QuestionModel, Received};
pub use http::REPLY_BYTES_MAX;
pub use key::{KEY_BYTES_MAX, Outside};
pub use providers::provider_names;
pub use source::{EmbeddingSource, ModelSource, Taping};

/// Why two threads cannot meet in a lock of ours: nothing that is done under one can panic, so a poisoned lock holds
/// sound data.
pub(crate) fn locked<T>(mutex: &std::sync::Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
