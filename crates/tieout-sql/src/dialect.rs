//! Owns what differs between engines, as fields of a value. Nobody asks a dialect who it is.
//!
//! Deliberately absent: connections, and how an engine spells things the checker never prints.

mod engines;
mod functions;
mod grammar;
mod lists;

use std::borrow::Cow;
use std::fmt;

use sqlparser::ast::{DataType, Ident, TimezoneInfo};
use sqlparser::dialect as syntax;

pub use engines::{ANSI, DUCKDB, MYSQL, POSTGRES, SQLITE};
pub use functions::{Arguments, FunctionEntry, FunctionKind, Returns, Volatility};

use crate::schema::SqlType;

/// How an engine compares names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folding {
    /// Unquoted names fold to lower case; quoted names are exact, and so are those of the schema.
    Lower,
    /// Names compare without regard to case, quoted or not.
    Insensitive,
}

/// How an engine writes placeholders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placeholders {
    /// `$1`.
    Dollar,
    /// `?1`.
    QuestionNumbered,
    /// `?`, by position.
    Question,
}

/// How an engine limits rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitSyntax {
    /// `LIMIT n`.
    Limit,
    /// `FETCH FIRST n ROWS ONLY`.
    FetchFirst,
}

/// How an engine writes equality that holds between NULLs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NullSafeEqual {
    /// `a IS NOT DISTINCT FROM b`.
    IsNotDistinctFrom,
    /// `a <=> b`.
    Spaceship,
}

/// Whether an engine has a piece of syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// It has it.
    Native,
    /// It has not; the checker prints an equivalent or rejects.
    Missing,
}

/// What `/` does between two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntegerDivision {
    /// The fraction is cut off.
    Truncates,
    /// The result is exact or floating.
    Divides,
}

/// In which clauses a name given in SELECT can be used, when no column has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aliases {
    /// In ORDER BY and GROUP BY.
    OrderAndGroup,
    /// Also in HAVING.
    Having,
    /// Also in WHERE and in SELECT itself.
    Everywhere,
}

impl Aliases {
    pub(crate) fn reach(self, clause: crate::resolve::Clause) -> bool {
        use crate::resolve::Clause;
        match (self, clause) {
            (_, Clause::On) => false,
            (_, Clause::Order | Clause::Group) => true,
            (Aliases::OrderAndGroup, Clause::Having | Clause::Where | Clause::Select) => false,
            (Aliases::Having | Aliases::Everywhere, Clause::Having) => true,
            (Aliases::Having, Clause::Where | Clause::Select) => false,
            (Aliases::Everywhere, Clause::Where | Clause::Select) => true,
        }
    }
}

/// The names of types, as an engine casts to them.
#[derive(Clone, Debug)]
pub struct TypeNames {
    /// An integer wide enough for sums.
    pub wide_integer: DataType,
    /// An exact decimal wide enough for sums of decimals.
    pub wide_decimal: DataType,
    /// Text.
    pub text: DataType,
    /// A date and time without a zone.
    pub date_time: DataType,
    /// A point in time.
    pub instant: DataType,
    /// Floating point.
    pub float: DataType,
    /// True or false.
    pub boolean: DataType,
}

/// An engine's SQL, as data.
pub struct Dialect {
    /// The name people write in a project file.
    pub name: &'static str,
    /// The grammar to parse with.
    pub syntax: &'static (dyn syntax::Dialect + Sync),
    /// What quotes an identifier.
    pub quote: char,
    /// How names compare.
    pub folding: Folding,
    /// How placeholders are written.
    pub placeholders: Placeholders,
    /// How rows are limited.
    pub limit: LimitSyntax,
    /// How null-safe equality is written.
    pub null_safe: NullSafeEqual,
    /// `NULLS LAST` in ORDER BY.
    pub nulls_last: Support,
    /// `FILTER (WHERE …)` on aggregates.
    pub filter_clause: Support,
    /// `FULL JOIN`.
    pub full_join: Support,
    /// Where names given in SELECT can be used.
    pub aliases: Aliases,
    /// A table of one row that stands for no table at all.
    pub dummy_table: Option<&'static str>,
    /// Whether a column may stand beside a GROUP BY that does not fix it; the engine then picks a row.
    pub ungrouped: Support,
    /// What `/` does between integers.
    pub integer_division: IntegerDivision,
    /// `= ANY (SELECT …)` and `>= ALL (SELECT …)`.
    pub quantified: Support,
    /// `ASOF JOIN`, with its comparison among the conditions of ON.
    pub asof: Support,
    /// `0x41` for the bytes `X'41'`; elsewhere it is a number, or nothing.
    pub zero_x_bytes: Support,
    /// Names of types.
    pub types: TypeNames,
    /// Whether SUM of integers must be widened before it is summed, lest it wrap or fail.
    pub sum_widening: Option<SqlType>,
    /// The functions that may be called; everything else is rejected.
    pub functions: &'static [&'static [FunctionEntry]],
}

impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dialect").field("name", &self.name).finish_non_exhaustive()
    }
}

/// What the allow-list says of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// It may be called so.
    Found(&'static FunctionEntry),
    /// It is known, but not with so many arguments.
    WrongArguments(&'static FunctionEntry),
    /// It is on no list.
    Absent,
}

/// Every dialect there is.
pub static DIALECTS: [&Dialect; 5] = [&DUCKDB, &POSTGRES, &MYSQL, &SQLITE, &ANSI];

impl Dialect {
    /// The dialect of that name; a few usual other spellings are understood.
    pub fn by_name(name: &str) -> Option<&'static Dialect> {
        let name = match name {
            "postgresql" => "postgres",
            "mariadb" => "mysql",
            "generic" => "ansi",
            other => other,
        };
        DIALECTS.into_iter().find(|dialect| dialect.name.eq_ignore_ascii_case(name))
    }

    /// Looks a function up on the allow-list, by name and number of arguments.
    pub fn function(&self, name: &str, arguments: usize) -> Lookup {
        let lower;
        let name = match name.bytes().any(|byte| byte.is_ascii_uppercase()) {
            true => {
                lower = name.to_ascii_lowercase();
                lower.as_str()
            }
            false => name,
        };
        let named = functions::named(self.functions, name);
        let entries = || named.iter().copied();
        let fits = |entry: &&FunctionEntry| {
            usize::from(entry.arguments.least) <= arguments
                && (entry.arguments.most == u8::MAX || arguments <= usize::from(entry.arguments.most))
        };
        match (entries().find(fits), entries().next()) {
            (Some(entry), _) => Lookup::Found(entry),
            (None, Some(entry)) => Lookup::WrongArguments(entry),
            (None, None) => Lookup::Absent,
        }
    }

    /// Whether a function's first argument is a unit of time, written as a bare word.
    pub(crate) fn takes_unit(&self, name: &str) -> bool {
        lists::UNIT_FIRST.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// The type to cast to for a kind of value; `None` where a cast makes no sense.
    pub fn type_name(&self, ty: SqlType) -> Option<DataType> {
        let types = &self.types;
        match ty {
            SqlType::Boolean => Some(types.boolean.clone()),
            SqlType::Integer => Some(types.wide_integer.clone()),
            SqlType::Decimal => Some(types.wide_decimal.clone()),
            SqlType::Float => Some(types.float.clone()),
            SqlType::Text => Some(types.text.clone()),
            SqlType::Date => Some(DataType::Date),
            SqlType::Time => Some(DataType::Time(None, TimezoneInfo::None)),
            SqlType::DateTime => Some(types.date_time.clone()),
            SqlType::Instant => Some(types.instant.clone()),
            SqlType::Blob | SqlType::Interval | SqlType::Other | SqlType::Unknown => None,
        }
    }

    /// Whether a name from the schema can be written without quotes. Where unquoted names fold, one with capitals cannot.
    pub(crate) fn unquoted(&self, name: &str) -> bool {
        is_plain(name) && !self.folds_away(name) && !is_keyword(name)
    }

    /// Whether an unquoted name would be another than this one.
    pub(crate) fn folds_away(&self, name: &str) -> bool {
        match self.folding {
            Folding::Lower => name.bytes().any(|byte| byte.is_ascii_uppercase()),
            Folding::Insensitive => false,
        }
    }

    /// The name that an identifier gives to what it creates.
    pub(crate) fn created(&self, ident: &Ident) -> String {
        match (self.folding, ident.quote_style) {
            (Folding::Lower, None) => ident.value.to_ascii_lowercase(),
            (Folding::Lower, Some(_)) | (Folding::Insensitive, _) => ident.value.clone(),
        }
    }

    /// Whether an identifier in a statement names the thing the schema calls `name`.
    pub(crate) fn names(&self, ident: &Ident, name: &str) -> bool {
        self.is_key(&self.fold(ident), name)
    }

    /// Whether a folded identifier is the comparable form of a name from the schema.
    pub(crate) fn is_key(&self, folded: &str, name: &str) -> bool {
        match self.folding {
            Folding::Lower => folded == name,
            Folding::Insensitive if name.is_ascii() => {
                folded.len() == name.len()
                    && folded.bytes().zip(name.bytes()).all(|(a, b)| a == b.to_ascii_lowercase())
            }
            Folding::Insensitive => *folded == self.key(name),
        }
    }

    /// The comparable form of an identifier in a statement.
    pub(crate) fn fold<'i>(&self, ident: &'i Ident) -> Cow<'i, str> {
        let plain = crate::spelling::plain(ident);
        match (self.folding, ident.quote_style) {
            (Folding::Lower, Some(_)) => plain,
            (Folding::Lower, None) if plain.bytes().any(|byte| byte.is_ascii_uppercase()) => {
                Cow::Owned(plain.to_ascii_lowercase())
            }
            (Folding::Lower, None) => plain,
            (Folding::Insensitive, _) => lowered(plain),
        }
    }

    /// The comparable form of a name from the schema.
    pub(crate) fn key<'n>(&self, name: &'n str) -> Cow<'n, str> {
        match self.folding {
            Folding::Lower => Cow::Borrowed(name),
            Folding::Insensitive => lowered(Cow::Borrowed(name)),
        }
    }
}

/// A name in lower case; most are so already, and stay where they are.
fn lowered(name: Cow<'_, str>) -> Cow<'_, str> {
    match name.is_ascii() {
        true if name.bytes().all(|byte| !byte.is_ascii_uppercase()) => name,
        true => Cow::Owned(name.to_ascii_lowercase()),
        false => Cow::Owned(name.to_lowercase()),
    }
}

/// Whether a name can stand unquoted in every dialect, keywords aside.
pub(crate) fn is_plain(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether a name is a keyword in some dialect, and so better quoted.
pub(crate) fn is_keyword(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    sqlparser::keywords::ALL_KEYWORDS.binary_search(&upper.as_str()).is_ok()
}
