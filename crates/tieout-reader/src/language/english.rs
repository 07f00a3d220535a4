//! Words of English that readings are held to; beside the word classes, which say how a word is read.

/// Words that ask for a fall.
pub(crate) const FALLS: &[&str] = &[
    "drop",
    "drops",
    "dropped",
    "decline",
    "declines",
    "declined",
    "decrease",
    "decreased",
    "fall",
    "fell",
    "fallen",
];

/// Superlatives that mean one thing when they stand alone.
pub(crate) const SUPERLATIVES: &[&str] = &[
    "top", "first", "last", "oldest", "newest", "latest", "earliest", "biggest", "largest", "smallest",
    "best", "worst",
];

/// Words that ask for each group by itself.
pub(crate) const WITHIN: &[&str] = &["per", "each", "every"];

/// Steps of time.
pub(crate) const STEPS: &[&str] =
    &["day", "daily", "week", "weekly", "month", "monthly", "quarter", "quarterly", "year", "yearly"];

/// Words that ask for an average.
pub(crate) const AVERAGES: &[&str] = &["average", "mean", "median", "avg"];

/// Words that tie what follows to what stands before, as its rows.
pub(crate) const LINKS: &[&str] = &["for", "of", "among", "from"];

/// Words that rule others out.
pub(crate) const ONLY: &[&str] = &["only", "just", "solely", "exclusively"];

/// Words that open a bound.
pub(crate) const BOUNDS: &[&str] = &["more than", "fewer than", "less than", "at least", "at most"];

/// Steps of time as nouns.
pub(crate) const NOUN_STEPS: &[&str] = &["day", "week", "month", "quarter", "year"];

/// Words before the whole that a share is of.
pub(crate) const WHOLES: &[&str] = &["in", "among", "within", "of"];
