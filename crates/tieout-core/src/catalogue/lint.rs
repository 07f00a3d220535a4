//! What is lawful in a catalogue but likely to mislead: names that are almost the same, entries that nobody answers for.
//!
//! Deliberately absent: errors, which keep a project from loading.

use std::collections::{BTreeMap, BTreeSet};

use tieout_sql::Access;

use super::{
    Catalogue, Datatype, Direction, Graph, HOPS_MAX, Measure, Metric, Status, TermMeaning,
    load::{CatalogueProblem, EntryKind, Loaded, lint_codes as codes, normal, spoken},
};
use crate::number::UnitKind;

/// Two texts of at least so many characters are alike when one letter differs.
const ONE_LETTER_CHARS_MIN: usize = 5;
/// Two texts of at least so many characters are alike when two letters differ.
const TWO_LETTERS_CHARS_MIN: usize = 10;
/// Two words of the same beginning have the same stem when at most so many characters follow it in either.
const ENDING_CHARS_MAX: usize = 3;
/// A stem has at least so many characters.
const STEM_CHARS_MIN: usize = 4;
/// The most ways between two datasets that are looked for.
const WAYS_MAX: usize = 16;

/// Everything that somebody should look at, in the order of the files.
#[must_use]
pub fn lint(loaded: &Loaded) -> Vec<CatalogueProblem> {
    let catalogue = &loaded.project.catalogue;
    let mut found = Vec::new();
    let mut note = |entry: (EntryKind, &str), code: &'static str, message: String, hint: &str| {
        found.push(loaded.places.warning(entry, code, message, hint.to_owned()));
    };
    confusable(catalogue, &mut note);
    unfinished_metrics(catalogue, &mut note);
    unused_populations(catalogue, &mut note);
    several_paths(catalogue, &mut note);
    fields_without_values(catalogue, &mut note);
    closed_dimensions(catalogue, &mut note);
    found.sort_by(|a, b| (&a.file, a.line, a.column, a.code).cmp(&(&b.file, b.line, b.column, b.code)));
    found
}

type Note<'n> = &'n mut dyn FnMut((EntryKind, &str), &'static str, String, &str);

/// Metrics in use, deprecated ones left out.
fn in_use(catalogue: &Catalogue) -> impl Iterator<Item = &Metric> {
    catalogue.metrics.values().filter(|metric| match metric.status {
        Status::Draft | Status::Approved => true,
        Status::Deprecated { .. } => false,
    })
}

/// Metrics that are called almost the same. Two that a term lists as its readings are told apart by it.
fn confusable(catalogue: &Catalogue, note: Note<'_>) {
    let metrics: Vec<(&Metric, BTreeSet<String>)> =
        in_use(catalogue).map(|metric| (metric, words(metric))).collect();
    for (index, (metric, own)) in metrics.iter().enumerate() {
        for (other, theirs) in metrics.iter().take(index) {
            if told_apart(&metric.name, &other.name, catalogue) {
                continue;
            }
            let pair = own.iter().find_map(|a| theirs.iter().find(|b| alike(a, b)).map(|b| (a, b)));
            let Some((a, b)) = pair else { continue };
            let message = match a == b {
                true => format!("\"{a}\" is also what `{}` is called", other.name),
                false => format!("\"{a}\" is almost \"{b}\" of `{}`", other.name),
            };
            let hint = "choose words that differ more, or state a term with both as readings";
            note((EntryKind::Metric, &metric.name), codes::CONFUSABLE, message, hint);
        }
    }
}

fn words(metric: &Metric) -> BTreeSet<String> {
    let own = [spoken(&metric.name), metric.label.clone()];
    own.iter().chain(&metric.synonyms).map(|words| normal(words)).collect()
}

fn told_apart(a: &str, b: &str, catalogue: &Catalogue) -> bool {
    catalogue.terms.values().any(|term| match &term.meaning {
        TermMeaning::Ambiguous(readings) => {
            [a, b].iter().all(|name| readings.iter().any(|reading| reading == name))
        }
        TermMeaning::Absent(_) => false,
    })
}

/// Whether two texts are almost the same: a letter or two apart, or the same stems in any order.
fn alike(a: &str, b: &str) -> bool {
    let (long, short) = (a.chars().count().max(b.chars().count()), a.chars().count().min(b.chars().count()));
    let letters = match short {
        TWO_LETTERS_CHARS_MIN.. => 2,
        ONE_LETTER_CHARS_MIN.. => 1,
        _ => 0,
    };
    (long - short <= letters && strsim::osa_distance(a, b) <= letters) || same_stems(a, b)
}

fn same_stems(a: &str, b: &str) -> bool {
    let (mut left, right): (Vec<&str>, Vec<&str>) = (a.split(' ').collect(), b.split(' ').collect());
    left.len() == right.len()
        && right.iter().all(|word| match left.iter().position(|other| same_stem(word, other)) {
            Some(index) => {
                left.remove(index);
                true
            }
            None => false,
        })
}

fn same_stem(a: &str, b: &str) -> bool {
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let ending = a.chars().count().max(b.chars().count()) - shared;
    a == b || (shared >= STEM_CHARS_MIN && ending <= ENDING_CHARS_MAX)
}

fn unfinished_metrics(catalogue: &Catalogue, note: Note<'_>) {
    for metric in in_use(catalogue) {
        let (entry, name) = ((EntryKind::Metric, metric.name.as_str()), &metric.name);
        if metric.owner.is_none() {
            note(entry, codes::NO_OWNER, format!("nobody answers for `{name}`"), "add `owner`");
        }
        if metric.description.is_none() {
            note(
                entry,
                codes::NO_DESCRIPTION,
                format!("`{name}` is not described"),
                "add one sentence as `description`",
            );
        }
        if metric.unit.kind == UnitKind::None {
            let message = format!("nothing says what the figures of `{name}` count");
            note(entry, codes::NO_UNIT, message, "add `unit`, or give one to its field");
        }
    }
}

/// Populations that no entry names and that bring no words by which a question could name them.
fn unused_populations(catalogue: &Catalogue, note: Note<'_>) {
    for population in catalogue.populations.values() {
        let name = &population.name;
        let by_metric = catalogue.metrics.values().any(|metric| match &metric.measure {
            Measure::Aggregate(aggregate) => aggregate.population.as_ref() == Some(name),
            Measure::Ratio { .. } | Measure::Derived { .. } => false,
        });
        let by_term = catalogue.terms.values().any(|term| match &term.meaning {
            TermMeaning::Ambiguous(readings) => readings.contains(name),
            TermMeaning::Absent(_) => false,
        });
        let has_words = !population.synonyms.is_empty() || population.label != spoken(name);
        if !by_metric && !by_term && !has_words {
            let message = format!("no metric or term names `{name}`, and it has no words of its own");
            note(
                (EntryKind::Population, name),
                codes::UNUSED_POPULATION,
                message,
                "give it a `label` or `synonyms`, or remove it",
            );
        }
    }
}

/// Pairs of datasets that several ways of to-one links connect: a grouping across them is a doubt each time.
fn several_paths(catalogue: &Catalogue, note: Note<'_>) {
    let graph = Graph::of(catalogue);
    for from in catalogue.datasets.keys() {
        let mut ways: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
        let mut left: Vec<(String, Vec<String>, Vec<String>)> =
            vec![(from.clone(), Vec::new(), vec![from.clone()])];
        while let Some((at, way, seen)) = left.pop() {
            for hop in graph.hops_from(&at).filter(|hop| hop.direction == Direction::ToOne) {
                let known = ways.entry(hop.to.clone()).or_default();
                if way.len() == HOPS_MAX || seen.contains(&hop.to) || known.len() == WAYS_MAX {
                    continue;
                }
                let way: Vec<String> = way.iter().cloned().chain([hop.relationship]).collect();
                known.push(way.clone());
                left.push((hop.to.clone(), way, seen.iter().cloned().chain([hop.to]).collect()));
            }
        }
        for (to, mut ways) in ways.into_iter().filter(|(_, ways)| ways.len() > 1) {
            ways.sort_by_key(|way| (way.len(), way.clone()));
            let shown: Vec<String> = ways.iter().take(3).map(|way| way.join(" → ")).collect();
            let message = format!("{} ways lead from `{from}` to `{to}`: {}", ways.len(), shown.join("; "));
            let hint = "list the metrics' dimensions with `via`, so that nobody has to be asked";
            note((EntryKind::Dataset, from), codes::SEVERAL_PATHS, message, hint);
        }
    }
}

fn fields_without_values(catalogue: &Catalogue, note: Note<'_>) {
    for dataset in catalogue.datasets.values() {
        for field in dataset.fields.values() {
            let is_text =
                field.datatype == Datatype::String && field.access == Access::Open && !field.identifier;
            if is_text && field.values.is_empty() && !field.lookup {
                let name = format!("{}.{}", dataset.name, field.name);
                let message = format!("no question can name a value of `{name}`");
                note(
                    (EntryKind::Field, &name),
                    codes::NO_VALUES,
                    message,
                    "list its `values`, or allow `lookup`",
                );
            }
        }
    }
}

fn closed_dimensions(catalogue: &Catalogue, note: Note<'_>) {
    for metric in catalogue.metrics.values() {
        for dimension in metric.dimensions.iter().flatten() {
            let field = catalogue
                .datasets
                .get(&dimension.dataset)
                .and_then(|dataset| dataset.fields.get(&dimension.field));
            let how = match field.map(|field| field.access) {
                Some(Access::Hidden) => "hidden",
                Some(Access::Sensitive) => "sensitive",
                Some(Access::Open) | None => continue,
            };
            let message = format!(
                "`{}` may be split by `{}.{}`, which is {how}",
                metric.name, dimension.dataset, dimension.field
            );
            let hint = "leave the dimension out: its values may not be shown";
            note((EntryKind::Metric, &metric.name), codes::HIDDEN_DIMENSION, message, hint);
        }
    }
}
