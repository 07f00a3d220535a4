//! The catalogue at a glance: a line for each entry, by kind.

use super::{counted, entry};
use tieout_sql::Access;

use crate::catalogue::{Metric, Project, Status, TermMeaning};

/// All entries, by kind, with what each means in a few words.
pub(super) fn overview(project: &Project) -> String {
    let catalogue = &project.catalogue;
    let metrics = catalogue.metrics.values().map(|metric| {
        let meaning = metric.description.clone().unwrap_or_else(|| entry::worked_out(catalogue, metric));
        (metric.name.clone(), format!("{meaning}{}", standing(metric)))
    });
    let populations = catalogue.populations.values().map(|population| {
        let meaning = population.description.clone().unwrap_or_else(|| entry::members(catalogue, population));
        (population.name.clone(), meaning)
    });
    let datasets = catalogue.datasets.values().map(|dataset| {
        let open = dataset.fields.values().filter(|field| field.access != Access::Hidden).count();
        let meaning = dataset.description.clone().unwrap_or_else(|| dataset.label.clone());
        (dataset.name.clone(), format!("{meaning} ({})", counted(open, "field")))
    });
    let links = catalogue
        .relationships
        .values()
        .map(|link| (link.name.clone(), format!("{} → {}", link.from, link.to)));
    let terms = catalogue.terms.values().map(|term| {
        let meaning = match &term.meaning {
            TermMeaning::Ambiguous(readings) => format!("one of {}", readings.join(", ")),
            TermMeaning::Absent(why) => format!("absent: {why}"),
        };
        (term.term.clone(), meaning)
    });
    let mut text = format!(
        "{}: {}, {}, {}, {}, {}\n",
        project.name,
        counted(catalogue.metrics.len(), "metric"),
        counted(catalogue.populations.len(), "population"),
        counted(catalogue.datasets.len(), "dataset"),
        counted(catalogue.relationships.len(), "relationship"),
        counted(catalogue.terms.len(), "term"),
    );
    text += &section("metrics", metrics.collect());
    text += &section("populations", populations.collect());
    text += &section("datasets", datasets.collect());
    text += &section("relationships", links.collect());
    text += &section("terms", terms.collect());
    text
}

fn standing(metric: &Metric) -> String {
    match &metric.status {
        Status::Approved => String::new(),
        Status::Draft => " (draft)".to_owned(),
        Status::Deprecated { superseded_by: Some(other) } => format!(" (deprecated: use {other})"),
        Status::Deprecated { superseded_by: None } => " (deprecated)".to_owned(),
    }
}

fn section(title: &str, lines: Vec<(String, String)>) -> String {
    if lines.is_empty() {
        return String::new();
    }
    format!("\n{title}\n{}", entry::aligned(&lines))
}
