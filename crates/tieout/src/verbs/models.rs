//! `models check`: asks the model's endpoint what it can do, with one small prompt for each way of asking, and the
//! endpoint of embeddings, where there is one, for two vectors.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use jiff::Timestamp;
use serde_json::{Value, json};
use tieout_core::halt::Fault;
use tieout_model::probe::{EmbeddingReport, ModeFound, ModeReport, Report, probe, probe_embeddings};

use super::{Exit, Place, Running, Stop, Verb, print, progress::Progress};
use crate::{
    models, project,
    render::{json, text::harmless},
    surroundings::Surroundings,
};

pub(super) const VERB: Verb = Verb {
    name: "models",
    command: || {
        Command::new("models")
            .about("looks at the language model that the project names")
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommand(
                Arguments::augment_args(Command::new("check"))
                    .about("asks the endpoint what it can do; costs a few tokens"),
            )
    },
    run,
};

#[derive(Args, Debug)]
struct Arguments {
    #[command(flatten)]
    place: Place,
}

fn run<'a>(matches: &'a ArgMatches, surroundings: &'a Surroundings) -> Running<'a> {
    Box::pin(async move {
        let Some((_, matches)) = matches.subcommand() else {
            return Err(Stop::usage("nothing is named to do with models", "see `tieout models --help`"));
        };
        let place = Arguments::from_arg_matches(matches).map_err(|e| Stop::usage(e.to_string(), ""))?.place;
        let root = place.root(surroundings)?;
        let (loaded, _) = project::open(&root)?;
        let used = loaded.project.model.as_ref().ok_or_else(models::none_named)?;
        let host = models::host(used, &root)?;
        let progress = Progress::start("asking the model");
        let today = Timestamp::now().to_zoned(loaded.project.calendar.zone.clone()).date();
        let report = probe(&host, today).await;
        let embeddings = match &used.embeddings {
            Some(settings) => {
                let host = models::embedding_host(settings, &root).map_err(Fault::from)?;
                Some(probe_embeddings(&host, today).await)
            }
            None => None,
        };
        drop(progress);
        let shown = if place.json {
            json::print(&as_json(&report, embeddings.as_ref()))
        } else {
            as_text(&report, embeddings.as_ref())
        };
        print(&shown)?;
        let works = report.best().is_some() && embeddings.is_none_or(|report| report.found.is_ok());
        Ok(if works { Exit::Done } else { Exit::Failed })
    })
}

fn as_text(report: &Report, embeddings: Option<&EmbeddingReport>) -> String {
    let identity = &report.identity;
    let mut lines = vec![format!("{} at {} ({})", identity.model, identity.place, identity.provider)];
    lines.extend(report.modes.iter().map(|one| format!("  {:<8} {}", one.mode.code(), found(one))));
    lines.push(match report.best() {
        Some(mode) => format!("replies are asked for as `{}`, unless `mode:` says otherwise", mode.code()),
        None => "no way of asking gives a reply that can be used".to_owned(),
    });
    if let Some(report) = embeddings {
        let identity = &report.identity;
        lines.push(format!("{} at {} (embeddings)", identity.model, identity.place));
        lines.push(format!("  {}", vectors(report)));
    }
    let lines: Vec<String> = lines.iter().map(|line| harmless(line)).collect();
    format!("{}\n", lines.join("\n"))
}

fn found(report: &ModeReport) -> String {
    match &report.found {
        ModeFound::Works { model, latency, usage, spend } => {
            let cost = spend.money.as_ref().map(|money| format!(", cost {}", money.to_plain_string()));
            format!(
                "works: {model}, {} ms, {} tokens{}",
                latency.as_millis(),
                usage.tokens(),
                cost.unwrap_or_default()
            )
        }
        ModeFound::Ignored { unfit, latency } => {
            format!("is taken and not held to ({} ms): {unfit}", latency.as_millis())
        }
        ModeFound::NotTaken { fault } => format!("is not taken: {fault}"),
        ModeFound::Fault(fault) => format!("could not be asked: {fault}; {}", fault.hint()),
    }
}

/// What came of asking for vectors.
fn vectors(report: &EmbeddingReport) -> String {
    match &report.found {
        Ok(found) => {
            let took = &found.took;
            let cost = took.spend.money.as_ref().map(|money| format!(", cost {}", money.to_plain_string()));
            format!(
                "works: {} dimensions, {} ms, {} tokens{}",
                found.dimensions,
                took.latency.as_millis(),
                took.usage.map_or(0, |usage| usage.tokens()),
                cost.unwrap_or_default()
            )
        }
        Err(fault) => format!("could not be asked: {fault}; entries are then found by words alone"),
    }
}

fn as_json(report: &Report, embeddings: Option<&EmbeddingReport>) -> Value {
    let modes: Vec<Value> = report
        .modes
        .iter()
        .map(|one| {
            let state = match &one.found {
                ModeFound::Works { .. } => "works",
                ModeFound::Ignored { .. } => "ignored",
                ModeFound::NotTaken { .. } => "not_taken",
                ModeFound::Fault(_) => "fault",
            };
            json!({ "mode": one.mode.code(), "state": state, "found": found(one) })
        })
        .collect();
    let embeddings = embeddings.map(|report| {
        let state = if report.found.is_ok() { "works" } else { "fault" };
        let mut told = json!({
            "model": report.identity.model,
            "place": report.identity.place,
            "state": state,
            "found": vectors(report),
        });
        if let Ok(found) = &report.found {
            told["dimensions"] = json!(found.dimensions);
            told["latency_ms"] = json!(u64::try_from(found.took.latency.as_millis()).unwrap_or(u64::MAX));
        }
        told
    });
    let mut told = json!({
        "provider": report.identity.provider,
        "model": report.identity.model,
        "place": report.identity.place,
        "modes": modes,
        "best": report.best().map(tieout_core::model::Mode::code),
    });
    if let Some(embeddings) = embeddings {
        told["embeddings"] = embeddings;
    }
    told
}
