//! The verbs of the command line: one file each, and one line in the table.
//!
//! Owns exit codes and how a verb that cannot go on says so. Deliberately absent: what an answer looks like (render) and
//! how one is made (session).

mod against;
mod ask;
mod catalogue;
mod check;
mod data;
mod doctor;
mod edit;
mod explain;
mod history;
mod init;
mod models;
mod place;
mod progress;
mod query;
mod replay;
mod show;
mod stop;

use std::{future::Future, io::Write, pin::Pin};

use clap::{ArgMatches, Command};

pub use doctor::Finding;
pub use place::Place;
pub use stop::Stop;

use crate::surroundings::Surroundings;

/// How a verb ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Answered or done.
    Done,
    /// Something broke.
    Fault,
    /// The command line makes no sense.
    Usage,
    /// Declined.
    Refused,
    /// The asker must choose.
    Doubt,
    /// A check failed.
    Failed,
}

impl Exit {
    /// The process's exit code.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Fault => 1,
            Self::Usage => 2,
            Self::Refused => 3,
            Self::Doubt => 4,
            Self::Failed => 5,
        }
    }
}

/// A verb at work.
type Running<'a> = Pin<Box<dyn Future<Output = Result<Exit, Stop>> + 'a>>;

/// A verb.
pub struct Verb {
    /// As typed.
    pub name: &'static str,
    /// Its arguments.
    pub command: fn() -> Command,
    /// Does it.
    pub run: for<'a> fn(&'a ArgMatches, &'a Surroundings) -> Running<'a>,
}

/// Every verb.
pub const VERBS: &[Verb] = &[
    ask::VERB,
    edit::VERB,
    show::VERB,
    replay::VERB,
    history::VERB,
    check::VERB,
    explain::VERB,
    query::VERB,
    catalogue::VERB,
    data::VERB,
    models::VERB,
    init::VERB,
    doctor::VERB,
];

/// The whole command line.
#[must_use]
pub fn command() -> Command {
    Command::new("tieout")
        .version(env!("CARGO_PKG_VERSION"))
        .about(
            "answers questions about your data and ties every figure to its rows, or declines and says why",
        )
        .after_help(
            "Exit codes: 0 answered or done · 1 fault · 2 usage · 3 refused · 4 doubt · 5 a check failed",
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(VERBS.iter().map(|verb| (verb.command)()))
}

/// Runs the verb that was named.
///
/// # Errors
/// Why it could not go on.
pub async fn run(matches: &ArgMatches, surroundings: &Surroundings) -> Result<Exit, Stop> {
    let named = matches.subcommand().and_then(|(name, arguments)| {
        VERBS.iter().find(|verb| verb.name == name).map(|verb| (verb, arguments))
    });
    match named {
        Some((verb, arguments)) => (verb.run)(arguments, surroundings).await,
        None => Err(Stop::usage("no verb is named", "see `tieout --help`")),
    }
}

/// Prints text. A reader that has gone away (`| head`) is no failure of ours.
///
/// # Errors
/// When it cannot be written for another reason.
pub fn print(text: &str) -> Result<(), Stop> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Stop::output(&error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Whether a verb prints JSON.
#[must_use]
pub fn wants_json(matches: &ArgMatches) -> bool {
    let mut at = matches;
    while let Some((_, inner)) = at.subcommand() {
        at = inner;
    }
    matches!(at.try_get_one::<bool>("json"), Ok(Some(true)))
}
