//! The work behind an answer: the question, the words, the stages, the queries with their rows and digests.

use super::{Page, Style, endings::cell_text, figures::grid};
use crate::{
    render::text::{Run, shortened},
    wire::{Bind, ByMeaning, Cell, Ending, Exchange, Query, Record, Shortlist, WrittenBy},
};

/// Whether the rows of a query are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    /// As far as they were kept.
    Shown,
    /// Only how many there are.
    LeftOut,
}

/// Who asked what, and when.
pub(super) fn heading(page: &mut Page<'_>, record: &Record) {
    let asked = if record.asked_as.is_question() { "question" } else { "statement" };
    page.field(asked, &[Run::new(record.question.clone(), Style::Strong)], None);
    let tenant =
        record.session.tenant.as_ref().map(|tenant| format!(", tenant {tenant}")).unwrap_or_default();
    let who = format!("{} by {}{tenant}", record.asked_at, record.session.principal);
    page.field("asked", &[Run::plain(who)], None);
    page.field("as of", &[Run::plain(record.now.clone())], None);
    if let Some(after) = &record.after {
        page.field("follows", &[Run::plain(after.clone())], None);
    }
    for confirmed in &record.confirmed {
        page.field("confirmed", &[Run::plain(format!("{} = {}", confirmed.subject, confirmed.choice))], None);
    }
    if let Some(from) = &record.edited_from {
        let edits: Vec<String> =
            record.edits.iter().map(|edit| format!("{} = {}", edit.field, edit.value)).collect();
        page.field("edited", &[Run::plain(format!("{from} with {}", edits.join(", ")))], None);
    }
}

/// What every word was used for.
pub(super) fn words(page: &mut Page<'_>, record: &Record) {
    if record.words.is_empty() {
        return;
    }
    page.heading("words");
    let used: Vec<Vec<String>> =
        record.words.iter().map(|word| vec![word.text.clone(), word.used_as.clone()]).collect();
    grid(page, &["word".to_owned(), "used as".to_owned()], &used, &[false, false]);
}

/// What ran, and what came back.
pub(super) fn queries(page: &mut Page<'_>, record: &Record, rows: Rows) {
    for query in &record.queries {
        one_query(page, query);
        // The rows of a statement stand above already.
        let shown = matches!(&record.ending, Ending::Query(rows) if rows.query == query.id);
        match (rows, &query.rows) {
            (Rows::Shown, Some(_)) if shown => {}
            (Rows::Shown, Some(copy)) if !copy.is_empty() => {
                page.gap();
                copied(page, query, copy);
            }
            (Rows::Shown, None) => {
                page.flow(
                    0,
                    &[Run::new("the rows are too many to be kept; replay fetches them again", Style::Dim)],
                );
            }
            (Rows::Shown | Rows::LeftOut, _) => {}
        }
    }
}

fn one_query(page: &mut Page<'_>, query: &Query) {
    page.heading(&format!("{} · {}", query.id, query.label));
    page.gap();
    for line in query.written.lines() {
        page.raw(2, &crate::render::text::harmless(line));
    }
    page.gap();
    if !query.written_binds.is_empty() {
        let values: Vec<String> = query
            .written_binds
            .iter()
            .zip(1..)
            .map(|(bind, n): (&Bind, usize)| format!("{n}: {}", shortened(&bind.shown())))
            .collect();
        page.field("values", &[Run::plain(values.join("  "))], None);
    }
    if let Some(by) = written_by(query.written_by) {
        page.field("written by", &[Run::plain(by)], None);
    }
    page.field("reads", &[Run::plain(query.tables.join(", "))], None);
    page.field("as it ran", &[Run::new(query.sql.clone(), Style::Dim)], None);
    let came = format!("{} rows ({}), SHA-256 {}", query.row_count, query.state, query.digest);
    page.field("came back", &[Run::plain(came)], None);
}

/// Who wrote a statement, where it was not our own code.
fn written_by(by: WrittenBy) -> Option<&'static str> {
    match by {
        WrittenBy::Compiler => None,
        WrittenBy::Model => Some("a language model; held to what our own statement works out"),
        WrittenBy::Asker => Some("whoever asked"),
    }
}

pub(super) fn copied(page: &mut Page<'_>, query: &Query, rows: &[Vec<Cell>]) {
    let number = |place: usize| rows.iter().any(|row| matches!(row.get(place), Some(Cell::Number(_))));
    let right: Vec<bool> = (0..query.columns.len()).map(number).collect();
    let shown: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| shortened(&cell_text(cell))).collect()).collect();
    grid(page, &query.columns, &shown, &right);
}

/// Each stage's carbon copy.
pub(super) fn trace(page: &mut Page<'_>, record: &Record) {
    words(page, record);
    if let Some(shortlist) = &record.shortlist {
        listed(page, shortlist);
    }
    for exchange in &record.models {
        model(page, exchange);
    }
    for entry in &record.trail {
        page.heading(&entry.stage);
        for line in entry.text.lines() {
            page.flow(2, &[Run::plain(line)]);
        }
    }
}

/// What of a large catalogue the model was told of, by why it was.
fn listed(page: &mut Page<'_>, shortlist: &Shortlist) {
    page.heading("told of, of a large catalogue");
    let kinds = [
        ("metrics", &shortlist.metrics),
        ("populations", &shortlist.populations),
        ("datasets", &shortlist.datasets),
    ];
    let count: usize = kinds.iter().map(|(_, all)| all.len()).sum();
    page.flow(2, &[Run::plain(format!("{count} of {} entries", shortlist.entries))]);
    for (kind, all) in kinds {
        for (by, why) in [
            ("both", "by words and by meaning"),
            ("words", "by words"),
            ("meaning", "by meaning"),
            ("needed", "needed by others"),
        ] {
            let names: Vec<&str> = all.iter().filter(|e| e.by == by).map(|e| e.name.as_str()).collect();
            if !names.is_empty() {
                page.flow(2, &[Run::plain(format!("{kind} {why}: {}", names.join(", ")))]);
            }
        }
    }
    if let Some(asked) = &shortlist.by_meaning {
        by_meaning(page, asked);
    }
}

/// What became of looking by meaning.
fn by_meaning(page: &mut Page<'_>, asked: &ByMeaning) {
    let who = format!("{} at {} ({})", asked.model, asked.place, asked.provider);
    let end = match asked.judged.as_str() {
        "used" => "used",
        _ => "failed, so that words alone chose",
    };
    page.flow(2, &[Run::plain(format!("embeddings of {who}: {end}"))]);
    let tokens = asked.tokens.map(|tokens| format!(", {tokens} tokens")).unwrap_or_default();
    let cost = asked.cost.as_ref().map(|cost| format!(", cost {cost}")).unwrap_or_default();
    let ms = asked.latency_us.div_ceil(1000);
    page.flow(2, &[Run::plain(format!("{} texts sent{tokens}, {ms} ms{cost}", asked.sent))]);
    for why in &asked.because {
        page.flow(2, &[Run::plain(format!("because {why}"))]);
    }
}

/// One exchange with a language model.
fn model(page: &mut Page<'_>, exchange: &Exchange) {
    page.heading(&format!("model, to {}", exchange.purpose));
    let digest = exchange.prompt_digest.get(..12).unwrap_or(&exchange.prompt_digest);
    let who = format!("{} at {} ({})", exchange.model, exchange.place, exchange.provider);
    page.flow(2, &[Run::plain(format!("{who}, prompt {} {digest}: {}", exchange.prompt, exchange.judged))]);
    if let (Some(input), Some(output), Some(took)) =
        (exchange.input_tokens, exchange.output_tokens, exchange.latency_us)
    {
        let cost = exchange.cost.as_ref().map(|cost| format!(", cost {cost}")).unwrap_or_default();
        let ms = took.div_ceil(1000);
        page.flow(2, &[Run::plain(format!("{input} tokens in, {output} out, {ms} ms{cost}"))]);
    }
    for why in &exchange.because {
        page.flow(2, &[Run::plain(format!("because {why}"))]);
    }
}

/// The project, the catalogue's digest, how long it took, and the id.
pub(super) fn closing(page: &mut Page<'_>, record: &Record) {
    page.gap();
    let project = format!("{}, catalogue {}", record.project.name, record.project.catalogue_digest);
    page.field("project", &[Run::plain(project)], None);
    let took = format!("{} ms", record.timings.total_us.div_ceil(1000));
    page.field("took", &[Run::plain(took)], None);
    page.field("id", &[Run::plain(record.id.clone())], None);
}
