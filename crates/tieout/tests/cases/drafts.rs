//! Statements that a model drafts for a question: those that hold must run in the place of our own and give the same rows;
//! the others must be caught before anything runs.
//!
//! One line each: `holds:` or `renamed:` (with its columns named around it) before SQL, `lies:` before SQL that is something
//! else, `says:` before a whole reply that is no draft. Where a total is a query of its own, its draft is the fence `total`. A line may begin with a word why in brackets; `\n` is a new line.

use std::sync::Arc;

use serde_json::json;
use tieout::{
    session::{Answered, Modelled},
    wire::{Ending, Query, Record, WrittenBy},
};
use tieout_agent::Verdict;
use tieout_core::{
    model::{DraftMode, NarrateMode, Purpose, ReadMode},
    outcome::{Answer, Outcome},
    ports::Model,
};
use tieout_model::scripted::{Says, Scripted};

use super::{Case, Runner};

/// What became of the drafts of a case.
pub struct Judged {
    /// How many of them lied.
    pub lies: usize,
    /// What went wrong.
    pub verdict: Result<(), String>,
}

/// Has each line drafted for the question of a case, which our own statements answer.
pub async fn judged(runner: &Runner<'_>, case: &Case, own: &Answer, said: &str) -> Judged {
    let (mut lies, mut wrong) = (0, Vec::new());
    for line in said.lines().filter(|line| !line.trim().is_empty()) {
        let (kind, rest) = line.split_once(": ").unwrap_or_else(|| panic!("{}: {line}", case.name));
        let rest = rest.strip_prefix('(').and_then(|rest| rest.split_once(") ")).map_or(rest, |(_, sql)| sql);
        let text = rest.replace("\\n", "\n");
        let reply = if kind == "says" { text } else { json!({ "sql": text }).to_string() };
        let (asked, session, answered) = played(runner, case, &reply).await;
        let found = match kind {
            "holds" | "renamed" => {
                let replayed = runner.bench.replay(&session, &answered.record).await;
                let again = replayed.is_ok_and(|replayed| replayed.verdict == Verdict::Same);
                if again {
                    holds(&answered, own, kind == "renamed")
                } else {
                    Err("it does not replay".to_owned())
                }
            }
            "lies" | "says" => {
                lies += 1;
                caught(&answered)
            }
            _ => panic!("{}: {line}", case.name),
        };
        let withheld = asked.iter().try_for_each(|prompt| {
            let text = format!("{}{}", prompt.system, prompt.turns[0].text);
            let tells = |words: &str| !words.is_empty() && text.contains(words);
            let question = case.fences.get("question").map_or("", String::as_str);
            match tells(question) || tells(case.setting("tenant").unwrap_or_default()) {
                true => Err(format!("the prompt tells who asks or what was asked:\n{text}")),
                false => Ok(()),
            }
        });
        if let Err(why) = found.and(withheld) {
            wrong.push(format!("{line}\n  {why}"));
        }
    }
    let verdict = if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) };
    Judged { lies, verdict }
}

async fn played(
    runner: &Runner<'_>,
    case: &Case,
    reply: &str,
) -> (Vec<tieout_core::model::Prompt>, tieout_core::scope::Session, Answered) {
    let total = case.fences.get("total").map(|sql| json!({ "sql": sql }).to_string());
    let (grouped, total) = (reply.to_owned(), total.unwrap_or_else(|| reply.to_owned()));
    let scripted = Arc::new(Scripted::improvising(move |prompt| {
        assert_eq!(prompt.purpose, Purpose::Draft);
        let by_group = prompt.turns[0].text.contains("grouped by");
        Says::reply(if by_group { grouped.clone() } else { total.clone() })
    }));
    let model: Arc<dyn Model> = Arc::<Scripted>::clone(&scripted);
    let modelled = Modelled {
        model,
        read: ReadMode::Builtin,
        narrate: NarrateMode::Builtin,
        embedder: None,
        drafts: DraftMode::AdHoc,
    };
    let tenant = case.setting("tenant").filter(|tenant| !tenant.is_empty());
    let (session, answered) = runner.ask_with(case, tenant, Some(modelled)).await;
    (scripted.asked(), session, answered)
}

/// It runs in the place of our own statement, says so, and gives the same.
fn holds(answered: &Answered, own: &Answer, renamed: bool) -> Result<(), String> {
    let Ok(Outcome::Answer(answer)) = &answered.outcome else {
        return Err(format!("it was not taken: {}", ended(&answered.record)));
    };
    let drafted = |query: &&Query| query.written_by == WrittenBy::Model;
    let ids: Vec<&str> = answered.record.queries.iter().filter(drafted).map(|q| q.id.as_str()).collect();
    if ids.is_empty() {
        return Err("no query says that a model wrote it".to_owned());
    }
    if answer.figures != own.figures {
        return Err(format!("other figures:\n{}\nours:\n{}", answer.figures, own.figures));
    }
    for id in ids {
        let rows = |answer: &Answer| {
            let found = answer.trail.evidence.iter().find(|evidence| evidence.id() == id);
            found.map(|evidence| (evidence.rows().columns.clone(), evidence.digest().to_owned()))
        };
        if rows(answer) != rows(own) {
            return Err(format!("other rows of {id}: {:?}, ours {:?}", rows(answer), rows(own)));
        }
    }
    let around =
        answer.trail.entries.iter().any(|e| e.stage == "draft" && e.text.contains("named around it"));
    match around == renamed {
        true => Ok(()),
        false => Err(format!("its columns were {}renamed", if around { "" } else { "not " })),
    }
}

/// It is refused after three attempts, before anything ran.
fn caught(answered: &Answered) -> Result<(), String> {
    let Ok(Outcome::Refusal { problems, trail }) = &answered.outcome else {
        return Err(format!("it was not caught: {}", ended(&answered.record)));
    };
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code.code()).collect();
    let attempts = answered.record.models.iter().filter(|asked| asked.judged == "rejected").count();
    match (codes.as_slice(), trail.evidence.len(), attempts) {
        (["no_draft", "no_draft" | "rejected", ..], 0, 3) => Ok(()),
        other => Err(format!("{other:?}: {}", ended(&answered.record))),
    }
}

fn ended(record: &Record) -> String {
    match &record.ending {
        Ending::Refusal(refusal) => {
            let said =
                refusal.problems.iter().map(|problem| format!("{}: {}", problem.code, problem.message));
            said.collect::<Vec<_>>().join("; ")
        }
        Ending::Fault { fault } => fault.message.clone(),
        Ending::Answer(_) | Ending::Doubt { .. } | Ending::Query(_) => record.ending.name().to_owned(),
    }
}
