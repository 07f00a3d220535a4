//! What people and programs see of a record. Every renderer takes the one wire type.
//!
//! Deliberately absent: anything worked out; a renderer lays out what the record says.

pub mod json;
pub mod junit;
pub mod sarif;
pub mod terminal;
pub mod text;
