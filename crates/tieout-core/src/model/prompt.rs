//! A prompt, and the digest by which it is found again.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// What a model is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Purpose {
    /// To read a question into a typed request.
    Read,
    /// To write sentences with slots over figures.
    Narrate,
    /// To draft a select from settled definitions.
    Draft,
    /// To show what an endpoint can do.
    Probe,
}

impl Purpose {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Read, Self::Narrate, Self::Draft, Self::Probe];

    /// As shown and as written in files.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Narrate => "narrate",
            Self::Draft => "draft",
            Self::Probe => "probe",
        }
    }

    /// The purpose of a code.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|purpose| purpose.code() == code)
    }
}

/// Who says a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Speaker {
    /// Us.
    User,
    /// The model, in an earlier reply.
    Model,
}

impl Speaker {
    /// As written in files.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Model => "model",
        }
    }

    /// The speaker of a code.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        [Self::User, Self::Model].into_iter().find(|speaker| speaker.code() == code)
    }
}

/// One turn of the conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Who says it.
    pub speaker: Speaker,
    /// What is said.
    pub text: String,
}

/// How much one prompt may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PromptLimits {
    /// How often the endpoint may be asked, retries included. A stage hands on what is left of its own attempts, so
    /// that they are counted once in all.
    pub attempts_max: u32,
    /// The longest reply, in tokens.
    pub reply_tokens_max: u32,
}

/// Everything that a model is told, and the shape that its reply must have.
#[derive(Clone, Debug, PartialEq)]
pub struct Prompt {
    /// What for.
    pub purpose: Purpose,
    /// The version of the prompt's text, such as `read-3`.
    pub version: String,
    /// What holds for the whole conversation.
    pub system: String,
    /// The conversation; the last turn is ours.
    pub turns: Vec<Turn>,
    /// The JSON Schema of the reply.
    pub schema: Value,
    /// How much may be used. Not part of what is asked, so not of the digest.
    pub limits: PromptLimits,
}

impl Prompt {
    /// What is asked, as JSON in one form only: keys sorted, nothing between tokens. It names no provider, so that an
    /// exchange that was recorded with one can be played for another.
    #[must_use]
    pub fn canonical(&self) -> String {
        canonical_json(&self.asked())
    }

    /// What is asked, as a JSON value.
    #[must_use]
    pub fn asked(&self) -> Value {
        let turns: Vec<_> =
            self.turns.iter().map(|t| json!({"speaker": t.speaker.code(), "text": t.text})).collect();
        json!({
            "purpose": self.purpose.code(),
            "version": self.version,
            "system": self.system,
            "turns": turns,
            "schema": self.schema,
        })
    }

    /// SHA-256 of the canonical form, in hexadecimal.
    #[must_use]
    pub fn digest(&self) -> String {
        use std::fmt::Write as _;
        Sha256::digest(self.canonical().as_bytes()).iter().fold(String::with_capacity(64), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }

    /// The same prompt after a reply that was not accepted: what was said, and why it does not do.
    #[must_use]
    pub fn after(&self, said: &str, rejection: &str) -> Self {
        let mut next = self.clone();
        next.turns.push(Turn { speaker: Speaker::Model, text: said.to_owned() });
        next.turns.push(Turn { speaker: Speaker::User, text: rejection.to_owned() });
        next
    }

    /// Whether the model's last turn was just this.
    #[must_use]
    pub fn was_said(&self, text: &str) -> bool {
        let last = self.turns.iter().rev().find(|turn| turn.speaker == Speaker::Model);
        last.is_some_and(|turn| turn.text == text)
    }

    /// How long everything that is sent is, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let turns: usize = self.turns.iter().map(|turn| turn.text.len()).sum();
        self.system.len() + turns + self.schema.to_string().len()
    }
}

/// A JSON value in one form only: keys sorted, nothing between tokens.
#[must_use]
pub fn canonical_json(value: &Value) -> String {
    sorted(value).to_string()
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<_> = map.iter().collect();
            keys.sort_by(|a, b| a.0.cmp(b.0));
            Value::Object(keys.into_iter().map(|(k, v)| (k.clone(), sorted(v))).collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prompt(schema: Value) -> Prompt {
        Prompt {
            purpose: Purpose::Read,
            version: "read-1".to_owned(),
            system: "read".to_owned(),
            turns: vec![Turn { speaker: Speaker::User, text: "how many?".to_owned() }],
            schema,
            limits: PromptLimits { attempts_max: 3, reply_tokens_max: 100 },
        }
    }

    #[test]
    fn the_order_of_keys_does_not_change_the_digest() {
        let one = prompt(json!({"type": "object", "properties": {"b": {}, "a": [1, {"y": 1, "x": 2}]}}));
        let other = prompt(json!({"properties": {"a": [1, {"x": 2, "y": 1}], "b": {}}, "type": "object"}));
        assert_eq!(one.digest(), other.digest());
        assert_eq!(
            canonical_json(&one.schema),
            r#"{"properties":{"a":[1,{"x":2,"y":1}],"b":{}},"type":"object"}"#
        );
    }

    #[test]
    fn whatever_is_asked_changes_the_digest_and_limits_do_not() {
        let base = prompt(json!({"type": "object"}));
        let mut limits = base.clone();
        limits.limits.attempts_max = 1;
        assert_eq!(base.digest(), limits.digest());
        let changed = [
            Prompt { purpose: Purpose::Narrate, ..base.clone() },
            Prompt { version: "read-2".to_owned(), ..base.clone() },
            Prompt { system: "Read".to_owned(), ..base.clone() },
            Prompt { turns: Vec::new(), ..base.clone() },
            Prompt { schema: json!({"type": "array"}), ..base.clone() },
            base.after("{}", "no"),
        ];
        for other in changed {
            assert_ne!(base.digest(), other.digest(), "{other:?}");
        }
    }

    #[test]
    fn the_digest_is_the_known_one() {
        // Worked out with `printf … | sha256sum`, so that a change of the canonical form is noticed: it would make every
        // recorded exchange unfindable.
        let prompt = prompt(json!({"type": "object"}));
        assert_eq!(
            prompt.canonical(),
            r#"{"purpose":"read","schema":{"type":"object"},"system":"read","turns":[{"speaker":"user","text":"how many?"}],"version":"read-1"}"#
        );
        assert_eq!(prompt.digest(), "caa873e7a2d46264f233752cc115a1bcc2f5b8b49a3673fa8de1a2e34d32298e");
    }
}
