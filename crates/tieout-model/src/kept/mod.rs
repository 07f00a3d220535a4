//! Vectors of a catalogue, kept for the next question and the next process: each text is embedded once.
//!
//! A text is found again by a digest of the model's name and itself, so that whatever changes is embedded anew and nothing
//! else is. Only texts of the catalogue are kept, never a question. Deliberately absent: which texts there are.

mod file;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::{Arc, Mutex},
    time::Duration,
};

use async_trait::async_trait;
use serde_json::json;
use sha2::{Digest, Sha256};
use tieout_core::{
    model::{
        BadReply, BadVectors, EmbedPurpose, EmbedTook, Embedded, EmbeddingSettings, ModelFault,
        ModelFaultKind, ModelIdentity, Vector, canonical_json,
    },
    ports::Embedder,
};
use tokio::time::Instant;

use crate::locked;

pub use file::{FILE_BYTES_MAX, TEXTS_KEPT_MAX};

/// After so many texts, what came is written, so that a process that is killed has to embed no more of them again.
const WRITTEN_EVERY: usize = 1_024;

/// How a text is found again.
type Key = [u8; 32];

/// The vectors that a process has at hand, and the file that they are kept in.
#[derive(Debug, Default)]
pub struct Shelf {
    path: Option<PathBuf>,
    held: Mutex<BTreeMap<Key, Vector>>,
    asking: tokio::sync::Mutex<()>,
}

impl Shelf {
    /// Kept in this file, which is made when the first vectors come.
    #[must_use]
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: Some(path.into()), ..Self::default() }
    }

    /// Kept in this process alone.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::default()
    }

    /// How many vectors are at hand.
    #[must_use]
    pub fn len(&self) -> usize {
        locked(&self.held).len()
    }

    /// Whether none is at hand.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn holds(&self, key: &Key, dimensions: Option<usize>) -> Option<Vector> {
        let held = locked(&self.held);
        held.get(key).filter(|vector| dimensions.is_none_or(|wanted| vector.dimensions() == wanted)).cloned()
    }

    /// Takes in what other processes have written of the texts in use. Says what is wrong with the file, which costs time
    /// and nothing else.
    async fn read(
        self: &Arc<Self>,
        in_use: &Arc<BTreeSet<Key>>,
        dimensions: Option<usize>,
    ) -> Option<String> {
        let (shelf, path, in_use) = (Arc::clone(self), self.path.clone()?, Arc::clone(in_use));
        let read = tokio::task::spawn_blocking(move || {
            let vectors = file::read(&path).map_err(|why| format!("{why}; the vectors are made anew"))?;
            let wanted = |(key, vector): &(Key, Vector)| {
                in_use.contains(key) && dimensions.is_none_or(|wanted| wanted == vector.dimensions())
            };
            locked(&shelf.held).extend(vectors.into_iter().filter(wanted));
            Ok(())
        });
        match read.await {
            Ok(Ok(())) => None,
            Ok(Err(why)) => Some(why),
            Err(error) => Some(error.to_string()),
        }
    }

    /// Writes what is at hand beside what others have written, the texts that are in use first.
    async fn write(self: &Arc<Self>, in_use: &Arc<BTreeSet<Key>>) -> Option<String> {
        let (shelf, path, in_use) = (Arc::clone(self), self.path.clone()?, Arc::clone(in_use));
        let written = tokio::task::spawn_blocking(move || {
            let held = locked(&shelf.held).clone();
            file::merge(&path, held, &in_use)
        });
        match written.await {
            Ok(Ok(())) => None,
            Ok(Err(why)) => Some(why),
            Err(error) => Some(error.to_string()),
        }
    }
}

/// Embeds what is not at hand, and keeps it.
pub struct KeptEmbedder {
    shelf: Arc<Shelf>,
    inner: Arc<dyn Embedder>,
    texts_per_request: usize,
    waits: Duration,
    /// How many numbers the vectors of this question have, once that is known.
    dimensions: Mutex<Option<usize>>,
}

impl KeptEmbedder {
    /// Over another embedder, by the settings that it was opened with: so many texts at once, and no exchange is begun
    /// after its time. What has come by then is kept, so that the next question goes on from there.
    #[must_use]
    pub fn new(shelf: Arc<Shelf>, inner: Arc<dyn Embedder>, settings: &EmbeddingSettings) -> Self {
        Self {
            shelf,
            inner,
            texts_per_request: (settings.texts_per_request as usize).max(1),
            waits: Duration::from_millis(settings.timeout_ms),
            dimensions: Mutex::default(),
        }
    }

    fn dimensions(&self) -> Option<usize> {
        *locked(&self.dimensions)
    }

    /// How a text of this model is found again.
    fn key(&self, text: &str) -> Key {
        let identity = self.inner.identity();
        let asked = json!({"model": identity.model, "parameters": identity.parameters, "text": text});
        Sha256::digest(canonical_json(&asked).as_bytes()).into()
    }

    /// The places of texts that are not at hand, each text once.
    fn missing(&self, keys: &[Key]) -> Vec<usize> {
        let dimensions = self.dimensions();
        let mut seen = BTreeSet::new();
        let is_missing = |(_, key): &(usize, &Key)| self.shelf.holds(key, dimensions).is_none();
        let places = keys.iter().enumerate().filter(is_missing);
        places.filter(|(_, key)| seen.insert(**key)).map(|(place, _)| place).collect()
    }

    async fn of_catalogue(&self, texts: &[String]) -> Result<Embedded, ModelFault> {
        if texts.len() > TEXTS_KEPT_MAX {
            let why =
                format!("the catalogue has {} texts; at most {TEXTS_KEPT_MAX} are embedded", texts.len());
            let hint = "leave `embeddings:` out, or split the catalogue".to_owned();
            return Err(self.fault(ModelFaultKind::Settings { why, hint }));
        }
        let keys: Vec<Key> = texts.iter().map(|text| self.key(text)).collect();
        let in_use: Arc<BTreeSet<Key>> = Arc::new(keys.iter().copied().collect());
        // One question embeds the catalogue, and others that come meanwhile wait for it, as long as they would themselves.
        let late = |_| self.fault(ModelFaultKind::Timeout { after: self.waits });
        let _alone = tokio::time::timeout(self.waits, self.shelf.asking.lock()).await.map_err(late)?;
        let mut took = EmbedTook::default();
        if !self.missing(&keys).is_empty() {
            took.notes.extend(self.shelf.read(&in_use, self.dimensions()).await);
        }
        let mut dimensions = self.dimensions().or_else(|| self.of_first_held(&keys));
        *locked(&self.dimensions) = dimensions;
        // What was kept may be of another model under the same name: then all of it is asked for once more.
        for _ in 0..2 {
            took = took.plus(self.ask_missing(texts, &keys, &in_use).await?);
            if self.dimensions() == dimensions || dimensions.is_none() {
                break;
            }
            dimensions = self.dimensions();
        }
        let vectors: Option<Vec<Vector>> =
            keys.iter().map(|key| self.shelf.holds(key, self.dimensions())).collect();
        match vectors {
            Some(vectors) => Ok(Embedded { vectors, took }),
            None => Err(self.of_two_lengths(dimensions.unwrap_or(0), took)),
        }
    }

    fn of_first_held(&self, keys: &[Key]) -> Option<usize> {
        keys.iter().find_map(|key| self.shelf.holds(key, None)).map(|vector| vector.dimensions())
    }

    /// The endpoint gives vectors of one length now and of another then.
    fn of_two_lengths(&self, expected: usize, took: EmbedTook) -> ModelFault {
        let came = self.dimensions().unwrap_or(0);
        let kind = ModelFaultKind::BadReply(BadReply::Vectors(BadVectors::Dimension { expected, came }));
        ModelFault { spend: Box::new(took.spend), ..self.fault(kind) }
    }

    fn fault(&self, kind: ModelFaultKind) -> ModelFault {
        let identity = self.inner.identity();
        ModelFault::unasked(kind, format!("{} at {}", identity.model, identity.place))
    }

    /// Asks for what is not at hand. What came before a fault is kept all the same.
    async fn ask_missing(
        &self,
        texts: &[String],
        keys: &[Key],
        in_use: &Arc<BTreeSet<Key>>,
    ) -> Result<EmbedTook, ModelFault> {
        let missing = self.missing(keys);
        let until = Instant::now() + self.waits;
        let (mut took, mut unwritten) = (EmbedTook::default(), 0_usize);
        let mut end = Ok(());
        for places in missing.chunks(self.texts_per_request) {
            if Instant::now() >= until {
                end = Err(self.fault(ModelFaultKind::Timeout { after: self.waits }));
                break;
            }
            let batch: Vec<String> = places.iter().map(|place| texts[*place].clone()).collect();
            match self.inner.embed(EmbedPurpose::Catalogue, &batch).await {
                Ok(came) => {
                    unwritten = unwritten.saturating_add(came.vectors.len());
                    self.hold(places, keys, came.vectors);
                    took = took.plus(came.took);
                }
                Err(fault) => {
                    end = Err(fault);
                    break;
                }
            }
            if unwritten >= WRITTEN_EVERY {
                took.notes.extend(self.shelf.write(in_use).await);
                unwritten = 0;
            }
        }
        if unwritten > 0 {
            took.notes.extend(self.shelf.write(in_use).await);
        }
        took.notes.dedup();
        end.map_err(|fault| ModelFault { spend: Box::new(fault.spend.plus(&took.spend)), ..fault })?;
        Ok(took)
    }

    fn hold(&self, places: &[usize], keys: &[Key], vectors: Vec<Vector>) {
        if let Some(first) = vectors.first() {
            *locked(&self.dimensions) = Some(first.dimensions());
        }
        let mut held = locked(&self.shelf.held);
        for (place, vector) in places.iter().zip(vectors) {
            held.insert(keys[*place], vector);
        }
    }
}

#[async_trait]
impl Embedder for KeptEmbedder {
    async fn embed(&self, purpose: EmbedPurpose, texts: &[String]) -> Result<Embedded, ModelFault> {
        match purpose {
            EmbedPurpose::Catalogue => self.of_catalogue(texts).await,
            EmbedPurpose::Question | EmbedPurpose::Probe => {
                let came = self.inner.embed(purpose, texts).await?;
                if let Some(first) = came.vectors.first() {
                    *locked(&self.dimensions) = Some(first.dimensions());
                }
                Ok(came)
            }
        }
    }

    fn identity(&self) -> &ModelIdentity {
        self.inner.identity()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on should stop")]
mod tests;
