//! What a replay found: same, changed with what changed, or broken with why.

use tieout_agent::{CellChange, Replayed, Verdict};
use tieout_core::evidence;

use super::{Layout, Page, Style, endings::cell_text};
use crate::{
    render::text::{Run, shortened},
    wire::Cell,
};

/// One replay.
#[must_use]
pub fn replayed(found: &Replayed, layout: &Layout) -> String {
    let mut page = Page::new(layout);
    one(&mut page, found);
    page.finish()
}

/// Several replays, those that are the same in one line each, and how many of each kind there are.
#[must_use]
pub fn replayed_all(found: &[Replayed], layout: &Layout) -> String {
    let mut page = Page::new(layout);
    for replayed in found {
        one(&mut page, replayed);
    }
    page.gap();
    let count = |verdict| found.iter().filter(|replayed| replayed.verdict == verdict).count();
    let words = format!(
        "{} same, {} changed, {} broken",
        count(Verdict::Same),
        count(Verdict::Changed),
        count(Verdict::Broken)
    );
    page.field("in all", &[Run::plain(words)], None);
    page.finish()
}

fn one(page: &mut Page<'_>, found: &Replayed) {
    let (word, style, mark) = match found.verdict {
        Verdict::Same => ("same", Style::Strong, None),
        Verdict::Changed => ("changed", Style::Warning, Some('!')),
        Verdict::Broken => ("broken", Style::Bad, Some('#')),
    };
    page.field(word, &[Run::new(found.id.clone(), style)], mark);
    if found.catalogue_changed {
        page.field(
            "",
            &[Run::plain("the catalogue has changed since; the recorded SQL was run as it was")],
            Some('!'),
        );
    }
    for why in &found.broken {
        page.field("", &[Run::plain(why.clone())], None);
    }
    for change in &found.changes {
        page.field("", &[Run::plain(change_words(change))], None);
    }
    if found.changes_left_out > 0 {
        page.field("", &[Run::plain(format!("and {} more cells", found.changes_left_out))], None);
    }
    for (claim, was, is) in &found.claims {
        page.field(claim, &[Run::plain(format!("was {was}, is {is}"))], None);
    }
}

/// A change in words: the table, the row by its key, the column, what it was and is.
#[must_use]
pub fn change_words(change: &CellChange) -> String {
    let text = |cell: &evidence::Cell| shortened(&cell_text(&Cell::from(cell)));
    let key: Vec<String> = change.key.iter().map(|(name, cell)| format!("{name} {}", text(cell))).collect();
    let key = if key.is_empty() { String::new() } else { format!(", {}", key.join(", ")) };
    let place = format!("{} ({}){key}", change.tables.join(" and "), change.query);
    match (&change.column, &change.was, &change.is) {
        (Some(column), Some(was), Some(is)) => {
            format!("{place}: {column} was {}, is {}", text(was), text(is))
        }
        (None, None, None) => format!("{place}: the rows differ; they were too many to be kept one by one"),
        (_, None, Some(_)) => format!("{place}: the row is new"),
        (_, Some(_), None) => format!("{place}: the row is gone"),
        (Some(column), None, None) => format!("{place}: {column} differs"),
        (None, Some(_), Some(_)) => format!("{place}: the row differs"),
    }
}
