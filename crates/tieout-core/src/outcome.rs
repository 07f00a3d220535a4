//! How a question ends: an answer, a doubt or a refusal, each with its trail.
//!
//! One function, [`conclude`], folds the end of the pipe into `Ok(Outcome)` or `Err(Broken)`; nothing else makes an
//! outcome, so none loses its trail. Caveats are attached here, by code, after every sentence is written.

use crate::{
    claim::Claims,
    definitions::{BlockLine, Settled},
    evidence::{Caveat, Evidence, EvidenceState, Purpose},
    figures::Figures,
    halt::{Fault, Halt},
    reading::{Doubtful, Problem, WordUse},
};

/// One stage's carbon copy, as it prints itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrailEntry {
    /// The stage's name, as in the pipe: `read`, `settle`, `draw`, ….
    pub stage: &'static str,
    /// What it gave, in its plain form.
    pub text: String,
}

/// What every stage left behind, and the evidence gathered so far.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// In the order of the pipe.
    pub entries: Vec<TrailEntry>,
    /// Every query that ran.
    pub evidence: Vec<Evidence>,
    /// What every word was used for, once the question is read.
    pub words: Vec<WordUse>,
    /// The block, once the reading is settled (or as far as it was understood).
    pub block: Vec<BlockLine>,
}

impl Trail {
    /// Leaves a stage's carbon copy.
    pub fn leave(&mut self, stage: &'static str, text: String) {
        self.entries.push(TrailEntry { stage, text });
    }
}

/// The end of a question that is not a fault.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Figures or rows, tied out.
    Answer(Box<Answer>),
    /// The asker must choose first.
    Doubt {
        /// At least one, the first to be settled first.
        doubts: Vec<Doubtful>,
        /// What was done so far.
        trail: Trail,
    },
    /// Declined, with reasons.
    Refusal {
        /// At least one, the first to be settled first.
        problems: Vec<Problem>,
        /// What was done so far.
        trail: Trail,
    },
}

impl Outcome {
    /// What was done.
    #[must_use]
    pub fn trail(&self) -> &Trail {
        match self {
            Self::Answer(answer) => &answer.trail,
            Self::Doubt { trail, .. } | Self::Refusal { trail, .. } => trail,
        }
    }

    /// The outcome's name, as shown and as written in files.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Answer(_) => "answer",
            Self::Doubt { .. } => "doubt",
            Self::Refusal { .. } => "refusal",
        }
    }
}

/// A lawful answer.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The reading that stands above the number.
    pub settled: Settled,
    /// The figures, or the rows of a list.
    pub figures: Figures,
    /// Sentences that hold.
    pub claims: Claims,
    /// What must be said beside the figures, attached by code.
    pub caveats: Vec<Caveat>,
    /// What was done.
    pub trail: Trail,
}

/// A fault, and what was done before it.
#[derive(Clone, Debug)]
pub struct Broken {
    /// What broke.
    pub fault: Fault,
    /// What was done.
    pub trail: Trail,
}

/// What the last stage gave when nothing stopped the pipe.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The reading.
    pub settled: Settled,
    /// The figures.
    pub figures: Figures,
    /// The claims.
    pub claims: Claims,
    /// What must be said beside them.
    pub caveats: Vec<Caveat>,
}

/// Folds the end of the pipe. The one maker of outcomes.
///
/// # Errors
/// A fault, with the trail up to it.
pub fn conclude(end: Result<Finished, Halt>, mut trail: Trail) -> Result<Outcome, Box<Broken>> {
    match end {
        Ok(Finished { settled, figures, claims, caveats }) => {
            trail.leave("conclude", "answer".to_owned());
            Ok(Outcome::Answer(Box::new(Answer { settled, figures, claims, caveats, trail })))
        }
        Err(Halt::Doubt(doubts)) => {
            trail.leave("conclude", "doubt".to_owned());
            Ok(Outcome::Doubt { doubts, trail })
        }
        Err(Halt::Refuse(problems)) => {
            trail.leave("conclude", "refusal".to_owned());
            Ok(Outcome::Refusal { problems, trail })
        }
        Err(Halt::Fault(fault)) => {
            trail.leave("conclude", "fault".to_owned());
            Err(Box::new(Broken { fault, trail }))
        }
    }
}

/// What was looked at, for a refusal: each query that ran and how many rows it found.
#[must_use]
pub fn looked_at(trail: &Trail) -> Vec<String> {
    let counted = |e: &Evidence| match e.state() {
        EvidenceState::None => "no rows".to_owned(),
        EvidenceState::Rows | EvidenceState::Zero | EvidenceState::CutShort => {
            format!("{} rows", e.rows().rows.len())
        }
    };
    trail
        .evidence
        .iter()
        .filter(|e| e.purpose() != Purpose::Support)
        .map(|e| {
            format!(
                "{}: {} over {}: {}",
                e.id(),
                e.purpose().name(),
                e.query().tables().join(", "),
                counted(e)
            )
        })
        .collect()
}
