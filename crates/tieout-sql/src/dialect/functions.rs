//! Owns what the checker knows of a function: kind, arguments, type and volatility.
//!
//! Deliberately absent: the lists themselves (`lists.rs`).

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::schema::SqlType;

/// What a function does with rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// One value from the values of one row.
    Scalar,
    /// One value from many rows; a row that is repeated changes it.
    Additive,
    /// One value from many rows; a row that is repeated does not change it (MIN, MAX, …).
    Idempotent,
    /// A value from a window of rows (ROW_NUMBER, LAG, …); meaningless without OVER.
    Window,
    /// Rows (generate_series, unnest); only in FROM.
    Table,
}

/// How many arguments a function takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arguments {
    /// At least so many.
    pub least: u8,
    /// At most so many.
    pub most: u8,
}

/// What type a function gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// Always this type.
    Type(SqlType),
    /// The type of its first argument.
    First,
    /// The type of its last argument.
    Last,
}

/// Whether a function gives the same value again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Volatility {
    /// Same arguments, same value.
    Immutable,
    /// The same within one statement (`now()`).
    Stable,
}

/// A function that may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FunctionEntry {
    /// Its name in lower case.
    pub name: &'static str,
    /// What it does with rows.
    pub kind: FunctionKind,
    /// How many arguments it takes.
    pub arguments: Arguments,
    /// What it gives.
    pub returns: Returns,
    /// Whether it gives the same value again.
    pub volatility: Volatility,
    /// The columns of the rows it gives, when they have names of their own; otherwise there is one, named after it.
    pub columns: &'static [&'static str],
}

const fn entry(
    name: &'static str,
    kind: FunctionKind,
    least: u8,
    most: u8,
    returns: Returns,
) -> FunctionEntry {
    FunctionEntry {
        name,
        kind,
        arguments: Arguments { least, most },
        returns,
        volatility: Volatility::Immutable,
        columns: &[],
    }
}

/// A scalar function of a fixed type.
pub(super) const fn scalar(name: &'static str, least: u8, most: u8, ty: SqlType) -> FunctionEntry {
    entry(name, FunctionKind::Scalar, least, most, Returns::Type(ty))
}

/// A scalar function of its first argument's type.
pub(super) const fn same(name: &'static str, least: u8, most: u8) -> FunctionEntry {
    entry(name, FunctionKind::Scalar, least, most, Returns::First)
}

/// A scalar function of its last argument's type.
pub(super) const fn last(name: &'static str, least: u8, most: u8) -> FunctionEntry {
    entry(name, FunctionKind::Scalar, least, most, Returns::Last)
}

/// A function of the statement's own time.
pub(super) const fn stable(name: &'static str, least: u8, most: u8, ty: SqlType) -> FunctionEntry {
    FunctionEntry {
        volatility: Volatility::Stable,
        ..entry(name, FunctionKind::Scalar, least, most, Returns::Type(ty))
    }
}

/// An aggregate that a repeated row changes.
pub(super) const fn additive(name: &'static str, least: u8, most: u8, returns: Returns) -> FunctionEntry {
    entry(name, FunctionKind::Additive, least, most, returns)
}

/// An aggregate that a repeated row does not change.
pub(super) const fn idempotent(name: &'static str, least: u8, most: u8, returns: Returns) -> FunctionEntry {
    entry(name, FunctionKind::Idempotent, least, most, returns)
}

/// A window function.
pub(super) const fn window(name: &'static str, least: u8, most: u8, returns: Returns) -> FunctionEntry {
    entry(name, FunctionKind::Window, least, most, returns)
}

/// A function that gives rows.
pub(super) const fn table(name: &'static str, least: u8, most: u8, returns: Returns) -> FunctionEntry {
    entry(name, FunctionKind::Table, least, most, returns)
}

/// A function that gives rows of several columns, or of one that has a name of its own.
pub(super) const fn rows(
    name: &'static str,
    least: u8,
    most: u8,
    columns: &'static [&'static str],
) -> FunctionEntry {
    FunctionEntry { columns, ..table(name, least, most, Returns::Type(SqlType::Unknown)) }
}

/// The entries of one list by name.
type ByName = HashMap<&'static str, Vec<&'static FunctionEntry>>;

/// The lists of every dialect by name. Lists are long, and every call is looked up.
static LISTS: LazyLock<HashMap<usize, ByName>> = LazyLock::new(|| {
    super::DIALECTS.iter().map(|dialect| (address(dialect.functions), by_name(dialect.functions))).collect()
});

fn address(lists: &'static [&'static [FunctionEntry]]) -> usize {
    lists.as_ptr().addr()
}

fn by_name(lists: &'static [&'static [FunctionEntry]]) -> ByName {
    let mut found = ByName::new();
    for entry in lists.iter().flat_map(|list| list.iter()) {
        found.entry(entry.name).or_default().push(entry);
    }
    found
}

/// The entries of that name, in the order of the lists.
pub(super) fn named(
    lists: &'static [&'static [FunctionEntry]],
    name: &str,
) -> std::borrow::Cow<'static, [&'static FunctionEntry]> {
    match LISTS.get(&address(lists)) {
        Some(known) => known.get(name).map_or(&[][..], Vec::as_slice).into(),
        // A dialect that somebody else made.
        None => by_name(lists).remove(name).unwrap_or_default().into(),
    }
}
