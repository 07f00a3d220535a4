//! The SQL checker: resolves, judges and scopes a statement before a warehouse may run it.
//!
//! It knows SQL, keys and relationships, and nothing of metrics. It takes a text or a tree, a schema and a
//! scope, and gives a [`CheckedQuery`] or rejections. Deliberately absent: IO, time, luck, and models.

pub mod against;
mod asof;
pub mod build;
mod check;
pub mod ddl;
mod dialect;
pub mod facts;
pub mod flow;
mod finish;
mod fragment;
mod graph;
mod joined;
mod laid;
mod lower;
mod narrow;
mod nearest;
mod prove;
mod rejection;
mod resolve;
mod rules;
mod schema;
mod scope;
mod scoping;
mod select;
mod size;
mod spelling;
mod split;
mod terms;
pub mod types;
mod value;
mod views;

pub use against::{ColumnPart, Expected, Explanation, Finding, Verdict};
pub use check::{
    CheckedQuery, Context, Held, Join, Limits, OutputColumn, RowLimit, TenantProof, check, check_against,
    check_text, check_text_against, explain, explain_text, hold_text, judge_text,
};
pub use dialect::{
    ANSI, Arguments, DIALECTS, DUCKDB, Dialect, Folding, FunctionEntry, FunctionKind, IntegerDivision,
    LimitSyntax, Lookup, MYSQL, NullSafeEqual, POSTGRES, Placeholders, Returns, SQLITE, Support, TypeNames,
    Volatility,
};
pub use fragment::{Fragment, FragmentError};
pub use laid::{Laid, LaidColumn, Laying, lay_text};
pub use rejection::{Place, Rejected, Rejection, Severity};
pub use rules::{RULES, Rule};
pub use schema::{Access, Column, ColumnSource, Relationship, Schema, SqlType, Table, View, ViewBody};
pub use scope::Scope;
pub use select::Select;
pub use size::{DEPTH_MAX, TEXT_BYTES_MAX, TREE_DEPTH_MAX};
pub use split::{Part, placeholders, statements};
pub use sqlparser;
pub use value::Value;
