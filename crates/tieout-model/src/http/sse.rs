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

#[cfg(test)]
mod tests {
    use super::*;

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
