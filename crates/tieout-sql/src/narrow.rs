//! Owns the question whether a cast may give another value than it was given: fewer decimals, fewer digits, fewer signs.
//!
//! Deliberately absent: what kind of value a type holds (`types`), and casts between kinds, which a reader of terms judges.

use sqlparser::ast::{CharacterLength, DataType, ExactNumberInfo};

use crate::dialect::Dialect;
use crate::flow::Term;
use crate::schema::SqlType;
use crate::types;
use crate::value::Value;

/// The fewest decimals that a column of amounts, whose own number of them is not known, is taken to keep.
const SCALE_MIN: u64 = 4;
/// The fewest digits before the decimal point that a sum is taken to keep.
const WHOLE_DIGITS_MIN: u64 = 9;
/// How many digits of a second a moment has.
const SECOND_DIGITS: u64 = 6;

/// What a value may lose in a cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// Nothing.
    Nothing,
    /// Decimals, if it has any.
    Decimals,
    /// Digits, characters, a sign or parts of a second.
    More,
}

/// What a value may lose in a cast. A type that is the engine's own for its kind keeps every value.
pub(crate) fn loss(inner: &Term, to: &DataType, dialect: &Dialect) -> Loss {
    if dialect.type_name(types::of(to)).as_ref() == Some(to) {
        return Loss::Nothing;
    }
    let constant = match inner {
        Term::Constant(value, _) => Some(value),
        _ => None,
    };
    let lost = match types::of(to) {
        SqlType::Decimal => return decimal(constant, decimals(to, dialect)),
        SqlType::Text => text(constant, length(to)),
        SqlType::Integer => constant.is_none() && small(to),
        SqlType::Float => constant.is_none() && single(to),
        SqlType::DateTime | SqlType::Instant | SqlType::Time => constant.is_none() && coarse(to),
        SqlType::Boolean
        | SqlType::Date
        | SqlType::Blob
        | SqlType::Interval
        | SqlType::Other
        | SqlType::Unknown => false,
    };
    if lost { Loss::More } else { Loss::Nothing }
}

/// Digits before and after the decimal point; none where every digit is kept.
fn decimals(to: &DataType, dialect: &Dialect) -> Option<(u64, u64)> {
    let (DataType::Numeric(info) | DataType::Decimal(info) | DataType::Dec(info)) = to else { return None };
    match info {
        ExactNumberInfo::PrecisionAndScale(digits, scale) => {
            let scale = u64::try_from(*scale).unwrap_or(0);
            Some((digits.saturating_sub(scale), scale))
        }
        ExactNumberInfo::Precision(digits) => Some((*digits, 0)),
        // Bare, it is the engine's widest only where that is written bare.
        ExactNumberInfo::None => match dialect.type_name(SqlType::Decimal) {
            Some(DataType::Numeric(ExactNumberInfo::None) | DataType::Decimal(ExactNumberInfo::None)) => None,
            _ => Some((WHOLE_DIGITS_MIN, 0)),
        },
    }
}

fn decimal(constant: Option<&Value>, kept: Option<(u64, u64)>) -> Loss {
    let Some((whole, scale)) = kept else { return Loss::Nothing };
    let has = match constant {
        Some(Value::Decimal(number)) => {
            u64::try_from(number.normalized().fractional_digit_count()).unwrap_or(0)
        }
        Some(_) => 0,
        None => SCALE_MIN,
    };
    match constant {
        None if whole < WHOLE_DIGITS_MIN => Loss::More,
        _ if scale < has => Loss::Decimals,
        _ => Loss::Nothing,
    }
}

/// How many characters are kept; none for all of them.
fn length(to: &DataType) -> Option<u64> {
    match to {
        DataType::Varchar(kept)
        | DataType::Nvarchar(kept)
        | DataType::CharVarying(kept)
        | DataType::CharacterVarying(kept) => kept.as_ref().and_then(characters),
        // Without a number it is one character.
        DataType::Char(kept) | DataType::Character(kept) => kept.as_ref().map_or(Some(1), characters),
        _ => None,
    }
}

fn characters(kept: &CharacterLength) -> Option<u64> {
    match kept {
        CharacterLength::IntegerLength { length, unit: _ } => Some(*length),
        CharacterLength::Max => None,
    }
}

fn text(constant: Option<&Value>, kept: Option<u64>) -> bool {
    let Some(kept) = kept else { return false };
    match constant {
        Some(Value::Text(text)) => text.chars().count() as u64 > kept,
        Some(_) | None => true,
    }
}

/// Integers that hold fewer digits than a sum has, or no sign.
fn small(to: &DataType) -> bool {
    let name = to.to_string().to_ascii_uppercase();
    let word = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    word.starts_with('U')
        || name.contains("UNSIGNED")
        || ["TINYINT", "SMALLINT", "MEDIUMINT", "INT2", "INT16"].contains(&word)
}

/// Floating point of seven digits.
fn single(to: &DataType) -> bool {
    match to {
        DataType::Real | DataType::Float4 | DataType::Float32 => true,
        DataType::Float(ExactNumberInfo::Precision(bits)) => *bits <= 24,
        _ => false,
    }
}

/// Moments that are rounded to fewer parts of a second than they have.
fn coarse(to: &DataType) -> bool {
    match to {
        DataType::Timestamp(Some(digits), _)
        | DataType::Time(Some(digits), _)
        | DataType::Datetime(Some(digits)) => *digits < SECOND_DIGITS,
        other => {
            let name = other.to_string().to_ascii_uppercase();
            ["TIMESTAMP_S", "TIMESTAMP_MS"].contains(&name.as_str())
        }
    }
}
