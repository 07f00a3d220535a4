//! The model as one question has it: with its own purse, and a note of every exchange.

use std::{sync::Arc, time::Duration};

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

use super::{ModelHost, attempts::Attempts};
use crate::{
    budget::Purse,
    http::{Again, Body, Client, Complaint, Failed, Worked, events, plain},
    providers::{Abilities, Ask, Delivery, Gap, Told},
    said::{NotStrict, judge_ended, strict_json},
};

/// How many bytes are counted as one token where the endpoint does not say. Fewer than the four of English text, so
/// that rather too much is put aside than too little.
pub(super) const BYTES_PER_TOKEN: usize = 3;

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
    attempts: Attempts,
}

#[async_trait]
impl Model for QuestionModel {
    async fn complete(&self, prompt: &Prompt) -> Result<Reply, ModelFault> {
        let attempts = Attempts::begin(self.host.settings.timeout_ms, self.host.patience, prompt.digest());
        let asking = Asking { prompt, attempts };
        asking.attempts.within(|| self.host.place(), self.asked(&asking)).await
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
        let (attempts, spend) = (asking.attempts.made(), asking.attempts.spend());
        tried.end.map(|reply| Reply { attempts, spend, ..reply })
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
                    None => return asking.attempts.judged(failed, number),
                },
            }
        }
    }

    /// One request, paid for.
    async fn exchange(
        &self,
        asking: &Asking<'_>,
        abilities: Abilities,
        number: u32,
    ) -> Result<Reply, Failed> {
        let prompt = asking.prompt;
        let spent = |told: &Told| Spend::of(self.usage(prompt, told), self.host.settings.prices.as_ref());
        let sent = self.sent(prompt, abilities, number);
        let (told, latency) =
            asking.attempts.paid(number, &self.purse, self.wanted(prompt), sent, spent).await?;
        Ok(self.reply(prompt, told, abilities, latency))
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
        let body = host.client.post(body, &received).await?;
        let value = match body {
            Body::Json(text) => parsed(&text)?,
            Body::Events(text) => self.gathered(&text)?,
        };
        if let Some(failed) = complaint(&self.host.client, &value) {
            return Err(failed);
        }
        (host.provider.told)(&value, abilities.mode).map_err(shape)
    }

    /// The body that a stream amounts to.
    fn gathered(&self, text: &str) -> Result<Value, Failed> {
        let mut values = Vec::new();
        for event in events(text).iter().filter(|event| event.as_str() != STREAM_DONE) {
            let value = parsed(event)?;
            if let Some(failed) = complaint(&self.host.client, &value) {
                return Err(failed);
            }
            values.push(value);
        }
        (self.host.provider.gather)(&values).map_err(|gap| match gap {
            Gap::Cut => Failed::bad(BadReply::Cut),
            Gap::Shape(why) => shape(why),
        })
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

/// A complaint that came with a good status, as some gateways and every stream send it.
pub(super) fn complaint(client: &Client, value: &Value) -> Option<Failed> {
    value.get("error").filter(|error| !error.is_null())?;
    let complaint = Complaint::of(&client.hidden(&value.to_string()));
    let kind = ModelFaultKind::Server { status: 200, said: complaint.text.clone() };
    Some(Failed { kind, again: Again::Soon, worked: Worked::Maybe, complaint: Box::new(complaint) })
}
