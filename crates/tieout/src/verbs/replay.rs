//! `replay`: runs the queries of a record again and says what is the same, what changed and what broke.

use std::path::Path;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use serde_json::{Value, json};
use tieout_agent::{CellChange, Replayed, Verdict};
use tieout_core::{evidence, halt::FaultKind};
use tieout_ledger::{Ledger, Viewer};

use super::{Exit, Place, Running, Stop, Verb, print, progress::Progress};
use crate::{
    project,
    render::{json, terminal},
    session::{CannotOpen, Workbench, broken, find},
    surroundings::Surroundings,
    wire::{Cell, Record},
};

/// The most records that `--all` runs again, the last first; the rest is said to be left out.
const REPLAYED_MAX: u32 = 10_000;

pub(super) const VERB: Verb = Verb {
    name: "replay",
    command: || {
        Arguments::augment_args(Command::new("replay")).about("runs a record's queries again and compares")
    },
    run,
};

#[derive(Args, Debug)]
#[group(id = "which", required = true, multiple = false)]
struct Arguments {
    /// The record's id (`last` for the last one)
    #[arg(group = "which")]
    id: Option<String>,
    /// Every answer and every statement's rows that this session may see
    #[arg(long, group = "which")]
    all: bool,
    #[command(flatten)]
    place: Place,
}

fn run<'a>(matches: &'a ArgMatches, surroundings: &'a Surroundings) -> Running<'a> {
    Box::pin(async move {
        let arguments = Arguments::from_arg_matches(matches).map_err(|e| Stop::usage(e.to_string(), ""))?;
        let place = &arguments.place;
        let progress = Progress::start("running the queries again");
        let root = place.root(surroundings)?;
        let ledger = place.existing_ledger(&root, surroundings).await?;
        let records = records(&arguments, &root, &ledger, surroundings).await?;
        let found = found(place, &root, &records, surroundings).await?;
        let layout = place.layout(surroundings);
        drop(progress);
        let text = match (place.json, found.as_slice(), &arguments.id) {
            (true, [one], Some(_)) => json::print(&as_json(one)),
            (true, all, _) => json::print(&all.iter().map(as_json).collect::<Vec<_>>()),
            (false, [one], Some(_)) => terminal::replayed(one, &layout),
            (false, all, _) => terminal::replayed_all(all, &layout),
        };
        print(&text)?;
        let same = found.iter().all(|replayed| replayed.verdict == Verdict::Same);
        Ok(if same { Exit::Done } else { Exit::Failed })
    })
}

/// The records that are to be run again: the one that was named, or every answer, the first first.
async fn records(
    arguments: &Arguments,
    root: &Path,
    ledger: &Ledger,
    surroundings: &Surroundings,
) -> Result<Vec<Record>, Stop> {
    let (loaded, _) = project::open(root)?;
    let viewer =
        Viewer { project: loaded.project.name, tenant: arguments.place.session(surroundings)?.tenant };
    if let Some(id) = &arguments.id {
        let record = find(ledger, &viewer, id).await?;
        if record.queries.is_empty() {
            let message = format!("{} ran no query, so there is nothing to run again", record.id);
            return Err(Stop::usage(message, "name a record that ran some (`tieout history`)"));
        }
        return Ok(vec![record]);
    }
    let mut records = Vec::new();
    let latest = ledger.latest(&viewer, REPLAYED_MAX).await?;
    for summary in
        latest.iter().rev().filter(|summary| ["answer", "query"].contains(&summary.outcome.as_str()))
    {
        records.push(find(ledger, &viewer, &summary.id).await?);
    }
    Ok(records)
}

async fn found(
    place: &Place,
    root: &Path,
    records: &[Record],
    surroundings: &Surroundings,
) -> Result<Vec<Replayed>, Stop> {
    let session = place.session(surroundings)?;
    let bench = match Workbench::open(root, surroundings.corpora.as_deref()) {
        Ok(bench) => bench,
        // What an answer was made of is gone: that is what a replay is there to find.
        Err(CannotOpen::Data(fault)) if fault.kind == FaultKind::Data => {
            return Ok(records.iter().map(|record| broken(record, &fault, false)).collect());
        }
        Err(cannot) => return Err(cannot.into()),
    };
    let mut found = Vec::new();
    for record in records {
        found.push(bench.replay(&session, record).await?);
    }
    Ok(found)
}

fn as_json(found: &Replayed) -> Value {
    let claims = found.claims.iter().map(|(id, was, is)| json!({ "claim": id, "was": was, "is": is }));
    json!({
        "id": found.id,
        "verdict": verdict(found.verdict),
        "catalogue_changed": found.catalogue_changed,
        "changes": found.changes.iter().map(change).collect::<Vec<_>>(),
        "changes_left_out": found.changes_left_out,
        "claims": claims.collect::<Vec<_>>(),
        "broken": found.broken,
    })
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Same => "same",
        Verdict::Changed => "changed",
        Verdict::Broken => "broken",
    }
}

fn change(change: &CellChange) -> Value {
    let cell = |cell: &evidence::Cell| Cell::from(cell);
    let key = change.key.iter().map(|(name, value)| json!({ "column": name, "cell": cell(value) }));
    json!({
        "query": change.query,
        "tables": change.tables,
        "key": key.collect::<Vec<_>>(),
        "column": change.column,
        "was": change.was.as_ref().map(cell),
        "is": change.is.as_ref().map(cell),
    })
}
