//! What an endpoint can do, found out from what it turns down. Each lesson leaves less to try, so lessons end.

use tieout_core::model::{Mode, ModelFaultKind, UnfitKind};

use crate::{
    http::{Complaint, Failed},
    providers::{Abilities, LengthWord, Taken},
};

/// Statuses with which endpoints turn down what they do not know.
const UNKNOWN: [u16; 5] = [400, 404, 415, 422, 501];

/// Words by which an endpoint names the way in which a shape was asked for.
const MODE_WORDS: [&str; 8] = [
    "response_format",
    "output_config",
    "output_format",
    "json_schema",
    "json_object",
    "schema",
    "grammar",
    "tool",
];

/// What to try instead of what was turned down; none when the complaint is about something else. No modes are tried
/// when `modes` is empty.
pub(super) fn learned(tried: Abilities, failed: &Failed, modes: &[Mode]) -> Option<Abilities> {
    let ModelFaultKind::NotTaken { status, .. } = &failed.kind else { return None };
    if !UNKNOWN.contains(status) {
        return None;
    }
    let complaint = failed.complaint.as_ref();
    if tried.length == LengthWord::MaxTokens && complaint.mentions(&["max_tokens", "max_completion_tokens"]) {
        return Some(Abilities { length: LengthWord::MaxCompletionTokens, ..tried });
    }
    if tried.temperature == Taken::Yes && complaint.mentions(&["temperature"]) {
        return Some(Abilities { temperature: Taken::No, ..tried });
    }
    if tried.stream_usage == Taken::Yes && complaint.mentions(&["stream_options"]) {
        return Some(Abilities { stream_usage: Taken::No, ..tried });
    }
    let silent = *complaint == Complaint::default();
    let mode = weaker(tried.mode, modes)?;
    (silent || complaint.mentions(&MODE_WORDS)).then_some(Abilities { mode, ..tried })
}

/// The next weaker mode of those there are.
pub(super) fn weaker(mode: Mode, modes: &[Mode]) -> Option<Mode> {
    modes.iter().copied().find(|other| *other > mode)
}

/// Whether a reply that cannot be used tells that the endpoint does not hold to the mode. A cut or a refusal tells
/// nothing of it.
pub(super) fn tells_of_the_mode(kind: UnfitKind) -> bool {
    match kind {
        UnfitKind::NoCall | UnfitKind::NotJson | UnfitKind::DuplicateKey | UnfitKind::Schema => true,
        UnfitKind::Empty | UnfitKind::Declined | UnfitKind::Cut => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Abilities = Abilities {
        mode: Mode::Schema,
        temperature: Taken::Yes,
        stream_usage: Taken::Yes,
        length: LengthWord::MaxTokens,
    };

    fn failed(status: u16, body: &str) -> Failed {
        let complaint = Complaint::of(body);
        let kind = ModelFaultKind::NotTaken { status, said: complaint.text.clone() };
        Failed { complaint: Box::new(complaint), ..Failed::turned_down(kind) }
    }

    #[test]
    fn what_is_complained_of_is_not_asked_again() {
        let say = |status, body: &str| learned(FIRST, &failed(status, body), &Mode::ALL);
        let length = r#"{"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model.", "param": "max_tokens"}}"#;
        assert_eq!(say(400, length), Some(Abilities { length: LengthWord::MaxCompletionTokens, ..FIRST }));
        let temperature =
            r#"{"error": {"message": "Only the default value is supported", "param": "temperature"}}"#;
        assert_eq!(say(400, temperature), Some(Abilities { temperature: Taken::No, ..FIRST }));
        let usage = r#"{"detail": "extra fields not permitted: stream_options"}"#;
        assert_eq!(say(422, usage), Some(Abilities { stream_usage: Taken::No, ..FIRST }));
        let mode = r#"{"error": "response_format of type json_schema is not supported"}"#;
        assert_eq!(say(400, mode), Some(Abilities { mode: Mode::Tool, ..FIRST }));
        assert_eq!(say(501, ""), Some(Abilities { mode: Mode::Tool, ..FIRST }), "it says nothing at all");
        for other in [
            r#"{"error": {"message": "model not found"}}"#,
            r#"{"error": {"message": "context length exceeded"}}"#,
        ] {
            assert_eq!(say(404, other), None);
        }
        assert_eq!(say(401, mode), None);
        assert_eq!(learned(FIRST, &failed(400, mode), &[]), None, "the mode is configured");
    }

    #[test]
    fn lessons_end() {
        let everything = r#"{"error": "max_tokens, temperature, stream_options, response_format, tools"}"#;
        let (mut tried, mut lessons) = (FIRST, 0);
        while let Some(next) = learned(tried, &failed(400, everything), &Mode::ALL) {
            (tried, lessons) = (next, lessons + 1);
        }
        assert_eq!(lessons, 6, "three parameters, and three weaker modes");
        assert_eq!(tried.mode, Mode::Plain);
    }
}
