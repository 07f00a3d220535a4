//! A YAML document as a tree that knows its places, and the ways in which later steps look into it.
//!
//! Looking is lenient: what is of the wrong type is absent, since `walk` has reported it already. Deliberately absent:
//! reading YAML text, and what any key means.

use super::problem::At;

/// A node and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub at: At,
    pub content: Content,
}

/// What a node holds.
#[derive(Clone, Debug)]
pub(super) enum Content {
    /// Nothing: an empty value, `~` or `null`.
    Nothing,
    /// A scalar; its text is kept as written, so that `1.10` and `007` stay what they are.
    Scalar { text: String, kind: ScalarKind },
    /// A list.
    List(Vec<Node>),
    /// A mapping, with every pair that was written, also those whose key was there before.
    Mapping(Vec<(Node, Node)>),
}

/// What YAML takes a scalar for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScalarKind {
    Text,
    Number,
    Boolean,
}

/// A scalar's text and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'n> {
    pub text: &'n str,
    pub at: At,
}

impl Word<'_> {
    /// The text, owned.
    pub fn owned(self) -> String {
        self.text.to_owned()
    }
}

impl Node {
    /// The value of a key of a mapping, the first where it was written twice.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.pairs().iter().find(|(name, _)| name.scalar() == Some(key)).map(|(_, value)| value)
    }

    /// The pairs of a mapping.
    pub fn pairs(&self) -> &[(Node, Node)] {
        match &self.content {
            Content::Mapping(pairs) => pairs,
            Content::Nothing | Content::Scalar { .. } | Content::List(_) => &[],
        }
    }

    /// The items of a list.
    pub fn items(&self) -> &[Node] {
        match &self.content {
            Content::List(items) => items,
            Content::Nothing | Content::Scalar { .. } | Content::Mapping(_) => &[],
        }
    }

    /// The text of a scalar.
    pub fn scalar(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar { text, .. } => Some(text),
            Content::Nothing | Content::List(_) | Content::Mapping(_) => None,
        }
    }

    /// A scalar with its place; an empty one is none.
    pub fn word(&self) -> Option<Word<'_>> {
        self.scalar()
            .filter(|text| !text.trim().is_empty())
            .map(|text| Word { text: text.trim(), at: self.at })
    }

    /// The scalar of a key.
    pub fn word_of(&self, key: &str) -> Option<Word<'_>> {
        self.get(key)?.word()
    }

    /// The scalar of a key, owned.
    pub fn text_of(&self, key: &str) -> Option<String> {
        self.word_of(key).map(Word::owned)
    }

    /// The list of a key.
    pub fn items_of(&self, key: &str) -> &[Node] {
        self.get(key).map_or(&[], Node::items)
    }

    /// The scalars in the list of a key.
    pub fn words_of(&self, key: &str) -> Vec<Word<'_>> {
        self.items_of(key).iter().filter_map(Node::word).collect()
    }

    /// The scalars in the list of a key, owned.
    pub fn texts_of(&self, key: &str) -> Vec<String> {
        self.words_of(key).into_iter().map(Word::owned).collect()
    }

    /// `true` or `false` of a key.
    pub fn flag_of(&self, key: &str) -> Option<bool> {
        match &self.get(key)?.content {
            Content::Scalar { text, kind: ScalarKind::Boolean } => Some(text.eq_ignore_ascii_case("true")),
            Content::Scalar { .. } | Content::Nothing | Content::List(_) | Content::Mapping(_) => None,
        }
    }

    /// The whole number of a key.
    pub fn whole_of(&self, key: &str) -> Option<u64> {
        self.word_of(key)?.text.parse().ok()
    }

    /// The place of a key's value, or of the mapping itself.
    pub fn at_of(&self, key: &str) -> At {
        self.get(key).map_or(self.at, |node| node.at)
    }
}
