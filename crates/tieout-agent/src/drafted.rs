//! A statement that somebody else drafts, judged until it is accepted: at most three attempts in all, each told of the
//! rejections of the one before. The last rejection becomes the refusal.
//!
//! Who drafts is handed in as a function from feedback to SQL, and who judges as a function from SQL to what is accepted;
//! neither sees a question, and nothing runs. Deliberately absent: the loop itself, which is the product's one
//! (`core::attempt`), and any prompt.

use std::{
    fmt,
    future::{Future, ready},
    time::Duration,
};

use tieout_core::{
    attempt::{ATTEMPTS_MAX, Step, attempt},
    halt::{Fault, Halt},
    reading::{Problem, ReasonCode},
};
use tieout_sql::Rejected;

use crate::answer::refused_by;

/// What whoever drafts hands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The statement; or why there is none.
    pub said: Result<String, NoStatement>,
    /// How many attempts it took: more than one where whoever drafts tried again on their own, so that they are counted
    /// once in all.
    pub took: u32,
}

/// Why what came is no statement: no words, or others than were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoStatement(pub String);

/// A draft that was accepted.
#[derive(Debug)]
pub struct Drafted<T> {
    /// As it was drafted.
    pub sql: String,
    /// What it was accepted as.
    pub accepted: T,
    /// How many attempts were made: at least one.
    pub attempts: u32,
}

/// What the next attempt is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feedback {
    /// The draft was rejected.
    Rejected {
        /// The draft.
        sql: String,
        /// Why: the same words that a person and the log see.
        rejected: Rejected,
    },
    /// There was no draft.
    NoStatement(NoStatement),
}

impl fmt::Display for Feedback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected { sql: _, rejected } => write!(f, "{rejected}"),
            Self::NoStatement(NoStatement(why)) => f.write_str(why),
        }
    }
}

/// Has a statement drafted, and judges it; a draft that is rejected is followed by another, told why.
///
/// # Errors
/// A refusal with the reasons of the last rejection, or the fault of whoever drafts.
pub async fn drafted<T, J, D, DF>(judge: J, mut draft: D) -> Result<Drafted<T>, Halt>
where
    J: Fn(&str) -> Result<T, Rejected>,
    D: FnMut(u32, Option<Feedback>) -> DF,
    DF: Future<Output = Result<Draft, Fault>>,
{
    // A rejected draft is followed by the next at once: there is nobody to wait for.
    let pause = |_: Duration| ready(());
    let attempted = attempt(ATTEMPTS_MAX, pause, |number, feedback| {
        let (draft, judge) = (draft(number, feedback), &judge);
        async move {
            let Draft { said, took } = match draft.await {
                Ok(draft) => draft,
                Err(fault) => return Step::Stop(Halt::Fault(fault)),
            };
            let feedback = match said {
                Ok(sql) => match judge(&sql) {
                    Ok(accepted) => return Step::Done((sql, accepted)),
                    Err(rejected) => Feedback::Rejected { sql, rejected },
                },
                Err(none) => Feedback::NoStatement(none),
            };
            Step::Again { otherwise: refused(&feedback), feedback, took, pause: Duration::ZERO }
        }
    })
    .await;
    let attempts = attempted.attempts;
    attempted.end.map(|(sql, accepted)| Drafted { sql, accepted, attempts })
}

fn refused(feedback: &Feedback) -> Halt {
    match feedback {
        Feedback::Rejected { sql: _, rejected } => refused_by(rejected),
        Feedback::NoStatement(NoStatement(why)) => Halt::Refuse(vec![Problem::new(
            ReasonCode::NoDraft,
            format!("no statement was drafted: {why}"),
            "ask again, or for a metric of the catalogue",
        )]),
    }
}
