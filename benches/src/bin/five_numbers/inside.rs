//! The same question through tieout: with the built-in reader alone, or with a model behind it. Where tieout asks back,
//! each reading that it offers is taken, to see what an asker would be shown.
//!
//! Deliberately absent: any way to an answer that a user of tieout has not.

use std::sync::Arc;

use jiff::Timestamp;
use tieout::session::{Answered, Ask, Modelled, Workbench};
use tieout_core::{
    definitions::BlockLine,
    model::{DraftMode, NarrateMode, ReadMode},
    outcome::Outcome,
    ports::Model,
    question::Confirmation,
    scope::Session,
};

use crate::tables::{Table, answered};

/// How often tieout may ask back in a row before nobody would go on.
const ASKED_BACK_MAX: usize = 3;

/// What came of asking.
#[derive(Debug)]
pub enum Told {
    /// An answer at once.
    Answer(Table),
    /// It asked back, and this is what each reading leads to.
    AskedBack(Vec<Taken>),
    /// It declined, for these reasons.
    Declined(Vec<String>),
    /// Something broke.
    Broken(String),
}

/// A reading that an asker takes.
#[derive(Debug)]
pub struct Taken {
    /// What was offered, in its own words.
    pub offered: String,
    /// The rows it leads to; none where it leads to no answer.
    pub table: Option<Table>,
    /// The block above them.
    pub block: String,
}

/// Who reads, and what with.
pub struct Inside<'a> {
    /// The project.
    pub bench: &'a Workbench,
    /// Who asks.
    pub session: &'a Session,
    /// The moment that relative periods count from.
    pub now: Timestamp,
    /// The model, and who reads.
    pub model: Option<(Arc<dyn Model>, ReadMode)>,
}

impl Inside<'_> {
    /// Asks one question.
    pub async fn ask(&self, question: &str) -> Told {
        let answered = self.asked(question, &[]).await;
        match answered.outcome {
            Ok(Outcome::Answer(answer)) => {
                Told::Answer(crate::tables::answered(&answer.figures, &answer.trail.evidence))
            }
            Ok(Outcome::Refusal { problems, .. }) => Told::Declined(
                problems.into_iter().map(|p| format!("{}: {}", p.code.code(), p.message)).collect(),
            ),
            Ok(Outcome::Doubt { doubts, .. }) => {
                let mut taken = Vec::new();
                for doubt in doubts.iter().take(1) {
                    for choice in &doubt.choices {
                        let first =
                            Confirmation { subject: doubt.subject.clone(), choice: choice.key.clone() };
                        let offered = format!("{} = {}", doubt.subject, choice.key);
                        self.take(question, vec![first], offered, &mut taken).await;
                    }
                }
                Told::AskedBack(taken)
            }
            Err(broken) => Told::Broken(broken.fault.message),
        }
    }

    /// Takes a reading, and every reading that is offered after it.
    async fn take(
        &self,
        question: &str,
        confirmed: Vec<Confirmation>,
        offered: String,
        taken: &mut Vec<Taken>,
    ) {
        let mut waiting = vec![(confirmed, offered)];
        while let Some((confirmed, offered)) = waiting.pop() {
            let outcome = self.asked(question, &confirmed).await.outcome;
            let (table, block) = match outcome {
                Ok(Outcome::Answer(answer)) => {
                    (Some(answered(&answer.figures, &answer.trail.evidence)), block(answer.settled.block()))
                }
                Ok(Outcome::Doubt { doubts, trail }) => {
                    let known = |subject: &str| confirmed.iter().any(|c| c.subject == subject);
                    let next = doubts.iter().find(|doubt| !known(&doubt.subject));
                    if let Some(doubt) = next.filter(|_| confirmed.len() < ASKED_BACK_MAX) {
                        for choice in &doubt.choices {
                            let more =
                                Confirmation { subject: doubt.subject.clone(), choice: choice.key.clone() };
                            let offered = format!("{offered}; {} = {}", doubt.subject, choice.key);
                            waiting.push((confirmed.iter().cloned().chain([more]).collect(), offered));
                        }
                        continue;
                    }
                    (None, block(&trail.block))
                }
                Ok(Outcome::Refusal { trail, .. }) => (None, block(&trail.block)),
                Err(broken) => (None, broken.fault.message),
            };
            taken.push(Taken { offered, table, block });
        }
    }

    async fn asked(&self, question: &str, confirmed: &[Confirmation]) -> Answered {
        let ask = Ask {
            id: "five-numbers".to_owned(),
            asked_at: self.now,
            now: self.now,
            question: question.to_owned(),
            confirmed: confirmed.to_vec(),
            after: None,
            edits: None,
        };
        match &self.model {
            Some((model, read)) => {
                let (model, read) = (Arc::clone(model), *read);
                let modelled = Modelled {
                    model,
                    read,
                    narrate: NarrateMode::Builtin,
                    embedder: None,
                    drafts: DraftMode::Never,
                };
                self.bench.answer_unrecorded_with(self.session, ask, None, modelled).await
            }
            None => self.bench.answer_unrecorded(self.session, ask).await,
        }
    }
}

fn block(lines: &[BlockLine]) -> String {
    let said = |line: &BlockLine| {
        let parts: Vec<&str> = line.parts.iter().map(|part| part.text.as_str()).collect();
        format!("{}: {}", line.field.name(), parts.join("; "))
    };
    lines.iter().map(said).collect::<Vec<_>>().join(" | ")
}
