//! What a question was understood to ask: the typed request, the use of every word, and what is still in doubt.
//!
//! A [`Reading`] is what a reader gives, built-in or model. Deliberately absent: the question's text (a reading holds
//! only the words' uses), the block (made from the request by `settle`, never by a reader), and any decision whether the reading may stand, which `settle` takes.

mod print;
mod elsewhere;
mod problem;
mod request;
mod words;

pub use elsewhere::period_elsewhere;
pub use problem::{Choice, Doubtful, Problem, READING, ReasonCode};
pub use request::*;
pub use words::{Source, Use, WordUse};

/// A question as understood. It may still hold doubts; `settle` decides.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What is asked, typed.
    pub request: Request,
    /// What every word of the question was used for, in the order of the question.
    pub words: Vec<WordUse>,
    /// What the asker must still choose, the first to be settled first. Empty when nothing is in doubt.
    pub doubts: Vec<Doubtful>,
    /// Other periods the words might have meant, in words, for the block.
    pub alternatives: Vec<String>,
}
