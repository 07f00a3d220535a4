//! Owns what is noted of conditions and expressions.
//!
//! Deliberately absent: judging them.

use crate::rejection::Place;

/// A condition worth a second look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConditionKind {
    /// `x = NULL`: never true.
    EqualsNull,
    /// `x NOT IN (SELECT nullable)`: no row at all once a NULL is there.
    NotInNullable(String),
    /// `a / b` between integers, cut off.
    IntegerDivision,
    /// A literal that is not among a column's values.
    UnknownValue {
        /// The column.
        column: String,
        /// The literal.
        value: String,
        /// What to do.
        hint: String,
    },
    /// A WHERE condition on the optional side of an outer join.
    OuterJoinUndone(String),
    /// A column beside a grouping that it does not depend on.
    Ungrouped(String),
    /// BETWEEN on a date and time closes the range.
    ClosedRange(String),
    /// Two kinds of values that no engine compares as they look, each in words.
    AcrossTypes(String, String),
    /// A text compared with a date that is no date.
    NoDate(String),
    /// A point in time that is cut to a unit in a zone that nobody names.
    ZonedTruncation(String),
    /// AND and OR beside each other without brackets.
    MixedLogic,
    /// A divisor that may be zero.
    UnguardedDivision(String),
    /// HAVING on something that is no aggregate.
    HavingRows,
    /// A period on another column than the declared one.
    OtherTime {
        /// The column.
        column: String,
        /// The declared one.
        declared: String,
    },
    /// A literal that one of a column's values is, but for its case.
    OtherCase {
        /// The column.
        column: String,
        /// The literal.
        value: String,
        /// The value.
        known: String,
    },
    /// A named query with the name of a table whose rows it does not read.
    Shadowed(String),
    /// A figure of the result that is the same for every row of some constants: the figure, and the constants.
    SameForAll(String, String),
    /// Balances of several moments added up: the column, and the one that says when.
    BalanceOverTime(String, String),
    /// Values that an aggregate cannot add up or average.
    NotANumber {
        /// The aggregate.
        aggregate: String,
        /// What it is over, in words.
        over: String,
    },
}

/// A condition and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// What about it.
    pub kind: ConditionKind,
    /// Where.
    pub place: Option<Place>,
}
