//! `history`: what was asked, the last first.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use serde_json::json;
use tieout_ledger::{Summary, Viewer};

use super::{Exit, Place, Running, Stop, Verb, print};
use crate::{
    project,
    render::{json, terminal},
    surroundings::Surroundings,
};

/// How many records are listed unless told otherwise.
const SHOWN_DEFAULT: u32 = 20;

pub(super) const VERB: Verb = Verb {
    name: "history",
    command: || {
        Arguments::augment_args(Command::new("history")).about("lists what was asked, the last first")
    },
    run,
};

#[derive(Args, Debug)]
struct Arguments {
    /// How many records
    #[arg(long, value_name = "COUNT", default_value_t = SHOWN_DEFAULT)]
    limit: u32,
    #[command(flatten)]
    place: Place,
}

fn run<'a>(matches: &'a ArgMatches, surroundings: &'a Surroundings) -> Running<'a> {
    Box::pin(async move {
        let arguments = Arguments::from_arg_matches(matches).map_err(|e| Stop::usage(e.to_string(), ""))?;
        let place = &arguments.place;
        let root = place.root(surroundings)?;
        let (loaded, _) = project::open(&root)?;
        let ledger = place.existing_ledger(&root, surroundings).await?;
        let viewer = Viewer { project: loaded.project.name, tenant: place.session(surroundings)?.tenant };
        let records = ledger.latest(&viewer, arguments.limit).await?;
        if place.json {
            print(&json::print(&records.iter().map(as_json).collect::<Vec<_>>()))?;
        } else {
            print(&terminal::history(&records, &place.layout(surroundings)))?;
        }
        Ok(Exit::Done)
    })
}

fn as_json(summary: &Summary) -> serde_json::Value {
    json!({
        "id": summary.id,
        "asked_at": summary.asked_at,
        "principal": summary.principal,
        "question": summary.question,
        "after": summary.after,
        "outcome": summary.outcome,
        "reason": summary.reason,
        "total_us": summary.total_us,
    })
}
