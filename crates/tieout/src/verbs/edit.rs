//! `edit`: the question of a record again, with fields of its block changed.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use jiff::Timestamp;
use tieout_core::question::Confirmation;

use super::{Place, Running, Stop, Verb, ask::give, ask::moment, progress::Progress};
use crate::{
    edit::FIELDS,
    ids,
    session::Ask,
    surroundings::Surroundings,
    wire::{Edit, Record},
};

pub(super) const VERB: Verb = Verb {
    name: "edit",
    command: || {
        Arguments::augment_args(Command::new("edit"))
            .about("asks a recorded question again with fields of its block changed")
    },
    run,
};

#[derive(Args, Debug)]
struct Arguments {
    /// The record's id (`last` for the last one)
    id: String,
    /// A field of the block and what it is to say: period=2026-08, population=paying, metric=orders, baseline=2026-07, grain=month
    #[arg(long, value_name = "FIELD=VALUE", required = true)]
    set: Vec<String>,
    /// The moment that relative periods count from [default: that of the record]
    #[arg(long, value_name = "DATE|TIMESTAMP")]
    now: Option<String>,
    #[command(flatten)]
    place: Place,
}

fn run<'a>(matches: &'a ArgMatches, surroundings: &'a Surroundings) -> Running<'a> {
    Box::pin(async move {
        let arguments = Arguments::from_arg_matches(matches).map_err(|e| Stop::usage(e.to_string(), ""))?;
        let edits = arguments.set.iter().map(|text| edit(text)).collect::<Result<Vec<_>, _>>()?;
        let place = &arguments.place;
        let session = place.session(surroundings)?;
        let progress = Progress::start("reading the data");
        let bench = place.open(surroundings)?;
        place.existing_ledger(bench.root(), surroundings).await?;
        let ledger = place.ledger(bench.root(), surroundings).await?;
        let record = bench.record(&session, &ledger, &arguments.id).await?;
        if !record.asked_as.is_question() {
            let message = format!("{} is a statement, which has no fields to set", record.id);
            return Err(Stop::usage(message, "change the statement, and run it with `tieout query`"));
        }
        let now = match &arguments.now {
            Some(text) => moment(text, &bench.project().calendar.zone)?,
            None => record
                .now
                .parse()
                .map_err(|_| Stop::usage("the record's moment does not read back", "give `--now`"))?,
        };
        let answered = bench.ask(&session, &ledger, again(&record, edits, now)).await?;
        drop(progress);
        give(&answered, &[], place, surroundings, arguments.now.as_deref())
    })
}

/// The same question with what was changed before and what is changed now, the last word on a field standing.
fn again(record: &Record, edits: Vec<Edit>, now: Timestamp) -> Ask {
    let mut all = record.edits.clone();
    for edit in edits {
        all.retain(|earlier| earlier.field != edit.field);
        all.push(edit);
    }
    let confirmed = record.confirmed.iter();
    Ask {
        id: ids::fresh(),
        asked_at: Timestamp::now(),
        now,
        question: record.question.clone(),
        confirmed: confirmed
            .map(|c| Confirmation { subject: c.subject.clone(), choice: c.choice.clone() })
            .collect(),
        after: record.after.clone(),
        edits: Some((record.id.clone(), all)),
    }
}

fn edit(text: &str) -> Result<Edit, Stop> {
    let hint = || {
        format!(
            "write a field and what it is to say, such as `--set period=2026-08`; fields: {}",
            FIELDS.join(", ")
        )
    };
    let (field, value) =
        text.split_once('=').ok_or_else(|| Stop::usage(format!("`--set {text}` sets nothing"), hint()))?;
    let (field, value) = (field.trim(), value.trim());
    if !FIELDS.contains(&field) {
        return Err(Stop::usage(format!("there is no field `{field}` to set"), hint()));
    }
    if value.is_empty() {
        return Err(Stop::usage(format!("`--set {field}=` says nothing"), hint()));
    }
    Ok(Edit { field: field.to_owned(), value: value.to_owned() })
}
