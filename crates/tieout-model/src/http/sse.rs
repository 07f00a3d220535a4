//! Server-sent events: the data of each, in order (<https://html.spec.whatwg.org/multipage/server-sent-events.html>).

/// The data of every event that is complete. What follows the last empty line was cut off, and is left out.
pub(crate) fn events(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut data: Option<String> = None;
    for line in lines(text) {
        if line.is_empty() {
            found.extend(data.take());
            continue;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        if field == "data" {
            let value = value.strip_prefix(' ').unwrap_or(value);
            match &mut data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => data = Some(value.to_owned()),
            }
        }
    }
    found
}

/// Lines that ended: by a line feed, a carriage return, or both.
fn lines(text: &str) -> Vec<&str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['\n', '\r']) {
        found.push(&rest[..at]);
        let length = if rest[at..].starts_with("\r\n") { 2 } else { 1 };
        rest = &rest[at + length..];
    }
    found
}

/// How much of the end of a stream is looked at for its last event, in bytes.
const FAREWELL_BYTES_MAX: usize = 256;

/// Whether the last event that is complete has one of these lines. A line of a model's own cannot look like it: its words
/// stand inside JSON, where a line does not end.
pub(super) fn says_farewell(bytes: &[u8], farewells: &[&str]) -> bool {
    let tail = &bytes[bytes.len().saturating_sub(FAREWELL_BYTES_MAX)..];
    let tail = String::from_utf8_lossy(tail).replace("\r\n", "\n").replace('\r', "\n");
    let Some(ended) = tail.strip_suffix("\n\n") else { return false };
    let (before, last) = ended.rsplit_once("\n\n").unwrap_or(("", ended));
    // Without anything before it, the first line may be the end of a longer one, unless the stream is that short.
    let whole = !before.is_empty() || bytes.len() <= FAREWELL_BYTES_MAX;
    let mut lines = last.lines();
    if !whole {
        lines.next();
    }
    lines.any(|line| farewells.contains(&line.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_farewell_is_a_whole_line_of_the_last_event() {
        let says = |text: &str| says_farewell(text.as_bytes(), &["data: [DONE]", "event: message_stop"]);
        assert!(says("data: {}\n\ndata: [DONE]\n\n"));
        assert!(says("data: [DONE]\r\n\r\n"));
        assert!(says("event: ping\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"));
        for other in [
            "",
            "data: [DONE]",
            "data: [DONE]\n",
            "data: {\"content\": \"data: [DONE]\"}\n\n",
            "data: {\"content\": \"\\n\\ndata: [DONE]\\n\\n\"}\n\n",
            "data: [DONE]\n\ndata: {}\n\n",
            "event: message_stop\ndata: {}",
        ] {
            assert!(!says(other), "{other:?}");
        }
        // The beginning of a long line is out of sight: what is seen of it is no line.
        let long =
            format!("data: {}data: [DONE]\n\n", "x".repeat(FAREWELL_BYTES_MAX - "data: [DONE]\n\n".len()));
        assert!(!says(&long));
    }

    #[test]
    fn events_end_with_an_empty_line() {
        assert_eq!(
            events("data: {\"a\":1}\n\ndata:{\"b\"\ndata: :2}\n\n: a comment\n\n"),
            ["{\"a\":1}", "{\"b\"\n:2}"]
        );
        assert_eq!(events("event: ping\r\ndata: 1\r\n\r\nid: 5\r\rdata\r\r"), ["1", ""]);
        assert_eq!(events("\u{feff}data: 1\n\ndata: 2\n"), ["1"], "the second was cut off");
        assert_eq!(events("data: 1\n\ndata: 2"), ["1"]);
        assert!(events("").is_empty());
    }
}
