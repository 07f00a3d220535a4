//! Owns what differs between engines, as fields of a value. Nobody asks a dialect who it is.
//!
//! Deliberately absent: connections, and how an engine spells things the checker never prints.

mod functions;
mod grammar;
mod lists;

use std::fmt;

use sqlparser::ast::{DataType, ExactNumberInfo, Ident, TimezoneInfo};
use sqlparser::dialect as syntax;

pub use functions::{Arguments, FunctionEntry, FunctionKind, Returns, Volatility};

use crate::schema::SqlType;

/// How an engine compares names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folding {
    /// Unquoted names fold to lower case; quoted names are exact.
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

const DECIMAL_38_10: DataType = DataType::Decimal(ExactNumberInfo::PrecisionAndScale(38, 10));

/// Generic SQL, for checking text whose engine is not known. Nothing runs on it.
pub static ANSI: Dialect = Dialect {
    name: "ansi",
    syntax: &syntax::GenericDialect {},
    quote: '"',
    folding: Folding::Insensitive,
    placeholders: Placeholders::Dollar,
    limit: LimitSyntax::FetchFirst,
    null_safe: NullSafeEqual::IsNotDistinctFrom,
    nulls_last: Support::Native,
    filter_clause: Support::Native,
    full_join: Support::Native,
    aliases: Aliases::OrderAndGroup,
    dummy_table: None,
    ungrouped: Support::Missing,
    integer_division: IntegerDivision::Truncates,
    quantified: Support::Native,
    asof: Support::Missing,
    zero_x_bytes: Support::Missing,
    types: TypeNames {
        wide_integer: DataType::Numeric(ExactNumberInfo::PrecisionAndScale(38, 0)),
        wide_decimal: DataType::Numeric(ExactNumberInfo::PrecisionAndScale(38, 10)),
        text: DataType::Varchar(None),
        date_time: DataType::Timestamp(None, TimezoneInfo::None),
        instant: DataType::Timestamp(None, TimezoneInfo::WithTimeZone),
        float: DataType::DoublePrecision,
        boolean: DataType::Boolean,
    },
    sum_widening: Some(SqlType::Decimal),
    functions: &[lists::COMMON, lists::ANSI],
};

/// DuckDB 1.x.
pub static DUCKDB: Dialect = Dialect {
    name: "duckdb",
    syntax: &grammar::DuckDb,
    quote: '"',
    folding: Folding::Insensitive,
    placeholders: Placeholders::Dollar,
    limit: LimitSyntax::Limit,
    null_safe: NullSafeEqual::IsNotDistinctFrom,
    nulls_last: Support::Native,
    filter_clause: Support::Native,
    full_join: Support::Native,
    aliases: Aliases::Everywhere,
    dummy_table: None,
    ungrouped: Support::Missing,
    integer_division: IntegerDivision::Divides,
    quantified: Support::Native,
    asof: Support::Native,
    zero_x_bytes: Support::Missing,
    types: TypeNames {
        wide_integer: DataType::HugeInt,
        wide_decimal: DECIMAL_38_10,
        text: DataType::Varchar(None),
        date_time: DataType::Timestamp(None, TimezoneInfo::None),
        instant: DataType::Timestamp(None, TimezoneInfo::WithTimeZone),
        float: DataType::Double(ExactNumberInfo::None),
        boolean: DataType::Boolean,
    },
    sum_widening: None,
    functions: &[lists::COMMON, lists::DUCKDB],
};

/// PostgreSQL 12 and later.
pub static POSTGRES: Dialect = Dialect {
    name: "postgres",
    syntax: &syntax::PostgreSqlDialect {},
    quote: '"',
    folding: Folding::Lower,
    placeholders: Placeholders::Dollar,
    limit: LimitSyntax::Limit,
    null_safe: NullSafeEqual::IsNotDistinctFrom,
    nulls_last: Support::Native,
    filter_clause: Support::Native,
    full_join: Support::Native,
    aliases: Aliases::OrderAndGroup,
    dummy_table: None,
    ungrouped: Support::Missing,
    integer_division: IntegerDivision::Truncates,
    quantified: Support::Native,
    asof: Support::Missing,
    zero_x_bytes: Support::Missing,
    types: TypeNames {
        wide_integer: DataType::Numeric(ExactNumberInfo::None),
        wide_decimal: DataType::Numeric(ExactNumberInfo::None),
        text: DataType::Text,
        date_time: DataType::Timestamp(None, TimezoneInfo::None),
        instant: DataType::Timestamp(None, TimezoneInfo::WithTimeZone),
        float: DataType::DoublePrecision,
        boolean: DataType::Boolean,
    },
    sum_widening: Some(SqlType::Decimal),
    functions: &[lists::COMMON, lists::POSTGRES],
};

/// MySQL 8 and MariaDB.
pub static MYSQL: Dialect = Dialect {
    name: "mysql",
    syntax: &grammar::MySql,
    quote: '`',
    folding: Folding::Insensitive,
    placeholders: Placeholders::Question,
    limit: LimitSyntax::Limit,
    null_safe: NullSafeEqual::Spaceship,
    nulls_last: Support::Missing,
    filter_clause: Support::Missing,
    full_join: Support::Missing,
    aliases: Aliases::Having,
    dummy_table: Some("dual"),
    ungrouped: Support::Native,
    integer_division: IntegerDivision::Divides,
    quantified: Support::Native,
    asof: Support::Missing,
    zero_x_bytes: Support::Native,
    types: TypeNames {
        wide_integer: DataType::Decimal(ExactNumberInfo::PrecisionAndScale(65, 0)),
        wide_decimal: DataType::Decimal(ExactNumberInfo::PrecisionAndScale(65, 20)),
        text: DataType::Char(None),
        date_time: DataType::Datetime(None),
        instant: DataType::Datetime(None),
        float: DataType::Double(ExactNumberInfo::None),
        boolean: DataType::Unsigned,
    },
    sum_widening: None,
    functions: &[lists::COMMON, lists::MYSQL],
};

/// SQLite 3.39 and later.
pub static SQLITE: Dialect = Dialect {
    name: "sqlite",
    syntax: &grammar::SQLite,
    quote: '"',
    folding: Folding::Insensitive,
    placeholders: Placeholders::QuestionNumbered,
    limit: LimitSyntax::Limit,
    null_safe: NullSafeEqual::IsNotDistinctFrom,
    nulls_last: Support::Native,
    filter_clause: Support::Native,
    full_join: Support::Native,
    aliases: Aliases::Everywhere,
    dummy_table: None,
    ungrouped: Support::Native,
    integer_division: IntegerDivision::Truncates,
    quantified: Support::Missing,
    asof: Support::Missing,
    zero_x_bytes: Support::Missing,
    types: TypeNames {
        wide_integer: DataType::Integer(None),
        wide_decimal: DataType::Numeric(ExactNumberInfo::None),
        text: DataType::Text,
        date_time: DataType::Text,
        instant: DataType::Text,
        float: DataType::Real,
        boolean: DataType::Integer(None),
    },
    sum_widening: None,
    functions: &[lists::COMMON, lists::SQLITE],
};

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

    /// How a name from the schema is known to the engine once the checker has printed it.
    pub(crate) fn effective(&self, name: &str) -> String {
        match self.folding {
            Folding::Lower if is_plain(name) => name.to_ascii_lowercase(),
            Folding::Lower | Folding::Insensitive => name.to_owned(),
        }
    }

    /// Whether an identifier in a statement names the thing the schema calls `name`.
    pub(crate) fn names(&self, ident: &Ident, name: &str) -> bool {
        self.is_key(&self.fold(ident), name)
    }

    /// Whether a folded identifier is the comparable form of a name from the schema.
    pub(crate) fn is_key(&self, folded: &str, name: &str) -> bool {
        let plain = name.is_ascii() && (self.folding == Folding::Insensitive || is_plain(name));
        match plain {
            true => {
                folded.len() == name.len()
                    && folded.bytes().zip(name.bytes()).all(|(a, b)| a == b.to_ascii_lowercase())
            }
            false => *folded == self.key(name),
        }
    }

    /// The comparable form of an identifier in a statement.
    pub(crate) fn fold(&self, ident: &Ident) -> String {
        match (self.folding, ident.quote_style) {
            (Folding::Lower, Some(_)) => crate::spelling::plain(ident),
            (Folding::Lower, None) | (Folding::Insensitive, _) => lowered(crate::spelling::plain(ident)),
        }
    }

    /// The comparable form of a name from the schema.
    pub(crate) fn key(&self, name: &str) -> String {
        match self.folding {
            Folding::Lower => self.effective(name),
            Folding::Insensitive => lowered(name.to_owned()),
        }
    }
}

/// A name in lower case; most are plain letters, and stay where they are.
fn lowered(mut name: String) -> String {
    match name.is_ascii() {
        true => {
            name.make_ascii_lowercase();
            name
        }
        false => name.to_lowercase(),
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
