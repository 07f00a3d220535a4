//! What was asked, the last first: one line each.

use tieout_ledger::Summary;

use super::{Layout, Page, figures::grid};
use crate::render::text::shortened;

/// The records, one line each.
#[must_use]
pub fn history(records: &[Summary], layout: &Layout) -> String {
    let mut page = Page::new(layout);
    let headings = ["id", "asked", "outcome", "question"].map(str::to_owned);
    let rows: Vec<Vec<String>> = records.iter().map(row).collect();
    grid(&mut page, &headings, &rows, &[false; 4]);
    page.finish()
}

fn row(record: &Summary) -> Vec<String> {
    // The date and the minute are enough to find a record; `show` has all digits.
    let asked: String = record.asked_at.chars().take("2026-10-07T12:00".len()).collect();
    let outcome = match &record.reason {
        Some(reason) => format!("{}: {reason}", record.outcome),
        None => record.outcome.clone(),
    };
    vec![record.id.clone(), asked.replace('T', " "), outcome, shortened(&record.question)]
}
