//! The compiler's own SQL meets the checker: every metric of every world, by every grouping that a path reaches, over
//! a period, against another, in steps of time, and with its supporting rows, is accepted.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot go on should stop")]

use std::{fs, path::Path};

use jiff::{Timestamp, civil::date};
use tieout_core::{
    catalogue::{Graph, PathSearch, Project, load},
    compile::{
        ReliedKey, compile_freshness, compile_integrity, compile_leg, compile_list, compile_list_count,
        compile_support,
    },
    definitions::{Settled, settle},
    halt::Halt,
    plan::{Plan, draw},
    reading::{
        AskedPeriod, Contrast, Derivation, FieldRef, FiguresRequest, Grouping, MeasureRef, RankBy, Ranking,
        Reading, Request, RowsRequest, Sort, Source, Sourced,
    },
    scope::{Scope, Session},
    time::Grain,
};
use tieout_sql::{Context, Limits, Select, check};

fn world(name: &str) -> Option<Project> {
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

fn sourced<T>(value: T) -> Sourced<T> {
    // As the catalogue's own, since there is no question with words for it.
    Sourced { value, source: Source::Catalogue }
}

/// The request settled, or none where a guard stops its shape before any query.
fn settled(project: &Project, scope: &Scope, request: FiguresRequest) -> Option<Settled> {
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

fn accepted(project: &Project, scope: &Scope, select: Select, what: &str, wrong: &mut Vec<String>) {
    let warehouse = scope.warehouse();
    let context = Context {
        dialect: project.catalogue.dialect,
        schema: &project.catalogue.schema,
        scope: &warehouse,
        limits: Limits { rows_max: 1000, timeout: std::time::Duration::from_secs(5) },
    };
    let text = select.query.to_string();
    if let Err(rejected) = check(select, &context) {
        for r in rejected.rejections {
            wrong.push(format!("{what}: {}: {}\n    {text}", r.rule, r.message));
        }
    }
}

fn groupings(project: &Project, metric: &str) -> Vec<Vec<Grouping>> {
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

/// How many queries were compiled, and how many questions were declined before.
#[derive(Default)]
struct Count {
    checked: usize,
    halted: usize,
}

#[test]
fn every_metric_by_every_grouping_is_accepted() {
    let mut wrong = Vec::new();
    let mut count = Count::default();
    for name in ["commerce", "lending", "support", "acme"] {
        let Some(project) = world(name) else { continue };
        let scope = Scope::of(&Session { principal: "test".to_owned(), tenant: Some("alpha".to_owned()) });
        for metric in project.catalogue.metrics.keys() {
            for (i, groupings) in groupings(&project, metric).into_iter().enumerate() {
                let Some(request) = asked(&project, metric, &groupings, i % 3 == 0) else { continue };
                let Some(settled) = settled(&project, &scope, request) else {
                    count.halted += 1;
                    continue;
                };
                let words = format!("{name}.{metric} {groupings:?}");
                judge(&project, &scope, &settled, &words, &mut wrong, &mut count);
            }
        }
        for dataset in project.catalogue.datasets.values() {
            let key = ReliedKey { dataset: dataset.name.clone(), fields: dataset.primary_key.clone() };
            accepted(
                &project,
                &scope,
                compile_integrity(&key),
                &format!("{name}.{} key", dataset.name),
                &mut wrong,
            );
            if let Some(select) = compile_freshness(dataset) {
                accepted(&project, &scope, select, &format!("{name}.{} freshness", dataset.name), &mut wrong);
            }
        }
    }
    let Count { checked, halted } = count;
    println!("{checked} queries accepted or not, {halted} declined before");
    let few: Vec<_> = wrong.iter().take(12).cloned().collect();
    assert!(wrong.is_empty(), "{} of {checked} rejected:\n{}", wrong.len(), few.join("\n"));
    assert!(checked > 500, "only {checked} queries were compiled");
}

/// A metric over a quarter, split, perhaps against the quarter before; none for a trend of what has no time.
fn asked(project: &Project, metric: &str, groupings: &[Grouping], against: bool) -> Option<FiguresRequest> {
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

fn judge(
    project: &Project,
    scope: &Scope,
    settled: &Settled,
    words: &str,
    wrong: &mut Vec<String>,
    count: &mut Count,
) {
    let plan = match draw(settled, project) {
        Ok(Plan::Figures(plan)) => plan,
        Ok(Plan::Rows(_)) => unreachable!("figures were asked for"),
        Err(Halt::Refuse(_) | Halt::Doubt(_)) => {
            count.halted += 1;
            return;
        }
        Err(Halt::Fault(fault)) => panic!("{fault:?}"),
    };
    for leg in &plan.legs {
        let Ok(select) = compile_leg(leg, &plan, project) else {
            count.halted += 1;
            continue;
        };
        accepted(project, scope, select, &format!("{words} {}", leg.id), wrong);
        count.checked += 1;
        if let Ok(select) = compile_support(leg, &plan, project, 200) {
            accepted(project, scope, select, &format!("{words} {} support", leg.id), wrong);
        }
    }
}

/// The datasets that a path reaches, with one of their fields.
fn reached(project: &Project, from: &str) -> Vec<FieldRef> {
    let graph = Graph::of(&project.catalogue);
    let one = |name: &str| matches!(graph.search(from, name), PathSearch::One(_));
    let datasets = project.catalogue.datasets.values().filter(|d| one(&d.name));
    let field = |d: &tieout_core::catalogue::Dataset| {
        let open = d.fields.values().rev().find(|f| f.access == tieout_sql::Access::Open)?;
        Some(FieldRef { dataset: d.name.clone(), field: open.name.clone(), via: None })
    };
    datasets.filter_map(field).collect()
}

#[test]
fn every_list_is_accepted() {
    let mut wrong = Vec::new();
    let mut checked = 0;
    for name in ["commerce", "lending", "support", "acme"] {
        let Some(project) = world(name) else { continue };
        let scope = Scope::of(&Session { principal: "test".to_owned(), tenant: Some("alpha".to_owned()) });
        for dataset in project.catalogue.datasets.values() {
            let fields = reached(&project, &dataset.name);
            let pairs = fields.iter().flat_map(|a| fields.iter().map(move |b| vec![a.clone(), b.clone()]));
            for columns in fields.iter().map(|f| vec![f.clone()]).chain(pairs) {
                let words = format!("{name}: {} {columns:?}", dataset.name);
                let ranking =
                    Ranking { by: RankBy::Field(columns[0].clone()), sort: Sort::Descending, limit: Some(5) };
                let request = Request::Rows(RowsRequest {
                    dataset: dataset.name.clone(),
                    columns: columns.into_iter().map(sourced).collect(),
                    conditions: Vec::new(),
                    period: AskedPeriod {
                        period: None,
                        words: "all dates".to_owned(),
                        source: Source::Assumed,
                    },
                    ranking: (checked % 2 == 0).then_some(ranking),
                });
                let reading =
                    Reading { request, words: Vec::new(), doubts: Vec::new(), alternatives: Vec::new() };
                // Rows that are kept for each moment are in no order without one.
                let now = "2026-10-07T16:00:00Z".parse().unwrap();
                let Ok(settled) = settle(reading, &project, &scope, now) else { continue };
                let Ok(Plan::Rows(plan)) = draw(&settled, &project) else { continue };
                accepted(&project, &scope, compile_list(&plan, &project).unwrap(), &words, &mut wrong);
                accepted(&project, &scope, compile_list_count(&plan, &project).unwrap(), &words, &mut wrong);
                checked += 1;
            }
        }
    }
    let few: Vec<_> = wrong.iter().take(8).cloned().collect();
    assert!(wrong.is_empty(), "{} of {checked} rejected:\n{}", wrong.len(), few.join("\n"));
    assert!(checked > 100, "only {checked} lists were compiled");
}
