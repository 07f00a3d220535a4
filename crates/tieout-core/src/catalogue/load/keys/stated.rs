//! The keys of a file that states, beside bare DDL, what DDL cannot say: relationships, keys, tenants and access. They are the
//! catalogue's own words, but for names, which are those of the tables and columns.

use super::{Key, Section, Shape, catalogue::accesses};

pub(in super::super) static STATED: Section = Section {
    what: "a file of relationships",
    keys: &[
        Key::optional(
            "relationships",
            Shape::List(&Shape::Mapping(&RELATIONSHIP)),
            "the links along which joins run",
        ),
        Key::optional("datasets", Shape::List(&Shape::Mapping(&DATASET)), "what else is known of tables"),
    ],
};

static NAMES: Shape = Shape::List(&Shape::Outside);

static RELATIONSHIP: Section = Section {
    what: "a relationship",
    keys: &[
        Key::optional("name", Shape::Outside, "its name, used in messages"),
        Key::required("from", Shape::Outside, "the table of which many rows may belong to one of the other"),
        Key::required("to", Shape::Outside, "the table that it leads to"),
        Key::required("from_columns", Shape::List(&Shape::Outside), "columns of `from`"),
        Key::required("to_columns", Shape::List(&Shape::Outside), "columns of `to`, in the same order"),
        Key::optional("required", Shape::Flag, "whether every row of `from` has its row of `to`"),
    ],
};

static DATASET: Section = Section {
    what: "a dataset",
    keys: &[
        Key::required("name", Shape::Outside, "the table's name"),
        Key::optional(
            "primary_key",
            Shape::List(&Shape::Outside),
            "columns whose values together name one row",
        ),
        Key::optional("unique_keys", Shape::List(&NAMES), "further keys, each a list of columns"),
        Key::optional("tenant", Shape::Outside, "the column that is bound to the session's tenant"),
        Key::optional("time", Shape::Outside, "the column that says when"),
        Key::optional("fields", Shape::List(&Shape::Mapping(&FIELD)), "what else is known of its columns"),
    ],
};

static FIELD: Section = Section {
    what: "a field",
    keys: &[
        Key::required("name", Shape::Outside, "the column's name"),
        Key::optional("access", Shape::OneOf(accesses), "who may see it"),
        Key::optional("values", Shape::List(&Shape::Stored), "all values that it may have"),
        Key::optional("identifier", Shape::Flag, "whether it names things, and so is never added up"),
    ],
};
