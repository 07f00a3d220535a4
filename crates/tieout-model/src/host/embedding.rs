//! The one place of a process from which vectors are asked for, and that place as one question has it.
//!
//! The rules are those of a model that is asked for words: one key, no redirects, bounds, attempts, a budget. Deliberately
//! absent: keeping vectors, and any comparison of them.

use std::sync::Arc;

use async_trait::async_trait;
use jiff::civil::Date;
use sha2::{Digest, Sha256};
use tieout_core::{
    attempt::{ATTEMPTS_MAX, Step, attempt},
    model::{
        BadReply, BadVectors, BudgetSpan, EmbedPurpose, EmbedTook, Embedded, EmbeddingSettings, ModelFault,
        ModelFaultKind, ModelIdentity, Spend, Usage, UsageSource,
    },
    ports::Embedder,
};
use tokio::sync::Semaphore;

use super::{
    Patience,
    attempts::Attempts,
    connected,
    question::{BYTES_PER_TOKEN, complaint},
};
use crate::{
    budget::{Allowance, Purse, SpendStore},
    http::{Body, Client, Failed},
    key::Outside,
    providers::embeddings::{self, EMBEDDINGS, ToldVectors},
};

/// The one place of a process from which vectors are asked for.
pub struct EmbeddingHost {
    settings: EmbeddingSettings,
    client: Client,
    identity: ModelIdentity,
    slots: Semaphore,
    store: Arc<dyn SpendStore>,
    patience: Patience,
}

impl EmbeddingHost {
    /// Opens one: finds the key, and checks what the settings say. The endpoint is not asked.
    ///
    /// # Errors
    /// A fault when a key is missing, or the settings say something that cannot be.
    pub fn open(
        settings: &EmbeddingSettings,
        outside: Outside<'_>,
        store: Arc<dyn SpendStore>,
    ) -> Result<Arc<Self>, ModelFault> {
        Self::open_with(settings, outside, store, Patience::default())
    }

    /// As [`EmbeddingHost::open`], with other waits between attempts.
    ///
    /// # Errors
    /// As [`EmbeddingHost::open`].
    pub fn open_with(
        settings: &EmbeddingSettings,
        outside: Outside<'_>,
        store: Arc<dyn SpendStore>,
        patience: Patience,
    ) -> Result<Arc<Self>, ModelFault> {
        let fault = |kind| ModelFault::unasked(kind, settings.provider.name.clone());
        checked(settings).map_err(fault)?;
        let (client, place) = connected(&settings.provider, &EMBEDDINGS, outside).map_err(fault)?;
        Ok(Arc::new(Self {
            identity: identity(settings, place),
            slots: Semaphore::new(settings.concurrency as usize),
            settings: settings.clone(),
            client,
            store,
            patience,
        }))
    }

    /// An embedder for one question. The day is the one whose budget is used: the real one, whatever moment the question
    /// counts from.
    #[must_use]
    pub fn for_question(self: &Arc<Self>, day: Date) -> QuestionEmbedder {
        let (budget, prices) = (&self.settings.budget, self.settings.prices.as_ref());
        let allowance = |span| Allowance::of(budget, prices, span);
        let (of_question, of_day) = (allowance(BudgetSpan::Question), allowance(BudgetSpan::Day));
        let purse = Purse::new(day, of_question, of_day, Arc::clone(&self.store));
        QuestionEmbedder { host: Arc::clone(self), purse }
    }

    /// Who embeds.
    #[must_use]
    pub fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    /// What it was opened with.
    #[must_use]
    pub fn settings(&self) -> &EmbeddingSettings {
        &self.settings
    }

    fn place(&self) -> String {
        format!("{} at {}", self.identity.model, self.identity.place)
    }
}

/// The endpoint as one question has it.
pub struct QuestionEmbedder {
    host: Arc<EmbeddingHost>,
    purse: Purse,
}

#[async_trait]
impl Embedder for QuestionEmbedder {
    async fn embed(&self, purpose: EmbedPurpose, texts: &[String]) -> Result<Embedded, ModelFault> {
        let told = self.told(purpose, texts);
        let mut all = Embedded { vectors: Vec::with_capacity(texts.len()), took: EmbedTook::default() };
        for batch in told.chunks((self.host.settings.texts_per_request as usize).max(1)) {
            let digest = digest(batch);
            let attempts = Attempts::begin(self.host.settings.timeout_ms, self.host.patience, digest);
            let asked = self.asked(batch, &attempts);
            let came = attempts.within(|| self.host.place(), asked).await;
            let came = came.map_err(|fault| after(fault, &all.took))?;
            same_length(&all, &came).map_err(|kind| {
                let fault = ModelFault::unasked(kind, self.host.place());
                let spend = Box::new(came.took.spend.clone());
                after(ModelFault { attempts: attempts.made(), spend, ..fault }, &all.took)
            })?;
            all.vectors.extend(came.vectors);
            all.took = all.took.plus(came.took);
        }
        Ok(all)
    }

    fn identity(&self) -> &ModelIdentity {
        self.host.identity()
    }
}

impl QuestionEmbedder {
    /// The texts as the model wants them.
    fn told(&self, purpose: EmbedPurpose, texts: &[String]) -> Vec<String> {
        let settings = &self.host.settings;
        let prefix = match purpose {
            EmbedPurpose::Catalogue => settings.entry_prefix.as_ref(),
            EmbedPurpose::Question | EmbedPurpose::Probe => settings.question_prefix.as_ref(),
        };
        let with = |text: &String| prefix.map_or_else(|| text.clone(), |prefix| format!("{prefix} {text}"));
        texts.iter().map(with).collect()
    }

    async fn asked(&self, batch: &[String], attempts: &Attempts) -> Result<Embedded, ModelFaultKind> {
        // The semaphore is never closed, so waiting for it only ends with a slot.
        let _slot = self.host.slots.acquire().await;
        let tried = attempt(ATTEMPTS_MAX, tokio::time::sleep, |number, _: Option<()>| async move {
            match self.exchange(batch, attempts, number).await {
                Ok(came) => Step::Done(came),
                Err(failed) => attempts.judged(failed, number),
            }
        });
        let came = tried.await.end?;
        Ok(Embedded { took: EmbedTook { spend: attempts.spend(), ..came.took }, ..came })
    }

    /// One request, paid for.
    async fn exchange(&self, batch: &[String], attempts: &Attempts, number: u32) -> Result<Embedded, Failed> {
        let prices = self.host.settings.prices.as_ref();
        let wanted = Spend::of(usage(batch, None), prices);
        let spent = |told: &ToldVectors| Spend::of(usage(batch, told.tokens), prices);
        let (told, latency) = attempts.paid(number, &self.purse, wanted, self.sent(batch), spent).await?;
        let usage = usage(batch, told.tokens);
        let took = EmbedTook {
            sent: batch.len(),
            usage: Some(usage),
            spend: Spend::of(usage, prices),
            latency,
            notes: Vec::new(),
        };
        Ok(Embedded { vectors: told.vectors, took })
    }

    async fn sent(&self, batch: &[String]) -> Result<ToldVectors, Failed> {
        let host = &self.host;
        let body = embeddings::request(&host.settings.provider.name, batch).to_string();
        let text = match host.client.post(body, &|_| ()).await? {
            Body::Json(text) => text,
            Body::Events(_) => {
                return Err(Failed::bad(BadReply::ContentType { found: "text/event-stream".to_owned() }));
            }
        };
        let value = embeddings::parsed(&text).map_err(Failed::bad)?;
        if let Some(failed) = complaint(&host.client, &value) {
            return Err(failed);
        }
        embeddings::told(&value, batch.len()).map_err(Failed::bad)
    }
}

/// How many tokens texts take: as the endpoint says, or by their length.
fn usage(batch: &[String], told: Option<u64>) -> Usage {
    match told {
        // Texts without tokens are no count.
        Some(input_tokens) if input_tokens > 0 => {
            Usage { input_tokens, output_tokens: 0, source: UsageSource::Reported }
        }
        Some(_) | None => {
            let tokens: usize = batch.iter().map(|text| text.len().div_ceil(BYTES_PER_TOKEN)).sum();
            Usage { input_tokens: tokens as u64, output_tokens: 0, source: UsageSource::Estimated }
        }
    }
}

/// A fault, with what the batches before it took.
fn after(fault: ModelFault, before: &EmbedTook) -> ModelFault {
    let spend = Box::new(before.spend.plus(&fault.spend));
    ModelFault { spend, took: before.latency + fault.took, ..fault }
}

/// Vectors of two batches are of one length, or they are of two models.
fn same_length(before: &Embedded, came: &Embedded) -> Result<(), ModelFaultKind> {
    let (Some(first), Some(next)) = (before.vectors.first(), came.vectors.first()) else { return Ok(()) };
    let (expected, came) = (first.dimensions(), next.dimensions());
    if expected == came {
        return Ok(());
    }
    Err(ModelFaultKind::BadReply(BadReply::Vectors(BadVectors::Dimension { expected, came })))
}

fn digest(batch: &[String]) -> String {
    use std::fmt::Write as _;
    let digest = batch.iter().fold(Sha256::new(), |sum, text| sum.chain_update(text.as_bytes()));
    digest.finalize().iter().take(4).fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// What settings say that cannot be.
fn checked(settings: &EmbeddingSettings) -> Result<(), ModelFaultKind> {
    let wrong =
        |why: &str, hint: &str| Err(ModelFaultKind::Settings { why: why.to_owned(), hint: hint.to_owned() });
    let money = settings.budget.money_per_question.is_some() || settings.budget.money_per_day.is_some();
    if money && settings.prices.is_none() {
        let why = "the budget under `embeddings:` is in money, and no prices are set";
        return wrong(why, "set `prices` under `embeddings:`, or a budget in tokens");
    }
    if settings.concurrency == 0 || settings.timeout_ms == 0 || settings.texts_per_request == 0 {
        let why = "a limit under `embeddings:` is 0, so nothing could ever be asked";
        return wrong(why, "set it to 1 or more, or leave `embeddings:` out");
    }
    if settings.texts_per_request > EmbeddingSettings::TEXTS_PER_REQUEST_MAX {
        let why = "`texts_per_request` under `embeddings:` is more than a reply has room for";
        return wrong(why, "set it to 256 or less");
    }
    Ok(())
}

fn identity(settings: &EmbeddingSettings, place: String) -> ModelIdentity {
    let prefixes = [("question_prefix", &settings.question_prefix), ("entry_prefix", &settings.entry_prefix)];
    let said = |(name, prefix): (&str, &Option<String>)| Some((name.to_owned(), prefix.clone()?));
    ModelIdentity {
        provider: settings.provider.provider.clone(),
        model: settings.provider.name.clone(),
        place,
        parameters: prefixes.into_iter().filter_map(said).collect(),
    }
}
