//! Shows what an endpoint can do: each mode is tried with one small prompt, and vectors of two short texts are asked for.
//!
//! A mode that holds a reply to a shape is told nothing of the shape in words, and is asked for something else, so that
//! an endpoint that quietly leaves the parameter out is found. Deliberately absent: any judgement of the model's wits.

use std::{sync::Arc, time::Duration};

use jiff::civil::Date;
use serde_json::json;
use tieout_core::{
    model::{
        EmbedPurpose, EmbedTook, Mode, ModelFault, ModelFaultKind, ModelIdentity, Prompt, PromptLimits,
        Purpose, Said, Speaker, Spend, Turn, Unfit, Usage, Vector,
    },
    ports::{Embedder, Model},
};

use crate::host::{EmbeddingHost, ModelHost};

/// The longest reply to a probe, in tokens. Models that think before they answer need some.
const REPLY_TOKENS_MAX: u32 = 1_000;

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Who was asked.
    pub identity: ModelIdentity,
    /// Each mode that was tried, the strongest first.
    pub modes: Vec<ModeReport>,
}

/// What was found of one mode.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeReport {
    /// Which.
    pub mode: Mode,
    /// What came of it.
    pub found: ModeFound,
}

/// What came of a mode.
#[derive(Clone, Debug, PartialEq)]
pub enum ModeFound {
    /// The reply had the shape.
    Works {
        /// The model, as the endpoint names itself.
        model: String,
        /// How long it took.
        latency: Duration,
        /// How many tokens.
        usage: Usage,
        /// What it cost.
        spend: Spend,
    },
    /// A reply came, and had another shape: the endpoint takes the parameter and does not hold to it.
    Ignored {
        /// How it does not fit.
        unfit: Unfit,
        /// How long it took.
        latency: Duration,
    },
    /// The endpoint does not take it.
    NotTaken {
        /// What it says.
        fault: ModelFault,
    },
    /// Asking failed, as it would in any mode.
    Fault(ModelFault),
}

impl Report {
    /// The strongest mode that works: what `mode:` may be set to.
    #[must_use]
    pub fn best(&self) -> Option<Mode> {
        let works = |report: &&ModeReport| matches!(report.found, ModeFound::Works { .. });
        self.modes.iter().find(works).map(|report| report.mode)
    }

    /// What was spent.
    #[must_use]
    pub fn spend(&self) -> Spend {
        self.modes.iter().fold(Spend::default(), |sum, report| match &report.found {
            ModeFound::Works { spend, .. } => sum.plus(spend),
            ModeFound::Ignored { .. } | ModeFound::NotTaken { .. } | ModeFound::Fault(_) => sum,
        })
    }
}

/// What an endpoint of embeddings does.
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddingReport {
    /// Who was asked.
    pub identity: ModelIdentity,
    /// What came of it.
    pub found: Result<VectorsFound, ModelFault>,
}

/// What vectors came.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorsFound {
    /// How many numbers each has.
    pub dimensions: usize,
    /// What it took.
    pub took: EmbedTook,
}

/// Asks for the vectors of two short texts.
pub async fn probe_embeddings(host: &Arc<EmbeddingHost>, day: Date) -> EmbeddingReport {
    let texts = ["net revenue", "the sea"].map(str::to_owned);
    let came = host.for_question(day).embed(EmbedPurpose::Probe, &texts).await;
    let found = came.map(|came| VectorsFound {
        dimensions: came.vectors.first().map_or(0, Vector::dimensions),
        took: came.took,
    });
    EmbeddingReport { identity: host.identity().clone(), found }
}

/// Tries every mode. It stops at a fault that every mode would meet.
pub async fn probe(host: &Arc<ModelHost>, day: Date) -> Report {
    let mut modes = Vec::new();
    for mode in host.modes().iter().copied() {
        let model = host.for_question(day).in_mode(mode);
        let found = match model.complete(&prompt(mode)).await {
            Ok(reply) => match reply.said {
                Said::Fits(_) => ModeFound::Works {
                    model: reply.model,
                    latency: reply.latency,
                    usage: reply.usage,
                    spend: reply.spend,
                },
                Said::Unfit(unfit) => ModeFound::Ignored { unfit, latency: reply.latency },
            },
            Err(fault) if matches!(fault.kind, ModelFaultKind::NotTaken { .. }) => {
                ModeFound::NotTaken { fault }
            }
            Err(fault) => ModeFound::Fault(fault),
        };
        let over = matches!(found, ModeFound::Fault(_));
        modes.push(ModeReport { mode, found });
        if over {
            break;
        }
    }
    Report { identity: host.identity().clone(), modes }
}

fn prompt(mode: Mode) -> Prompt {
    let words = match mode {
        Mode::Schema | Mode::Tool => "Write one sentence about the sea.",
        Mode::Json | Mode::Plain => "Give the reply that the schema describes.",
    };
    Prompt {
        purpose: Purpose::Probe,
        version: "probe-1".to_owned(),
        system: "Be brief.".to_owned(),
        turns: vec![Turn { speaker: Speaker::User, text: words.to_owned() }],
        schema: json!({
            "type": "object",
            "properties": {"word": {"type": "string", "enum": ["tieout"]}},
            "required": ["word"],
            "additionalProperties": false,
        }),
        limits: PromptLimits { attempts_max: 1, reply_tokens_max: REPLY_TOKENS_MAX },
    }
}
