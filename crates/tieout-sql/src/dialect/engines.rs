//! Owns the dialects that there are, as values.
//!
//! Deliberately absent: what the fields mean (`dialect`).

use sqlparser::ast::{DataType, ExactNumberInfo, TimezoneInfo};
use sqlparser::dialect as syntax;

use super::{
    Aliases, Dialect, Folding, IntegerDivision, LimitSyntax, NullSafeEqual, Placeholders, Support, TypeNames,
    grammar, lists,
};
use crate::schema::SqlType;

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
