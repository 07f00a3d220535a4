//! Exact numbers and their units: how they are worked out, rounded and printed.
//!
//! Deliberately absent: floats, and any figure that is not a number (NULL, NaN and infinity have no form here).

mod print;
mod unit;

#[cfg(test)]
mod properties;

pub use print::print_number;
pub use unit::{Rounding, Unit, UnitKind};

/// An exact decimal.
pub type Number = bigdecimal::BigDecimal;

/// The most significant digits a quotient keeps before it is printed.
pub const QUOTIENT_DIGITS_MAX: u64 = 40;

/// `a / b` to [`QUOTIENT_DIGITS_MAX`] significant digits, or none when `b` is zero. A negative quotient is rounded as
/// its positive twin is (`with_prec` of the library cuts negatives off instead).
#[must_use]
pub fn quotient(a: &Number, b: &Number) -> Option<Number> {
    use bigdecimal::{RoundingMode, Zero};
    let digits = std::num::NonZeroU64::new(QUOTIENT_DIGITS_MAX)?;
    if b.is_zero() { None } else { Some((a / b).with_precision_round(digits, RoundingMode::HalfEven)) }
}
