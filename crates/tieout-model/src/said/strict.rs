//! JSON that says one thing: no key twice in an object, nothing after the value, no deeper than can be meant.
//!
//! The usual reader keeps the last of two keys, so that what a checker reads and what a person reads may differ.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// How deep values may stand within one another.
pub const DEPTH_MAX: usize = 64;

/// What is said of a key that stands twice, before its name. It tells that error from one of syntax.
const TWICE: &str = "a key stands twice in one object: ";

/// Why a text is no strict JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotStrict {
    /// A key stands twice in one object.
    DuplicateKey(String),
    /// It is no JSON, or more follows.
    Syntax(String),
}

/// Reads one JSON value.
///
/// # Errors
/// Says what is wrong, with line and column.
pub fn strict_json(text: &str) -> Result<Value, NotStrict> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = Nested(0).deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    read.map_err(|error| {
        let said = error.to_string();
        match said.strip_prefix(TWICE) {
            Some(_) => NotStrict::DuplicateKey(said),
            None => NotStrict::Syntax(said),
        }
    })
}

/// A value at a depth.
#[derive(Clone, Copy)]
struct Nested(usize);

impl<'de> DeserializeSeed<'de> for Nested {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        if self.0 > DEPTH_MAX {
            return Err(D::Error::custom(format!("values stand more than {DEPTH_MAX} deep")));
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Nested {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number is out of range"))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(Nested(self.0 + 1))? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(Key(key)) = entries.next_key()? {
            if map.contains_key(&key) {
                return Err(A::Error::custom(format!("{TWICE}`{key}`")));
            }
            let value = entries.next_value_seed(Nested(self.0 + 1))?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

struct Key(String);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self)
    }
}
