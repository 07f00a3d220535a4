//! A record on a terminal: the block first, then the number, the table, the claims, the caveats, the way on.
//!
//! Colours and width adapt; what is piped is plain. Deliberately absent: anything folded away.

mod block;
mod check;
mod doctor;
mod endings;
mod figures;
mod history;
mod page;
mod query;
mod replayed;
mod show;

pub use check::{checked, explained};
pub use doctor::doctor;
pub use history::history;
pub use page::Page;

use std::fmt::Write as _;

use super::text::Style;
use crate::{
    surroundings::Colour,
    wire::{Ending, Record},
};

/// How a page is laid out.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Whether it has colours.
    pub colour: Colour,
    /// How wide a line may be, in columns.
    pub columns: usize,
    /// The options that the asker gave and that a command to go on needs again.
    pub options: Vec<(&'static str, String)>,
}

impl Layout {
    /// A command that can be copied: the verb and its arguments, and the options that lead back here.
    #[must_use]
    pub fn command(&self, arguments: &[&str]) -> String {
        let mut text = String::from("tieout");
        for argument in arguments {
            let _ = write!(text, " {}", quoted(argument));
        }
        for (option, value) in &self.options {
            let _ = write!(text, " {option} {}", quoted(value));
        }
        text
    }
}

/// An argument as a shell takes it.
fn quoted(argument: &str) -> String {
    let plain = |c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | ':' | '=' | '@' | '+' | ',')
    };
    if !argument.is_empty() && argument.chars().all(plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', "'\\''"))
    }
}

/// What `--trace` and `--sql` add.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extra {
    /// What every word was used for, and each stage's carbon copy.
    Trace,
    /// What ran.
    Sql,
}

/// A record, as `ask` and `edit` print it.
#[must_use]
pub fn record(record: &Record, extras: &[Extra], layout: &Layout) -> String {
    let mut page = Page::new(layout);
    for extra in extras {
        match extra {
            Extra::Trace => show::trace(&mut page, record),
            Extra::Sql => {}
        }
    }
    body(&mut page, record);
    if extras.contains(&Extra::Sql) {
        show::queries(&mut page, record, show::Rows::LeftOut);
    }
    match &record.ending {
        Ending::Answer(_) | Ending::Query(_) => way_on(&mut page, record),
        Ending::Doubt { .. } | Ending::Refusal(_) | Ending::Fault { .. } => page.note("id", &record.id),
    }
    page.finish()
}

/// The id of a record whose end was drawn another way.
#[must_use]
pub fn recorded(record: &Record, layout: &Layout) -> String {
    let mut page = Page::new(layout);
    page.field("id", &[super::text::Run::plain(record.id.clone())], None);
    page.finish()
}

/// A record, as `show` prints it: with the question, the words, the rows, the SQL and the digests.
#[must_use]
pub fn show(record: &Record, layout: &Layout) -> String {
    let mut page = Page::new(layout);
    show::heading(&mut page, record);
    body(&mut page, record);
    show::words(&mut page, record);
    show::queries(&mut page, record, show::Rows::Shown);
    show::closing(&mut page, record);
    page.finish()
}

pub use replayed::{replayed, replayed_all};

fn body(page: &mut Page<'_>, record: &Record) {
    if let Ending::Query(rows) = &record.ending {
        return query::rows(page, rows, record);
    }
    block::block(page, record);
    match &record.ending {
        Ending::Query(_) => {}
        Ending::Answer(answer) => {
            if let Some(table) = &answer.figures {
                figures::table(page, table);
            }
            if let Some(listing) = &answer.rows {
                figures::listing(page, listing, record);
            }
            endings::claims(page, &answer.claims);
            endings::caveats(page, &answer.caveats);
        }
        Ending::Doubt { doubts } => endings::doubts(page, doubts, record),
        Ending::Refusal(refusal) => endings::refusal(page, refusal),
        Ending::Fault { fault } => endings::fault(page, fault),
    }
}

fn way_on(page: &mut Page<'_>, record: &Record) {
    page.note("id", &record.id);
    for (verb, words) in [("show", "its rows, SQL and digests"), ("replay", "runs it again and compares")] {
        let command = page.layout.command(&[verb, &record.id]);
        page.pair(&command, words, Style::Dim);
    }
}
