//! Walks one question down the pipe, through ports only.
//!
//! Owns the order of the desks and what passes between them. Deliberately absent: every adapter (the binary chooses
//! them), and any way back: a desk passes on or stops.

mod about;
mod against;
mod answer;
mod checking;
mod drafted;
mod drafting;
mod journal;
mod lookup;
mod narration;
mod query;
mod reading;
mod relied;
mod remembered;
mod replay;
pub mod shortlist;
mod untrusted;

pub use about::{quotes, source_text};
pub use against::{expected_of, reading_of_metric};
pub use answer::{Desk, SUPPORT_ROWS_MAX, answer};
pub use checking::context;
pub use drafted::{Draft, Drafted, Feedback, NoStatement, drafted};
pub use drafting::ModelDrafter;
pub use journal::{Exchange, Journal, Judged, Took};
pub use lookup::{VALUES_PER_FIELD_MAX, field_values};
pub use narration::{ModelNarrator, Templates};
pub use query::{QueryDesk, QueryEnd, QueryRun, STATEMENT_QUERY, query};
pub use reading::{ModelReader, TakenReader};
pub use remembered::Remembered;
pub use replay::{CellChange, Recorded, RecordedClaim, RecordedQuery, Replayed, Verdict, replay};
