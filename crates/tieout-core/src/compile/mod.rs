//! Plans become syntax trees, values bound apart.
//!
//! Every tree is made of the checker's builder over the catalogue's datasets and fields; no text is spliced, and
//! nothing here runs. The tree meets the same checker as anybody's SQL. Deliberately absent: tenants and row limits,
//! which the checker binds, and physical names, which it knows.

mod agreement;
mod bounds;
mod expected;
mod expected_leg;
mod figures;
mod freshness;
mod gaps;
mod integrity;
mod list;
mod members;
mod source;
mod row_tests;
mod window;

pub use agreement::{ReliedState, compile_agreement, relied_states};
pub use expected::expected;
pub use expected_leg::{expected_leg, leg_to_draft};
pub use figures::{columns, compile_ahead, compile_leg, compile_recorded, compile_support, compile_undated};
pub use freshness::compile_freshness;
pub use integrity::{ReliedKey, compile_integrity, relied_keys, relied_names};
pub use list::{compile_list, compile_list_count};
pub use members::{ReliedMembers, compile_members, relied_members};
