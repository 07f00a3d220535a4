//! Sentences that a model writes over an answer: those that hold must stand, the others must not be shown.
//!
//! One line each: `holds:` (with the sentence as it must be shown behind ` => `, where code says more than the model did), `lies:`, `infers:` (with the figures it reasons from behind `|`) or `guesses:` (an inference
//! that may not be shown).

use std::sync::Arc;

use serde_json::json;
use tieout_agent::{Journal, ModelNarrator};
use tieout_core::{
    claim::{Author, Claim, tether},
    model::NarrateMode,
    outcome::Answer,
    ports::Narrator,
};
use tieout_model::scripted::{Scripted, script};

use super::Case;

/// What became of the sentences of a case.
pub struct Judged {
    /// How many of them lied.
    pub lies: usize,
    /// What went wrong.
    pub verdict: Result<(), String>,
}

/// Says each sentence over the answer of a case.
pub async fn judged(case: &Case, answer: &Answer, said: &str) -> Judged {
    let (mut lies, mut wrong) = (0, Vec::new());
    for line in said.lines().filter(|line| !line.trim().is_empty()) {
        let (kind, text) = line.split_once(": ").unwrap_or_else(|| panic!("{}: {line}", case.name));
        let (holds, infers) = match kind {
            "holds" => (true, false),
            "lies" => (false, false),
            "infers" => (true, true),
            "guesses" => (false, true),
            _ => panic!("{}: {line}", case.name),
        };
        lies += usize::from(!holds);
        let (text, shown) = text.split_once(" => ").map_or((text, None), |(text, shown)| (text, Some(shown)));
        match claims(answer, text, infers).await {
            Err(why) => wrong.push(format!("{line}\n  {why}")),
            Ok(claims) => {
                let theirs: Vec<&Claim> = claims.iter().filter(|c| c.author == Author::Model).collect();
                match (holds, theirs.as_slice()) {
                    (true, [claim]) if shown.is_none_or(|shown| shown == claim.text) => {}
                    (true, [claim]) => wrong.push(format!("{line}\n  was shown as: {}", claim.text)),
                    (false, []) => {}
                    (true, _) => wrong.push(format!("{line}\n  was not let through")),
                    (false, _) => wrong.push(format!("{line}\n  was shown as: {}", theirs[0].text)),
                }
                if claims.len() == theirs.len() && !holds {
                    wrong.push(format!("{line}\n  and no sentence of ours stands in its place"));
                }
            }
        }
    }
    let verdict = if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) };
    Judged { lies, verdict }
}

async fn claims(answer: &Answer, text: &str, infers: bool) -> Result<Vec<Claim>, String> {
    let reply = if infers {
        let (text, from) = text.split_once(" | ").unwrap_or((text, ""));
        let from: Vec<&str> = from.split_whitespace().collect();
        json!({ "sentences": [{ "text": text, "inferred": true, "from": from }] })
    } else {
        json!({ "sentences": [{ "text": text }] })
    };
    // As often as it may be asked.
    let lines = script(&vec![reply.to_string(); 3].join("\n---\n")).map_err(|e| e.to_string())?;
    let narrator = ModelNarrator {
        model: Arc::new(Scripted::lines(lines)),
        mode: if infers { NarrateMode::ModelInferring } else { NarrateMode::Model },
        journal: &Journal::default(),
    };
    let draft = narrator.narrate(&answer.settled, &answer.figures).await.map_err(|e| format!("{e:?}"))?;
    let claims = tether(&draft, &answer.figures, &answer.trail.evidence).map_err(|e| format!("{e:?}"))?;
    Ok(claims.list().to_vec())
}
