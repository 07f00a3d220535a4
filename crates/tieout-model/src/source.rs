//! Where a process gets its model and its vectors from, one for each question: an endpoint, a cassette, or both.
//!
//! Deliberately absent: the choice, which is the binary's.

use std::{path::Path, sync::Arc};

use async_trait::async_trait;
use jiff::civil::Date;
use tieout_core::{
    model::{EmbedPurpose, Embedded, EmbeddingSettings, ModelFault, ModelIdentity},
    ports::{Embedder, Model},
};

use crate::{
    cassette::{Cassette, EmbeddingCassette},
    host::{EmbeddingHost, ModelHost, Progress},
    kept::{KeptEmbedder, Shelf},
};

/// Where a process gets its model from.
#[derive(Clone)]
pub enum ModelSource {
    /// An endpoint is asked.
    Endpoint(Arc<ModelHost>),
    /// An endpoint is asked, and a cassette is in between.
    Taped(Arc<ModelHost>, Arc<Cassette>),
    /// Nobody is asked: a cassette is played, or a script.
    Fixed(Arc<dyn Model>),
}

/// What a cassette between us and an endpoint does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taping {
    /// Records what is said.
    Record,
    /// Plays what is recorded, and records what is not.
    Fill,
}

impl ModelSource {
    /// An endpoint with a cassette in between.
    ///
    /// # Errors
    /// A fault when the cassette cannot be made or read.
    pub fn taped(host: Arc<ModelHost>, folder: &Path, taping: Taping) -> Result<Self, ModelFault> {
        // The day of this model is never asked for: each question puts a model of its own in its place.
        let first: Arc<dyn Model> = Arc::new(host.for_question(Date::constant(1970, 1, 1)));
        let cassette = match taping {
            Taping::Record => Cassette::record(folder, first)?,
            Taping::Fill => Cassette::fill(folder, first)?,
        };
        Ok(Self::Taped(host, Arc::new(cassette)))
    }

    /// A cassette that is played.
    ///
    /// # Errors
    /// A fault when it cannot be read.
    pub fn played(folder: &Path) -> Result<Self, ModelFault> {
        Ok(Self::Fixed(Arc::new(Cassette::play(folder)?)))
    }

    /// The model of one question. The day is the one whose budget is used: the real one, whatever moment the question
    /// counts from.
    #[must_use]
    pub fn for_question(&self, day: Date, progress: Option<Progress>) -> Arc<dyn Model> {
        let of_host = |host: &Arc<ModelHost>| {
            let model = host.for_question(day);
            match progress {
                Some(progress) => model.with_progress(progress),
                None => model,
            }
        };
        match self {
            Self::Endpoint(host) => Arc::new(of_host(host)),
            Self::Taped(host, cassette) => Arc::new(cassette.through(Arc::new(of_host(host)))),
            Self::Fixed(model) => Arc::clone(model),
        }
    }

    /// Who answers.
    #[must_use]
    pub fn identity(&self) -> &ModelIdentity {
        match self {
            Self::Endpoint(host) | Self::Taped(host, _) => host.identity(),
            Self::Fixed(model) => model.identity(),
        }
    }
}

/// Where a process gets its vectors from.
#[derive(Clone)]
pub enum EmbeddingSource {
    /// An endpoint is asked for what is not kept.
    Endpoint(Arc<EmbeddingHost>, Arc<Shelf>),
    /// The same, and what it gives is recorded, what was kept before included.
    Recorded(Arc<EmbeddingHost>, Arc<Shelf>, Arc<EmbeddingCassette>),
    /// Nobody is asked: a cassette is played, or a script.
    Fixed(Arc<dyn Embedder>),
}

impl EmbeddingSource {
    /// An endpoint whose vectors are recorded.
    ///
    /// # Errors
    /// A fault when the cassette cannot be made.
    pub fn recorded(host: Arc<EmbeddingHost>, shelf: Arc<Shelf>, folder: &Path) -> Result<Self, ModelFault> {
        // The day of this one is never asked for: each question puts one of its own in its place.
        let first: Arc<dyn Embedder> = Arc::new(host.for_question(Date::constant(1970, 1, 1)));
        let cassette = EmbeddingCassette::record(folder, first)?;
        Ok(Self::Recorded(host, shelf, Arc::new(cassette)))
    }

    /// One that could not be opened, such as for want of its key. That is told where it is asked, so that a question goes on
    /// without it as it does where the endpoint fails later.
    #[must_use]
    pub fn unopened(settings: &EmbeddingSettings, fault: ModelFault) -> Self {
        let identity = ModelIdentity {
            provider: settings.provider.provider.clone(),
            model: settings.provider.name.clone(),
            // The address as it stands may hold what is not to be shown.
            place: "an endpoint that is not open".to_owned(),
            parameters: Vec::new(),
        };
        Self::Fixed(Arc::new(Unopened { identity, fault }))
    }

    /// A cassette that is played, if there are vectors on it.
    ///
    /// # Errors
    /// A fault when it cannot be read.
    pub fn played(folder: &Path) -> Result<Option<Self>, ModelFault> {
        Ok(EmbeddingCassette::play(folder)?.map(|cassette| Self::Fixed(Arc::new(cassette))))
    }

    /// The embedder of one question. The day is the one whose budget is used.
    #[must_use]
    pub fn for_question(&self, day: Date) -> Arc<dyn Embedder> {
        let kept = |host: &Arc<EmbeddingHost>, shelf: &Arc<Shelf>| {
            let asked = Arc::new(host.for_question(day));
            Arc::new(KeptEmbedder::new(Arc::clone(shelf), asked, host.settings()))
        };
        match self {
            Self::Endpoint(host, shelf) => kept(host, shelf),
            Self::Recorded(host, shelf, cassette) => Arc::new(cassette.through(kept(host, shelf))),
            Self::Fixed(embedder) => Arc::clone(embedder),
        }
    }
}

/// An endpoint that could not be opened.
struct Unopened {
    identity: ModelIdentity,
    fault: ModelFault,
}

#[async_trait]
impl Embedder for Unopened {
    async fn embed(&self, _: EmbedPurpose, _: &[String]) -> Result<Embedded, ModelFault> {
        Err(self.fault.clone())
    }

    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }
}
