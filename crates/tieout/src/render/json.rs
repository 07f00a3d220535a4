//! The JSON form, indented, and safe to print on a terminal.

use serde::Serialize;

use super::text::is_unsafe;

/// A value as indented JSON. Characters that could steer a terminal or turn its lines around are written as escapes,
/// which mean the same to every reader of JSON.
#[must_use]
pub fn print<T: Serialize>(value: &T) -> String {
    // Our own types always serialise; were one not to, its error is shown as JSON too.
    let text = serde_json::to_string_pretty(value).unwrap_or_else(|error| {
        serde_json::json!({ "outcome": "fault", "fault": error.to_string() }).to_string()
    });
    let mut safe = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        if c != '\n' && is_unsafe(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                safe.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            safe.push(c);
        }
    }
    safe.push('\n');
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_escaped_and_reads_back() {
        let hostile = "a\u{1b}[31m\u{9b}2J\u{202e}\u{7f}\u{e0041}\n“ü”";
        let printed = print(&hostile);
        assert!(printed.trim_end().chars().all(|c| !is_unsafe(c)), "{printed:?}");
        assert_eq!(serde_json::from_str::<String>(&printed).unwrap(), hostile);
    }
}
