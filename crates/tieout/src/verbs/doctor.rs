//! `doctor`: whether everything is in place, one line each.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use serde_json::json;
use tieout_core::{halt::Fault, time::zone_name};
use tieout_ledger::Ledger;

use super::{Exit, Place, Running, Stop, Verb, print, progress::Progress};
use crate::{
    project,
    render::{json, terminal},
    session::Workbench,
    surroundings::Surroundings,
};

pub(super) const VERB: Verb = Verb {
    name: "doctor",
    command: || Arguments::augment_args(Command::new("doctor")).about("says whether everything is in place"),
    run,
};

#[derive(Args, Debug)]
struct Arguments {
    #[command(flatten)]
    place: Place,
}

/// One thing that was looked at.
#[derive(Debug)]
pub struct Finding {
    /// What was looked at.
    pub what: &'static str,
    /// What was found.
    pub found: Result<String, Fault>,
}

fn run<'a>(matches: &'a ArgMatches, surroundings: &'a Surroundings) -> Running<'a> {
    Box::pin(async move {
        let place = Arguments::from_arg_matches(matches).map_err(|e| Stop::usage(e.to_string(), ""))?.place;
        let progress = Progress::start("looking");
        let mut findings = vec![
            Finding { what: "tieout", found: Ok(env!("CARGO_PKG_VERSION").to_owned()) },
            Finding { what: "time zones", found: zones() },
        ];
        findings
            .extend(tieout_warehouse::versions().into_iter().map(|(what, found)| Finding { what, found }));
        // Without a project there is nothing more to look at, and that is no fault of the installation.
        match place.root(surroundings) {
            Err(stop) if place.project.is_some() => return Err(stop),
            Err(_) => {}
            Ok(root) => {
                findings.extend(of_project(&root, surroundings));
                let path = place.ledger_path(&root, surroundings);
                findings.push(Finding { what: "ledger", found: ledger(&path).await });
            }
        }
        drop(progress);
        if place.json {
            let one = |finding: &Finding| match &finding.found {
                Ok(text) => json!({ "what": finding.what, "holds": true, "found": text }),
                Err(fault) => {
                    json!({ "what": finding.what, "holds": false, "found": fault.message, "hint": fault.hint })
                }
            };
            print(&json::print(&findings.iter().map(one).collect::<Vec<_>>()))?;
        } else {
            print(&terminal::doctor(&findings, &place.layout(surroundings)))?;
        }
        Ok(if findings.iter().all(|finding| finding.found.is_ok()) { Exit::Done } else { Exit::Failed })
    })
}

fn of_project(root: &std::path::Path, surroundings: &Surroundings) -> Vec<Finding> {
    let loaded = match project::open(root) {
        Ok((loaded, _)) => loaded,
        Err(none) => return vec![Finding { what: "project", found: Err(Stop::from(none).into_fault()) }],
    };
    let catalogue = &loaded.project.catalogue;
    let said = format!(
        "{}: {} datasets, {} metrics, days in {}, {} warnings",
        loaded.project.name,
        catalogue.datasets.len(),
        catalogue.metrics.len(),
        zone_name(&loaded.project.calendar.zone),
        loaded.warnings.len()
    );
    let data = Workbench::open(root, surroundings.corpora.as_deref())
        .map_err(|cannot| Stop::from(cannot).into_fault());
    let data = data.map(|bench| match bench.warehouse().notes().len() {
        0 => "all of it can be read".to_owned(),
        notes => format!("it can be read; {notes} remarks, see `tieout data check`"),
    });
    vec![Finding { what: "project", found: Ok(said) }, Finding { what: "data", found: data }]
}

async fn ledger(path: &std::path::Path) -> Result<String, Fault> {
    let Some(ledger) = Ledger::open_existing(path).await? else {
        return Ok(format!("none yet; the first question makes {}", path.display()));
    };
    if let Some(flaw) = ledger.flaw().await? {
        return Err(Fault {
            kind: tieout_core::halt::FaultKind::Ledger,
            message: format!("{} is damaged: {flaw}", path.display()),
            hint: "move the file away and bring it back from a copy".to_owned(),
        });
    }
    ledger.writable().await?;
    Ok(format!("{} can be written to", path.display()))
}

/// The time-zone data that is built in, tried on a zone that changes its clocks.
fn zones() -> Result<String, Fault> {
    let zone = jiff::tz::TimeZone::get("America/New_York").map_err(|error| Fault {
        kind: tieout_core::halt::FaultKind::Internal,
        message: format!("the time-zone data cannot be read: {error}"),
        hint: "install tieout again".to_owned(),
    })?;
    let count = jiff::tz::db().available().count();
    Ok(format!("{count} zones known, {} among them", zone_name(&zone)))
}
