//! `check`: whether statements that somebody wrote may run, why not, and how they would.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use tieout_sql::Expected;

use super::{Exit, Place, Running, Stop, Verb, against, print};
use crate::{
    project,
    render::{json, junit, sarif, terminal},
    statements::{Against, Ground, Grounds, Sources, report},
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
    /// Hold each statement against what a recorded answer or a metric means: the record's id, or the metric's name
    #[arg(long, value_name = "ID|METRIC", conflicts_with = "schema")]
    against: Option<String>,
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
        let expected = match &arguments.against {
            Some(named) => Some(expected(named, place, surroundings).await?),
            None => None,
        };
        let against = expected.as_ref().map(|(expected, name)| Against { expected, name: name.as_str() });
        let report = report(&ground, &sources, against);
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

async fn expected(
    named: &str,
    place: &Place,
    surroundings: &Surroundings,
) -> Result<(Expected, String), Stop> {
    let session = place.session(surroundings)?;
    let root = place.root(surroundings)?;
    let (loaded, _) = project::open(&root)?;
    // A metric needs neither data nor a ledger.
    if let Some(expected) = against::of_metric(named, &loaded.project, &session) {
        return Ok((expected?, named.to_owned()));
    }
    let bench = place.open(surroundings)?;
    let ledger = place.existing_ledger(&root, surroundings).await?;
    against::of_record(named, &bench, &session, &ledger).await
}
