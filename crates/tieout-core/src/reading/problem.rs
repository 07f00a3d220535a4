//! What can be wrong with a question: reasons to decline, and doubts to put to the asker.

/// Why a question is declined. The code is stable; programs may act on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReasonCode {
    /// The question is empty, too long, or asks for nothing.
    NothingAsked,
    /// A content word is not known.
    UnknownWord,
    /// The catalogue says that this is not recorded.
    AbsentTerm,
    /// A value that does not exist among a field's values.
    UnknownValue,
    /// A grouping that the metric forbids, or that no stated relationship reaches.
    ForbiddenGrouping,
    /// No stated relationship connects what was named.
    NoRelationship,
    /// The period holds no day, or starts after it ends.
    EmptyPeriod,
    /// The period is longer than the project allows.
    PeriodTooLong,
    /// The period lies before the first rows.
    BeforeHistory,
    /// The period lies after the last load.
    NotLoaded,
    /// The rows are older than the project allows.
    Stale,
    /// Fewer rows than may be shown.
    Thin,
    /// More rows or groups than may be returned, where a cut would change the answer.
    CutShort,
    /// A tenant was named in the question; tenants come from the session.
    TenantInQuestion,
    /// The session has no tenant, and the data needs one.
    NoTenant,
    /// The field or row is not open to this session.
    Hidden,
    /// Something that a question may not do: write, delete, call out, change a setting.
    NotReading,
    /// A cause or a forecast was asked for; only what is recorded can be told.
    NotRecorded,
    /// The words are known but the combination is not one that can be worked out.
    Unsupported,
    /// The definition given in the question differs from the catalogue's.
    DefinitionDiffers,
    /// The SQL checker rejected the query.
    Rejected,
    /// A claim did not hold against its evidence.
    Untethered,
    /// No lawful sentences could be made, or no statement that was drafted was lawful.
    NoDraft,
    /// The choice given does not answer the doubt.
    UnknownChoice,
    /// The figures cannot be totalled, averaged or compared as asked.
    NotAdditive,
    /// No row matches, so there is nothing to add up.
    NoRows,
    /// A key that a join relies on stands in more than one row of the data.
    KeyRepeats,
}

impl ReasonCode {
    /// Every code, for the test that demands a case of each.
    pub const ALL: [Self; 27] = [
        Self::NothingAsked,
        Self::UnknownWord,
        Self::AbsentTerm,
        Self::UnknownValue,
        Self::ForbiddenGrouping,
        Self::NoRelationship,
        Self::EmptyPeriod,
        Self::PeriodTooLong,
        Self::BeforeHistory,
        Self::NotLoaded,
        Self::Stale,
        Self::Thin,
        Self::CutShort,
        Self::TenantInQuestion,
        Self::NoTenant,
        Self::Hidden,
        Self::NotReading,
        Self::NotRecorded,
        Self::Unsupported,
        Self::DefinitionDiffers,
        Self::Rejected,
        Self::Untethered,
        Self::NoDraft,
        Self::UnknownChoice,
        Self::NotAdditive,
        Self::NoRows,
        Self::KeyRepeats,
    ];

    /// The code as shown and as written in files.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::NothingAsked => "nothing_asked",
            Self::UnknownWord => "unknown_word",
            Self::AbsentTerm => "absent_term",
            Self::UnknownValue => "unknown_value",
            Self::ForbiddenGrouping => "forbidden_grouping",
            Self::NoRelationship => "no_relationship",
            Self::EmptyPeriod => "empty_period",
            Self::PeriodTooLong => "period_too_long",
            Self::BeforeHistory => "before_history",
            Self::NotLoaded => "not_loaded",
            Self::Stale => "stale",
            Self::Thin => "thin",
            Self::CutShort => "cut_short",
            Self::TenantInQuestion => "tenant_in_question",
            Self::NoTenant => "no_tenant",
            Self::Hidden => "hidden",
            Self::NotReading => "not_reading",
            Self::NotRecorded => "not_recorded",
            Self::Unsupported => "unsupported",
            Self::DefinitionDiffers => "definition_differs",
            Self::Rejected => "rejected",
            Self::Untethered => "untethered",
            Self::NoDraft => "no_draft",
            Self::UnknownChoice => "unknown_choice",
            Self::NotAdditive => "not_additive",
            Self::NoRows => "no_rows",
            Self::KeyRepeats => "key_repeats",
        }
    }
}

/// One reason to decline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which.
    pub code: ReasonCode,
    /// What happened, in a sentence that names the word or entry.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// The nearest things that exist; offered, never bound.
    pub nearest: Vec<String>,
    /// Where the words start in the question, in bytes, when words are to blame.
    pub start: Option<usize>,
}

/// The subject of the doubt that puts a whole reading to the asker. It covers everything in it that was assumed.
pub const READING: &str = "reading";

/// Something the asker must choose before there can be an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubtful {
    /// What the choice is about: `metric`, `population`, `period`, `path`, `field`, `value`, or `term:<words>`.
    pub subject: String,
    /// The question put to the asker.
    pub message: String,
    /// At least one; numbered from 1 as shown.
    pub choices: Vec<Choice>,
}

/// One option of a doubt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// What `--confirm SUBJECT=KEY` takes.
    pub key: String,
    /// What it means, in words.
    pub text: String,
}

impl Problem {
    /// A reason with nothing near it and no place in the question.
    #[must_use]
    pub fn new(code: ReasonCode, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: hint.into(), nearest: Vec::new(), start: None }
    }

    /// The same, with the nearest things that exist.
    #[must_use]
    pub fn near(self, nearest: Vec<String>) -> Self {
        Self { nearest, ..self }
    }
}
