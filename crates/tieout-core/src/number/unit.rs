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
        Self {
            kind: UnitKind::Named(noun.to_owned()),
            scale: Some(0),
            rounding: Rounding::HalfEven,
            minor: false,
        }
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

    /// How many digits after the point the smallest unit of its currency is: 2 for USD, whose cents are hundredths;
    /// 0 for what is not money.
    #[must_use]
    pub fn minor_digits(&self) -> u32 {
        match &self.kind {
            UnitKind::Currency(code) => minor_digits(code),
            UnitKind::Percent | UnitKind::Ratio | UnitKind::Named(_) | UnitKind::None => 0,
        }
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

/// Currencies whose smallest unit is not a hundredth, by ISO 4217.
const MINOR_DIGITS: [(&str, u32); 25] = [
    ("BHD", 3),
    ("BIF", 0),
    ("CLF", 4),
    ("CLP", 0),
    ("DJF", 0),
    ("GNF", 0),
    ("IQD", 3),
    ("ISK", 0),
    ("JOD", 3),
    ("JPY", 0),
    ("KMF", 0),
    ("KRW", 0),
    ("KWD", 3),
    ("LYD", 3),
    ("OMR", 3),
    ("PYG", 0),
    ("RWF", 0),
    ("TND", 3),
    ("UGX", 0),
    ("UYI", 0),
    ("VND", 0),
    ("VUV", 0),
    ("XAF", 0),
    ("XOF", 0),
    ("XPF", 0),
];

fn minor_digits(code: &str) -> u32 {
    MINOR_DIGITS.iter().find(|(other, _)| *other == code).map_or(2, |(_, digits)| *digits)
}
