//! Where a process gets its model from, one for each question: an endpoint, a cassette, or both.
//!
//! Deliberately absent: the choice, which is the binary's.

use std::{path::Path, sync::Arc};

use jiff::civil::Date;
use tieout_core::{
    model::{ModelFault, ModelIdentity},
    ports::Model,
};

use crate::{
    cassette::Cassette,
    host::{ModelHost, Progress},
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
