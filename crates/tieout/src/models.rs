//! Opens the language model that a project names, or a cassette in its place.
//!
//! Deliberately absent: what a model may do, which the agent decides, and its key, which stays where it is.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use tieout_core::{
    catalogue::Project,
    halt::{Fault, FaultKind},
    model::{DraftMode, EmbeddingSettings, ModelFault, ModelUse, NarrateMode, ReadMode},
};
use tieout_model::{
    EmbeddingHost, EmbeddingSource, ModelHost, ModelSource, Outside, Taping, budget::SpendFile, kept::Shelf,
};

use crate::session::ModelAtHand;

/// Where a project keeps what its models have spent, within its folder.
pub const SPEND_PATH: &str = ".tieout/model-spend.json";

/// Where a project keeps what its embeddings have cost, within its folder.
pub const EMBEDDINGS_SPEND_PATH: &str = ".tieout/embeddings-spend.json";

/// Where a project keeps the vectors of its catalogue, within its folder.
pub const VECTORS_PATH: &str = ".tieout/embeddings.bin";

/// What the asker says of models, beside the project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Who reads, instead of what the project says.
    pub read: Option<ReadMode>,
    /// Who words the sentences, instead of what the project says.
    pub narrate: Option<NarrateMode>,
    /// A cassette.
    pub cassette: Option<(PathBuf, Tape)>,
}

/// What is done with a cassette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tape {
    /// It is played, and no endpoint is asked.
    Play,
    /// What the endpoint says is recorded on it.
    Record,
}

/// The endpoint of a project.
///
/// # Errors
/// A fault when its key is missing, or the settings say something that cannot be.
pub fn host(used: &ModelUse, root: &Path) -> Result<Arc<ModelHost>, Fault> {
    let variable = |name: &str| std::env::var(name).ok();
    let outside = Outside { variable: &variable, project: root };
    let store = Arc::new(SpendFile::at(root.join(SPEND_PATH)));
    Ok(ModelHost::open(&used.settings, outside, store)?)
}

/// The endpoint of embeddings of a project.
///
/// # Errors
/// A fault when its key is missing, or the settings say something that cannot be.
pub fn embedding_host(settings: &EmbeddingSettings, root: &Path) -> Result<Arc<EmbeddingHost>, ModelFault> {
    let variable = |name: &str| std::env::var(name).ok();
    let outside = Outside { variable: &variable, project: root };
    let store = Arc::new(SpendFile::at(root.join(EMBEDDINGS_SPEND_PATH)));
    EmbeddingHost::open(settings, outside, store)
}

/// What finds entries of a large catalogue by meaning, where the project names an endpoint for it, or a cassette has it.
fn embeddings(
    named: Option<&ModelUse>,
    root: &Path,
    wanted: &Wanted,
) -> Result<Option<EmbeddingSource>, Fault> {
    let settings = named.and_then(|used| used.embeddings.as_ref());
    let shelf = || Arc::new(Shelf::at(root.join(VECTORS_PATH)));
    let (cassette, settings) = match (&wanted.cassette, settings) {
        (Some((folder, Tape::Play)), _) => return Ok(EmbeddingSource::played(folder)?),
        (Some((_, Tape::Record)) | None, None) => return Ok(None),
        (Some((folder, Tape::Record)), Some(settings)) => (Some(folder), settings),
        (None, Some(settings)) => (None, settings),
    };
    Ok(Some(match (embedding_host(settings, root), cassette) {
        (Ok(host), Some(folder)) => EmbeddingSource::recorded(host, shelf(), folder)?,
        (Ok(host), None) => EmbeddingSource::Endpoint(host, shelf()),
        (Err(fault), _) => EmbeddingSource::unopened(settings, fault),
    }))
}

/// The model of a project, when one is to be asked.
///
/// # Errors
/// A fault when it cannot be opened, or when a model is wanted and the project names none.
pub fn open(project: &Project, root: &Path, wanted: &Wanted) -> Result<Option<ModelAtHand>, Fault> {
    let named = project.model.as_ref();
    let read = wanted.read.or(named.map(|used| used.read)).unwrap_or_default();
    let narrate = wanted.narrate.or(named.map(|used| used.narrate)).unwrap_or_default();
    let drafts = named.map(|used| used.drafts).unwrap_or_default();
    let asks = read != ReadMode::Builtin || narrate != NarrateMode::Builtin || drafts != DraftMode::Never;
    let is_wanted = wanted.read.is_some() || wanted.narrate.is_some() || wanted.cassette.is_some();
    if !asks || (named.is_none() && !is_wanted) {
        return Ok(None);
    }
    let source = match (&wanted.cassette, named) {
        (Some((folder, Tape::Play)), _) => ModelSource::played(folder)?,
        (Some((folder, Tape::Record)), Some(used)) => {
            ModelSource::taped(host(used, root)?, folder, Taping::Record)?
        }
        (None, Some(used)) => ModelSource::Endpoint(host(used, root)?),
        (Some((_, Tape::Record)) | None, None) => return Err(none_named()),
    };
    Ok(Some(ModelAtHand { source, read, narrate, drafts, embeddings: embeddings(named, root, wanted)? }))
}

/// The fault where a model is wanted and none is named.
#[must_use]
pub fn none_named() -> Fault {
    Fault {
        kind: FaultKind::Model,
        message: "the project names no language model".to_owned(),
        hint: "name one under `model:` in tieout.yml, or leave the reading to the built-in reader".to_owned(),
    }
}
