//! `show`: a record again, with its rows, SQL and digests.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use tieout_ledger::Viewer;

use super::{Exit, Place, Running, Stop, Verb, print};
use crate::{
    project,
    render::{json, terminal},
    session::find,
    surroundings::Surroundings,
};

pub(super) const VERB: Verb = Verb {
    name: "show",
    command: || {
        Arguments::augment_args(Command::new("show"))
            .about("shows a record: block, figures, claims, rows, SQL, digests")
    },
    run,
};

#[derive(Args, Debug)]
struct Arguments {
    /// The record's id (`last` for the last one)
    id: String,
    #[command(flatten)]
    place: Place,
}

fn run<'a>(matches: &'a ArgMatches, surroundings: &'a Surroundings) -> Running<'a> {
    Box::pin(async move {
        let arguments = Arguments::from_arg_matches(matches).map_err(|e| Stop::usage(e.to_string(), ""))?;
        let place = &arguments.place;
        let root = place.root(surroundings)?;
        // The data is not needed to show what was recorded of it.
        let (loaded, _) = project::open(&root)?;
        let ledger = place.existing_ledger(&root, surroundings).await?;
        let viewer = Viewer { project: loaded.project.name, tenant: place.session(surroundings)?.tenant };
        let record = find(&ledger, &viewer, &arguments.id).await?;
        if place.json {
            print(&json::print(&record))?;
        } else {
            print(&terminal::show(&record, &place.layout(surroundings)))?;
        }
        Ok(Exit::Done)
    })
}
