//! What the checker says of statements: each finding under its place, and for a single statement what it was understood
//! as and how it would run.

use tieout_core::{
    catalogue::load::{self, Drawing},
    number::{Number, Unit, print_number},
};

use super::{Layout, Page, Style, figures::grid};
use crate::{
    render::text::{Run, harmless, shortened},
    surroundings::Colour,
    wire::{
        AcceptedStatement, BoundBy, CheckReport, ExplainReport, Explained, Explanation, HeldVerdict, Judged,
        SeverityName, StatementFinding, VerdictName,
    },
};

/// The report of `check`.
#[must_use]
pub fn checked(report: &CheckReport, layout: &Layout) -> String {
    let mut page = Page::new(layout);
    for judged in &report.statements {
        for found in &judged.findings {
            finding(&mut page, found, (&judged.file, &judged.text), (judged.line, judged.column));
        }
        held(&mut page, judged, report);
    }
    if let [only] = report.statements.as_slice() {
        single(&mut page, only, report);
    } else {
        for judged in report.statements.iter().filter(|one| one.verdict == VerdictName::Rejected) {
            let place = format!("{}:{}", judged.file.as_deref().unwrap_or("statement"), judged.line);
            page.field("rejected", &[Run::new(place, Style::Bad)], Some('x'));
        }
    }
    page.gap();
    page.field("in all", &[Run::plain(totals(report))], None);
    page.field("judged by", &[Run::plain(format!("{}, as {}", report.schema, report.dialect))], None);
    page.finish()
}

/// How a statement stands to every part of what it was held against.
fn held(page: &mut Page<'_>, judged: &Judged, report: &CheckReport) {
    let Some(name) = report.against.as_ref().filter(|_| !judged.against.is_empty()) else { return };
    let place = judged.file.as_ref().map(|file| format!(", {file}:{}", judged.line)).unwrap_or_default();
    page.heading(&format!("held against {name}{place}"));
    for part in &judged.against {
        let (word, style, mark) = match part.verdict {
            HeldVerdict::Present => ("present", Style::Plain, None),
            HeldVerdict::Absent => ("absent", Style::Bad, Some('x')),
            HeldVerdict::Extra => ("extra", Style::Bad, Some('x')),
        };
        let runs = [Run::new(format!("{}: ", part.role), Style::Dim), Run::new(part.what.clone(), style)];
        page.field(word, &runs, mark);
    }
    page.gap();
}

fn totals(report: &CheckReport) -> String {
    let count = report.statements.len();
    format!(
        "{count} {}: {} accepted, {} rejected; {} {}",
        if count == 1 { "statement" } else { "statements" },
        report.accepted,
        report.rejected,
        report.warnings,
        if report.warnings == 1 { "warning" } else { "warnings" },
    )
}

fn single(page: &mut Page<'_>, judged: &Judged, report: &CheckReport) {
    match &judged.accepted {
        None => page.field("rejected", &[Run::new("it does not run", Style::Bad)], Some('x')),
        Some(accepted) => {
            page.field("accepted", &[Run::new("it may run", Style::Strong)], None);
            understood(page, accepted, report);
        }
    }
}

fn understood(page: &mut Page<'_>, accepted: &AcceptedStatement, report: &CheckReport) {
    page.gap();
    let from = |column: &crate::wire::OutputColumn| {
        let of: Vec<String> = column.lineage.iter().map(|of| format!("{}.{}", of.table, of.column)).collect();
        if of.is_empty() { "no column".to_owned() } else { of.join(", ") }
    };
    let rows: Vec<Vec<String>> = accepted
        .columns
        .iter()
        .map(|column| {
            let through = column.aggregates.join(", ");
            vec![shortened(&column.name), column.datatype.clone(), shortened(&from(column)), through]
        })
        .collect();
    let headings = ["column", "type", "made of", "through"].map(str::to_owned);
    grid(page, &headings, &rows, &[false; 4]);
    page.gap();
    for join in &accepted.joins {
        let pairs: Vec<String> =
            join.pairs.iter().map(|pair| format!("{} = {}", pair.left, pair.right)).collect();
        let mut runs =
            vec![Run::plain(format!("{} with {} by {} ", join.left, join.right, pairs.join(" and ")))];
        runs.extend(join.relationship.as_ref().map(|name| Run::new(format!("[{name}]"), Style::Dim)));
        page.field("join", &runs, None);
    }
    page.field("grain", &[Run::plain(or(&accepted.grain, "not recovered"))], None);
    page.field("reads", &[Run::plain(or(&accepted.tables, "no table"))], None);
    if let Some(tenant) = report.tenant.as_ref().filter(|_| !accepted.tenants.is_empty()) {
        let bound: Vec<String> = accepted
            .tenants
            .iter()
            .map(|bound| format!("{} by {} (value {})", bound.table, bound.column, bound.value))
            .collect();
        page.field("tenant", &[Run::plain(format!("{tenant}, bound on {}", bound.join(", ")))], None);
    }
    if let Some(rows) = accepted.rows_max {
        let rows = print_number(&Number::from(rows), &Unit::none());
        page.field("limit", &[Run::plain(format!("at most {rows} rows, set by the checker"))], None);
    }
    page.gap();
    page.field("would run", &[Run::new(accepted.sql.clone(), Style::Dim)], None);
    if !accepted.values.is_empty() {
        let shown = |(value, number): (&crate::wire::BoundValue, usize)| {
            let shown = value.value.as_ref().map_or("not given".to_owned(), |bind| shortened(&bind.shown()));
            let whose = match value.by {
                BoundBy::Statement => "",
                BoundBy::Tenant => " (tenant)",
            };
            format!("{number}: {shown}{whose}")
        };
        let values: Vec<String> = accepted.values.iter().zip(1..).map(shown).collect();
        page.field("values", &[Run::plain(values.join("; "))], None);
    }
}

fn or(parts: &[String], otherwise: &str) -> String {
    if parts.is_empty() { otherwise.to_owned() } else { parts.join(", ") }
}

/// A finding under its place. What a statement says is made harmless before it is drawn.
fn finding(
    page: &mut Page<'_>,
    found: &StatementFinding,
    (file, text): (&Option<String>, &str),
    (line, column): (u64, u64),
) {
    let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let shown: Vec<String> = text.lines().map(harmless).collect();
    let text = " ".repeat(whole(column).saturating_sub(1)) + &shown.join("\n");
    let (file, message, hint) =
        (file.as_deref().map(harmless).unwrap_or_default(), harmless(&found.message), harmless(&found.hint));
    let drawing = Drawing {
        severity: match found.severity {
            SeverityName::Reject => load::Severity::Error,
            SeverityName::Warn => load::Severity::Warning,
        },
        code: &found.rule,
        file: &file,
        line: found.place.map_or(0, |place| whole(place.line)),
        column: found.place.map_or(0, |place| whole(place.column)),
        length: found.place.map_or(0, |place| whole(place.length)),
        message: &message,
        hint: &hint,
        text_line: whole(line),
    };
    let colour = match page.layout.colour {
        Colour::Never => load::Colour::Never,
        Colour::Ansi => load::Colour::Ansi,
    };
    page.gap();
    page.drawn(&load::draw(&drawing, &text, colour));
    page.gap();
}

/// The report of `explain`: five lines for each statement.
#[must_use]
pub fn explained(report: &ExplainReport, layout: &Layout) -> String {
    let mut page = Page::new(layout);
    for explained in &report.statements {
        page.gap();
        one(&mut page, explained);
    }
    page.finish()
}

fn one(page: &mut Page<'_>, explained: &Explained) {
    for found in &explained.findings {
        finding(page, found, (&explained.file, &explained.text), (explained.line, explained.column));
    }
    if let Some(file) = &explained.file {
        page.heading(&format!("{file}:{}", explained.line));
    }
    if let Some(lines) = &explained.lines {
        five_lines(page, lines, None);
    }
}

/// The five lines, each part with who said so, where somebody did.
pub(super) fn five_lines(page: &mut Page<'_>, explanation: &Explanation, source: Option<&str>) {
    for (field, parts) in explanation.lines() {
        let mut runs = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                runs.push(Run::plain("; "));
            }
            runs.push(Run::plain(part.clone()));
            runs.extend(source.map(|source| Run::new(format!(" [{source}]"), Style::Dim)));
        }
        page.field(field, &runs, None);
    }
}
