//! Every statement that the compiler makes is held against what its plan means in terms of SQL: each part must be there, and
//! nothing else may narrow its rows. The compiler and what is expected of it are written apart, so either tells of the other.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs, reason = "a test may stop")]

mod compiled;

use std::{collections::BTreeMap, time::Duration};

use compiled::{asked, groupings, settled, sourced, world};
use tieout_core::{
    catalogue::Project,
    compile::{compile_leg, expected, expected_leg},
    halt::Halt,
    plan::{FiguresPlan, Plan, draw},
    reading::{Condition, Polarity},
    scope::{Scope, Session},
};
use tieout_sql::{Context, Limits, Verdict, check_against};

#[derive(Default)]
struct Count {
    present: usize,
    not_put: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

fn hold(plan: &FiguresPlan, project: &Project, scope: &Scope, words: &str, count: &mut Count) {
    let scope = scope.warehouse();
    let limits = Limits { rows_max: 1000, timeout: Duration::from_secs(5) };
    let context = Context {
        dialect: project.catalogue.dialect,
        schema: &project.catalogue.schema,
        scope: &scope,
        limits,
    };
    for leg in &plan.legs {
        let Ok(select) = compile_leg(leg, plan, project) else { continue };
        let expected = match expected_leg(leg, plan, project) {
            Ok(expected) => expected,
            Err(Halt::Refuse(problems)) => {
                *count.not_put.entry(problems[0].message.clone()).or_default() += 1;
                continue;
            }
            Err(other) => panic!("{words}: {other:?}"),
        };
        let text = select.query.to_string();
        match check_against(select, &context, &expected) {
            Ok((_, findings)) => {
                assert!(findings.iter().all(|finding| finding.verdict == Verdict::Present));
                count.present += 1;
            }
            Err(rejected) => count.wrong.push(format!("{words} {}: {rejected}\n{text}", leg.id)),
        }
    }
}

#[test]
fn what_the_compiler_makes_is_what_the_plan_means() {
    let mut count = Count::default();
    let mut whole = 0;
    for name in ["commerce", "lending", "support", "acme"] {
        let Some(project) = world(name) else { continue };
        let scope = Scope::of(&Session { principal: "test".to_owned(), tenant: Some("alpha".to_owned()) });
        for metric in project.catalogue.metrics.keys() {
            let populations: Vec<Option<&String>> =
                std::iter::once(None).chain(project.catalogue.populations.keys().map(Some)).collect();
            for (i, groupings) in groupings(&project, metric).into_iter().enumerate() {
                let Some(mut request) = asked(&project, metric, &groupings, i % 3 == 0) else { continue };
                if let Some(Some(population)) = populations.get(i % populations.len()) {
                    request.conditions.push(sourced(Condition::Member {
                        population: (*population).clone(),
                        via: None,
                        polarity: if i % 2 == 0 { Polarity::Is } else { Polarity::IsNot },
                    }));
                }
                let Some(settled) = settled(&project, &scope, request) else { continue };
                let Ok(plan) = draw(&settled, &project) else { continue };
                whole += usize::from(expected(&plan, &project).is_ok());
                let Plan::Figures(plan) = plan else { continue };
                hold(&plan, &project, &scope, &format!("{name}.{metric} {groupings:?}"), &mut count);
            }
        }
    }
    let Count { present, not_put, wrong } = count;
    println!("{present} statements hold, {whole} questions can be put; not put: {not_put:#?}");
    let few: Vec<_> = wrong.iter().take(6).cloned().collect();
    assert!(wrong.is_empty(), "{} of {present} do not hold:\n{}", wrong.len(), few.join("\n\n"));
    assert!(present > 300 && whole > 100, "only {present} statements, {whole} questions");
}
