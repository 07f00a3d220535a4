//! `ask`: answers a question, asks back, or declines. Every end of it is recorded.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use jiff::{Timestamp, civil::Date, civil::DateTime, tz::TimeZone};
use tieout_core::{
    model::{NarrateMode, ReadMode},
    question::Confirmation,
};

use super::{Exit, Place, Running, Stop, Verb, print, progress::Progress};
use crate::{
    ids,
    models::{Tape, Wanted},
    render::{json, terminal, terminal::Extra},
    session::{Answered, Ask, LAST},
    surroundings::Surroundings,
    wire::{Ending, Record},
};

pub(super) const VERB: Verb = Verb {
    name: "ask",
    command: || {
        Arguments::augment_args(Command::new("ask")).about("answers a question, asks back, or declines")
    },
    run,
};

#[derive(Args, Debug)]
struct Arguments {
    /// The question, in plain words
    question: String,
    /// The day or moment that relative periods count from: 2026-10-07, 2026-10-07T12:00:00, 2026-10-07T16:00:00Z
    #[arg(long, value_name = "DATE|TIMESTAMP")]
    now: Option<String>,
    /// Answers a doubt: the subject and an option's key or number
    #[arg(long, value_name = "SUBJECT=CHOICE")]
    confirm: Vec<String>,
    /// The record that the question follows up (`last` for the last one)
    #[arg(long, value_name = "ID")]
    after: Option<String>,
    /// Show what every word was used for, and each stage's carbon copy
    #[arg(long)]
    trace: bool,
    /// Show what ran
    #[arg(long)]
    sql: bool,
    /// Who reads the question: builtin, model, or builtin-then-model
    #[arg(long, value_name = "MODE")]
    read: Option<String>,
    /// Who words the sentences: builtin, model, or model-inferring
    #[arg(long, value_name = "MODE")]
    narrate: Option<String>,
    /// Plays a model's recorded replies from this folder; nobody is asked
    #[arg(long, value_name = "FOLDER", conflicts_with = "record")]
    cassette: Option<PathBuf>,
    /// Records what the model says in this folder
    #[arg(long, value_name = "FOLDER")]
    record: Option<PathBuf>,
    #[command(flatten)]
    place: Place,
}

impl Arguments {
    /// What is said of models.
    fn models(&self) -> Result<Wanted, Stop> {
        let read = mode("read", "reads", self.read.as_deref(), &ReadMode::ALL, ReadMode::code)?;
        let narrate = self.narrate.as_deref();
        let narrate = mode("narrate", "words sentences", narrate, &NarrateMode::ALL, NarrateMode::code)?;
        let played = self.cassette.clone().map(|folder| (folder, Tape::Play));
        let recorded = self.record.clone().map(|folder| (folder, Tape::Record));
        Ok(Wanted { read, narrate, cassette: played.or(recorded) })
    }
}

/// The mode of a flag.
fn mode<T: Copy>(
    flag: &str,
    does: &str,
    text: Option<&str>,
    all: &[T],
    code: fn(T) -> &'static str,
) -> Result<Option<T>, Stop> {
    let Some(text) = text else { return Ok(None) };
    let found = all.iter().copied().find(|mode| code(*mode) == text);
    found.map(Some).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|mode| code(*mode)).collect();
        let message = format!("`--{flag} {text}` names nobody who {does}");
        Stop::usage(message, format!("write one of {}", known.join(", ")))
    })
}

fn run<'a>(matches: &'a ArgMatches, surroundings: &'a Surroundings) -> Running<'a> {
    Box::pin(async move {
        let arguments = Arguments::from_arg_matches(matches).map_err(|e| Stop::usage(e.to_string(), ""))?;
        let confirmed =
            arguments.confirm.iter().map(|text| confirmation(text)).collect::<Result<Vec<_>, _>>()?;
        let session = arguments.place.session(surroundings)?;
        let progress = Progress::start("reading the data");
        let bench = arguments.place.open_with(surroundings, &arguments.models()?)?;
        let asked_at = Timestamp::now();
        let now =
            arguments.now.as_deref().map(|text| moment(text, &bench.project().calendar.zone)).transpose()?;
        let ledger = arguments.place.ledger(bench.root(), surroundings).await?;
        let after = match arguments.after.as_deref() {
            Some(LAST) => Some(bench.record(&session, &ledger, LAST).await?.id),
            Some(id) => Some(id.to_lowercase()),
            None => None,
        };
        let ask = Ask {
            id: ids::fresh(),
            asked_at,
            now: now.unwrap_or(asked_at),
            question: arguments.question.clone(),
            confirmed,
            after,
            edits: None,
        };
        let answered = bench.ask(&session, &ledger, ask).await?;
        drop(progress);
        let extras = [(arguments.trace, Extra::Trace), (arguments.sql, Extra::Sql)];
        let extras: Vec<Extra> =
            extras.into_iter().filter(|(wanted, _)| *wanted).map(|(_, extra)| extra).collect();
        give(&answered, &extras, &arguments.place, surroundings, arguments.now.as_deref())
    })
}

/// Prints a question's end and says how the process ends. A fault's words are no answer: they go to the other stream.
pub(super) fn give(
    answered: &Answered,
    extras: &[Extra],
    place: &Place,
    surroundings: &Surroundings,
    now: Option<&str>,
) -> Result<Exit, Stop> {
    let record = &answered.record;
    if place.json {
        print(&json::print(record))?;
        return Ok(exit(record));
    }
    let mut layout = place.layout(surroundings);
    if let (Some(now), Ending::Doubt { .. }) = (now, &record.ending) {
        layout.options.push(("--now", now.to_owned()));
    }
    let text = terminal::record(record, extras, &layout);
    match &record.ending {
        Ending::Fault { .. } => eprint(&text),
        Ending::Answer(_) | Ending::Doubt { .. } | Ending::Refusal(_) | Ending::Query(_) => print(&text)?,
    }
    Ok(exit(record))
}

pub(super) fn eprint(text: &str) {
    use std::io::Write;
    // Where even this cannot be written, the exit code still tells.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

pub(super) fn exit(record: &Record) -> Exit {
    match &record.ending {
        Ending::Answer(_) | Ending::Query(_) => Exit::Done,
        Ending::Doubt { .. } => Exit::Doubt,
        Ending::Refusal(_) => Exit::Refused,
        Ending::Fault { .. } => Exit::Fault,
    }
}

fn confirmation(text: &str) -> Result<Confirmation, Stop> {
    // A subject may hold an equals sign no more than a choice may be empty.
    match text.split_once('=') {
        Some((subject, choice)) if !subject.trim().is_empty() && !choice.trim().is_empty() => {
            Ok(Confirmation { subject: subject.trim().to_owned(), choice: choice.trim().to_owned() })
        }
        Some(_) | None => Err(Stop::usage(
            format!("`--confirm {text}` names no subject and choice"),
            "write the subject of the doubt and an option's number, such as `--confirm metric=1`",
        )),
    }
}

/// A day (its noon), a civil moment in the project's zone, or a moment with its offset.
pub(super) fn moment(text: &str, zone: &TimeZone) -> Result<Timestamp, Stop> {
    let text = text.trim();
    let civil = |at: DateTime| at.to_zoned(zone.clone()).map(|zoned| zoned.timestamp());
    let read = if let Ok(moment) = text.parse::<Timestamp>() {
        Ok(moment)
    } else if text.len() == "2026-10-07".len() {
        text.parse::<Date>().and_then(|day| civil(day.at(12, 0, 0, 0)))
    } else {
        text.parse::<DateTime>().and_then(civil)
    };
    read.map_err(|_| {
        Stop::usage(
            format!("`{text}` is no date or moment"),
            "write one such as 2026-10-07, 2026-10-07T12:00:00 or 2026-10-07T16:00:00Z",
        )
    })
}
