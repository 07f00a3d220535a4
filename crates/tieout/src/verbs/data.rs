//! `data check`: what the files hold, what was decided about them, and what was refused.

use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};

use super::{Exit, Place, Running, Stop, Verb, print, progress::Progress};
use crate::{
    project,
    render::{json, text::harmless},
    surroundings::Surroundings,
    wire::DataReport,
};

pub(super) const VERB: Verb = Verb {
    name: "data",
    command: || Arguments::augment_args(Command::new("data")).about("checks what the data holds"),
    run,
};

#[derive(Args, Debug)]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// How each source was read, which rows were refused, and whether keys, relationships and declared values hold
    Check(Place),
}

fn run<'a>(matches: &'a ArgMatches, surroundings: &'a Surroundings) -> Running<'a> {
    Box::pin(async move {
        let arguments = Arguments::from_arg_matches(matches).map_err(|e| Stop::usage(e.to_string(), ""))?;
        let What::Check(place) = arguments.what;
        let root = place.root(surroundings)?;
        let (loaded, _) = project::open(&root)?;
        let progress = Progress::start("checking the data");
        let corpora = surroundings.corpora.as_deref();
        let at = tieout_warehouse::Attachment { project: &loaded.project, root: &root, corpora };
        let report = tieout_warehouse::check(at)?;
        drop(progress);
        if place.json {
            print(&json::print(&DataReport::from(&report)))?;
        } else {
            print(&report.to_string().lines().map(|line| harmless(line) + "\n").collect::<String>())?;
        }
        Ok(if report.findings() == 0 { Exit::Done } else { Exit::Failed })
    })
}
