//! JSON Schemas of the project's files, for editors, made from the table of keys that the loader itself checks by.
//!
//! Deliberately absent: what no schema can say (that a name exists, that an expression parses).

use serde_json::{Map, Value, json};

use super::keys::{CATALOGUE, Key, KeyPresence, PROJECT, Section, Shape};

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// The schema of `tieout.yml`.
#[must_use]
pub fn project_schema() -> Value {
    root(&PROJECT, "tieout project")
}

/// The schema of a file of the catalogue.
#[must_use]
pub fn catalogue_schema() -> Value {
    root(&CATALOGUE, "tieout catalogue")
}

fn root(section: &'static Section, title: &str) -> Value {
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), json!(DIALECT));
    schema.insert("title".to_owned(), json!(title));
    schema.extend(mapping(section));
    Value::Object(schema)
}

fn mapping(section: &'static Section) -> Map<String, Value> {
    let properties: Map<String, Value> =
        section.keys.iter().map(|key| (key.name.to_owned(), property(key))).collect();
    let required: Vec<&str> =
        section.keys.iter().filter(|key| key.presence == KeyPresence::Required).map(|key| key.name).collect();
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("additionalProperties".to_owned(), json!(false));
    schema.insert("properties".to_owned(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema
}

fn property(key: &'static Key) -> Value {
    let mut schema = of(&key.shape);
    if let Some(object) = schema.as_object_mut() {
        object.insert("description".to_owned(), json!(key.about));
    }
    schema
}

fn of(shape: &'static Shape) -> Value {
    match shape {
        Shape::Text | Shape::Outside => json!({ "type": ["string", "number", "boolean"] }),
        Shape::Stored => json!({ "type": ["string", "number", "boolean"] }),
        Shape::Expression | Shape::Arithmetic => {
            json!({ "type": ["string", "number", "boolean"], "minLength": 1 })
        }
        Shape::Name => json!({ "type": "string", "pattern": "^[a-z][a-z0-9_]*$", "maxLength": 100 }),
        Shape::FieldPath => json!({ "type": "string", "pattern": "^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)?$" }),
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Whole(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
        Shape::OneOf(words) => json!({ "enum": words() }),
        Shape::Date => json!({ "type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" }),
        Shape::Duration => json!({ "type": "string", "pattern": "^([0-9]+(ms|s|m|h|d))+$" }),
        Shape::Zone => json!({ "type": "string" }),
        Shape::Character => json!({ "type": "string", "minLength": 1, "maxLength": 2 }),
        Shape::Currency => json!({ "type": "string", "pattern": "^[A-Z]{3}$" }),
        Shape::Path => json!({ "type": "string", "minLength": 1 }),
        Shape::List(item) => json!({ "type": "array", "items": of(item) }),
        Shape::Mapping(section) => Value::Object(mapping(section)),
        Shape::Named(inner) => json!({ "type": "object", "additionalProperties": of(inner) }),
        Shape::Either(short, section) => json!({ "anyOf": [of(short), mapping(section)] }),
    }
}
