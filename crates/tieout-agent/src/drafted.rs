//! A statement that somebody else drafts, judged until it is accepted: at most three attempts in all, each told of the
//! rejections of the one before. The last rejection becomes the refusal.
//!
//! Who drafts is handed in as a function from feedback to SQL; it sees no question and runs nothing. Deliberately absent:
//! the loop itself, which is the product's one (`core::attempt`), and any prompt.

use std::{
    fmt,
    future::{Future, ready},
    time::Duration,
};

use tieout_core::{
    attempt::{ATTEMPTS_MAX, Step, attempt},
    halt::{Fault, Halt},
};
use tieout_sql::{CheckedQuery, Context, Expected, Finding, Held, Rejected, check_text, hold_text};

use crate::answer::refused_by;

/// A draft, as whoever drafts hands it in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// The statement.
    pub sql: String,
    /// How many attempts it took: more than one where whoever drafts tried again on their own, so that they are counted
    /// once in all.
    pub took: u32,
}

/// A draft that was accepted.
#[derive(Debug)]
pub struct Drafted {
    /// As it was drafted.
    pub sql: String,
    /// As it may run.
    pub query: CheckedQuery,
    /// How it stands to every part of what it was to work out: all of them present.
    pub findings: Vec<Finding>,
    /// How many attempts were made: at least one.
    pub attempts: u32,
}

/// What the next attempt is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feedback {
    /// The draft that was rejected.
    pub sql: String,
    /// Why: the same words that a person and the log see.
    pub rejected: Rejected,
}

impl fmt::Display for Feedback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.rejected)
    }
}

/// Has a statement drafted, and judges it; a draft that is rejected is followed by another, told why.
///
/// # Errors
/// A refusal with the reasons of the last rejection, or the fault of whoever drafts.
pub async fn drafted<D, DF>(
    context: &Context<'_>,
    expected: Option<&Expected>,
    mut draft: D,
) -> Result<Drafted, Halt>
where
    D: FnMut(u32, Option<Feedback>) -> DF,
    DF: Future<Output = Result<Draft, Fault>>,
{
    // A rejected draft is followed by the next at once: there is nobody to wait for.
    let pause = |_: Duration| ready(());
    let attempted = attempt(ATTEMPTS_MAX, pause, |number, feedback| {
        let draft = draft(number, feedback);
        async move {
            let Draft { sql, took } = match draft.await {
                Ok(draft) => draft,
                Err(fault) => return Step::Stop(Halt::Fault(fault)),
            };
            match judged(&sql, context, expected) {
                Ok((query, findings)) => Step::Done((sql, query, findings)),
                Err(rejected) => Step::Again {
                    otherwise: refused_by(&rejected),
                    feedback: Feedback { sql, rejected },
                    took,
                    pause: Duration::ZERO,
                },
            }
        }
    })
    .await;
    let attempts = attempted.attempts;
    attempted.end.map(|(sql, query, findings)| Drafted { sql, query, findings, attempts })
}

fn judged(
    sql: &str,
    context: &Context<'_>,
    expected: Option<&Expected>,
) -> Result<(CheckedQuery, Vec<Finding>), Rejected> {
    let Some(expected) = expected else {
        return check_text(sql, Vec::new(), context).map(|query| (query, Vec::new()));
    };
    let Held { findings, outcome } = hold_text(sql, Vec::new(), context, expected)?;
    outcome.map(|query| (query, findings))
}
