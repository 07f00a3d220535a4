//! What a model was asked and said while one question was answered, for the record and for `--trace`.
//!
//! Owns the list of exchanges, and what was listed of a large catalogue. Deliberately absent: the texts of prompts and replies, which a cassette keeps.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tieout_core::model::{ModelFault, ModelIdentity, Prompt, Purpose, Reply, Spend, Usage};

use crate::shortlist::{ListedBy, Listing};

/// One exchange with a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Exchange {
    /// What for.
    pub purpose: Purpose,
    /// The version of the prompt's text.
    pub version: String,
    /// The prompt's digest.
    pub prompt_digest: String,
    /// Who answered.
    pub identity: ModelIdentity,
    /// How often the endpoint was asked.
    pub attempts: u32,
    /// What it took.
    pub took: Took,
    /// What became of it.
    pub judged: Judged,
}

/// What an exchange took.
#[derive(Clone, Debug, PartialEq)]
pub struct Took {
    /// Tokens of the prompt and of the reply; none when nothing came.
    pub usage: Option<Usage>,
    /// Tokens and money, with all attempts. What came to nothing may have cost as well.
    pub spend: Spend,
    /// How long it took.
    pub latency: Duration,
}

/// What became of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judged {
    /// It passed every check.
    Accepted {
        /// What the model said besides, which nobody asked for.
        without: Vec<String>,
    },
    /// The model said that it cannot.
    Declined,
    /// It did not pass, and why.
    Rejected(Vec<String>),
    /// Nothing came, and why.
    Failed(String),
}

impl Exchange {
    /// An exchange that came to a reply.
    pub(crate) fn of(prompt: &Prompt, identity: &ModelIdentity, reply: &Reply, judged: Judged) -> Self {
        Self {
            purpose: prompt.purpose,
            version: prompt.version.clone(),
            prompt_digest: reply.prompt_digest.clone(),
            identity: identity.clone(),
            attempts: reply.attempts,
            took: Took { usage: Some(reply.usage), spend: reply.spend.clone(), latency: reply.latency },
            judged,
        }
    }
}

/// The exchanges of one question, in order.
#[derive(Debug, Default)]
pub struct Journal {
    exchanges: Mutex<Vec<Exchange>>,
    listing: Mutex<Option<Listing>>,
}

impl Journal {
    /// Notes one.
    pub(crate) fn note(&self, exchange: Exchange) {
        self.exchanges.lock().unwrap_or_else(PoisonError::into_inner).push(exchange);
    }

    /// Notes one that came to nothing.
    pub(crate) fn failed(&self, prompt: &Prompt, identity: &ModelIdentity, fault: &ModelFault) {
        self.note(Exchange {
            purpose: prompt.purpose,
            version: prompt.version.clone(),
            prompt_digest: prompt.digest(),
            identity: identity.clone(),
            attempts: fault.attempts,
            took: Took { usage: None, spend: fault.spend.as_ref().clone(), latency: fault.took },
            judged: Judged::Failed(fault.to_string()),
        });
    }

    /// Notes what of a large catalogue the model was told of. Of a small one it is told all, which says nothing.
    pub(crate) fn listed(&self, listing: Listing) {
        let shortlist = &listing.shortlist;
        let mut all = shortlist.metrics.iter().chain(&shortlist.populations).chain(&shortlist.datasets);
        if !all.any(|listed| listed.by == ListedBy::Whole) {
            *self.listing.lock().unwrap_or_else(PoisonError::into_inner) = Some(listing);
        }
    }

    /// What of a large catalogue the model was told of.
    #[must_use]
    pub fn listing(&self) -> Option<Listing> {
        self.listing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// All of them.
    #[must_use]
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.exchanges.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
