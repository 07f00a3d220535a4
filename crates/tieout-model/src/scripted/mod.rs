//! A model that says what a script tells it to: for tests, and for `model` fences in cases.
//!
//! What it says is judged exactly as a provider's reply is. Deliberately absent: any attempt to say something sensible.

mod embedder;
mod parse;

use std::{sync::Mutex, time::Duration};

use async_trait::async_trait;
use tieout_core::{
    model::{
        Mode, ModelFault, ModelFaultKind, ModelIdentity, Prompt, Purpose, Reply, Spend, Usage, UsageSource,
    },
    ports::Model,
};

use crate::{
    locked,
    said::{Ending, judge_ended},
};

pub use embedder::ScriptedEmbedder;
pub use parse::{NotAScript, script};

/// How many bytes are counted as a token where nobody else counts.
const BYTES_PER_TOKEN: usize = 4;

/// What is said to one prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Says {
    /// A reply, in these words.
    Reply {
        /// The words.
        text: String,
        /// How it ends.
        ending: Ending,
    },
    /// Asking fails.
    Fault(ModelFaultKind),
}

impl Says {
    /// A reply that is complete.
    #[must_use]
    pub fn reply(text: impl Into<String>) -> Self {
        Self::Reply { text: text.into(), ending: Ending::Complete }
    }
}

/// How often a line may be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uses {
    /// Once.
    Once,
    /// As often as it is asked for.
    Always,
}

/// One line of a script: to which prompts, and what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Only to prompts of this purpose.
    pub purpose: Option<Purpose>,
    /// Only to prompts that hold these words in a turn.
    pub containing: Option<String>,
    /// What.
    pub says: Says,
    /// How often.
    pub uses: Uses,
}

impl Line {
    fn is_for(&self, prompt: &Prompt) -> bool {
        let purpose = self.purpose.is_none_or(|purpose| purpose == prompt.purpose);
        let holds = |words: &String| prompt.turns.iter().any(|turn| turn.text.contains(words));
        purpose && self.containing.as_ref().is_none_or(holds)
    }
}

type Improvised = Box<dyn Fn(&Prompt) -> Says + Send + Sync>;

enum Plot {
    Lines(Vec<Line>),
    Improvised(Improvised),
}

/// A model that says what it is told to.
pub struct Scripted {
    identity: ModelIdentity,
    plot: Mutex<Plot>,
    asked: Mutex<Vec<Prompt>>,
}

impl Scripted {
    /// Says the lines, each to the first prompt that it is for.
    #[must_use]
    pub fn lines(lines: Vec<Line>) -> Self {
        Self::of(Plot::Lines(lines))
    }

    /// Says these replies, one after the other, whatever is asked.
    #[must_use]
    pub fn replies<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Self {
        let line =
            |text: T| Line { purpose: None, containing: None, says: Says::reply(text), uses: Uses::Once };
        Self::lines(texts.into_iter().map(line).collect())
    }

    /// Says what a function makes of the prompt, for models that behave at random.
    #[must_use]
    pub fn improvising(says: impl Fn(&Prompt) -> Says + Send + Sync + 'static) -> Self {
        Self::of(Plot::Improvised(Box::new(says)))
    }

    fn of(plot: Plot) -> Self {
        let identity = ModelIdentity {
            provider: "scripted".to_owned(),
            model: "script".to_owned(),
            place: "this process".to_owned(),
            parameters: Vec::new(),
        };
        Self { identity, plot: Mutex::new(plot), asked: Mutex::new(Vec::new()) }
    }

    /// Every prompt so far, in order.
    #[must_use]
    pub fn asked(&self) -> Vec<Prompt> {
        locked(&self.asked).clone()
    }

    /// How many lines that are said once were not.
    #[must_use]
    pub fn left(&self) -> usize {
        match &*locked(&self.plot) {
            Plot::Lines(lines) => lines.iter().filter(|line| line.uses == Uses::Once).count(),
            Plot::Improvised(_) => 0,
        }
    }

    fn next(&self, prompt: &Prompt) -> Option<Says> {
        match &mut *locked(&self.plot) {
            Plot::Improvised(says) => Some(says(prompt)),
            Plot::Lines(lines) => {
                let at = lines.iter().position(|line| line.is_for(prompt))?;
                match lines[at].uses {
                    Uses::Always => Some(lines[at].says.clone()),
                    Uses::Once => Some(lines.remove(at).says),
                }
            }
        }
    }
}

#[async_trait]
impl Model for Scripted {
    async fn complete(&self, prompt: &Prompt) -> Result<Reply, ModelFault> {
        locked(&self.asked).push(prompt.clone());
        let fault = |kind| ModelFault { attempts: 1, ..ModelFault::unasked(kind, "the script") };
        match self.next(prompt) {
            None => Err(fault(ModelFaultKind::ScriptEnded { purpose: prompt.purpose.code() })),
            Some(Says::Fault(kind)) => Err(fault(kind)),
            Some(Says::Reply { text, ending }) => Ok(self.reply(prompt, text, ending)),
        }
    }

    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }
}

impl Scripted {
    fn reply(&self, prompt: &Prompt, text: String, ending: Ending) -> Reply {
        let tokens = |bytes: usize| bytes.div_ceil(BYTES_PER_TOKEN) as u64;
        let usage = Usage {
            input_tokens: tokens(prompt.bytes()),
            output_tokens: tokens(text.len()),
            source: UsageSource::Estimated,
        };
        Reply {
            said: judge_ended(&text, ending, &prompt.schema),
            prompt_digest: prompt.digest(),
            model: self.identity.model.clone(),
            mode: Mode::Plain,
            usage,
            spend: Spend::of(usage, None),
            latency: Duration::ZERO,
            attempts: 1,
            text,
        }
    }
}
