//! Where the entries of a checked catalogue stand in its files, for whoever points at one later.
//!
//! Deliberately absent: the entries themselves.

use std::collections::HashMap;

use super::{CatalogueProblem, Entries, Severity, node::Node, problem::Report};

/// Kinds of entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// A dataset.
    Dataset,
    /// A field, named `dataset.field`.
    Field,
    /// A relationship.
    Relationship,
    /// A population.
    Population,
    /// A metric.
    Metric,
    /// A term.
    Term,
}

/// Where entries are named.
#[derive(Clone, Debug, Default)]
pub struct Places {
    places: HashMap<(EntryKind, String), Place>,
}

/// A place in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Place {
    file: String,
    line: usize,
    column: usize,
    length: usize,
}

impl Places {
    /// A warning that points at an entry's name.
    #[must_use]
    pub fn warning(
        &self,
        (kind, name): (EntryKind, &str),
        code: &'static str,
        message: String,
        hint: String,
    ) -> CatalogueProblem {
        let Place { file, line, column, length } =
            self.places.get(&(kind, name.to_owned())).cloned().unwrap_or_default();
        let (line, column) = (line.max(1), column.max(1));
        CatalogueProblem { severity: Severity::Warning, code, file, line, column, length, message, hint }
    }

    /// The places of all entries.
    pub(super) fn of(entries: &Entries<'_>, report: &Report<'_>) -> Self {
        let kinds = [
            (EntryKind::Dataset, "name", &entries.datasets),
            (EntryKind::Relationship, "name", &entries.relationships),
            (EntryKind::Population, "name", &entries.populations),
            (EntryKind::Metric, "name", &entries.metrics),
            (EntryKind::Term, "term", &entries.terms),
        ];
        let mut places = HashMap::new();
        for (kind, key, nodes) in kinds {
            for (name, node) in nodes {
                places.insert((kind, name.clone()), place(node, key, report));
            }
        }
        for (dataset, node) in &entries.datasets {
            for field in node.items_of("fields") {
                if let Some(name) = field.word_of("name") {
                    let name = format!("{dataset}.{}", name.text);
                    places.entry((EntryKind::Field, name)).or_insert_with(|| place(field, "name", report));
                }
            }
        }
        Self { places }
    }
}

fn place(node: &Node, key: &str, report: &Report<'_>) -> Place {
    let at = node.at_of(key);
    Place {
        file: report.path(at.file).to_owned(),
        line: at.line,
        column: at.column,
        length: report.length(at),
    }
}
