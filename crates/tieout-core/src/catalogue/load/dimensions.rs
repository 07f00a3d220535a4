//! The groupings that a metric lists: each exists, may be split by, and is reached by exactly one way.
//!
//! Deliberately absent: metrics that list none; what reaches them is found when a question asks.

use std::collections::HashMap;

use indexmap::IndexMap;

use super::{
    Context, codes, datasets,
    node::{Node, Word},
    populations,
    problem::Report,
    relationships,
};
use crate::{
    catalogue::{Aggregate, Catalogue, Dimension, Graph, JoinPath, Measure, Metric, PathSearch},
    metric_kinds::{self, Split, SplitBy},
};

/// How many ways a hint lists.
const WAYS_SHOWN_MAX: usize = 3;

/// Fills in the dimensions of every metric that lists them.
pub(super) fn fill(
    context: &Context<'_>,
    catalogue: &Catalogue,
    metrics: &mut IndexMap<String, Metric>,
    report: &mut Report<'_>,
) {
    let mut finder = Finder { catalogue, found: HashMap::new() };
    let mut filled = Vec::new();
    for (name, node) in &context.entries.metrics {
        if node.get("dimensions").is_none() || !metrics.contains_key(name) {
            continue;
        }
        let homes = homes(name, metrics);
        let mut dimensions: Vec<Dimension> = Vec::new();
        for item in node.items_of("dimensions") {
            let Some(dimension) = finder.dimension(item, &homes, report) else { continue };
            if dimensions
                .iter()
                .any(|other| other.dataset == dimension.dataset && other.field == dimension.field)
            {
                let message = format!("`{}.{}` is listed twice", dimension.dataset, dimension.field);
                report.error(codes::REPEATED, item.at, message, "keep one of them");
                continue;
            }
            dimensions.push(dimension);
        }
        filled.push((name.clone(), dimensions));
    }
    for (name, dimensions) in filled {
        if let Some(metric) = metrics.get_mut(&name) {
            metric.dimensions = Some(dimensions);
        }
    }
}

/// The aggregates that a metric is made of, its own or those of its parts. A circle is walked once.
fn homes(name: &str, metrics: &IndexMap<String, Metric>) -> Vec<Aggregate> {
    let mut names = vec![name.to_owned()];
    let mut homes = Vec::new();
    let mut at = 0;
    while let Some(name) = names.get(at).cloned() {
        at += 1;
        let parts = match metrics.get(&name).map(|metric| &metric.measure) {
            Some(Measure::Aggregate(aggregate)) => {
                homes.push(aggregate.clone());
                continue;
            }
            Some(Measure::Ratio { numerator, denominator }) => vec![numerator.clone(), denominator.clone()],
            Some(Measure::Derived { expression }) => {
                expression.metrics().into_iter().map(str::to_owned).collect()
            }
            None => continue,
        };
        names.extend(parts.into_iter().filter(|part| !names.contains(part)).collect::<Vec<_>>());
    }
    homes
}

struct Finder<'c> {
    catalogue: &'c Catalogue,
    found: HashMap<(String, String), PathSearch>,
}

impl Finder<'_> {
    fn dimension(&mut self, item: &Node, homes: &[Aggregate], report: &mut Report<'_>) -> Option<Dimension> {
        let word = item.word_of("field").or_else(|| item.word())?;
        let (dataset, field) = self.field(word, homes, report)?;
        let via = item.get("via").map(|_| item.texts_of("via"));
        for (index, home) in homes.iter().enumerate() {
            if homes
                .iter()
                .take(index)
                .any(|before| before.dataset == home.dataset && before.kind == home.kind)
            {
                continue;
            }
            let path = self.path(item, word, home, (&dataset, via.as_deref()), report)?;
            check_split(word, home, &field, &path, report);
            if !path.to_one() {
                let message = format!(
                    "a row of `{}` may lead to several rows of `{dataset}`, and then counts in each",
                    home.dataset
                );
                report.warn(
                    codes::REPEATED_ROWS,
                    word.at,
                    message,
                    "keep it only if a figure may count in several groups",
                );
            }
        }
        Some(Dimension { dataset, field, via })
    }

    /// The dataset and field of a dimension. A field alone is one of the metric's own dataset.
    fn field(
        &self,
        word: Word<'_>,
        homes: &[Aggregate],
        report: &mut Report<'_>,
    ) -> Option<(String, String)> {
        let (dataset, field) = match word.text.split_once('.') {
            Some((dataset, field)) => (dataset, field),
            None => {
                let first = homes.first()?;
                if homes.iter().any(|home| home.dataset != first.dataset) {
                    let message = format!("`{}` does not say which dataset it is a field of", word.text);
                    let hint =
                        format!("write `dataset.{}`: the metric is made of several datasets", word.text);
                    report.error(codes::UNKNOWN_FIELD, word.at, message, hint);
                    return None;
                }
                (first.dataset.as_str(), word.text)
            }
        };
        let found =
            relationships::dataset(Word { text: dataset, at: word.at }, &self.catalogue.datasets, report)?;
        if !found.fields.contains_key(field) {
            datasets::check_field(Word { text: field, at: word.at }, found, report);
            return None;
        }
        Some((dataset.to_owned(), field.to_owned()))
    }

    fn path(
        &mut self,
        item: &Node,
        word: Word<'_>,
        home: &Aggregate,
        (to, via): (&str, Option<&[String]>),
        report: &mut Report<'_>,
    ) -> Option<JoinPath> {
        if let Some(via) = via
            && let Some(spelled) = self.spelled(item, home, (to, via), report)
        {
            return spelled;
        }
        match self.search(&home.dataset, to) {
            PathSearch::One(path) => Some(path),
            PathSearch::None => {
                let message = format!("no stated relationship leads from `{}` to `{to}`", home.dataset);
                report.error(
                    codes::UNREACHABLE,
                    word.at,
                    message,
                    "state a relationship, or leave the dimension out",
                );
                None
            }
            PathSearch::Several(paths) => {
                let message = format!("{} ways lead from `{}` to `{to}`", paths.len(), home.dataset);
                let shown: Vec<String> = paths
                    .iter()
                    .take(WAYS_SHOWN_MAX)
                    .map(|path| format!("via: [{}]", path.names().join(", ")))
                    .collect();
                let hint = format!(
                    "say which, such as `{{ field: {}, {} }}`",
                    word.text,
                    shown.join(" }` or `{ … ")
                );
                report.error(codes::AMBIGUOUS_PATH, word.at, message, hint);
                None
            }
        }
    }

    /// The path that `via` spells. The outer none: it does not lead from this home, but may from another of the
    /// metric's homes, so that this one is searched. The inner none: it is wrong, and a problem is noted.
    fn spelled(
        &self,
        item: &Node,
        home: &Aggregate,
        (to, via): (&str, &[String]),
        report: &mut Report<'_>,
    ) -> Option<Option<JoinPath>> {
        let graph = Graph::of(self.catalogue);
        let first = via.first().and_then(|name| graph.relationship(name));
        let starts_here = first.is_none_or(|first| first.from == home.dataset || first.to == home.dataset);
        if !starts_here && home.dataset == to {
            return None;
        }
        let Some(reached) = populations::reached(item, &home.dataset, self.catalogue, report) else {
            return Some(None);
        };
        if reached != to {
            let message = format!("the way leads from `{}` to `{reached}`, not to `{to}`", home.dataset);
            report.error(
                codes::NOT_CONNECTED,
                item.at_of("via"),
                message,
                "list the relationships that lead to the field's dataset",
            );
            return Some(None);
        }
        Some(graph.spelled(&home.dataset, via))
    }

    fn search(&mut self, from: &str, to: &str) -> PathSearch {
        let key = (from.to_owned(), to.to_owned());
        let catalogue = self.catalogue;
        self.found.entry(key).or_insert_with(|| Graph::of(catalogue).search(from, to)).clone()
    }
}

fn check_split(word: Word<'_>, home: &Aggregate, field: &str, path: &JoinPath, report: &mut Report<'_>) {
    let by = if path.hops.is_empty() { SplitBy::OwnField(field) } else { SplitBy::RelatedField(field) };
    let split = Split { by, time: home.time.as_deref(), restart: home.restart };
    if let Some(reason) = metric_kinds::kind(home.kind).and_then(|kind| (kind.forbids)(&split)) {
        report.error(codes::FORBIDDEN_DIMENSION, word.at, reason, "leave this dimension out");
    }
}
