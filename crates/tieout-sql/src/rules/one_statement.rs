//! Owns the rule that a text holds exactly one statement, counted by the parser.
//!
//! Deliberately absent: looking at a text's first word.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::Facts;

pub(super) const RULE: Rule = Rule {
    name: "one_statement",
    reason: "a second statement behind a comment or a semicolon would run unseen",
    check,
};

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    match facts.statements.len() {
        1 => Vec::new(),
        0 => vec![Finding::reject("there is no statement".into(), "write one SELECT", None)],
        count => {
            vec![Finding::reject(format!("there are {count} statements"), "send exactly one statement", None)]
        }
    }
}
