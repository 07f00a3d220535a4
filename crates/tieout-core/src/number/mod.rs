//! Exact numbers and their units: how they are worked out, rounded and printed.
//!
//! Deliberately absent: floats, and any figure that is not a number (NULL, NaN and infinity have no form here).

mod print;
mod unit;

pub use print::print_number;
pub use unit::{Rounding, Unit, UnitKind};

/// An exact decimal.
pub type Number = bigdecimal::BigDecimal;

/// The most significant digits a quotient keeps before it is printed.
pub const QUOTIENT_DIGITS_MAX: u64 = 40;

/// `a / b` to [`QUOTIENT_DIGITS_MAX`] significant digits, or none when `b` is zero.
#[must_use]
pub fn quotient(a: &Number, b: &Number) -> Option<Number> {
    use bigdecimal::Zero;
    if b.is_zero() { None } else { Some((a / b).with_prec(QUOTIENT_DIGITS_MAX)) }
}
