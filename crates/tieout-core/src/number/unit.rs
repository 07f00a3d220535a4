//! What a number counts, and how it is rounded for the eye.

/// How a number is rounded when it is printed. The exact value is kept beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Rounding {
    /// To the nearest, ties to the even neighbour.
    #[default]
    HalfEven,
    /// To the nearest, ties away from zero.
    HalfUp,
    /// Towards zero.
    Down,
}

/// What is counted or measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnitKind {
    /// Money, by its ISO 4217 code.
    Currency(String),
    /// Hundredths of a whole.
    Percent,
    /// A plain quotient.
    Ratio,
    /// Anything else, by its plural noun: `orders`, `days`.
    Named(String),
    /// No unit is declared.
    None,
}

/// A unit, and how many digits after the point are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// What is counted.
    pub kind: UnitKind,
    /// Digits shown after the point; none means as many as the exact value has.
    pub scale: Option<u32>,
    /// How the shown form is rounded.
    pub rounding: Rounding,
    /// Whether the stored number is in the minor unit of a currency (cents), so that it is divided by ten to the
    /// power of the currency's scale before it is a figure.
    pub minor: bool,
}

impl Unit {
    /// A unit of whole things, named by their plural.
    #[must_use]
    pub fn count(noun: &str) -> Self {
        Self { kind: UnitKind::Named(noun.to_owned()), scale: Some(0), rounding: Rounding::HalfEven, minor: false }
    }

    /// Percent with two digits after the point.
    #[must_use]
    pub fn percent() -> Self {
        Self { kind: UnitKind::Percent, scale: Some(2), rounding: Rounding::HalfEven, minor: false }
    }

    /// A plain quotient, printed with up to four digits after the point.
    #[must_use]
    pub fn ratio() -> Self {
        Self { kind: UnitKind::Ratio, scale: Some(4), rounding: Rounding::HalfEven, minor: false }
    }

    /// No declared unit.
    #[must_use]
    pub fn none() -> Self {
        Self { kind: UnitKind::None, scale: None, rounding: Rounding::HalfEven, minor: false }
    }

    /// How the unit is written after a number: `USD`, `%`, `orders`, or nothing.
    #[must_use]
    pub fn suffix(&self) -> &str {
        match &self.kind {
            UnitKind::Currency(code) => code,
            UnitKind::Percent => "%",
            UnitKind::Named(noun) => noun,
            UnitKind::Ratio | UnitKind::None => "",
        }
    }
}
