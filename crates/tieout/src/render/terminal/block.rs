//! The block: five fields, one line each, every part with who said so.

use super::{Page, Style};
use crate::{
    render::text::Run,
    wire::{BlockPart, Record},
};

/// The source of what nobody said.
const ASSUMED: &str = "ASSUMED";

/// The block, and what the period might have meant instead.
pub(super) fn block(page: &mut Page<'_>, record: &Record) {
    page.gap();
    for line in &record.block {
        let mut runs = Vec::new();
        for (i, part) in line.parts.iter().enumerate() {
            if i > 0 {
                runs.push(Run::plain("; "));
            }
            runs.push(Run::plain(format!("{} ", part.text)));
            runs.push(source(part));
        }
        let assumed = line.parts.iter().any(|part| part.source == ASSUMED);
        page.field(&line.field, &runs, assumed.then_some('!'));
        if line.field == "period" {
            for alternative in &record.alternatives {
                page.field("", &[Run::new(format!("(not taken: {alternative})"), Style::Dim)], None);
            }
        }
    }
}

fn source(part: &BlockPart) -> Run {
    let style = if part.source == ASSUMED { Style::Warning } else { Style::Dim };
    Run::new(format!("[{}]", part.source), style)
}
