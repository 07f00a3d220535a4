//! Exchanges that were recorded, and can be played without a network.
//!
//! A cassette is a folder with one JSON file for each exchange, found again by the digest of the prompt, whichever
//! provider answered. A file whose prompt does not have the digest in its name is refused, so that a prompt that was
//! edited by hand is noticed. Deliberately absent: keys and headers, which no file ever holds, and faults, which are
//! not recorded.

mod file;
mod vectors;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use async_trait::async_trait;
use tieout_core::{
    model::{ModelFault, ModelFaultKind, ModelIdentity, Prompt, Reply},
    ports::Model,
};

use crate::locked;
use file::Exchange;

pub use vectors::{EmbeddingCassette, VECTORS_FOLDER};

/// The longest file that is read, in bytes.
pub const FILE_BYTES_MAX: u64 = 8 << 20;

/// The most exchanges of one cassette.
pub const EXCHANGES_MAX: usize = 100_000;

/// A model that plays what was recorded, records what another says, or both.
pub struct Cassette {
    tape: Arc<Tape>,
    identity: ModelIdentity,
    inner: Inner,
}

/// What is recorded, shared by the models of all questions.
struct Tape {
    folder: PathBuf,
    tracks: Mutex<BTreeMap<String, Track>>,
}

/// What is done with a prompt.
enum Inner {
    /// It is played, or it is a fault.
    Play,
    /// It is asked, and what is said replaces what was recorded.
    Record(Arc<dyn Model>),
    /// It is played where it is recorded, and asked and recorded where not.
    Fill(Arc<dyn Model>),
}

/// The exchanges of one prompt, and which is next.
#[derive(Debug, Default)]
struct Track {
    exchanges: Vec<Exchange>,
    next: usize,
}

impl Cassette {
    /// Plays what is recorded in a folder, and nothing else.
    ///
    /// # Errors
    /// A fault when the folder or a file of it cannot be read.
    pub fn play(folder: &Path) -> Result<Self, ModelFault> {
        let tracks = load(folder)?;
        let identity = recorded_identity(&tracks, folder);
        Ok(Self { tape: Tape::of(folder, tracks), identity, inner: Inner::Play })
    }

    /// Asks a model and records what it says. What was recorded for the same prompt is replaced.
    ///
    /// # Errors
    /// A fault when the folder cannot be made.
    pub fn record(folder: &Path, model: Arc<dyn Model>) -> Result<Self, ModelFault> {
        made(folder)?;
        let identity = model.identity().clone();
        Ok(Self { tape: Tape::of(folder, BTreeMap::new()), identity, inner: Inner::Record(model) })
    }

    /// Plays what is recorded, and asks and records what is not.
    ///
    /// # Errors
    /// A fault when the folder cannot be made, or a file of it cannot be read.
    pub fn fill(folder: &Path, model: Arc<dyn Model>) -> Result<Self, ModelFault> {
        made(folder)?;
        let tracks = load(folder)?;
        let identity = model.identity().clone();
        Ok(Self { tape: Tape::of(folder, tracks), identity, inner: Inner::Fill(model) })
    }

    /// The same cassette in the hands of another model, such as that of the next question.
    #[must_use]
    pub fn through(&self, model: Arc<dyn Model>) -> Self {
        let (identity, inner) = match &self.inner {
            Inner::Play => (self.identity.clone(), Inner::Play),
            Inner::Record(_) => (model.identity().clone(), Inner::Record(model)),
            Inner::Fill(_) => (model.identity().clone(), Inner::Fill(model)),
        };
        Self { tape: Arc::clone(&self.tape), identity, inner }
    }

    /// How many exchanges it holds.
    #[must_use]
    pub fn exchanges(&self) -> usize {
        locked(&self.tape.tracks).values().map(|track| track.exchanges.len()).sum()
    }
}

impl Tape {
    fn of(folder: &Path, tracks: BTreeMap<String, Track>) -> Arc<Self> {
        Arc::new(Self { folder: folder.to_owned(), tracks: Mutex::new(tracks) })
    }

    /// The next exchange of a prompt. When the same is asked more often than it was recorded, the last one stays.
    fn played(&self, digest: &str) -> Option<Exchange> {
        let mut tracks = locked(&self.tracks);
        let track = tracks.get_mut(digest)?;
        let last = track.exchanges.len().checked_sub(1)?;
        let exchange = track.exchanges.get(track.next.min(last)).cloned();
        track.next = track.next.saturating_add(1);
        exchange
    }

    async fn asked(&self, model: &dyn Model, prompt: &Prompt) -> Result<Reply, ModelFault> {
        let reply = model.complete(prompt).await?;
        let exchange = Exchange::of(prompt, &reply, model.identity());
        let number = {
            let mut tracks = locked(&self.tracks);
            let track = tracks.entry(reply.prompt_digest.clone()).or_default();
            track.exchanges.push(exchange.clone());
            track.next = track.exchanges.len();
            track.exchanges.len()
        };
        exchange.write(&self.folder, number).map_err(|why| damaged(&self.folder, why))?;
        Ok(reply)
    }
}

#[async_trait]
impl Model for Cassette {
    async fn complete(&self, prompt: &Prompt) -> Result<Reply, ModelFault> {
        let digest = prompt.digest();
        let played = match &self.inner {
            Inner::Record(_) => None,
            Inner::Play | Inner::Fill(_) => self.tape.played(&digest),
        };
        match (played, &self.inner) {
            (Some(exchange), _) => Ok(exchange.reply(prompt, digest)),
            (None, Inner::Record(model) | Inner::Fill(model)) => {
                self.tape.asked(model.as_ref(), prompt).await
            }
            (None, Inner::Play) => {
                let version = prompt.version.clone();
                Err(fault(&self.tape.folder, ModelFaultKind::NotRecorded { digest, version }))
            }
        }
    }

    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }
}

/// Who was recorded: the one model of all exchanges, or their names side by side.
fn recorded_identity(tracks: &BTreeMap<String, Track>, folder: &Path) -> ModelIdentity {
    let mut found: Vec<ModelIdentity> = Vec::new();
    for exchange in tracks.values().flat_map(|track| &track.exchanges) {
        let identity = exchange.identity();
        if !found.contains(&identity) {
            found.push(identity);
        }
    }
    let place = format!("the cassette {}", folder.display());
    match found.as_slice() {
        [only] => ModelIdentity { place, ..only.clone() },
        several => {
            let names =
                |of: fn(&ModelIdentity) -> &str| several.iter().map(of).collect::<Vec<_>>().join(", ");
            ModelIdentity {
                provider: names(|i| &i.provider),
                model: names(|i| &i.model),
                place,
                parameters: Vec::new(),
            }
        }
    }
}

fn load(folder: &Path) -> Result<BTreeMap<String, Track>, ModelFault> {
    let unreadable = |why: String| damaged(folder, why);
    let entries = fs::read_dir(folder)
        .map_err(|error| unreadable(format!("the cassette {} cannot be read: {error}", folder.display())))?;
    let mut paths: Vec<(String, usize, PathBuf)> = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unreadable(error.to_string()))?.path();
        if let Some((stem, number)) = file::numbered(&path) {
            paths.push((stem, number, path));
        }
    }
    if paths.len() > EXCHANGES_MAX {
        let found = paths.len();
        return Err(unreadable(format!(
            "the cassette {} holds {found} exchanges; at most {EXCHANGES_MAX} are read",
            folder.display()
        )));
    }
    paths.sort();
    let mut tracks: BTreeMap<String, Track> = BTreeMap::new();
    for (_, _, path) in paths {
        let (digest, exchange) = Exchange::read(&path).map_err(unreadable)?;
        tracks.entry(digest).or_default().exchanges.push(exchange);
    }
    Ok(tracks)
}

fn made(folder: &Path) -> Result<(), ModelFault> {
    fs::create_dir_all(folder).map_err(|error| {
        damaged(folder, format!("the cassette {} cannot be made: {error}", folder.display()))
    })
}

fn damaged(folder: &Path, why: String) -> ModelFault {
    fault(folder, ModelFaultKind::Cassette { why })
}

fn fault(folder: &Path, kind: ModelFaultKind) -> ModelFault {
    ModelFault::unasked(kind, format!("the cassette {}", folder.display()))
}
