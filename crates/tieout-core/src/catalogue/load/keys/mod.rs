//! The keys that a project may have: one table, from which the check of a file and its JSON Schema are both made.
//!
//! Deliberately absent: what the entries mean together (that a dataset exists, that a key is a key).

mod catalogue;
mod project;
mod stated;

pub(super) use catalogue::CATALOGUE;
pub(super) use project::{FOLDERS, PROJECT, months, weekdays};
pub(super) use stated::STATED;

/// A mapping with its keys.
#[derive(Debug)]
pub(super) struct Section {
    /// What it is, as a person says it: `a dataset`.
    pub what: &'static str,
    /// In the order in which they are usually written.
    pub keys: &'static [Key],
}

/// A key of a mapping.
#[derive(Debug)]
pub(super) struct Key {
    pub name: &'static str,
    pub shape: Shape,
    pub presence: KeyPresence,
    /// One sentence for editors.
    pub about: &'static str,
}

/// Whether a key must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyPresence {
    Required,
    Optional,
}

/// What a key takes.
#[derive(Debug)]
pub(super) enum Shape {
    /// Words for people.
    Text,
    /// The name of an entry: lower-case letters, digits and underscores.
    Name,
    /// `dataset.field`, or a field alone.
    FieldPath,
    /// The name of a thing outside the catalogue, such as a column or a table.
    Outside,
    /// A value as it is stored.
    Stored,
    /// SQL over fields.
    Expression,
    /// Arithmetic over metrics.
    Arithmetic,
    /// `true` or `false`.
    Flag,
    /// A whole number between two, both inside.
    Whole(u64, u64),
    /// One of a few words.
    OneOf(fn() -> Vec<&'static str>),
    /// A civil date.
    Date,
    /// A length of time, such as `26h`.
    Duration,
    /// A time zone's IANA name.
    Zone,
    /// One character.
    Character,
    /// An ISO 4217 code.
    Currency,
    /// A path of a file or folder.
    Path,
    /// A list.
    List(&'static Shape),
    /// A mapping with known keys.
    Mapping(&'static Section),
    /// A mapping from names to things of one shape.
    Named(&'static Shape),
    /// The short form or the long one.
    Either(&'static Shape, &'static Section),
}

impl Section {
    /// The key of a name.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

impl Key {
    const fn required(name: &'static str, shape: Shape, about: &'static str) -> Self {
        Self { name, shape, presence: KeyPresence::Required, about }
    }

    const fn optional(name: &'static str, shape: Shape, about: &'static str) -> Self {
        Self { name, shape, presence: KeyPresence::Optional, about }
    }
}
