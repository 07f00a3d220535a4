//! Statements that somebody else wrote: which they are, by what they are judged, and what the checker says of each.
//!
//! Owns the inputs that `check`, `explain` and `query` share. Deliberately absent: running anything, and drawing verdicts
//! (the renderers).

mod ground;
mod judge;
mod sources;

pub use ground::{Ground, Grounds};
pub use judge::{Against, explanation, rejection, report};
pub use sources::{SQL_FILE_BYTES_MAX, SQL_FILES_MAX, Source, Sources};
