//! What the company's words mean: datasets, fields, relationships, populations, metrics and terms.
//!
//! Owns the closed, versioned catalogue and its project file, the errors that loading them can give, and the one
//! function from which everybody gets the graph of relationships. Deliberately absent: reading files (the binary
//! hands texts in) and the data itself.

mod model;
mod graph;
mod within;
pub mod load;
pub mod lint;
pub mod describe;

pub use graph::{Direction, Graph, HOPS_MAX, Hop, JoinPath, PathSearch};
pub use model::*;
pub use within::METRICS_DEPTH_MAX;
