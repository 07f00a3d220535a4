//! What the tests of models share.

#![allow(dead_code, reason = "each test uses a part")]

use std::{path::Path, sync::Arc, time::Duration};

use serde_json::json;
use tieout_core::model::{
    EmbeddingSettings, KeySource, ModelFault, ModelSettings, Plaintext, Prompt, PromptLimits,
    ProviderSettings, Purpose, Said, Speaker, Turn, UnfitKind,
};
use tieout_model::{
    EmbeddingHost, ModelHost, Outside, Patience,
    budget::{SpendInMemory, SpendStore},
};

/// A prompt that asks these words; its reply is to name a metric.
pub fn prompt(words: &str) -> Prompt {
    Prompt {
        purpose: Purpose::Read,
        version: "read-1".to_owned(),
        system: "Name the metric that is asked for.".to_owned(),
        turns: vec![Turn { speaker: Speaker::User, text: words.to_owned() }],
        schema: json!({
            "type": "object",
            "properties": {"metric": {"type": "string", "enum": ["net_revenue", "orders"]}},
            "required": ["metric"],
            "additionalProperties": false,
        }),
        limits: PromptLimits { attempts_max: 3, reply_tokens_max: 200 },
    }
}

/// The reply that names orders.
pub fn orders() -> Said {
    Said::Fits(json!({"metric": "orders"}))
}

/// Why a reply cannot be used.
pub fn unfit(said: &Said) -> Option<UnfitKind> {
    match said {
        Said::Fits(_) => None,
        Said::Unfit(unfit) => Some(unfit.kind),
    }
}

pub mod server;

/// A day whose budget is used.
pub const DAY: jiff::civil::Date = jiff::civil::date(2026, 11, 30);

/// Settings of an endpoint on this machine.
pub fn settings(provider: &str, url: &str) -> ModelSettings {
    ModelSettings::of(ProviderSettings {
        provider: provider.to_owned(),
        url: Some(url.to_owned()),
        name: "m".to_owned(),
        key: Some(KeySource::Env("THE_KEY".to_owned())),
        key_header: None,
        plaintext: Plaintext::Refused,
    })
}

/// The key in the variable `THE_KEY`.
pub const KEY: &str = "sk-very-secret";

/// Opens a host whose environment holds nothing but the key, and which waits only a moment between attempts.
pub fn open(settings: &ModelSettings) -> Result<Arc<ModelHost>, ModelFault> {
    open_with(settings, Arc::new(SpendInMemory::default()))
}

/// As [`open`], with a store of its own.
pub fn open_with(settings: &ModelSettings, store: Arc<dyn SpendStore>) -> Result<Arc<ModelHost>, ModelFault> {
    let variable = |name: &str| (name == "THE_KEY").then(|| KEY.to_owned());
    let outside = Outside { variable: &variable, project: Path::new("/nowhere") };
    let patience =
        Patience { backoff_first: Duration::from_millis(2), retry_after_max: Duration::from_secs(2) };
    ModelHost::open_with(settings, outside, store, patience)
}

/// Settings of an endpoint of embeddings on this machine.
pub fn embedding_settings(url: &str) -> EmbeddingSettings {
    EmbeddingSettings::of(settings(EmbeddingSettings::PROVIDER, url).provider)
}

/// Opens a host of embeddings as [`open`] opens one of words.
pub fn open_embeddings(settings: &EmbeddingSettings) -> Result<Arc<EmbeddingHost>, ModelFault> {
    open_embeddings_with(settings, Arc::new(SpendInMemory::default()))
}

/// As [`open_embeddings`], with a store of its own.
pub fn open_embeddings_with(
    settings: &EmbeddingSettings,
    store: Arc<dyn SpendStore>,
) -> Result<Arc<EmbeddingHost>, ModelFault> {
    let variable = |name: &str| (name == "THE_KEY").then(|| KEY.to_owned());
    let outside = Outside { variable: &variable, project: Path::new("/nowhere") };
    let patience =
        Patience { backoff_first: Duration::from_millis(2), retry_after_max: Duration::from_secs(2) };
    EmbeddingHost::open_with(settings, outside, store, patience)
}
