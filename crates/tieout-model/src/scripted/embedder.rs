//! An embedder that a test tells what is like what.

use std::{sync::Mutex, time::Duration};

use async_trait::async_trait;
use tieout_core::{
    model::{
        EmbedPurpose, EmbedTook, Embedded, ModelFault, ModelFaultKind, ModelIdentity, Spend, Usage,
        UsageSource, Vector,
    },
    ports::Embedder,
};

use super::BYTES_PER_TOKEN;
use crate::locked;

type Improvised = Box<dyn Fn(EmbedPurpose, &[String]) -> Result<Vec<Vector>, ModelFaultKind> + Send + Sync>;

/// An embedder that gives what it is told to.
pub struct ScriptedEmbedder {
    identity: ModelIdentity,
    gives: Improvised,
    asked: Mutex<Vec<(EmbedPurpose, Vec<String>)>>,
}

impl ScriptedEmbedder {
    /// Gives what a function makes of the texts.
    #[must_use]
    pub fn improvising(
        gives: impl Fn(EmbedPurpose, &[String]) -> Result<Vec<Vector>, ModelFaultKind> + Send + Sync + 'static,
    ) -> Self {
        let identity = ModelIdentity {
            provider: "scripted".to_owned(),
            model: "script".to_owned(),
            place: "this process".to_owned(),
            parameters: Vec::new(),
        };
        Self { identity, gives: Box::new(gives), asked: Mutex::default() }
    }

    /// Knows these meanings, each a list of words: a text has one number for each meaning, how many of its words it
    /// holds, and a small one for everything else, so that a text of other words is like no other and still a vector.
    #[must_use]
    pub fn of_meanings<const N: usize>(meanings: [&'static [&'static str]; N]) -> Self {
        Self::improvising(move |_, texts| {
            let vector = |text: &String| {
                let text = text.to_lowercase();
                let held = |words: &&[&str]| words.iter().filter(|word| text.contains(*word)).count();
                let counts = meanings
                    .iter()
                    .map(held)
                    .map(|count| f32::from(u16::try_from(count).unwrap_or(u16::MAX)));
                Vector::of(counts.chain([0.01]).collect::<Vec<f32>>())
            };
            // The last number is never zero, so that there is always a vector.
            Ok(texts.iter().filter_map(|text| vector(text).ok()).collect())
        })
    }

    /// Fails, always in this way.
    #[must_use]
    pub fn failing(kind: ModelFaultKind) -> Self {
        Self::improvising(move |_, _| Err(kind.clone()))
    }

    /// Everything that was asked for so far, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<(EmbedPurpose, Vec<String>)> {
        locked(&self.asked).clone()
    }
}

#[async_trait]
impl Embedder for ScriptedEmbedder {
    async fn embed(&self, purpose: EmbedPurpose, texts: &[String]) -> Result<Embedded, ModelFault> {
        locked(&self.asked).push((purpose, texts.to_vec()));
        let vectors = (self.gives)(purpose, texts)
            .map_err(|kind| ModelFault { attempts: 1, ..ModelFault::unasked(kind, "the script") })?;
        let tokens: usize = texts.iter().map(|text| text.len().div_ceil(BYTES_PER_TOKEN)).sum();
        let usage = Usage { input_tokens: tokens as u64, output_tokens: 0, source: UsageSource::Estimated };
        let took = EmbedTook {
            sent: texts.len(),
            usage: Some(usage),
            spend: Spend::of(usage, None),
            latency: Duration::ZERO,
            notes: Vec::new(),
        };
        Ok(Embedded { vectors, took })
    }

    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }
}
