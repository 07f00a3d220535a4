//! Owns the allow-lists of functions, a file for each dialect.
//!
//! Deliberately absent: whatever reads files, writes, sleeps, locks, changes settings, calls out,
//! looks into a system catalogue, or draws luck. A function that is on no list cannot be called.

mod ansi;
mod common;
mod duckdb;
mod mysql;
mod postgres;
mod sqlite;

pub(super) use ansi::ANSI;
pub(super) use common::COMMON;
pub(super) use duckdb::DUCKDB;
pub(super) use mysql::MYSQL;
pub(super) use postgres::POSTGRES;
pub(super) use sqlite::SQLITE;

use super::functions::Returns;
use crate::schema::SqlType as T;

const INTEGER: Returns = Returns::Type(T::Integer);
const FLOAT: Returns = Returns::Type(T::Float);
const TEXT: Returns = Returns::Type(T::Text);
const OTHER: Returns = Returns::Type(T::Other);
const BOOLEAN: Returns = Returns::Type(T::Boolean);
const DECIMAL: Returns = Returns::Type(T::Decimal);
const MANY: u8 = u8::MAX;

/// Functions whose first argument is a unit of time, written as a bare word.
pub(super) const UNIT_FIRST: &[&str] = &["timestampdiff", "timestampadd", "get_format"];
