//! The binary's own rooms, as a library, so that every surface and the test runner share them.
//!
//! Owns the choice of adapters ([`session`]), the wire form of a record ([`wire`]), what people see of it ([`render`])
//! and the verbs of the command line ([`verbs`]). Deliberately absent: anything that decides what is true, which the
//! rooms below do.

pub mod edit;
pub mod follow;
pub mod ids;
pub mod models;
pub mod project;
pub mod render;
pub mod session;
pub mod statements;
pub mod surroundings;
pub mod verbs;
pub mod wire;
