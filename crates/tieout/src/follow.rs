//! The way back from a follow-up to what was asked before it.
//!
//! The chain of recorded questions is read again, each over the one before it, and must be read as it was then: the
//! catalogue is the same and so is every reading. Deliberately absent: any memory beside the ledger.

use tieout_agent::TakenReader;
use tieout_core::{
    halt::{Fault, FaultKind, Halt},
    ports::{ReadContext, Reader},
    question::{Confirmation, Question},
    reading::{Problem, Reading, ReasonCode, Request},
    scope::{Scope, Session},
};
use tieout_ledger::Ledger;

use crate::{
    edit::EditedReader,
    session::{NoRecord, Workbench},
    wire::{self, Ending, Record},
};

/// The most follow-ups, one upon the other, that are read again for the next one.
pub const FOLLOW_UPS_MAX: usize = 50;

impl Workbench {
    /// What the previous answer was understood to ask, read again from the chain of recorded questions: the outer
    /// result says whether the record is there, the inner one whether it may still be followed up.
    pub(crate) async fn previous(
        &self,
        session: &Session,
        ledger: &Ledger,
        id: &str,
    ) -> Result<Result<Option<Request>, Halt>, NoRecord> {
        let reading = self.reading_of(session, ledger, id).await?;
        Ok(reading.map(|reading| reading.map(|reading| reading.request)))
    }

    /// How a recorded question was read, read again with all that it follows up.
    ///
    /// # Errors
    /// As [`Workbench::previous`].
    pub(crate) async fn reading_of(
        &self,
        session: &Session,
        ledger: &Ledger,
        id: &str,
    ) -> Result<Result<Option<Reading>, Halt>, NoRecord> {
        let mut chain = vec![self.record(session, ledger, id).await?];
        while let Some(id) = chain.last().and_then(|record| record.after.clone()) {
            if chain.len() >= FOLLOW_UPS_MAX {
                return Ok(Err(refuse(
                    format!("more than {FOLLOW_UPS_MAX} questions follow one another"),
                    "ask the question whole",
                )));
            }
            chain.push(self.record(session, ledger, &id).await?);
        }
        Ok(self.read_chain(&Scope::of(session), &chain).await)
    }

    async fn read_chain(&self, scope: &Scope, chain: &[Record]) -> Result<Option<Reading>, Halt> {
        let names = self.names(scope).await.map_err(Halt::Fault)?;
        let mut previous: Option<Reading> = None;
        for record in chain.iter().rev() {
            if record.project.catalogue_digest != self.project().catalogue.digest {
                return Err(refuse(
                    format!("the catalogue has changed since {} was answered", record.id),
                    "ask the question whole",
                ));
            }
            if !record.asked_as.is_question() {
                return Err(refuse(
                    format!("{} is a statement and no question, so nothing can follow it up", record.id),
                    "ask the question whole",
                ));
            }
            let question = question_of(record)?;
            let builtin = self.reader();
            let reader = TakenReader { builtin, otherwise: builtin };
            let reader = EditedReader { reader: &reader, edits: &record.edits };
            let before = previous.as_ref().map(|reading| &reading.request);
            let context = ReadContext { project: self.project(), values: &names, previous: before };
            let reading = reader.read(&question, context).await?;
            let then = record.trail.iter().find(|entry| entry.stage == "read");
            if then.is_none_or(|then| then.text != reading.to_string()) {
                return Err(refuse(
                    format!(
                        "{} would be read differently today, because the names in the data have changed",
                        record.id
                    ),
                    "ask the question whole",
                ));
            }
            if !reading.doubts.is_empty() || !matches!(record.ending, Ending::Answer(_)) {
                return Err(refuse(format!("{} was not answered", record.id), "follow up an answer"));
            }
            previous = Some(reading);
        }
        Ok(previous)
    }
}

/// The question of a record, as it was asked.
fn question_of(record: &Record) -> Result<Question, Halt> {
    let now = record.now.parse().map_err(|error| {
        let message = format!("the moment of {} does not read back: {error}", record.id);
        Halt::Fault(Fault { kind: FaultKind::Ledger, message, hint: "ask the question whole".to_owned() })
    })?;
    let choice = |c: &wire::Confirmed| Confirmation { subject: c.subject.clone(), choice: c.choice.clone() };
    Ok(Question {
        text: record.question.clone(),
        now,
        confirmed: record.confirmed.iter().map(choice).collect(),
    })
}

fn refuse(message: String, hint: &str) -> Halt {
    Halt::Refuse(vec![Problem::new(ReasonCode::Unsupported, message, hint)])
}
