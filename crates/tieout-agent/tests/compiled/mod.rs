//! Requests over the worlds: their projects, and every metric by every grouping that a path reaches.

#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "each test uses a part, and may stop")]

use std::{fs, path::Path};

use jiff::{Timestamp, civil::date};
use tieout_core::{
    catalogue::{Datatype, Graph, PathSearch, Project, load},
    definitions::{Settled, settle},
    halt::Halt,
    reading::{
        AskedPeriod, Contrast, Derivation, FieldRef, FiguresRequest, Grouping, MeasureRef, Reading, Request,
        Source, Sourced,
    },
    scope::Scope,
    time::Grain,
};
use tieout_sql::Access;

pub fn world(name: &str) -> Option<Project> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().join("worlds").join(name);
    let text = |path: &Path| load::SourceText {
        path: path.file_name().unwrap().to_string_lossy().into_owned(),
        text: fs::read_to_string(path).unwrap(),
    };
    if !root.join("tieout.yml").exists() {
        return None;
    }
    let mut files: Vec<_> =
        fs::read_dir(root.join("catalogue")).unwrap().flatten().map(|e| e.path()).collect();
    files.sort();
    let files: Vec<_> = files.iter().map(|p| text(p)).collect();
    match load::load(&text(&root.join("tieout.yml")), &files) {
        Ok(loaded) => Some(loaded.project),
        Err(problems) => panic!("worlds/{name} does not load: {problems:?}"),
    }
}

pub fn sourced<T>(value: T) -> Sourced<T> {
    // As the catalogue's own, since there is no question with words for it.
    Sourced { value, source: Source::Catalogue }
}

/// The request settled, or none where a guard stops its shape before any query.
pub fn settled(project: &Project, scope: &Scope, request: FiguresRequest) -> Option<Settled> {
    let reading = Reading {
        request: Request::Figures(request),
        words: Vec::new(),
        doubts: Vec::new(),
        alternatives: Vec::new(),
    };
    let now: Timestamp = "2026-10-07T16:00:00Z".parse().unwrap();
    match settle(reading, project, scope, now) {
        Ok(settled) => Some(settled),
        Err(Halt::Refuse(_)) => None,
        Err(other @ (Halt::Doubt(_) | Halt::Fault(_))) => panic!("not settled: {other:?}"),
    }
}

pub fn groupings(project: &Project, metric: &str) -> Vec<Vec<Grouping>> {
    let mut all = vec![Vec::new(), vec![Grouping::Time(Grain::Month)]];
    let Some((_, aggregate)) = project.catalogue.aggregates_within(metric).next() else { return all };
    let graph = Graph::of(&project.catalogue);
    for dataset in project.catalogue.datasets.values() {
        if !matches!(graph.search(&aggregate.dataset, &dataset.name), PathSearch::One(_)) {
            continue;
        }
        for field in dataset.fields.values() {
            let field = FieldRef { dataset: dataset.name.clone(), field: field.name.clone(), via: None };
            // Alternately with and without steps of time: both shapes for every dataset, at half the cost.
            let steps = (all.len() % 2 == 0).then_some(Grouping::Time(Grain::Month));
            all.push(std::iter::once(Grouping::Field(field)).chain(steps).collect());
        }
    }
    all
}

/// A metric over a quarter, split, perhaps against the quarter before; none for a trend of what has no time.
pub fn asked(
    project: &Project,
    metric: &str,
    groupings: &[Grouping],
    against: bool,
) -> Option<FiguresRequest> {
    let period = project.calendar.period(date(2026, 7, 1), date(2026, 10, 1)).unwrap();
    let baseline = project.calendar.period(date(2026, 4, 1), date(2026, 7, 1)).unwrap();
    let timed = project.catalogue.aggregates_within(metric).all(|(_, a)| a.time.is_some());
    if !timed && groupings.iter().any(|g| matches!(g, Grouping::Time(_))) {
        return None;
    }
    let contrast = Contrast { baseline, words: "the quarter before".to_owned() };
    Some(FiguresRequest {
        measures: vec![sourced(MeasureRef::Metric(metric.to_owned()))],
        groupings: groupings.iter().cloned().map(sourced).collect(),
        conditions: Vec::new(),
        period: AskedPeriod {
            period: timed.then_some(period),
            words: "the third quarter".to_owned(),
            source: Source::Question,
        },
        derivation: if against && timed { Derivation::Against(contrast) } else { Derivation::Plain },
        having: Vec::new(),
        ranking: None,
    })
}

/// Every aggregate of every number that no metric covers, over a quarter, by some of the fields that a path reaches.
pub fn made_up(project: &Project) -> Vec<FiguresRequest> {
    let graph = Graph::of(&project.catalogue);
    let mut all = Vec::new();
    for dataset in project.catalogue.datasets.values() {
        let numbers = dataset.fields.values().filter(|field| {
            matches!(field.datatype, Datatype::Integer | Datatype::Decimal | Datatype::Float)
                && !field.identifier
                && field.access == Access::Open
        });
        let reached = project
            .catalogue
            .datasets
            .values()
            .filter(|to| matches!(graph.search(&dataset.name, &to.name), PathSearch::One(_)));
        let by: Vec<Vec<Grouping>> = reached
            .filter_map(|to| {
                let field = to.fields.values().find(|field| field.datatype == Datatype::String)?;
                let field = FieldRef { dataset: to.name.clone(), field: field.name.clone(), via: None };
                Some(vec![Grouping::Field(field)])
            })
            .chain([Vec::new(), vec![Grouping::Time(Grain::Month)]])
            .collect();
        for field in numbers {
            for kind in ["sum", "average", "minimum", "maximum", "count_distinct", "median"] {
                for groupings in &by {
                    let measure =
                        MeasureRef::AdHoc { kind, dataset: dataset.name.clone(), field: field.name.clone() };
                    let timed = dataset.time.is_some();
                    if timed || !groupings.iter().any(|g| matches!(g, Grouping::Time(_))) {
                        all.push(over_a_quarter(project, measure, groupings, timed));
                    }
                }
            }
        }
    }
    all
}

fn over_a_quarter(
    project: &Project,
    measure: MeasureRef,
    groupings: &[Grouping],
    timed: bool,
) -> FiguresRequest {
    let period = project.calendar.period(date(2026, 7, 1), date(2026, 10, 1)).unwrap();
    FiguresRequest {
        measures: vec![sourced(measure)],
        groupings: groupings.iter().cloned().map(sourced).collect(),
        conditions: Vec::new(),
        period: AskedPeriod {
            period: timed.then_some(period),
            words: "the third quarter".to_owned(),
            source: Source::Question,
        },
        derivation: Derivation::Plain,
        having: Vec::new(),
        ranking: None,
    }
}
