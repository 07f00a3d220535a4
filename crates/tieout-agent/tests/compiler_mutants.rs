//! Mutants of the compiler's own statements: every metric of every world, by some of its groupings. Without definitions
//! those whose joins, grain or safety was broken must be rejected, held against what the statement works out every one
//! that means something else.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs, reason = "a test may stop")]

mod compiled;
#[path = "../../tieout-sql/tests/mutation/mod.rs"]
mod mutation;

use compiled::{asked, groupings, settled, world};
use mutation::{Original, Tally, all, structure};
use tieout_core::compile::compile_leg;
use tieout_core::plan::{Plan, draw};
use tieout_core::scope::{Scope, Session};

/// How many groupings of each metric take part, spread over those there are.
const GROUPINGS_MAX: usize = 3;

fn originals() -> Vec<Original> {
    let mut found = Vec::new();
    for name in ["commerce", "lending", "support", "acme"] {
        let Some(project) = world(name) else { continue };
        let scope = Scope::of(&Session { principal: "test".to_owned(), tenant: Some("alpha".to_owned()) });
        for metric in project.catalogue.metrics.keys() {
            let groupings = groupings(&project, metric);
            let every = groupings.len().div_ceil(GROUPINGS_MAX).max(1);
            for groupings in groupings.iter().step_by(every) {
                let Some(request) = asked(&project, metric, groupings, false) else { continue };
                let Some(settled) = settled(&project, &scope, request) else { continue };
                let Ok(Plan::Figures(plan)) = draw(&settled, &project) else { continue };
                let selects = plan.legs.iter().filter_map(|leg| compile_leg(leg, &plan, &project).ok());
                for select in selects {
                    let (schema, dialect) = (project.catalogue.schema.clone(), project.catalogue.dialect);
                    let origin = format!("{name}.{metric}");
                    let query = Original::parsed(&select.query.to_string(), dialect).unwrap();
                    let original = Original { origin, query, binds: select.binds, schema, dialect };
                    assert!(original.is_accepted(None), "{} is rejected", original.query);
                    found.push(original);
                }
            }
        }
    }
    found
}

#[test]
fn structural_mutants_of_compiled_statements_die() {
    let (originals, mut tally) = (originals(), Tally::default());
    for original in &originals {
        original.tally(structure::changes(&original.query, &original.schema), None, &mut tally);
    }
    let (dead, total) = tally.print(&format!("without definitions, {} compiled statements", originals.len()));
    assert!(originals.len() > 50, "only {} statements were compiled", originals.len());
    assert!(dead * 10 >= total * 9, "{dead} of {total} mutants are rejected");
}

#[test]
fn mutants_of_compiled_statements_held_against_definitions_die() {
    let (originals, mut tally, mut defined) = (originals(), Tally::default(), 0);
    for original in &originals {
        let Some(expected) = original.definitions() else { continue };
        defined += 1;
        original.tally(all(&original.query, &original.schema), Some(&expected), &mut tally);
    }
    let made = originals.len();
    let (dead, total) = tally
        .print(&format!("with definitions, {defined} of {made} compiled statements have the shape of one"));
    assert!(defined * 5 >= made * 2, "only {defined} of {made} statements have the shape of a definition");
    assert!(dead * 100 >= total * 98, "{dead} of {total} mutants are rejected");
}
