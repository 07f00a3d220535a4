//! The classes of words that the grammar knows. What belongs to each is data.

use serde::Deserialize;

/// What a phrase may do in a question. One phrase may belong to several classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(
    missing_docs,
    reason = "each class is named after its commonest word and explained by the data file"
)]
pub enum Class {
    Definite,
    Indefinite,
    All,
    Each,
    Possessive,
    Pronoun,
    Copula,
    Have,
    Do,
    Not,
    Never,
    No,
    Relative,
    And,
    Or,
    Either,
    Comma,
    HowMany,
    HowMuch,
    What,
    Show,
    List,
    Which,
    Who,
    Total,
    Average,
    Median,
    Minimum,
    Maximum,
    Distinct,
    Amount,
    By,
    ForEach,
    Breakdown,
    Trend,
    Preposition,
    With,
    Without,
    Only,
    Exclude,
    Where,
    Above,
    AtLeast,
    Below,
    AtMost,
    Equal,
    NotEqual,
    Between,
    OrMore,
    OrLess,
    Missing,
    Present,
    Yes,
    Falsity,
    Top,
    Bottom,
    Newest,
    Oldest,
    Sort,
    Ascending,
    Descending,
    Compare,
    Difference,
    Versus,
    WithTo,
    Change,
    How,
    Share,
    OfTotal,
    Came,
    Light,
    Stop,
    Define,
    HowIs,
    Defined,
    WhatIsA,
    Everything,
    ValuesOf,
    ValuesTail,
    SplitHow,
    SplitTail,
    Follow,
    Add,
    Instead,
    WriteOrder,
    Injection,
    Tenant,
    Why,
    Forecast,
    Heads,
    IdHead,
    SumOf,
    Plus,
    Minus,
    Over,
    RatioOf,
    WhichIs,
    WhereIs,
    Equals,
    LinkVerb,
    TimePreposition,
    Association,
    ListFiller,
    OfWord,
    ByWord,
    Nothing,
    Called,
    CountTail,
    Showing,
    Courtesy,
    Request,
    Role,
    RoleWants,
    IAm,
    PurposeStart,
    PurposeArticle,
    PurposeAdjective,
    PurposeNoun,
    Presentation,
}

impl Class {
    /// Whether words of this class shape a sentence, so that a value spelled the same needs more than its name. The
    /// others name things and people, or say what is done to them, and may well be values.
    #[must_use]
    pub fn is_function(self) -> bool {
        use Class as C;
        !matches!(
            self,
            C::Role
                | C::RoleWants
                | C::PurposeAdjective
                | C::PurposeNoun
                | C::Courtesy
                | C::Presentation
                | C::Light
                | C::Present
                | C::WriteOrder
                | C::LinkVerb
                | C::Association
                | C::Heads
        )
    }
}
