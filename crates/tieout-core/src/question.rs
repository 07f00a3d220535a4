//! A question as it was asked. After the `read` stage no signature contains it.

use jiff::Timestamp;

/// The longest question that is read, in characters. A longer one is refused, never cut.
pub const QUESTION_CHARS_MAX: usize = 2_000;

/// A question, the moment it was asked, and what the asker has settled already.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The words as typed.
    pub text: String,
    /// The moment relative periods count from.
    pub now: Timestamp,
    /// What the asker chose when a doubt was put to them (`--confirm metric=net_revenue`).
    pub confirmed: Vec<Confirmation>,
}

/// One choice of the asker: a field of the block (or the subject of a doubt) and the option chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confirmation {
    /// The subject of the doubt, such as `metric`, `population`, `path` or `term:active users`.
    pub subject: String,
    /// The chosen option's key, or its number as shown (from 1).
    pub choice: String,
}
