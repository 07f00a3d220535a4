//! Runs the lawful and the hostile statements of `cases/` on the engines that they are written for: DuckDB in this
//! process, SQLite through its command line, PostgreSQL and MariaDB as servers of their own in a folder of their own, on
//! a socket that nobody else knows. What is not installed is said, and stepped over.

#![allow(
    dead_code,
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may stop"
)]

#[path = "../../../tieout-sql/tests/case_files/mod.rs"]
mod case_files;
#[path = "../../../tieout-sql/tests/statements/mod.rs"]
mod statements;

mod capitals;
mod duckdb;
mod engine;
mod hostile;
mod lawful;
mod mariadb;
mod postgres;
mod server;
mod shop;
mod sqlite;
