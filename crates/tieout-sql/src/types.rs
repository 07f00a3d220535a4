//! Owns the little that the checker knows of types: what a data type's name means, and what operators give.
//!
//! Deliberately absent: coercion rules. Where a type is not certain it is unknown, and rules keep quiet.

use sqlparser::ast::{BinaryOperator, DataType, TimezoneInfo};

use crate::schema::SqlType;

/// What kind of value a data type holds.
pub fn of(data_type: &DataType) -> SqlType {
    let text = data_type.to_string().to_ascii_uppercase();
    if let DataType::Timestamp(_, zone) = data_type {
        return match zone {
            TimezoneInfo::WithTimeZone | TimezoneInfo::Tz => SqlType::Instant,
            TimezoneInfo::None | TimezoneInfo::WithoutTimeZone => SqlType::DateTime,
        };
    }
    let word: String = text.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    match named(&word) {
        SqlType::Unknown => SqlType::Unknown,
        _ if text.contains('[') || text.contains('<') => SqlType::Other,
        known => known,
    }
}

fn named(word: &str) -> SqlType {
    match word {
        "BOOL" | "BOOLEAN" => SqlType::Boolean,
        "TINYINT" | "SMALLINT" | "MEDIUMINT" | "INT" | "INTEGER" | "BIGINT" | "HUGEINT" | "INT2" | "INT4"
        | "INT8" | "INT16" | "INT32" | "INT64" | "INT128" | "UTINYINT" | "USMALLINT" | "UINTEGER"
        | "UBIGINT" | "UHUGEINT" | "SIGNED" | "UNSIGNED" | "SERIAL" | "BIGSERIAL" | "SMALLSERIAL" => {
            SqlType::Integer
        }
        "NUMERIC" | "DECIMAL" | "DEC" | "NUMBER" | "MONEY" => SqlType::Decimal,
        "FLOAT" | "FLOAT4" | "FLOAT8" | "REAL" | "DOUBLE" => SqlType::Float,
        "CHAR" | "CHARACTER" | "VARCHAR" | "NVARCHAR" | "NCHAR" | "TEXT" | "STRING" | "CLOB" | "TINYTEXT"
        | "MEDIUMTEXT" | "LONGTEXT" | "BPCHAR" | "UUID" | "ENUM" | "CITEXT" => SqlType::Text,
        "DATE" => SqlType::Date,
        "TIME" => SqlType::Time,
        "DATETIME" | "TIMESTAMP_S" | "TIMESTAMP_MS" | "TIMESTAMP_NS" | "TIMESTAMP_NTZ" => SqlType::DateTime,
        "TIMESTAMPTZ" => SqlType::Instant,
        "INTERVAL" => SqlType::Interval,
        "BLOB" | "BYTEA" | "BINARY" | "VARBINARY" | "BYTES" => SqlType::Blob,
        "JSON" | "JSONB" | "BIT" | "YEAR" => SqlType::Other,
        _ => SqlType::Unknown,
    }
}

/// What an operator gives; `None` for an operator that is not judged.
pub(crate) fn operated(a: SqlType, op: &BinaryOperator, b: SqlType) -> Option<SqlType> {
    use BinaryOperator as B;
    match op {
        B::Plus | B::Minus => Some(summed(a, op, b)),
        B::Multiply | B::Modulo | B::PGExp => Some(wider(a, b)),
        B::Divide => Some(match (a, b) {
            (SqlType::Integer, SqlType::Integer) => SqlType::Integer,
            _ => wider(a, b),
        }),
        B::DuckIntegerDivide | B::MyIntegerDivide => Some(SqlType::Integer),
        B::StringConcat => Some(SqlType::Text),
        B::Gt
        | B::Lt
        | B::GtEq
        | B::LtEq
        | B::Spaceship
        | B::Eq
        | B::NotEq
        | B::And
        | B::Or
        | B::Xor
        | B::Match
        | B::Regexp
        | B::Glob
        | B::PGOverlap
        | B::PGRegexMatch
        | B::PGRegexIMatch
        | B::PGRegexNotMatch
        | B::PGRegexNotIMatch
        | B::PGLikeMatch
        | B::PGILikeMatch
        | B::PGNotLikeMatch
        | B::PGNotILikeMatch
        | B::PGStartsWith
        | B::Overlaps
        | B::Is
        | B::IsNot => Some(SqlType::Boolean),
        B::BitwiseOr
        | B::BitwiseAnd
        | B::BitwiseXor
        | B::PGBitwiseXor
        | B::PGBitwiseShiftLeft
        | B::PGBitwiseShiftRight => Some(SqlType::Integer),
        B::Arrow | B::LongArrow | B::HashArrow | B::HashLongArrow | B::AtArrow | B::ArrowAt | B::Question => {
            Some(SqlType::Unknown)
        }
        B::Custom(_)
        | B::AtAt
        | B::HashMinus
        | B::AtQuestion
        | B::QuestionAnd
        | B::QuestionPipe
        | B::PGCustomBinaryOperator(_)
        | B::DoubleHash
        | B::LtDashGt
        | B::AndLt
        | B::AndGt
        | B::LtLtPipe
        | B::PipeGtGt
        | B::AndLtPipe
        | B::PipeAndGt
        | B::LtCaret
        | B::GtCaret
        | B::QuestionHash
        | B::QuestionDash
        | B::QuestionDashPipe
        | B::QuestionDoublePipe
        | B::At
        | B::TildeEq
        | B::Assignment => None,
    }
}

fn summed(a: SqlType, op: &BinaryOperator, b: SqlType) -> SqlType {
    use SqlType as T;
    match (a, b) {
        (T::Date, T::Date) if *op == BinaryOperator::Minus => T::Integer,
        (T::DateTime | T::Instant, T::DateTime | T::Instant) => T::Interval,
        (T::Date, T::Integer) => T::Date,
        (T::Date, T::Interval) => T::DateTime,
        (T::DateTime | T::Instant, T::Interval | T::Integer) => a,
        _ => wider(a, b),
    }
}

/// The wider of two numeric types; unknown unless both are known.
fn wider(a: SqlType, b: SqlType) -> SqlType {
    use SqlType as T;
    match (a, b) {
        (T::Integer, T::Integer) => T::Integer,
        (T::Integer | T::Decimal, T::Integer | T::Decimal) => T::Decimal,
        (T::Float, T::Integer | T::Decimal | T::Float) | (T::Integer | T::Decimal, T::Float) => T::Float,
        (_, _) => T::Unknown,
    }
}
