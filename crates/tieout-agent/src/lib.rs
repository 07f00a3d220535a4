//! Walks one question down the pipe, through ports only.
//!
//! Owns the order of the desks and what passes between them. Deliberately absent: every adapter (the binary chooses
//! them), and any way back: a desk passes on or stops.

mod about;
mod answer;
mod journal;
mod lookup;
mod narrate;
mod reading;
mod relied;
mod replay;

pub use about::{quotes, source_text};
pub use answer::{Desk, SUPPORT_ROWS_MAX, answer};
pub use journal::{Exchange, Journal, Judged, Took};
pub use lookup::{VALUES_PER_FIELD_MAX, field_values};
pub use narrate::Templates;
pub use reading::{ModelReader, TakenReader};
pub use replay::{CellChange, Recorded, RecordedClaim, RecordedQuery, Replayed, Verdict, replay};
