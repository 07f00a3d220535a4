//! `catalogue`: checks the words of a project, shows them, and says which may mislead.

use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand};
use serde_json::json;
use tieout_core::catalogue::{describe, lint, load::CatalogueProblem};

use super::{
    Exit, Place, Running, Stop, Verb, print,
    stop::{problems_json, problems_words},
};
use crate::{
    project::{self, NoProject, Texts},
    render::{json, text::harmless},
    surroundings::Surroundings,
};

pub(super) const VERB: Verb = Verb {
    name: "catalogue",
    command: || {
        Arguments::augment_args(Command::new("catalogue"))
            .about("checks, shows and reviews what the words mean")
    },
    run,
};

#[derive(Args, Debug)]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Every mistake, with its place and a remedy
    Check(Place),
    /// The entries by kind, or one entry in full
    Show {
        /// An entry's name, label or synonym
        name: Option<String>,
        #[command(flatten)]
        place: Place,
    },
    /// What is lawful but likely to mislead
    Lint(Place),
}

fn run<'a>(matches: &'a ArgMatches, surroundings: &'a Surroundings) -> Running<'a> {
    Box::pin(async move {
        let arguments = Arguments::from_arg_matches(matches).map_err(|e| Stop::usage(e.to_string(), ""))?;
        match arguments.what {
            What::Check(place) => check(&place, surroundings),
            What::Show { name, place } => show(name.as_deref(), &place, surroundings),
            What::Lint(place) => review(&place, surroundings),
        }
    })
}

fn check(place: &Place, surroundings: &Surroundings) -> Result<Exit, Stop> {
    match project::open(&place.root(surroundings)?) {
        Ok((loaded, texts)) => {
            let catalogue = &loaded.project.catalogue;
            let held = format!(
                "{} datasets, {} relationships, {} populations, {} metrics, {} terms: no mistakes\n",
                catalogue.datasets.len(),
                catalogue.relationships.len(),
                catalogue.populations.len(),
                catalogue.metrics.len(),
                catalogue.terms.len(),
            );
            found(&loaded.warnings, &texts, &held, place, surroundings)?;
            Ok(Exit::Done)
        }
        Err(NoProject::Invalid { problems, texts }) => {
            found(&problems.0, &texts, "", place, surroundings)?;
            Ok(Exit::Failed)
        }
        Err(other @ (NoProject::Missing { .. } | NoProject::Unreadable(_))) => Err(other.into()),
    }
}

fn review(place: &Place, surroundings: &Surroundings) -> Result<Exit, Stop> {
    let (loaded, texts) = project::open(&place.root(surroundings)?)?;
    let problems = lint::lint(&loaded);
    let clean = if problems.is_empty() { "nothing that is likely to mislead\n" } else { "" };
    found(&problems, &texts, clean, place, surroundings)?;
    Ok(if problems.is_empty() { Exit::Done } else { Exit::Failed })
}

/// Prints problems, drawn in their places, and what holds.
fn found(
    problems: &[CatalogueProblem],
    texts: &Texts,
    holds: &str,
    place: &Place,
    surroundings: &Surroundings,
) -> Result<(), Stop> {
    if place.json {
        return print(&json::print(&json!({ "problems": problems_json(problems) })));
    }
    print(&format!("{}{holds}", problems_words(problems, texts, surroundings.colour)))
}

fn show(name: Option<&str>, place: &Place, surroundings: &Surroundings) -> Result<Exit, Stop> {
    let (loaded, _) = project::open(&place.root(surroundings)?)?;
    let text = describe::show(&loaded.project, name).map_err(|none| {
        Stop::usage(format!("nothing in the catalogue is called `{}`", none.name), none.hint)
    })?;
    if place.json {
        print(&json::print(&json!({ "name": name, "text": text })))?;
    } else {
        print(&text.lines().map(|line| harmless(line) + "\n").collect::<String>())?;
    }
    Ok(Exit::Done)
}
