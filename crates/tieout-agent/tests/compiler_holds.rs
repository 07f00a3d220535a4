//! Every statement that the compiler makes is held against what its plan means in terms of SQL: each part must be there, and
//! nothing else may narrow its rows. The compiler and what is expected of it are written apart, so either tells of the other.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs, reason = "a test may stop")]

mod compiled;

use std::{collections::BTreeMap, time::Duration};

use compiled::{asked, groupings, made_up, settled, sourced, world};
use tieout_core::{
    catalogue::Project,
    compile::{compile_leg, expected, expected_leg, leg_to_draft},
    halt::Halt,
    plan::{FiguresPlan, Plan, draw},
    reading::{Condition, Polarity},
    scope::{Scope, Session},
};
use tieout_sql::{Context, Laying, Limits, Select, Value, Verdict, check_against, lay_text};

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

/// A compiled statement with its values written into it, as somebody else would write it.
fn written_out(select: &Select) -> String {
    let literal = |value: &Value| match value {
        Value::Null | Value::Boolean(_) | Value::Integer(_) | Value::Decimal(_) => value.to_string(),
        Value::Text(_) | Value::Date(_) | Value::DateTime(_) | Value::Instant(_) => {
            format!("'{}'", value.to_string().replace('\'', "''"))
        }
    };
    // The last first, so that `$1` is not found in `$12`.
    let binds = select.binds.iter().enumerate().rev();
    binds.fold(select.query.to_string(), |sql, (at, value)| {
        sql.replace(&format!("${}", at + 1), &literal(value))
    })
}

/// What is expected of a draft believes nothing of the data, and still our own statements are that, with their columns
/// as they are: every aggregate of every field that no metric covers, by every grouping.
#[test]
fn our_own_statements_would_be_accepted_as_drafts() {
    let (mut laid, mut own, mut wrong) = (0, BTreeMap::<String, usize>::new(), Vec::new());
    for name in ["commerce", "lending", "support"] {
        let Some(project) = world(name) else { continue };
        let scope = Scope::of(&Session { principal: "test".to_owned(), tenant: Some("alpha".to_owned()) });
        let warehouse = scope.warehouse();
        let limits = Limits { rows_max: 1000, timeout: Duration::from_secs(5) };
        let context = Context {
            dialect: project.catalogue.dialect,
            schema: &project.catalogue.schema,
            scope: &warehouse,
            limits,
        };
        for request in made_up(&project) {
            let words = format!("{name}: {:?} {:?}", request.measures, request.groupings);
            let Some(settled) = settled(&project, &scope, request) else { continue };
            let Ok(Plan::Figures(plan)) = draw(&settled, &project) else { continue };
            for leg in &plan.legs {
                let Ok(select) = compile_leg(leg, &plan, &project) else { continue };
                let (expected, wanted) = match leg_to_draft(leg, &plan, &project) {
                    Ok(put) => put,
                    Err(Halt::Refuse(problems)) => {
                        *own.entry(problems[0].message.clone()).or_default() += 1;
                        continue;
                    }
                    Err(other) => panic!("{words}: {other:?}"),
                };
                let sql = written_out(&select);
                match lay_text(&sql, &context, &expected, &wanted) {
                    Ok(found) if found.laying == Laying::AsWritten => laid += 1,
                    Ok(found) => wrong.push(format!("{words}: {:?}\n{sql}", found.laying)),
                    Err(rejected) => wrong.push(format!("{words}: {rejected}\n{sql}")),
                }
            }
        }
    }
    println!("{laid} statements are laid; left to our own code: {own:#?}");
    let few: Vec<_> = wrong.iter().take(6).cloned().collect();
    assert!(wrong.is_empty(), "{} of {laid} are not:\n{}", wrong.len(), few.join("\n\n"));
    assert!(laid > 200, "only {laid} statements");
}
