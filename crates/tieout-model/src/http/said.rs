//! What an endpoint says when it does not answer: found in the bodies that are usual, made plain, and cut short.

use serde_json::Value;

/// The longest quotation of an endpoint, in characters.
const TEXT_CHARS_MAX: usize = 240;

/// A complaint of an endpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Complaint {
    /// Its words, plain and short.
    pub text: String,
    /// Its code or kind, such as `insufficient_quota`; empty where it gives none.
    pub codes: Vec<String>,
}

impl Complaint {
    /// Finds the complaint in a body.
    pub(crate) fn of(body: &str) -> Self {
        let Ok(value) = serde_json::from_str::<Value>(body) else {
            // Pages of proxies are no sentences.
            let text = if body.trim_start().starts_with('<') { String::new() } else { plain(body) };
            return Self { text, codes: Vec::new() };
        };
        let error = value.get("error").unwrap_or(&value);
        let words = [error, &value].into_iter().find_map(|place| {
            place
                .as_str()
                .or_else(|| ["message", "detail", "error"].iter().find_map(|key| place.get(*key)?.as_str()))
        });
        let codes = ["code", "type", "param"].iter().filter_map(|key| error.get(*key)?.as_str());
        Self { text: plain(words.unwrap_or_default()), codes: codes.map(str::to_owned).collect() }
    }

    /// Whether its words or codes hold any of these, whatever the case.
    pub(crate) fn mentions(&self, words: &[&str]) -> bool {
        let all = std::iter::once(&self.text).chain(&self.codes);
        all.into_iter().any(|text| {
            let text = text.to_lowercase();
            words.iter().any(|word| text.contains(word))
        })
    }
}

/// A text on one line without anything that moves a cursor, and not longer than a quotation.
pub(crate) fn plain(text: &str) -> String {
    let words: Vec<_> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
    // Marks that turn the direction of writing hide what stands behind them.
    let line: String = words.join(" ").chars().filter(|c| !is_direction(*c)).collect();
    match line.char_indices().nth(TEXT_CHARS_MAX) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_found_where_endpoints_put_them() {
        for (body, text, code) in [
            (
                r#"{"error": {"message": "no such model", "code": "model_not_found"}}"#,
                "no such model",
                "model_not_found",
            ),
            (r#"{"error": "model 'x' not found"}"#, "model 'x' not found", ""),
            (r#"{"object": "error", "message": "bad", "type": "BadRequestError"}"#, "bad", "BadRequestError"),
            (r#"{"detail": "Unauthorized"}"#, "Unauthorized", ""),
            (
                r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                "Overloaded",
                "overloaded_error",
            ),
            ("upstream connect\n error", "upstream connect error", ""),
            ("<html><body>502</body></html>", "", ""),
            ("{}", "", ""),
            ("", "", ""),
        ] {
            let found = Complaint::of(body);
            assert_eq!(found.text, text, "{body}");
            assert_eq!(found.codes.first().map_or("", String::as_str), code, "{body}");
        }
    }

    #[test]
    fn words_are_made_plain() {
        assert_eq!(plain("a\u{1b}[31mb\u{202e}c\r\n\u{7}d"), "a [31mbc d");
        assert_eq!(plain(&"é".repeat(1_000)).chars().count(), TEXT_CHARS_MAX + 1);
    }
}
