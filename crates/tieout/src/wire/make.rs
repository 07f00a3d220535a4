//! From an outcome to its record, and from the record to what the ledger keeps.

use tieout_agent::{Journal, QueryEnd, QueryRun, STATEMENT_QUERY, SUPPORT_ROWS_MAX};
use tieout_core::{
    catalogue::Project,
    evidence::{Cell, Evidence},
    halt::{Fault, FaultKind},
    outcome::{Broken, Outcome, Trail, looked_at},
    question::Confirmation,
    reading::ReasonCode,
    scope::Session,
    time::zone_name,
};
use tieout_ledger::{ClaimEntry, Entry, QueryEntry, rows_fit};

use super::{
    Answer, AskedAs, BlockLine, BlockPart, Caveat, Claim, Confirmed, Doubt, Edit, Ending, Exchange,
    Explanation, Listing, Problem, ProjectRef, Query, QueryRows, RECORD_VERSION, Record, Refusal, SessionRef,
    Shortlist, Table, Timings, TrailEntry, WordUse,
};

// A supporting copy is always small enough for the ledger to keep, so that replay can name the row that changed.
const _: () = assert!(SUPPORT_ROWS_MAX as usize <= tieout_ledger::ROWS_KEPT_MAX);

/// What is known of a question beside its outcome.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The record's id.
    pub id: String,
    /// When it was asked.
    pub asked_at: jiff::Timestamp,
    /// The moment that relative periods count from.
    pub now: jiff::Timestamp,
    /// As typed.
    pub question: String,
    /// The record that it follows up.
    pub after: Option<String>,
    /// What the asker chose.
    pub confirmed: Vec<Confirmation>,
    /// The record of which fields were changed, and which.
    pub edits: Option<(String, Vec<Edit>)>,
}

/// The record of an outcome.
#[must_use]
pub fn record(
    asked: &Asked,
    outcome: &Result<Outcome, Box<Broken>>,
    session: &Session,
    project: &Project,
    timings: Timings,
    journal: &Journal,
) -> Record {
    let trail = match outcome {
        Ok(outcome) => outcome.trail(),
        Err(broken) => &broken.trail,
    };
    Record {
        block: trail.block.iter().map(BlockLine::from).collect(),
        words: trail.words.iter().map(WordUse::from).collect(),
        alternatives: alternatives(outcome),
        models: journal.exchanges().iter().map(Exchange::from).collect(),
        shortlist: journal.listing().map(|listing| Shortlist::from(&listing)),
        ..bare(asked, ending(outcome), trail, session, project, timings)
    }
}

/// The record of a statement: its five lines are its own words.
#[must_use]
pub fn query_record(
    asked: &Asked,
    run: &QueryRun,
    session: &Session,
    project: &Project,
    timings: Timings,
) -> Record {
    let block = match &run.end {
        QueryEnd::Rows { explanation, .. } => own_words(explanation),
        QueryEnd::Rejected { .. } | QueryEnd::Refused(_) | QueryEnd::Broken(_) => Vec::new(),
    };
    Record {
        asked_as: AskedAs::Statement,
        block,
        ..bare(asked, query_ending(run, &asked.question), &run.trail, session, project, timings)
    }
}

fn own_words(explanation: &tieout_sql::Explanation) -> Vec<BlockLine> {
    let part = |text: String| BlockPart { text, source: "query".to_owned() };
    let line = |(field, parts): (&str, Vec<String>)| BlockLine {
        field: field.to_owned(),
        parts: parts.into_iter().map(part).collect(),
    };
    Explanation::from(explanation).lines().into_iter().map(line).collect()
}

fn query_ending(run: &QueryRun, sql: &str) -> Ending {
    let refused =
        |problems: Vec<Problem>| Ending::Refusal(Refusal { problems, looked_at: looked_at(&run.trail) });
    match &run.end {
        QueryEnd::Rows { caveats, .. } => Ending::Query(QueryRows {
            query: STATEMENT_QUERY.to_owned(),
            caveats: caveats.iter().map(Caveat::from).collect(),
        }),
        QueryEnd::Rejected { rejected, .. } => {
            refused(rejected.rejections.iter().map(|found| rejected_because(found, sql)).collect())
        }
        QueryEnd::Refused(problems) => refused(problems.iter().map(Problem::from).collect()),
        QueryEnd::Broken(fault) => Ending::Fault { fault: fault.into() },
    }
}

/// A finding of the checker as a reason to decline.
fn rejected_because(found: &tieout_sql::Rejection, sql: &str) -> Problem {
    Problem {
        code: ReasonCode::Rejected.code().to_owned(),
        message: format!("{}: {}", found.rule, found.message),
        hint: found.hint.clone(),
        nearest: Vec::new(),
        start: found.place.and_then(|place| byte_of(sql, place.line, place.column)),
    }
}

/// The byte of a text at which a line and column begin, both counted from 1.
fn byte_of(text: &str, line: u64, column: u64) -> Option<usize> {
    let whole = |number: u64| usize::try_from(number.saturating_sub(1)).ok();
    let mut lines = text.split_inclusive('\n');
    let before: usize = lines.by_ref().take(whole(line)?).map(str::len).sum();
    let within: usize = lines.next()?.chars().take(whole(column)?).map(char::len_utf8).sum();
    Some(before + within)
}

/// What every record has, whatever was asked with.
fn bare(
    asked: &Asked,
    ending: Ending,
    trail: &Trail,
    session: &Session,
    project: &Project,
    timings: Timings,
) -> Record {
    let (edited_from, edits) = match &asked.edits {
        Some((from, edits)) => (Some(from.clone()), edits.clone()),
        None => (None, Vec::new()),
    };
    Record {
        record: RECORD_VERSION,
        id: asked.id.clone(),
        ending,
        asked_at: asked.asked_at.to_string(),
        now: asked.now.to_string(),
        question: asked.question.clone(),
        asked_as: AskedAs::Question,
        after: asked.after.clone(),
        confirmed: asked.confirmed.iter().map(confirmed).collect(),
        edited_from,
        edits,
        session: SessionRef { principal: session.principal.clone(), tenant: session.tenant.clone() },
        project: ProjectRef {
            name: project.name.clone(),
            catalogue_digest: project.catalogue.digest.clone(),
            zone: zone_name(&project.calendar.zone),
        },
        block: Vec::new(),
        words: Vec::new(),
        alternatives: Vec::new(),
        queries: trail.evidence.iter().map(Query::from).collect(),
        models: Vec::new(),
        shortlist: None,
        trail: trail
            .entries
            .iter()
            .map(|e| TrailEntry { stage: e.stage.to_owned(), text: e.text.clone() })
            .collect(),
        timings,
    }
}

fn confirmed(confirmation: &Confirmation) -> Confirmed {
    Confirmed { subject: confirmation.subject.clone(), choice: confirmation.choice.clone() }
}

fn alternatives(outcome: &Result<Outcome, Box<Broken>>) -> Vec<String> {
    match outcome {
        Ok(Outcome::Answer(answer)) => answer.settled.alternatives().to_vec(),
        Ok(Outcome::Doubt { .. } | Outcome::Refusal { .. }) | Err(_) => Vec::new(),
    }
}

fn ending(outcome: &Result<Outcome, Box<Broken>>) -> Ending {
    match outcome {
        Ok(Outcome::Answer(answer)) => Ending::Answer(Box::new(Answer {
            figures: Table::of(&answer.figures),
            rows: answer.figures.listing.as_ref().and_then(|list| Listing::of(list, &answer.trail.evidence)),
            claims: answer.claims.list().iter().map(Claim::from).collect(),
            caveats: answer.caveats.iter().map(Caveat::from).collect(),
        })),
        Ok(Outcome::Doubt { doubts, .. }) => {
            Ending::Doubt { doubts: doubts.iter().map(Doubt::from).collect() }
        }
        Ok(Outcome::Refusal { problems, trail }) => Ending::Refusal(Refusal {
            problems: problems.iter().map(Problem::from).collect(),
            looked_at: looked_at(trail),
        }),
        Err(broken) => Ending::Fault { fault: (&broken.fault).into() },
    }
}

/// What the ledger keeps of a record.
///
/// # Errors
/// A fault when the record cannot be written as JSON, which no record of ours is.
pub fn ledger_entry(record: &Record, trail: &Trail) -> Result<Entry, Fault> {
    let claims = match &record.ending {
        Ending::Answer(answer) => answer.claims.as_slice(),
        Ending::Doubt { .. } | Ending::Refusal(_) | Ending::Query(_) | Ending::Fault { .. } => &[],
    };
    Ok(Entry {
        id: record.id.clone(),
        asked_at: record.asked_at.clone(),
        principal: record.session.principal.clone(),
        tenant: record.session.tenant.clone(),
        project: record.project.name.clone(),
        catalogue_digest: record.project.catalogue_digest.clone(),
        question: record.question.clone(),
        now: record.now.clone(),
        after: record.after.clone(),
        outcome: record.ending.name().to_owned(),
        reason: record.ending.reason().map(str::to_owned),
        total_us: record.timings.total_us,
        document: json(record)?,
        queries: record.queries.iter().zip(&trail.evidence).map(query).collect::<Result<_, _>>()?,
        claims: claims.iter().map(claim).collect::<Result<_, _>>()?,
    })
}

fn query((query, evidence): (&Query, &Evidence)) -> Result<QueryEntry, Fault> {
    let rows = &evidence.rows().rows;
    let copy: Vec<Vec<String>> = match rows.len() <= tieout_ledger::ROWS_KEPT_MAX {
        true => rows.iter().map(|row| row.iter().map(Cell::canonical).collect()).collect(),
        false => Vec::new(),
    };
    Ok(QueryEntry {
        id: query.id.clone(),
        purpose: query.purpose.clone(),
        label: query.label.clone(),
        written: query.written.clone(),
        physical: query.sql.clone(),
        binds: json(&query.binds)?,
        digest: query.digest.clone(),
        key_columns: query.key_columns as u64,
        row_count: query.row_count,
        cut: evidence.rows().cut,
        columns: json(&query.columns)?,
        rows: rows_fit(rows.len(), json(&copy)?),
    })
}

fn claim(claim: &Claim) -> Result<ClaimEntry, Fault> {
    Ok(ClaimEntry {
        id: claim.id.clone(),
        kind: claim.kind.clone(),
        text: claim.text.clone(),
        confidence: claim.confidence.clone(),
        sources: json(&claim.sources)?,
    })
}

fn json<T: serde::Serialize + ?Sized>(value: &T) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| Fault {
        kind: FaultKind::Internal,
        message: format!("a record cannot be written as JSON: {error}"),
        hint: "nothing was recorded; please report this".to_owned(),
    })
}
