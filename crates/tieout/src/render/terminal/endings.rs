//! What follows the figures: claims with their pointers, caveats; or doubts, reasons, and faults, each unlike the others.

use super::{Page, Style};
use tieout_core::{
    claim::{Author, ClaimKind, Confidence},
    reading::READING,
};

use crate::{
    render::text::{Run, shortened},
    wire::{Caveat, Cell, Claim, Doubt, Fault, Problem, Record, Refusal, Source},
};

/// The most pointers of one claim that are written out; the JSON form has them all.
const POINTERS_MAX: usize = 4;

/// Sentences, each with where it comes from. What is inferred stands apart, under a heading that says so.
pub(super) fn claims(page: &mut Page<'_>, claims: &[Claim]) {
    let (inferred, held): (Vec<&Claim>, Vec<&Claim>) =
        claims.iter().partition(|claim| claim.confidence == Confidence::Inferred.name());
    if !held.is_empty() {
        let quoted = held.iter().all(|claim| claim.kind == ClaimKind::Definition.name());
        page.heading(if quoted { "the catalogue says" } else { "claims" });
        for found in held {
            claim(page, found, None, if quoted { "" } else { &found.confidence });
        }
    }
    if !inferred.is_empty() {
        page.heading("inferred by a language model: no row proves it");
        for found in inferred {
            claim(page, found, Some('?'), &found.confidence);
        }
    }
}

fn claim(page: &mut Page<'_>, claim: &Claim, mark: Option<char>, known: &str) {
    let mut runs = vec![Run::plain(format!("{} ", shortened_words(&claim.text)))];
    let from = if mark.is_some() { "from " } else { "" };
    for source in claim.sources.iter().take(POINTERS_MAX) {
        runs.push(Run::new(format!("[{from}{}] ", pointer(source)), Style::Dim));
    }
    if let Some(more) = claim.sources.len().checked_sub(POINTERS_MAX).filter(|more| *more > 0) {
        runs.push(Run::new(format!("[and {more} more cells] "), Style::Dim));
    }
    let mut known = known.to_owned();
    if claim.author == Author::Model.name() && mark.is_none() {
        known.push_str(", worded by a model");
    }
    runs.push(Run::new(known, Style::Dim));
    page.field(&claim.id, &runs, mark);
}

/// A sentence may quote a long text of the catalogue whole: it is wrapped, not cut.
fn shortened_words(text: &str) -> String {
    text.split(' ').map(shortened).collect::<Vec<_>>().join(" ")
}

/// Where a claim comes from, in one short text: the query, the row's key, the column.
pub(super) fn pointer(source: &Source) -> String {
    match source {
        Source::Cell { query, row_key, column, .. } => {
            let key: Vec<String> = row_key.iter().map(|cell| shortened(&cell_text(cell))).collect();
            let key = if key.is_empty() { String::new() } else { format!(" {}", key.join(",")) };
            format!("{query}{key} {column}")
        }
        Source::Rows { query, .. } => format!("{query} rows"),
        Source::Catalogue { entry } => entry.clone(),
    }
}

/// A cell as it came back, so that no text can be taken for a missing value.
pub(super) fn cell_text(cell: &Cell) -> String {
    match cell {
        Cell::Null => "NULL".to_owned(),
        Cell::Boolean(b) => b.to_string(),
        Cell::Text(text) if text == "NULL" || text.trim() != text || text.is_empty() => format!("\"{text}\""),
        Cell::Text(text)
        | Cell::Number(text)
        | Cell::NotFinite(text)
        | Cell::Date(text)
        | Cell::Datetime(text)
        | Cell::Instant(text) => text.clone(),
    }
}

/// What must be said beside the figures.
pub(super) fn caveats(page: &mut Page<'_>, caveats: &[Caveat]) {
    if caveats.is_empty() {
        return;
    }
    page.gap();
    for caveat in caveats {
        page.field("mind", &[Run::plain(caveat.text.clone())], Some('!'));
    }
}

/// What the asker must choose, and the command that says so.
pub(super) fn doubts(page: &mut Page<'_>, doubts: &[Doubt], record: &Record) {
    for doubt in doubts {
        page.gap();
        page.field("choose", &[Run::new(doubt.message.clone(), Style::Strong)], Some('?'));
        for choice in &doubt.choices {
            let runs =
                [Run::new(format!("{}. ", choice.number), Style::Strong), Run::plain(choice.text.clone())];
            page.field("", &runs, None);
        }
    }
    page.gap();
    let mut arguments = vec!["ask".to_owned(), record.question.clone()];
    for confirmed in &record.confirmed {
        arguments.extend(["--confirm".to_owned(), format!("{}={}", confirmed.subject, confirmed.choice)]);
    }
    for doubt in doubts {
        // A wording is taken by its words: asked again, a model might offer others.
        let by_words = doubt.choices.first().filter(|_| doubt.subject == READING);
        let choice = by_words.map_or("1", |choice| choice.key.as_str());
        arguments.extend(["--confirm".to_owned(), format!("{}={choice}", doubt.subject)]);
    }
    if let Some(after) = &record.after {
        arguments.extend(["--after".to_owned(), after.clone()]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let command = page.layout.command(&arguments);
    page.pair(&command, "answers with the first option; put another number for another", Style::Dim);
}

/// Every reason, what was looked at, and what to do.
pub(super) fn refusal(page: &mut Page<'_>, refusal: &Refusal) {
    for problem in &refusal.problems {
        page.gap();
        reason(page, problem);
    }
    if !refusal.looked_at.is_empty() {
        page.heading("looked at");
        for line in &refusal.looked_at {
            page.flow(0, &[Run::plain(line.clone())]);
        }
    }
}

fn reason(page: &mut Page<'_>, problem: &Problem) {
    let runs = [
        Run::new(problem.message.clone(), Style::Strong),
        Run::new(format!(" [{}]", problem.code), Style::Dim),
    ];
    page.field("declined", &runs, Some('x'));
    if !problem.nearest.is_empty() {
        page.field("nearest", &[Run::plain(problem.nearest.join(", "))], None);
    }
    if !problem.hint.is_empty() {
        page.field("do", &[Run::plain(problem.hint.clone())], None);
    }
}

/// Something broke: not an answer, and not a refusal.
pub(super) fn fault(page: &mut Page<'_>, fault: &Fault) {
    page.gap();
    let runs =
        [Run::new(fault.message.clone(), Style::Bad), Run::new(format!(" [{}]", fault.kind), Style::Dim)];
    page.field("FAULT", &runs, Some('#'));
    if !fault.hint.is_empty() {
        page.field("do", &[Run::plain(fault.hint.clone())], None);
    }
    page.field("", &[Run::new("something broke; this says nothing about the question", Style::Dim)], None);
}
