//! The keys of the catalogue's files.

use super::{Key, Section, Shape};
use crate::metric_kinds;

pub(in super::super) static CATALOGUE: Section = Section {
    what: "a catalogue",
    keys: &[
        Key::optional("datasets", Shape::List(&Shape::Mapping(&DATASET)), "rows of one kind each"),
        Key::optional(
            "relationships",
            Shape::List(&Shape::Mapping(&RELATIONSHIP)),
            "the links along which joins run",
        ),
        Key::optional("populations", Shape::List(&Shape::Mapping(&POPULATION)), "named sets of rows"),
        Key::optional("metrics", Shape::List(&Shape::Mapping(&METRIC)), "named measures"),
        Key::optional(
            "terms",
            Shape::List(&Shape::Mapping(&TERM)),
            "words that mean more than one thing, or nothing",
        ),
    ],
};

static NAMES: Shape = Shape::List(&Shape::Name);

const fn synonyms() -> Key {
    Key::optional("synonyms", Shape::List(&Shape::Text), "other words for it")
}

const fn label(about: &'static str) -> Key {
    Key::optional("label", Shape::Text, about)
}

const fn description() -> Key {
    Key::optional("description", Shape::Text, "one sentence for people")
}

const fn condition() -> Key {
    Key::optional("where", Shape::Expression, "a condition over the fields: rows for which it is true belong")
}

const fn ai_context() -> Key {
    Key::optional("ai_context", Shape::Text, "free text for models; never used to work out a figure")
}

static DATASET: Section = Section {
    what: "a dataset",
    keys: &[
        Key::required("name", Shape::Name, "the dataset's name"),
        Key::optional("source", Shape::Outside, "the file or table it is read from; its name when absent"),
        label("what a person calls its rows, in the plural"),
        synonyms(),
        description(),
        ai_context(),
        Key::optional("primary_key", Shape::List(&Shape::Name), "fields whose values together name one row"),
        Key::optional("unique_keys", Shape::List(&NAMES), "further keys, each a list of fields"),
        Key::optional("tenant", Shape::Outside, "the source's column that is bound to the session's tenant"),
        condition(),
        Key::optional("display", Shape::Name, "the field that names a row to a person"),
        Key::optional("time", Shape::Name, "the field that says when"),
        Key::optional(
            "freshness",
            Shape::Mapping(&FRESHNESS),
            "how fresh the rows are, and since when there are any",
        ),
        Key::required("fields", Shape::List(&Shape::Mapping(&FIELD)), "its columns as people know them"),
    ],
};

static FRESHNESS: Section = Section {
    what: "the freshness of a dataset",
    keys: &[
        Key::optional("column", Shape::Name, "the field whose latest value says when rows last arrived"),
        Key::optional("max_lag", Shape::Duration, "how late rows may be, such as 26h"),
        Key::optional("history_start", Shape::Date, "the first day for which there are rows"),
    ],
};

static FIELD: Section = Section {
    what: "a field",
    keys: &[
        Key::required("name", Shape::Name, "the field's name"),
        Key::required("datatype", Shape::OneOf(datatypes), "what its values are"),
        label("what a person calls it"),
        synonyms(),
        description(),
        ai_context(),
        Key::optional("column", Shape::Outside, "the source's column, where it is not the field's name"),
        Key::optional("expression", Shape::Expression, "worked out from other fields, instead of a column"),
        Key::optional("unit", Shape::Mapping(&UNIT), "what its numbers count"),
        Key::optional(
            "values",
            Shape::List(&Shape::Either(&Shape::Stored, &VALUE)),
            "all values that it may have",
        ),
        Key::optional("identifier", Shape::Flag, "whether it names things, and so is never added up"),
        Key::optional("nullable", Shape::Flag, "whether it may be without a value"),
        Key::optional(
            "lookup",
            Shape::Flag,
            "whether its values are looked up in the data, to be named in questions",
        ),
        Key::optional("access", Shape::OneOf(accesses), "who may see it; open when absent"),
    ],
};

static VALUE: Section = Section {
    what: "a value",
    keys: &[Key::required("value", Shape::Stored, "as it is stored"), synonyms()],
};

static UNIT: Section = Section {
    what: "a unit",
    keys: &[
        Key::optional("currency", Shape::Currency, "money, by its ISO 4217 code"),
        Key::optional("percent", Shape::Flag, "hundredths of a whole"),
        Key::optional("ratio", Shape::Flag, "a plain quotient"),
        Key::optional("name", Shape::Text, "anything else, by its plural noun"),
        Key::optional(
            "minor",
            Shape::Flag,
            "whether stored amounts are in the currency's smallest unit, such as cents",
        ),
        Key::optional("scale", Shape::Whole(0, 12), "digits shown after the point"),
        Key::optional(
            "rounding",
            Shape::OneOf(roundings),
            "how figures are rounded when shown; half_even when absent",
        ),
    ],
};

static RELATIONSHIP: Section = Section {
    what: "a relationship",
    keys: &[
        Key::required("name", Shape::Name, "the link's name"),
        Key::required("from", Shape::Name, "the dataset on the many side"),
        Key::required("to", Shape::Name, "the dataset on the one side"),
        Key::required(
            "from_columns",
            Shape::List(&Shape::Name),
            "fields of the many side, in the order of to_columns",
        ),
        Key::required("to_columns", Shape::List(&Shape::Name), "a key of the one side, whole"),
        Key::optional(
            "required",
            Shape::Flag,
            "whether every row of the many side has its row of the one side",
        ),
        synonyms(),
        description(),
        ai_context(),
    ],
};

static POPULATION: Section = Section {
    what: "a population",
    keys: &[
        Key::required("name", Shape::Name, "the population's name"),
        Key::required("dataset", Shape::Name, "whose rows"),
        label("what a person calls it"),
        synonyms(),
        description(),
        ai_context(),
        condition(),
        Key::optional("exists", Shape::List(&Shape::Mapping(&RELATED)), "related rows that must exist"),
        Key::optional("absent", Shape::List(&Shape::Mapping(&RELATED)), "related rows that must not exist"),
    ],
};

static RELATED: Section = Section {
    what: "a related row",
    keys: &[
        Key::required(
            "via",
            Shape::List(&Shape::Name),
            "relationships to walk from the population's dataset, in order",
        ),
        condition(),
        Key::optional("within_period", Shape::Flag, "whether the related row must lie in the asked period"),
    ],
};

static METRIC: Section = Section {
    what: "a metric",
    keys: &[
        Key::required("name", Shape::Name, "the metric's name"),
        Key::optional(
            "version",
            Shape::Whole(1, 1_000_000),
            "counts up when the meaning changes; 1 when absent",
        ),
        Key::optional(
            "status",
            Shape::OneOf(statuses),
            "how far the definition has come; approved when absent",
        ),
        Key::optional("superseded_by", Shape::Name, "the metric to use instead of a deprecated one"),
        Key::optional("owner", Shape::Text, "who answers for it"),
        label("what a person calls it"),
        description(),
        ai_context(),
        synonyms(),
        Key::optional("dataset", Shape::Name, "whose rows; ratio and derived have none"),
        Key::required("kind", Shape::OneOf(kinds), "how it is worked out"),
        Key::optional("of", Shape::Expression, "what is aggregated, over the dataset's fields"),
        condition(),
        Key::optional("population", Shape::Name, "the population whose members alone count"),
        Key::optional("exclusions", Shape::List(&Shape::Mapping(&EXCLUSION)), "what is left out"),
        Key::optional("grain", Shape::Text, "what one row stands for, in words"),
        Key::optional(
            "time",
            Shape::Name,
            "the field that says when; the dataset's when absent; none for no time at all",
        ),
        Key::optional("per", Shape::List(&Shape::Name), "latest: the fields whose last row each is taken"),
        Key::optional("restart", Shape::OneOf(restarts), "cumulative: when the running total begins again"),
        Key::optional("numerator", Shape::Name, "ratio: the metric that is divided"),
        Key::optional("denominator", Shape::Name, "ratio: the metric it is divided by"),
        Key::optional("expression", Shape::Arithmetic, "derived: arithmetic over metrics"),
        Key::optional("unit", Shape::Mapping(&UNIT), "what its figures count; from its fields when absent"),
        Key::optional(
            "dimensions",
            Shape::List(&Shape::Either(&Shape::FieldPath, &DIMENSION)),
            "the only groupings it may be split by; any that is reached when absent",
        ),
        Key::optional("minimum_group", Shape::Whole(1, 1_000_000), "a group of fewer rows is withheld"),
    ],
};

static EXCLUSION: Section = Section {
    what: "an exclusion",
    keys: &[
        Key::required("text", Shape::Text, "what is left out, in words"),
        Key::optional("where", Shape::Expression, "rows for which it is true are left out"),
    ],
};

static DIMENSION: Section = Section {
    what: "a dimension",
    keys: &[
        Key::required("field", Shape::FieldPath, "the field, or dataset.field"),
        Key::optional(
            "via",
            Shape::List(&Shape::Name),
            "relationships to walk from the metric's dataset, in order",
        ),
    ],
};

static TERM: Section = Section {
    what: "a term",
    keys: &[
        Key::required("term", Shape::Text, "the words"),
        Key::optional(
            "readings",
            Shape::List(&Shape::FieldPath),
            "metrics, populations or dataset.field that it may mean",
        ),
        Key::optional("absent", Shape::Text, "why it means nothing here"),
    ],
};

fn datatypes() -> Vec<&'static str> {
    vec!["string", "integer", "decimal", "float", "boolean", "date", "timestamp", "instant"]
}

pub(super) fn accesses() -> Vec<&'static str> {
    vec!["open", "sensitive", "hidden"]
}

fn roundings() -> Vec<&'static str> {
    vec!["half_even", "half_up", "down"]
}

fn statuses() -> Vec<&'static str> {
    vec!["draft", "approved", "deprecated"]
}

fn restarts() -> Vec<&'static str> {
    vec!["never", "year", "fiscal_year", "quarter", "month"]
}

/// The kinds of the table in `metric_kinds/`.
fn kinds() -> Vec<&'static str> {
    metric_kinds::KINDS.iter().map(|kind| kind.name).collect()
}
