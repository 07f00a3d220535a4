//! What the tests of models share.

#![allow(dead_code, reason = "each test uses a part")]

use serde_json::json;
use tieout_core::model::{Prompt, PromptLimits, Purpose, Said, Speaker, Turn, UnfitKind};

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
