//! `explain`: what a statement counts, in five lines recovered from it.

use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::{Exit, Place, Running, Stop, Verb, print};
use crate::{
    render::{json, terminal},
    statements::{Ground, Grounds, Sources, explanation},
    surroundings::Surroundings,
    wire::{CHECK_VERSION, ExplainReport},
};

pub(super) const VERB: Verb = Verb {
    name: "explain",
    command: || {
        Arguments::augment_args(Command::new("explain"))
            .about("says in five lines what SQL counts: metric, population, period, grain, exclusions")
    },
    run,
};

#[derive(Args, Debug)]
struct Arguments {
    #[command(flatten)]
    sources: Sources,
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
        let mut statements = Vec::new();
        for source in &arguments.sources.read(&surroundings.folder)? {
            let parts = source.statements(ground.dialect);
            statements.extend(parts.iter().map(|part| explanation(&ground, source, part)));
        }
        if statements.is_empty() {
            return Err(Stop::usage("there is no statement in what was named", "name a file that has some"));
        }
        let report = ExplainReport {
            explain: CHECK_VERSION,
            dialect: ground.dialect.name.to_owned(),
            schema: ground.told_by.clone(),
            statements,
        };
        print(&match place.json {
            true => json::print(&report),
            false => terminal::explained(&report, &place.layout(surroundings)),
        })?;
        let all = report.statements.iter().all(|one| one.lines.is_some());
        Ok(if all { Exit::Done } else { Exit::Failed })
    })
}
