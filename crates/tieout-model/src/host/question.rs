//! The model as one question has it: with its own purse, and a note of every exchange.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use serde_json::Value;
use tieout_core::{
    attempt::{ATTEMPTS_MAX, Step, attempt},
    model::{
        BadReply, Mode, ModelFault, ModelFaultKind, ModelIdentity, Prompt, Purpose, Reply, Spend, Usage,
        UsageSource,
    },
    ports::Model,
};
use tokio::time::Instant;

use super::ModelHost;
use crate::{
    budget::{NoRoom, Purse, settled},
    http::{Again, Body, Complaint, Failed, Worked, events, plain},
    locked,
    providers::{Abilities, Ask, Delivery, Gap, Told},
    said::{NotStrict, judge_ended, strict_json},
};

/// How many bytes are counted as one token where the endpoint does not say. Fewer than the four of English text, so
/// that rather too much is put aside than too little.
const BYTES_PER_TOKEN: usize = 3;

/// What marks the end of some streams, and is no event of its own.
const STREAM_DONE: &str = "[DONE]";

/// How much of a reply has come. Never its words: nobody sees those before they are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received {
    /// What is asked for.
    pub purpose: Purpose,
    /// Which attempt, from 1.
    pub attempt: u32,
    /// How many bytes have come.
    pub bytes: usize,
}

/// Told whenever more of a reply has come.
pub type Progress = Arc<dyn Fn(Received) + Send + Sync>;

/// The model as one question has it.
pub struct QuestionModel {
    host: Arc<ModelHost>,
    purse: Purse,
    progress: Option<Progress>,
    mode: Option<Mode>,
}

impl QuestionModel {
    pub(super) fn new(host: Arc<ModelHost>, purse: Purse) -> Self {
        Self { host, purse, progress: None, mode: None }
    }

    /// The same, telling how much has come. Replies then come as streams.
    #[must_use]
    pub fn with_progress(mut self, progress: Progress) -> Self {
        self.progress = Some(progress);
        self
    }

    /// The same, held to a mode whatever was found out.
    pub(crate) fn in_mode(mut self, mode: Mode) -> Self {
        self.mode = Some(mode);
        self
    }

    /// What the question took so far, with what is put aside for prompts that are under way.
    #[must_use]
    pub fn spent(&self) -> Spend {
        self.purse.spent()
    }

    fn abilities(&self) -> Abilities {
        let found = self.host.abilities();
        Abilities { mode: self.mode.unwrap_or(found.mode), ..found }
    }

    fn reply_tokens_max(&self, prompt: &Prompt) -> u32 {
        prompt.limits.reply_tokens_max.min(self.host.settings.reply_tokens_max).max(1)
    }

    /// The most that a prompt may take.
    fn wanted(&self, prompt: &Prompt) -> Spend {
        let usage = Usage {
            input_tokens: prompt.bytes().div_ceil(BYTES_PER_TOKEN) as u64,
            output_tokens: self.reply_tokens_max(prompt).into(),
            source: UsageSource::Estimated,
        };
        Spend::of(usage, self.host.settings.prices.as_ref())
    }
}

/// One prompt under way.
struct Asking<'a> {
    prompt: &'a Prompt,
    deadline: Instant,
    /// How many attempts were made. What the endpoint turned down because it does not know it takes none.
    attempts: AtomicU32,
    /// What that took; of a request under way, the most that it may take.
    spend: Mutex<Spend>,
}

impl Asking<'_> {
    fn spend(&self) -> Spend {
        locked(&self.spend).clone()
    }

    fn change_spend(&self, change: impl FnOnce(&Spend) -> Spend) {
        let mut spend = locked(&self.spend);
        *spend = change(&spend);
    }
}

#[async_trait]
impl Model for QuestionModel {
    async fn complete(&self, prompt: &Prompt) -> Result<Reply, ModelFault> {
        let begun = Instant::now();
        let after = Duration::from_millis(self.host.settings.timeout_ms);
        let asking =
            Asking { prompt, deadline: begun + after, attempts: AtomicU32::new(0), spend: Mutex::default() };
        let end = tokio::time::timeout(after, self.asked(&asking)).await;
        end.unwrap_or(Err(ModelFaultKind::Timeout { after })).map_err(|kind| ModelFault {
            kind,
            place: self.host.place(),
            attempts: asking.attempts.load(Ordering::Relaxed),
            spend: Box::new(asking.spend()),
            took: begun.elapsed(),
        })
    }

    fn identity(&self) -> &ModelIdentity {
        self.host.identity()
    }
}

impl QuestionModel {
    async fn asked(&self, asking: &Asking<'_>) -> Result<Reply, ModelFaultKind> {
        // The semaphore is never closed, so waiting for it only ends with a slot.
        let _slot = self.host.slots.acquire().await;
        let attempts_max = asking.prompt.limits.attempts_max.min(ATTEMPTS_MAX);
        let tried =
            attempt(attempts_max, tokio::time::sleep, |number, _: Option<()>| self.step(asking, number))
                .await;
        let attempts = asking.attempts.load(Ordering::Relaxed);
        tried.end.map(|reply| Reply { attempts, spend: asking.spend(), ..reply })
    }

    /// One attempt. What the endpoint turns down because it does not know it is left out at once: that is no failure
    /// which would pass, and takes no attempt.
    async fn step(&self, asking: &Asking<'_>, number: u32) -> Step<Reply, ModelFaultKind, ()> {
        let mut abilities = self.abilities();
        loop {
            match self.exchange(asking, abilities, number).await {
                Ok(reply) => return Step::Done(reply),
                Err(failed) => match self.host.learn(abilities, &failed, self.mode) {
                    Some(other) => abilities = other,
                    None => return self.judged(failed, asking, number),
                },
            }
        }
    }

    /// Whether a failure is worth another attempt.
    fn judged(&self, failed: Failed, asking: &Asking<'_>, number: u32) -> Step<Reply, ModelFaultKind, ()> {
        let patience = self.host.patience;
        let pause = match failed.again {
            Again::Never => return Step::Stop(failed.kind),
            Again::After(wanted) if wanted > patience.retry_after_max => return Step::Stop(failed.kind),
            Again::After(wanted) => wanted,
            Again::Soon => backoff(patience.backoff_first, number, &asking.prompt.digest()),
        };
        if Instant::now() + pause >= asking.deadline {
            return Step::Stop(failed.kind);
        }
        Step::Again { feedback: (), otherwise: failed.kind, took: 1, pause }
    }

    /// One request, paid for.
    async fn exchange(
        &self,
        asking: &Asking<'_>,
        abilities: Abilities,
        number: u32,
    ) -> Result<Reply, Failed> {
        let aside = self.purse.put_aside(self.wanted(asking.prompt)).await.map_err(|no_room| {
            Failed::turned_down(match no_room {
                NoRoom::Spent(spent) => ModelFaultKind::Budget(spent),
                NoRoom::Unknown(why) => ModelFaultKind::BudgetUnknown { why },
            })
        })?;
        asking.attempts.store(number, Ordering::Relaxed);
        asking.change_spend(|spend| spend.plus(aside.spend()));
        let begun = Instant::now();
        let end = self.sent(asking.prompt, abilities, number).await;
        let latency = begun.elapsed();
        let taken = match &end {
            Ok(told) => Spend::of(self.usage(asking.prompt, told), self.host.settings.prices.as_ref()),
            Err(failed) if failed.worked == Worked::Maybe => aside.spend().clone(),
            Err(_) => Spend::default(),
        };
        asking.change_spend(|spend| settled(spend, aside.spend(), &taken));
        // When this cannot be kept, what was put aside stays spent, which is never too little.
        let _ = self.purse.settle(aside, &taken).await;
        end.map(|told| self.reply(asking.prompt, told, abilities, latency))
    }

    async fn sent(&self, prompt: &Prompt, abilities: Abilities, number: u32) -> Result<Told, Failed> {
        let host = &self.host;
        let delivery = if self.progress.is_some() { Delivery::Stream } else { Delivery::Whole };
        let ask = Ask {
            prompt,
            model: &host.settings.provider.name,
            abilities,
            delivery,
            reply_tokens_max: self.reply_tokens_max(prompt),
        };
        let body = (host.provider.request)(&ask).to_string();
        let received = |bytes| {
            if let Some(progress) = &self.progress {
                progress(Received { purpose: prompt.purpose, attempt: number, bytes });
            }
        };
        let body = host.client.post(body, host.provider, &received).await?;
        let value = match body {
            Body::Json(text) => parsed(&text)?,
            Body::Events(text) => self.gathered(&text)?,
        };
        if let Some(failed) = self.complaint(&value) {
            return Err(failed);
        }
        (host.provider.told)(&value, abilities.mode).map_err(shape)
    }

    /// The body that a stream amounts to.
    fn gathered(&self, text: &str) -> Result<Value, Failed> {
        let mut values = Vec::new();
        for event in events(text).iter().filter(|event| event.as_str() != STREAM_DONE) {
            let value = parsed(event)?;
            if let Some(failed) = self.complaint(&value) {
                return Err(failed);
            }
            values.push(value);
        }
        (self.host.provider.gather)(&values).map_err(|gap| match gap {
            Gap::Cut => Failed::bad(BadReply::Cut),
            Gap::Shape(why) => shape(why),
        })
    }

    /// A complaint that came with a good status, as some gateways and every stream send it.
    fn complaint(&self, value: &Value) -> Option<Failed> {
        value.get("error").filter(|error| !error.is_null())?;
        let complaint = Complaint::of(&self.host.client.hidden(&value.to_string()));
        let kind = ModelFaultKind::Server { status: 200, said: complaint.text.clone() };
        Some(Failed { kind, again: Again::Soon, worked: Worked::Maybe, complaint: Box::new(complaint) })
    }

    fn usage(&self, prompt: &Prompt, told: &Told) -> Usage {
        match told.tokens {
            // A prompt without tokens is no count.
            Some((input_tokens, output_tokens)) if input_tokens > 0 => {
                Usage { input_tokens, output_tokens, source: UsageSource::Reported }
            }
            Some(_) | None => Usage {
                input_tokens: prompt.bytes().div_ceil(BYTES_PER_TOKEN) as u64,
                output_tokens: told.text.len().div_ceil(BYTES_PER_TOKEN) as u64,
                source: UsageSource::Estimated,
            },
        }
    }

    fn reply(&self, prompt: &Prompt, told: Told, abilities: Abilities, latency: Duration) -> Reply {
        let usage = self.usage(prompt, &told);
        let said = judge_ended(&told.text, told.ending, &prompt.schema);
        self.host.learn_from(abilities, &said, self.mode);
        Reply {
            said,
            prompt_digest: prompt.digest(),
            model: told.model.as_deref().map_or_else(|| self.identity().model.clone(), plain),
            mode: abilities.mode,
            usage,
            spend: Spend::of(usage, self.host.settings.prices.as_ref()),
            latency,
            attempts: 1,
            text: told.text,
        }
    }
}

/// One JSON text of an endpoint's. A key that stands twice would say two things here as well.
fn parsed(text: &str) -> Result<Value, Failed> {
    strict_json(text).map_err(|error| match error {
        NotStrict::Syntax(why) if why.starts_with("EOF") => Failed::bad(BadReply::Cut),
        NotStrict::Syntax(why) | NotStrict::DuplicateKey(why) => shape(why),
    })
}

fn shape(why: String) -> Failed {
    Failed::bad(BadReply::Shape { why })
}

/// Twice as long before each attempt, and up to half as much more: which part of it, the prompt decides, so that
/// questions that failed together do not come back together. No luck is needed for that.
fn backoff(first: Duration, number: u32, digest: &str) -> Duration {
    let spread = digest.get(..2).and_then(|hex| u32::from_str_radix(hex, 16).ok()).unwrap_or(0);
    let length = first * 2_u32.saturating_pow(number.saturating_sub(1));
    length + length * spread / 512
}
