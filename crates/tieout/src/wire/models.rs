//! What a language model was asked while a question was answered, and what became of it.
//!
//! Deliberately absent: the texts. Their digests say which they were.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tieout_agent::Judged;

/// One exchange with a language model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exchange {
    /// `read`, `narrate`, `draft` or `probe`.
    pub purpose: String,
    /// The version of the prompt's text.
    pub prompt: String,
    /// SHA-256 of what was asked, in hexadecimal.
    pub prompt_digest: String,
    /// The provider, such as `openai`.
    pub provider: String,
    /// The model's name.
    pub model: String,
    /// Where it is: host and port.
    pub place: String,
    /// What was sent beside the prompt, as `name=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<String>,
    /// How often the endpoint was asked.
    pub attempts: u32,
    /// Tokens of the prompt; none when nothing came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens of the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// What it cost, a decimal, where prices are set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<String>,
    /// How long it took, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_us: Option<u64>,
    /// `accepted`, `declined`, `rejected` or `failed`.
    pub judged: String,
    /// Why it was rejected or failed, or what it was accepted without.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<String>,
}

impl From<&tieout_agent::Exchange> for Exchange {
    fn from(exchange: &tieout_agent::Exchange) -> Self {
        let took = &exchange.took;
        let (judged, because) = match &exchange.judged {
            Judged::Accepted { without } => (
                "accepted",
                without.iter().map(|part| format!("without {part}, which no word asks for")).collect(),
            ),
            Judged::Declined => ("declined", Vec::new()),
            Judged::Rejected(because) => ("rejected", because.clone()),
            Judged::Failed(why) => ("failed", vec![why.clone()]),
        };
        Self {
            purpose: exchange.purpose.code().to_owned(),
            prompt: exchange.version.clone(),
            prompt_digest: exchange.prompt_digest.clone(),
            provider: exchange.identity.provider.clone(),
            model: exchange.identity.model.clone(),
            place: exchange.identity.place.clone(),
            parameters: exchange
                .identity
                .parameters
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect(),
            attempts: exchange.attempts,
            input_tokens: took.usage.map(|usage| usage.input_tokens),
            output_tokens: took.usage.map(|usage| usage.output_tokens),
            cost: took.spend.money.as_ref().map(|money| money.normalized().to_plain_string()),
            latency_us: Some(u64::try_from(took.latency.as_micros()).unwrap_or(u64::MAX)),
            judged: judged.to_owned(),
            because,
        }
    }
}
