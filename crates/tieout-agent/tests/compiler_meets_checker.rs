//! The compiler's own SQL meets the checker: every metric of every world, by every grouping that a path reaches, over
//! a period, against another, in steps of time, and with its supporting rows, is accepted.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot go on should stop")]

mod compiled;

use compiled::{asked, groupings, settled, sourced, world};
use tieout_core::{
    catalogue::{Graph, PathSearch, Project},
    compile::{
        ReliedKey, compile_freshness, compile_integrity, compile_leg, compile_list, compile_list_count,
        compile_support,
    },
    definitions::{Settled, settle},
    halt::Halt,
    plan::{Plan, draw},
    reading::{AskedPeriod, FieldRef, RankBy, Ranking, Reading, Request, RowsRequest, Sort, Source},
    scope::{Scope, Session},
};
use tieout_sql::{Context, Limits, Select, check};

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
