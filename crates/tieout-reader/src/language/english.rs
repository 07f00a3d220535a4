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

/// Words that ask for all of what they join.
pub(crate) const JOINTLY: &[&str] = &["and", "plus", "both", "also"];

/// Words that ask for any of what they join.
pub(crate) const EITHER: &[&str] = &["or", "either"];

/// Articles that name none in particular.
pub(crate) const ANY: &[&str] = &["a", "any", "every", "each", "all"];

/// The days of the week, one and many.
pub(crate) const WEEKDAYS: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "mondays",
    "tuesdays",
    "wednesdays",
    "thursdays",
    "fridays",
    "saturdays",
    "sundays",
];

/// Verbs that part what a share is of from what it is a share by.
pub(crate) const PIVOTS: &[&str] = &[
    "is", "are", "was", "were", "came", "come", "comes", "has", "have", "had", "went", "go", "goes", "made",
];

/// Words that ask for a count.
pub(crate) const COUNTS: &[&str] = &["number", "numbers", "count", "amount", "no", "no.", "nr", "#"];

/// Superlatives of size, not of number.
pub(crate) const SIZES: &[&str] =
    &["highest", "largest", "biggest", "greatest", "smallest", "lowest", "cheapest", "dearest"];

/// Words that tie what follows to what stands before.
pub(crate) const THEIRS: &[&str] = &["their", "his", "her", "its"];

/// Words that lead to a time.
pub(crate) const TIME_LINKS: &[&str] =
    &["since", "from", "until", "till", "before", "after", "by", "during", "to"];

/// Steps of time, as nouns and of a clock.
pub(crate) const GRAINS: &[&str] = &[
    "hour", "day", "weekday", "week", "month", "quarter", "year", "days", "weeks", "months", "quarters",
    "years",
];

/// Words that set two things against each other.
pub(crate) const VERSUS: &[&str] = &["vs", "vs.", "versus"];

/// Words that go on from the question before.
pub(crate) const GOES_ON: &[&str] =
    &["and", "only", "just", "now", "also", "what about", "how about", "then", "as", "their", "with"];
