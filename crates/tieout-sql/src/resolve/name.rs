//! Owns names and labels while a statement is resolved: borrowed where the schema or a list has them, shared otherwise, so
//! that to pass one on costs nothing.
//!
//! Deliberately absent: how names compare (`dialect`).

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::rc::Rc;

/// A name.
#[derive(Clone, Debug)]
pub(crate) enum Name<'a> {
    /// As somebody else has it.
    Known(&'a str),
    /// Made while resolving.
    Made(Rc<str>),
}

impl Deref for Name<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Name::Known(name) => name,
            Name::Made(name) => name,
        }
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl<'a> From<&'a str> for Name<'a> {
    fn from(name: &'a str) -> Self {
        Name::Known(name)
    }
}

impl From<String> for Name<'_> {
    fn from(name: String) -> Self {
        Name::Made(Rc::from(name))
    }
}

impl<'a> From<Cow<'a, str>> for Name<'a> {
    fn from(name: Cow<'a, str>) -> Self {
        match name {
            Cow::Borrowed(name) => Name::Known(name),
            Cow::Owned(name) => Name::from(name),
        }
    }
}

impl PartialEq for Name<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Name<'_> {}

impl Hash for Name<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl Borrow<str> for Name<'_> {
    fn borrow(&self) -> &str {
        self
    }
}
