//! The rows of a statement: first whose words they are, then what it counts, then the rows and what must be minded.

use super::{Page, Style, block, endings, show};
use crate::{
    render::text::Run,
    wire::{QueryRows, Record},
};

/// The rows, or how many there are where they are not at hand.
pub(super) fn rows(page: &mut Page<'_>, rows: &QueryRows, record: &Record) {
    let (whose, others) = rows.caveats.split_at(rows.caveats.len().min(1));
    endings::caveats(page, whose);
    block::block(page, record);
    page.gap();
    let Some(query) = record.queries.iter().find(|query| query.id == rows.query) else { return };
    if let Some(copy) = query.rows.as_ref().filter(|copy| !copy.is_empty()) {
        show::copied(page, query, copy);
    }
    let count = match query.row_count {
        0 => "no rows".to_owned(),
        1 => "1 row".to_owned(),
        count => format!("{count} rows"),
    };
    page.flow(0, &[Run::new(format!("{count} [{}]", query.id), Style::Dim)]);
    endings::caveats(page, others);
}
