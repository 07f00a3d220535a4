//! What `doctor` found: one line each, and what to do where something does not hold.

use super::{Layout, Page, Style};
use crate::{render::text::Run, verbs::Finding};

/// The findings, one line each.
#[must_use]
pub fn doctor(findings: &[Finding], layout: &Layout) -> String {
    let mut page = Page::new(layout);
    for finding in findings {
        match &finding.found {
            Ok(text) => page.field(finding.what, &[Run::plain(text.clone())], None),
            Err(fault) => {
                page.field(finding.what, &[Run::new(fault.message.clone(), Style::Bad)], Some('#'));
                page.field("do", &[Run::plain(fault.hint.clone())], None);
            }
        }
    }
    page.finish()
}
