//! What of a large catalogue a language model was told of, and why.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tieout_agent::shortlist::{Listed, Listing, MeaningAsked};

/// What of a large catalogue a model was told of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Shortlist {
    /// How many metrics, populations and datasets the catalogue has.
    pub entries: usize,
    /// The metrics that were listed.
    pub metrics: Vec<ListedEntry>,
    /// The populations.
    pub populations: Vec<ListedEntry>,
    /// The datasets.
    pub datasets: Vec<ListedEntry>,
    /// What became of looking by meaning; absent where the project names no embeddings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_meaning: Option<ByMeaning>,
}

/// An entry that was listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ListedEntry {
    /// Its name.
    pub name: String,
    /// `words`, `meaning`, `both`, or `needed` where another entry needs it.
    pub by: String,
}

/// What became of looking by meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ByMeaning {
    /// The provider whose words were spoken, such as `openai`.
    pub provider: String,
    /// The model's name.
    pub model: String,
    /// Where it is: host and port.
    pub place: String,
    /// How many texts were sent; all others were kept from before.
    pub sent: usize,
    /// Tokens of what was sent; none when nothing came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// What it cost, a decimal, where prices are set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<String>,
    /// How long it took, in microseconds.
    pub latency_us: u64,
    /// `used` or `failed`. Where it failed, words alone chose.
    pub judged: String,
    /// Why it failed, and what else should be known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<String>,
}

impl From<&Listing> for Shortlist {
    fn from(listing: &Listing) -> Self {
        let entry =
            |listed: &Listed| ListedEntry { name: listed.name.clone(), by: listed.by.code().to_owned() };
        let list = |all: &[Listed]| all.iter().map(entry).collect();
        Self {
            entries: listing.entries,
            metrics: list(&listing.shortlist.metrics),
            populations: list(&listing.shortlist.populations),
            datasets: list(&listing.shortlist.datasets),
            by_meaning: listing.meaning.as_ref().map(ByMeaning::from),
        }
    }
}

impl From<&MeaningAsked> for ByMeaning {
    fn from(asked: &MeaningAsked) -> Self {
        let (identity, took) = (&asked.identity, &asked.took);
        let judged = if asked.failed.is_some() { "failed" } else { "used" };
        Self {
            provider: identity.provider.clone(),
            model: identity.model.clone(),
            place: identity.place.clone(),
            sent: took.sent,
            tokens: took.usage.map(|usage| usage.tokens()),
            cost: took.spend.money.as_ref().map(|money| money.normalized().to_plain_string()),
            latency_us: u64::try_from(took.latency.as_micros()).unwrap_or(u64::MAX),
            judged: judged.to_owned(),
            because: asked.failed.iter().chain(&took.notes).cloned().collect(),
        }
    }
}
