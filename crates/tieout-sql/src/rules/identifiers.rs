//! Owns the rule that identifiers are never summed or averaged.
//!
//! Deliberately absent: counting them, and their MIN and MAX.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::Facts;

pub(super) const RULE: Rule = Rule {
    name: "identifiers",
    reason: "a sum of numbers that name things is a number that means nothing",
    check,
};

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .aggregates
        .iter()
        .filter_map(|aggregate| {
            let column = aggregate.identifier.as_ref()?;
            let message = format!("{} of `{column}`, which is an identifier", aggregate.name.to_uppercase());
            Some(Finding::reject(message, "count it, or aggregate a measure", aggregate.place))
        })
        .collect()
}
