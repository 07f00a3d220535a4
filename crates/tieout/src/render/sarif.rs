//! The report of `check` as SARIF 2.1.0, which code hosts show beside the lines.
//! See <https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html>.
//!
//! Deliberately absent: results for what is accepted without a warning.

use std::fmt::Write as _;

use serde_json::{Value, json};
use tieout_sql::RULES;

use crate::wire::{CheckReport, Judged, SeverityName, StatementFinding};

/// What else may be found, beside the rules of the table: names and reasons.
const BEYOND_THE_RULES: &[(&str, &str)] = &[
    ("syntax", "what does not parse cannot be judged"),
    ("size", "what is too long or too deep cannot be judged in bounded time"),
    ("printing", "what runs must say what was judged"),
    ("limits", "a limit that is not a number cannot be held against the most rows"),
    ("binds", "a placeholder without a value means nothing"),
    ("definition_absent", "what a statement claims to work out must be there as it is defined"),
    ("definition_extra", "what no definition asks for changes what is counted"),
];

/// The report as one SARIF log.
#[must_use]
pub fn sarif(report: &CheckReport) -> Value {
    let rules: Vec<(&str, &str)> =
        RULES.iter().map(|rule| (rule.name, rule.reason)).chain(BEYOND_THE_RULES.iter().copied()).collect();
    let results: Vec<Value> = report
        .statements
        .iter()
        .flat_map(|judged| judged.findings.iter().map(move |found| (judged, found)))
        .map(|(judged, found)| result(judged, found, &rules))
        .collect();
    let described: Vec<Value> = rules.iter().map(|(name, reason)| described(name, reason)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "tieout",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": described,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn described(name: &str, reason: &str) -> Value {
    json!({ "id": name, "shortDescription": { "text": name.replace('_', " ") }, "fullDescription": { "text": reason } })
}

fn result(judged: &Judged, found: &StatementFinding, rules: &[(&str, &str)]) -> Value {
    let text = match found.hint.is_empty() {
        true => found.message.clone(),
        false => format!("{}; {}", found.message, found.hint),
    };
    let region = match found.place {
        Some(place) => json!({
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.line,
            "endColumn": place.column.saturating_add(place.length),
        }),
        None => json!({ "startLine": judged.line, "startColumn": judged.column }),
    };
    let mut result = json!({
        "ruleId": found.rule,
        "level": match found.severity {
            SeverityName::Reject => "error",
            SeverityName::Warn => "warning",
        },
        "message": { "text": text },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(judged.file.as_deref().unwrap_or("statement")) },
            "region": region,
        } }],
    });
    if let (Some(index), Some(fields)) =
        (rules.iter().position(|(name, _)| *name == found.rule), result.as_object_mut())
    {
        fields.insert("ruleIndex".to_owned(), index.into());
    }
    result
}

/// A file's name as a relative reference: everything but unreserved characters and slashes is escaped (RFC 3986).
fn uri(file: &str) -> String {
    let mut uri = String::with_capacity(file.len());
    for byte in file.replace('\\', "/").bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(byte.into())
            }
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_references() {
        assert_eq!(uri("models/my model:é.sql"), "models/my%20model%3A%C3%A9.sql");
    }
}
