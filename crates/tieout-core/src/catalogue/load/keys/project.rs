//! The keys of `tieout.yml`.

use super::{Key, Section, Shape};
use crate::catalogue::BlockField;

/// The newest version of the project format.
const FORMAT_VERSION_MAX: u64 = 1;

/// The keys that name folders, and the folders when nothing is said: of the catalogue, and of the golden cases.
pub(in super::super) const FOLDERS: [(&str, &str); 2] = [("catalogue", "catalogue/"), ("golden", "golden/")];

pub(in super::super) static PROJECT: Section = Section {
    what: "a project",
    keys: &[
        Key::required("tieout", Shape::Whole(1, FORMAT_VERSION_MAX), "version of the project format"),
        Key::required("name", Shape::Text, "the project's name"),
        Key::required("warehouse", Shape::Mapping(&WAREHOUSE), "which engine holds the data, and where"),
        Key::optional("time", Shape::Mapping(&TIME), "the calendar that relative periods are read by"),
        Key::optional("policy", Shape::Mapping(&POLICY), "limits, and what must be confirmed"),
        Key::optional(
            "model",
            Shape::Mapping(&MODEL),
            "a language model that may put questions into other words",
        ),
        Key::optional("catalogue", Shape::Path, "folder of the catalogue's files; catalogue/ when absent"),
        Key::optional("golden", Shape::Path, "folder of the golden cases; golden/ when absent"),
    ],
};

static WAREHOUSE: Section = Section {
    what: "a warehouse",
    keys: &[
        Key::required("engine", Shape::OneOf(engines), "which engine"),
        Key::optional("files", Shape::Named(&FILE), "data files, by the names that datasets call them"),
        Key::optional("path", Shape::Path, "a database file"),
        Key::optional("url_env", Shape::Outside, "the environment variable that holds a connection URL"),
    ],
};

static FILE: Shape = Shape::Either(&Shape::Path, &FILE_OPTIONS);

static FILE_OPTIONS: Section = Section {
    what: "a data file",
    keys: &[
        Key::required("path", Shape::Path, "where it is"),
        Key::optional("format", Shape::OneOf(formats), "how it is written; by its ending when absent"),
        Key::optional("delimiter", Shape::Character, "what stands between two values"),
        Key::optional("encoding", Shape::OneOf(encodings), "how its characters are written"),
        Key::optional("header", Shape::Flag, "whether the first line names the columns"),
        Key::optional("date_format", Shape::Text, "how dates are written, such as %d/%m/%Y"),
        Key::optional("thousands", Shape::Character, "what stands between thousands in numbers"),
        Key::optional("decimal", Shape::Character, "what stands before the decimals in numbers"),
        Key::optional(
            "skip_trailing",
            Shape::Whole(0, 1_000),
            "how many lines at the end are totals, not rows",
        ),
    ],
};

static TIME: Section = Section {
    what: "a calendar",
    keys: &[
        Key::optional("zone", Shape::Zone, "the zone whose midnights bound the days; UTC when absent"),
        Key::optional("week_start", Shape::OneOf(weekdays), "first day of a week; monday when absent"),
        Key::optional(
            "fiscal_year_start",
            Shape::OneOf(months),
            "first month of a fiscal year; january when absent",
        ),
    ],
};

static POLICY: Section = Section {
    what: "a policy",
    keys: &[
        Key::optional(
            "confirm",
            Shape::List(&Shape::OneOf(block_fields)),
            "what may not be assumed without asking",
        ),
        Key::optional("minimum_group", Shape::Whole(1, 1_000_000), "a group of fewer rows is withheld"),
        Key::optional("rows_max", Shape::Whole(1, 10_000_000), "the most rows one query may return"),
        Key::optional("timeout", Shape::Duration, "the longest one query may take, such as 30s"),
        Key::optional(
            "period_days_max",
            Shape::Whole(1, 366_000),
            "the longest period that may be asked for, in days",
        ),
    ],
};

static MODEL: Section = Section {
    what: "a model",
    keys: &[
        Key::required(
            "provider",
            Shape::OneOf(providers),
            "which words the endpoint speaks, not who runs it",
        ),
        Key::required("name", Shape::Text, "the model's name, as the endpoint knows it"),
        Key::optional("url", Shape::Outside, "where the endpoint is; the provider's own place when absent"),
        Key::optional("key_env", Shape::Outside, "the environment variable that holds the key"),
        Key::optional("key_file", Shape::Path, "a file that holds the key and nothing else"),
        Key::optional("key_header", Shape::Outside, "the header that carries the key, where it is unusual"),
        Key::optional(
            "plaintext",
            Shape::Flag,
            "whether a key may be sent to another machine without encryption",
        ),
        Key::optional(
            "mode",
            Shape::OneOf(modes),
            "how the shape of a reply is asked for; found out when absent",
        ),
        Key::optional("read", Shape::OneOf(read_modes), "who reads; builtin-then-model when absent"),
        Key::optional(
            "narrate",
            Shape::OneOf(narrate_modes),
            "who words the sentences over the figures; builtin when absent",
        ),
        Key::optional(
            "drafts",
            Shape::OneOf(draft_modes),
            "what the model drafts statements for: ad_hoc for measures that no metric covers; never when absent",
        ),
        Key::optional("timeout", Shape::Duration, "the longest that one exchange may take, such as 60s"),
        Key::optional("reply_tokens_max", Shape::Whole(16, 1_000_000), "the longest reply, in tokens"),
        Key::optional("concurrency", Shape::Whole(1, 1_000), "how many exchanges may run at once"),
        Key::optional("budget", Shape::Mapping(&BUDGET), "what may be spent"),
        Key::optional("prices", Shape::Mapping(&PRICES), "what a million tokens cost"),
        Key::optional(
            "embeddings",
            Shape::Mapping(&EMBEDDINGS),
            "an endpoint that finds entries of a large catalogue by meaning; by words alone when absent",
        ),
    ],
};

static EMBEDDINGS: Section = Section {
    what: "an endpoint of embeddings",
    keys: &[
        Key::required("url", Shape::Outside, "where the endpoint is; the texts of the catalogue go there"),
        Key::required("name", Shape::Text, "the model's name, as the endpoint knows it"),
        Key::optional("key_env", Shape::Outside, "the environment variable that holds the key"),
        Key::optional("key_file", Shape::Path, "a file that holds the key and nothing else"),
        Key::optional("key_header", Shape::Outside, "the header that carries the key, where it is unusual"),
        Key::optional(
            "plaintext",
            Shape::Flag,
            "whether a key may be sent to another machine without encryption",
        ),
        Key::optional("timeout", Shape::Duration, "the longest that one exchange may take, such as 20s"),
        Key::optional("concurrency", Shape::Whole(1, 1_000), "how many exchanges may run at once"),
        Key::optional(
            "texts_per_request",
            Shape::Whole(1, crate::model::EmbeddingSettings::TEXTS_PER_REQUEST_MAX as u64),
            "the most texts of one exchange; 32 when absent",
        ),
        Key::optional(
            "question_prefix",
            Shape::Text,
            "what the model wants before a question, such as `query:`",
        ),
        Key::optional("entry_prefix", Shape::Text, "what the model wants before a text to be found"),
        Key::optional("budget", Shape::Mapping(&EMBEDDINGS_BUDGET), "what may be spent"),
        Key::optional("prices", Shape::Mapping(&EMBEDDINGS_PRICES), "what a million tokens cost"),
    ],
};

static EMBEDDINGS_BUDGET: Section = Section {
    what: "a budget",
    keys: &[
        Key::optional("tokens_per_day", Shape::Whole(1, 1_000_000_000_000), "tokens of one day"),
        Key::optional("money_per_day", Shape::Stored, "money of one day"),
    ],
};

static EMBEDDINGS_PRICES: Section = Section {
    what: "prices",
    keys: &[
        Key::required("currency", Shape::Currency, "the currency's name, such as USD"),
        Key::required("input", Shape::Stored, "of a million tokens, such as 0.02"),
    ],
};

static BUDGET: Section = Section {
    what: "a budget",
    keys: &[
        Key::optional("tokens_per_question", Shape::Whole(1, 1_000_000_000), "tokens of one question"),
        Key::optional("tokens_per_day", Shape::Whole(1, 1_000_000_000_000), "tokens of one day"),
        Key::optional("money_per_question", Shape::Stored, "money of one question, such as 0.05"),
        Key::optional("money_per_day", Shape::Stored, "money of one day"),
    ],
};

static PRICES: Section = Section {
    what: "prices",
    keys: &[
        Key::required("currency", Shape::Currency, "the currency's name, such as USD"),
        Key::required("input", Shape::Stored, "of a million tokens in prompts, such as 0.15"),
        Key::required("output", Shape::Stored, "of a million tokens in replies"),
    ],
};

/// Providers whose words we speak.
fn providers() -> Vec<&'static str> {
    crate::model::PROVIDER_NAMES.to_vec()
}

/// How the shape of a reply may be asked for.
fn modes() -> Vec<&'static str> {
    crate::model::Mode::ALL.iter().map(|mode| mode.code()).collect()
}

/// Who may read.
fn read_modes() -> Vec<&'static str> {
    crate::model::ReadMode::ALL.iter().map(|mode| mode.code()).collect()
}

/// Who may word sentences.
fn narrate_modes() -> Vec<&'static str> {
    crate::model::NarrateMode::ALL.iter().map(|mode| mode.code()).collect()
}

/// What a model may draft statements for.
fn draft_modes() -> Vec<&'static str> {
    crate::model::DraftMode::ALL.iter().map(|mode| mode.code()).collect()
}

/// Engines that have a dialect that statements run on.
fn engines() -> Vec<&'static str> {
    tieout_sql::DIALECTS
        .iter()
        .map(|dialect| dialect.name)
        .filter(|name| *name != tieout_sql::ANSI.name)
        .collect()
}

fn formats() -> Vec<&'static str> {
    vec!["csv", "tsv", "parquet", "json"]
}

fn encodings() -> Vec<&'static str> {
    vec!["utf-8", "latin-1"]
}

/// In the order of the week, Monday first.
pub(in super::super) fn weekdays() -> Vec<&'static str> {
    vec!["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
}

/// In the order of the year.
pub(in super::super) fn months() -> Vec<&'static str> {
    vec![
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ]
}

fn block_fields() -> Vec<&'static str> {
    BlockField::ALL.iter().map(|field| field.name()).collect()
}
