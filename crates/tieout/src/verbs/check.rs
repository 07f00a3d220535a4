//! `check`: whether statements that somebody wrote may run, why not, and how they would.

use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::{Exit, Place, Running, Stop, Verb, print};
use crate::{
    render::{json, junit, sarif, terminal},
    statements::{Ground, Grounds, Sources, report},
    surroundings::Surroundings,
};

pub(super) const VERB: Verb = Verb {
    name: "check",
    command: || {
        Arguments::augment_args(Command::new("check"))
            .about("says whether SQL may run: joins, fan-out, names, tenants, functions")
    },
    run,
};

#[derive(Args, Debug)]
struct Arguments {
    #[command(flatten)]
    sources: Sources,
    /// Print a SARIF log, for code hosts
    #[arg(long, conflicts_with_all = ["junit", "json"])]
    sarif: bool,
    /// Print JUnit XML, for CI
    #[arg(long, conflicts_with = "json")]
    junit: bool,
    #[command(flatten)]
    grounds: Grounds,
    #[command(flatten)]
    place: Place,
}

fn run<'a>(matches: &'a ArgMatches, surroundings: &'a Surroundings) -> Running<'a> {
    Box::pin(async move {
        let arguments = Arguments::from_arg_matches(matches).map_err(|e| Stop::usage(e.to_string(), ""))?;
        let place = &arguments.place;
        let ground = Ground::of(&arguments.grounds, place, surroundings)?;
        let sources = arguments.sources.read(&surroundings.folder)?;
        let report = report(&ground, &sources);
        if report.statements.is_empty() {
            return Err(Stop::usage("there is no statement in what was named", "name a file that has some"));
        }
        let text = match (place.json, arguments.sarif, arguments.junit) {
            (true, _, _) => json::print(&report),
            (_, true, _) => json::print(&sarif::sarif(&report)),
            (_, _, true) => junit::junit(&report),
            (false, false, false) => terminal::checked(&report, &place.layout(surroundings)),
        };
        print(&text)?;
        Ok(if report.rejected == 0 { Exit::Done } else { Exit::Failed })
    })
}
