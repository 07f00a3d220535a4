//! The catalogue's digest: SHA-256 over a canonical form that no comment, key order or split into files changes.
//!
//! Everything that is written in a catalogue counts, so that no key can be forgotten here. Deliberately absent: the
//! project's settings, which change no definition.

use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{
    Entries,
    node::{Content, Node, ScalarKind},
};

/// Changes when the canonical form does, so that digests of two forms never meet.
const FORM: &str = "tieout catalogue 1\n";

/// The digest, in hexadecimal.
pub(super) fn digest(entries: &Entries<'_>) -> String {
    let mut sections: BTreeMap<&str, BTreeMap<&str, Value>> = BTreeMap::new();
    let kinds = [
        ("datasets", &entries.datasets),
        ("relationships", &entries.relationships),
        ("populations", &entries.populations),
        ("metrics", &entries.metrics),
        ("terms", &entries.terms),
    ];
    for (kind, nodes) in kinds {
        sections.insert(kind, nodes.iter().map(|(name, node)| (name.as_str(), canonical(node))).collect());
    }
    let text = serde_json::to_string(&sections).unwrap_or_default();
    let mut hasher = Sha256::new();
    hasher.update(FORM);
    hasher.update(text);
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Keys sorted; lists in their order, which may mean something; scalars as written, texts told from other scalars.
fn canonical(node: &Node) -> Value {
    match &node.content {
        Content::Nothing => Value::Null,
        Content::Scalar { text, kind: ScalarKind::Text } => Value::String(text.clone()),
        Content::Scalar { text, kind: ScalarKind::Number | ScalarKind::Boolean } => {
            Value::Array(vec![Value::String(text.clone()), Value::Null])
        }
        Content::List(items) => Value::Array(vec![Value::Array(items.iter().map(canonical).collect())]),
        Content::Mapping(pairs) => {
            let sorted: BTreeMap<&str, Value> =
                pairs.iter().filter_map(|(key, value)| Some((key.scalar()?, canonical(value)))).collect();
            Value::Object(sorted.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
        }
    }
}
