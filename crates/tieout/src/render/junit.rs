//! The report of `check` as JUnit XML, which test runners of every CI show: a suite for each file, a case for each
//! statement.
//!
//! Deliberately absent: warnings as failures; they are the output of a case that passed.

use std::fmt::Write as _;

use crate::wire::{CheckReport, Judged, SeverityName, StatementFinding, VerdictName};

/// The report as one XML document.
#[must_use]
pub fn junit(report: &CheckReport) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        text,
        "<testsuites name=\"tieout check\" tests=\"{}\" failures=\"{}\" errors=\"0\">",
        report.statements.len(),
        report.rejected
    );
    for suite in report.statements.chunk_by(|a, b| a.file == b.file) {
        let failures = suite.iter().filter(|one| one.verdict == VerdictName::Rejected).count();
        let _ = writeln!(
            text,
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">",
            escaped(file(&suite[0])),
            suite.len()
        );
        for judged in suite {
            case(&mut text, judged);
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn file(judged: &Judged) -> &str {
    judged.file.as_deref().unwrap_or("statement")
}

fn case(text: &mut String, judged: &Judged) {
    let (file, line) = (escaped(file(judged)), judged.line);
    let _ = write!(
        text,
        "    <testcase classname=\"{file}\" name=\"line {line}\" file=\"{file}\" line=\"{line}\""
    );
    let of = |severity| judged.findings.iter().filter(move |found| found.severity == severity);
    let said: Vec<String> = of(SeverityName::Reject).map(|found| words(found, judged)).collect();
    let warned: Vec<String> = of(SeverityName::Warn).map(|found| words(found, judged)).collect();
    if judged.findings.is_empty() {
        text.push_str("/>\n");
        return;
    }
    text.push_str(">\n");
    if let Some(first) = of(SeverityName::Reject).next() {
        let _ = writeln!(
            text,
            "      <failure type=\"{}\" message=\"{}\">{}</failure>",
            escaped(&first.rule),
            escaped(&first.message),
            escaped(&said.join("\n"))
        );
    }
    if !warned.is_empty() {
        let _ = writeln!(text, "      <system-out>{}</system-out>", escaped(&warned.join("\n")));
    }
    text.push_str("    </testcase>\n");
}

fn words(found: &StatementFinding, judged: &Judged) -> String {
    let place = found.place.map_or((judged.line, judged.column), |place| (place.line, place.column));
    format!("{}:{}:{}: {}: {}; {}", file(judged), place.0, place.1, found.rule, found.message, found.hint)
}

/// Text that may stand in XML 1.0: what its grammar has no place for is shown as a sign.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' => safe.push_str("&#10;"),
            '\t' => safe.push_str("&#9;"),
            '\u{0}'..='\u{1f}' => safe.push(char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}')),
            '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_has_no_place_for_is_shown() {
        assert_eq!(escaped("a<b & \"c\"\u{1b}\n"), "a&lt;b &amp; &quot;c&quot;\u{241b}&#10;");
    }
}
