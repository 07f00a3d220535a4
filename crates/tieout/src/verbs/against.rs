//! `--against`: what a statement claims to work out, named by a recorded answer or by a metric.

use jiff::Timestamp;
use tieout_agent::{expected_of, reading_of_metric};
use tieout_core::{
    catalogue::Project,
    halt::Halt,
    scope::{Scope, Session},
};
use tieout_ledger::Ledger;
use tieout_sql::Expected;

use super::Stop;
use crate::session::{NoRecord, Workbench};

/// What a metric means over all its rows; none when there is no metric of that name.
pub(super) fn of_metric(named: &str, project: &Project, session: &Session) -> Option<Result<Expected, Stop>> {
    project.catalogue.metrics.get(named)?;
    Some(
        expected_of(reading_of_metric(named), project, &Scope::of(session), Timestamp::now())
            .map_err(stopped),
    )
}

/// What a recorded answer was settled to mean, and its id.
///
/// # Errors
/// When there is no such record, it is no question, or no one statement works it out.
pub(super) async fn of_record(
    named: &str,
    bench: &Workbench,
    session: &Session,
    ledger: &Ledger,
) -> Result<(Expected, String), Stop> {
    let record = bench.record(session, ledger, named).await.map_err(|none| match none {
        NoRecord::Unknown(_) => Stop::usage(
            format!("`{named}` is neither a metric of the catalogue nor a record that this session may see"),
            "name a metric (`tieout catalogue show`) or the id of an answer (`tieout history`)",
        ),
        other => other.into(),
    })?;
    if !record.asked_as.is_question() {
        return Err(Stop::usage(
            format!("{} is a statement, and settles nothing that another could be held against", record.id),
            "name the id of an answer (`tieout history`)",
        ));
    }
    let unreadable = || Stop::usage("the record's moment does not read back", "ask the question again");
    let now: Timestamp = record.now.parse().map_err(|_| unreadable())?;
    let reading = bench.reading_of(session, ledger, &record.id).await?.map_err(stopped)?;
    let reading = reading.ok_or_else(unreadable)?;
    let expected = expected_of(reading, bench.project(), &Scope::of(session), now).map_err(stopped)?;
    Ok((expected, record.id))
}

fn stopped(halt: Halt) -> Stop {
    match halt {
        Halt::Fault(fault) => Stop::Fault(fault),
        Halt::Refuse(problems) => match problems.into_iter().next() {
            Some(problem) => Stop::usage(problem.message, problem.hint),
            None => Stop::usage("it cannot be held against", "name another answer"),
        },
        Halt::Doubt(_) => Stop::usage("it was not answered, so nothing is settled", "name an answer"),
    }
}
