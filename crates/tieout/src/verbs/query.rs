//! `query`: runs a statement that somebody wrote, checked and scoped, and records its rows as evidence.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use jiff::Timestamp;
use tieout_agent::QueryEnd;
use tieout_core::{catalogue::Project, scope::Session};

use super::{
    Exit, Place, Running, Stop, Verb, against,
    ask::{eprint, exit, moment},
    print,
    progress::Progress,
};
use crate::{
    ids,
    render::{json, terminal, terminal::Extra},
    session::{Ask, Queried},
    statements::rejection,
    surroundings::Surroundings,
    wire::Ending,
};

pub(super) const VERB: Verb = Verb {
    name: "query",
    command: || {
        Arguments::augment_args(Command::new("query"))
            .about("runs SQL that you wrote, checked and scoped, and records its rows")
    },
    run,
};

#[derive(Args, Debug)]
struct Arguments {
    /// The statement, over the catalogue's datasets and fields
    #[arg(long, value_name = "STATEMENT")]
    sql: String,
    /// Hold the statement against what a recorded answer or a metric means: the record's id, or the metric's name
    #[arg(long, value_name = "ID|METRIC")]
    against: Option<String>,
    /// The day or moment that freshness is judged at: 2026-10-07, 2026-10-07T12:00:00, 2026-10-07T16:00:00Z
    #[arg(long, value_name = "DATE|TIMESTAMP")]
    now: Option<String>,
    /// Show the statement as it ran
    #[arg(long)]
    show_sql: bool,
    #[command(flatten)]
    place: Place,
}

fn run<'a>(matches: &'a ArgMatches, surroundings: &'a Surroundings) -> Running<'a> {
    Box::pin(async move {
        let arguments = Arguments::from_arg_matches(matches).map_err(|e| Stop::usage(e.to_string(), ""))?;
        let place = &arguments.place;
        if arguments.sql.trim().is_empty() {
            return Err(Stop::usage("the statement is empty", "write one after `--sql`"));
        }
        let session = place.session(surroundings)?;
        let progress = Progress::start("reading the data");
        let bench = place.open(surroundings)?;
        let ledger = place.ledger(bench.root(), surroundings).await?;
        let asked_at = Timestamp::now();
        let now =
            arguments.now.as_deref().map(|text| moment(text, &bench.project().calendar.zone)).transpose()?;
        let ask = Ask {
            id: ids::fresh(),
            asked_at,
            now: now.unwrap_or(asked_at),
            question: arguments.sql.clone(),
            confirmed: Vec::new(),
            after: None,
            edits: None,
        };
        let expected = match &arguments.against {
            None => None,
            Some(named) => Some(match against::of_metric(named, bench.project(), &session) {
                Some(expected) => (expected?, named.clone()),
                None => against::of_record(named, &bench, &session, &ledger).await?,
            }),
        };
        let against = expected.as_ref().map(|(expected, name)| (expected, name.as_str()));
        let queried = bench.query(&session, &ledger, ask, against).await?;
        drop(progress);
        let held = against.map(|(_, name)| name);
        give(&queried, &arguments, (bench.project(), &session, held), surroundings)
    })
}

fn give(
    queried: &Queried,
    arguments: &Arguments,
    (project, session, held): (&Project, &Session, Option<&str>),
    surroundings: &Surroundings,
) -> Result<Exit, Stop> {
    let (record, place) = (&queried.record, &arguments.place);
    if place.json {
        print(&json::print(record))?;
        return Ok(exit(record));
    }
    let layout = place.layout(surroundings);
    let extras: &[Extra] = if arguments.show_sql { &[Extra::Sql] } else { &[] };
    match (&queried.run.end, &record.ending) {
        // A rejection is drawn in its place, as `check` draws it; the record keeps it as a refusal.
        (QueryEnd::Rejected { rejected, findings }, _) => {
            let against = held.map(|name| (name, findings.as_slice()));
            let report = rejection((project, session), &arguments.sql, rejected, against);
            print(&terminal::checked(&report, &layout))?;
            print(&terminal::recorded(record, &layout))?;
        }
        (_, Ending::Fault { .. }) => eprint(&terminal::record(record, extras, &layout)),
        (_, Ending::Answer(_) | Ending::Doubt { .. } | Ending::Refusal(_) | Ending::Query(_)) => {
            print(&terminal::record(record, extras, &layout))?;
        }
    }
    Ok(exit(record))
}
