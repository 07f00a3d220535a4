//! Has statements drafted by a language model, from the settled definitions alone, and believes it in nothing.
//!
//! What comes meets the checker that everybody's SQL meets, is held to what our own statement of the same leg works out,
//! and each of its columns is proved to be what it will be read as. What is accepted runs in the place of our own
//! statement. Deliberately absent: any way from a draft to the warehouse but that proof, and the question, the session
//! and the rows, which nothing here is given.

mod prompt;

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};

use tieout_core::{
    attempt::ATTEMPTS_MAX,
    catalogue::{Catalogue, Project},
    compile::{ReliedKey, leg_to_draft},
    definitions::Settled,
    halt::{Fault, Halt},
    model::{Prompt, Reply, Said},
    outcome::Trail,
    plan::{FiguresPlan, Formula, Leg},
    ports::Model,
    reading::{MeasureRef, Problem, ReasonCode, Request, Source},
};
use tieout_sql::{CheckedQuery, Context, Expected, Laid, LaidColumn, Laying, Rejected, lay_text};

use crate::{
    drafted::{Draft, Drafted, Feedback, NoStatement, drafted},
    journal::{Exchange, Journal, Judged},
};

/// Drafts statements with a model.
pub struct ModelDrafter<'a> {
    /// The model.
    pub model: Arc<dyn Model>,
    /// Where every exchange is noted.
    pub journal: &'a Journal,
}

/// The aggregates that no metric covers and that the asker confirmed, by their places in the plan.
pub(crate) fn made_up(settled: &Settled, plan: &FiguresPlan) -> BTreeSet<usize> {
    let Request::Figures(request) = settled.request() else { return BTreeSet::new() };
    let confirmed = |source: Source| source == Source::Confirmed;
    let is_made_up = |measure: &MeasureRef| match measure {
        MeasureRef::AdHoc { .. } => true,
        MeasureRef::Metric(_) | MeasureRef::Count { .. } => false,
    };
    let measures = request.measures.iter().zip(&plan.measures);
    measures
        .filter(|(asked, _)| is_made_up(&asked.value) && confirmed(asked.source))
        .filter_map(|(_, planned)| match &planned.formula {
            Formula::Atom(place) => Some(*place),
            Formula::Constant(_)
            | Formula::Add(..)
            | Formula::Subtract(..)
            | Formula::Multiply(..)
            | Formula::Divide(..) => None,
        })
        .collect()
}

/// One statement to be drafted: what it works out, and the columns under which that is read.
struct Task<'a> {
    leg: &'a str,
    expected: Expected,
    wanted: Vec<LaidColumn>,
    catalogue: &'a Catalogue,
}

impl ModelDrafter<'_> {
    /// The statement of a leg, drafted and accepted; none where no one statement works it out, which is then our own
    /// code's to write.
    pub(crate) async fn leg(
        &self,
        leg: &Leg,
        plan: &FiguresPlan,
        project: &Project,
        context: &Context<'_>,
        trail: &mut Trail,
    ) -> Result<Option<CheckedQuery>, Halt> {
        let (expected, wanted) = match leg_to_draft(leg, plan, project) {
            Ok(put) => put,
            Err(Halt::Refuse(problems)) => {
                let why: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
                trail.leave("draft", format!("{}: left to our own code; {}", leg.id, why.join("; ")));
                return Ok(None);
            }
            Err(halt @ (Halt::Doubt(_) | Halt::Fault(_))) => return Err(halt),
        };
        let task = Task { leg: &leg.id, expected, wanted, catalogue: &project.catalogue };
        let Drafted { sql, accepted, attempts } = self.accepted(&task, context).await?;
        let laying = match accepted.laying {
            Laying::AsWritten => "as it was written",
            Laying::Renamed => "with its columns named around it",
        };
        let findings: Vec<String> = accepted.findings.iter().map(ToString::to_string).collect();
        trail.leave(
            "draft",
            format!("{}: by a model, attempt {attempts}, {laying}: {sql}\n{}", leg.id, findings.join("\n")),
        );
        Ok(Some(accepted.query))
    }

    async fn accepted(&self, task: &Task<'_>, context: &Context<'_>) -> Result<Drafted<Laid>, Halt> {
        let talk = Mutex::new(Talk {
            prompt: prompt::prompt(&task.expected, &task.wanted, task.catalogue),
            reply: None,
        });
        let judge = |sql: &str| {
            let laid = lay_text(sql, context, &task.expected, &task.wanted);
            self.note(&talk, laid.as_ref().err());
            laid
        };
        let draft = |number: u32, feedback: Option<Feedback>| {
            let prompt = next(&talk, number, feedback.as_ref());
            let talk = &talk;
            async move { self.ask(prompt, talk).await }
        };
        drafted(judge, draft).await.map_err(|halt| unaccepted(halt, task.leg))
    }

    /// Asks once; what came and is no statement is noted here, a statement when it was judged.
    async fn ask(&self, prompt: Prompt, talk: &Mutex<Talk>) -> Result<Draft, Fault> {
        let reply = match self.model.complete(&prompt).await {
            Ok(reply) => reply,
            Err(fault) => {
                self.journal.failed(&prompt, self.model.identity(), &fault);
                return Err(fault.into());
            }
        };
        let said = match &reply.said {
            Said::Fits(value) => prompt::statement(value),
            Said::Unfit(unfit) => Err(NoStatement(unfit.to_string())),
        };
        if let Err(NoStatement(why)) = &said {
            let judged = Judged::Rejected(vec![why.clone()]);
            self.journal.note(Exchange::of(&prompt, self.model.identity(), &reply, judged));
        }
        let took = reply.attempts;
        let mut talk = talk.lock().unwrap_or_else(PoisonError::into_inner);
        *talk = Talk { prompt, reply: Some(reply) };
        Ok(Draft { said, took })
    }

    fn note(&self, talk: &Mutex<Talk>, rejected: Option<&Rejected>) {
        let talk = talk.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(reply) = &talk.reply else { return };
        let judged = match rejected {
            None => Judged::Accepted { without: Vec::new() },
            Some(rejected) => Judged::Rejected(rejected.rejections.iter().map(ToString::to_string).collect()),
        };
        self.journal.note(Exchange::of(&talk.prompt, self.model.identity(), reply, judged));
    }
}

/// What was asked last, and what came.
struct Talk {
    prompt: Prompt,
    reply: Option<Reply>,
}

/// The next prompt: what was said, and why it does not do, stand behind the one before.
fn next(talk: &Mutex<Talk>, number: u32, feedback: Option<&Feedback>) -> Prompt {
    let talk = talk.lock().unwrap_or_else(PoisonError::into_inner);
    let mut prompt = match (feedback, &talk.reply) {
        (Some(feedback), Some(reply)) => talk.prompt.after(&reply.text, &prompt::rejection(feedback)),
        (Some(_) | None, _) => talk.prompt.clone(),
    };
    prompt.limits.attempts_max = ATTEMPTS_MAX.saturating_sub(number).saturating_add(1);
    prompt
}

/// No draft was accepted: the last rejection stands behind that.
fn unaccepted(halt: Halt, leg: &str) -> Halt {
    match halt {
        Halt::Refuse(last) => {
            let first = Problem::new(
                ReasonCode::NoDraft,
                format!(
                    "no statement that a model drafted for {leg} works out just what is asked; nothing was run"
                ),
                "ask again, or for a metric of the catalogue; `drafts: never` under `model:` leaves statements to our own code",
            );
            Halt::Refuse(std::iter::once(first).chain(last).collect())
        }
        halt @ (Halt::Doubt(_) | Halt::Fault(_)) => halt,
    }
}

/// The keys by which a draft's joins repeat no row: the one side of each relationship that it joins along, and where it
/// joins otherwise (a table with itself) those of every table that it reads.
pub(crate) fn joined_keys(query: &CheckedQuery, catalogue: &Catalogue) -> BTreeSet<ReliedKey> {
    let mut keys = BTreeSet::new();
    let mut add = |dataset: &str, fields: &[String]| {
        if !fields.is_empty() {
            keys.insert(ReliedKey { dataset: dataset.to_owned(), fields: fields.to_vec() });
        }
    };
    for join in query.joins() {
        match join.relationship.as_ref().and_then(|name| catalogue.relationships.get(name)) {
            Some(along) => add(&along.to, &along.to_columns),
            None => {
                for dataset in query.tables().iter().filter_map(|name| catalogue.datasets.get(name)) {
                    add(&dataset.name, &dataset.primary_key);
                }
            }
        }
    }
    keys
}
