//! Owns the rule that syntax which the resolver does not judge is rejected, not waved through.
//!
//! Deliberately absent: the list of what is known; the resolver's exhaustive matches are that list.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::Facts;

pub(super) const RULE: Rule =
    Rule { name: "known_syntax", reason: "what cannot be judged cannot be trusted", check };

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .unsupported
        .iter()
        .map(|found| {
            let message = format!("unsupported syntax: {}", found.what);
            Finding::reject(message, "write it with plain joins, subqueries and functions", found.place)
        })
        .collect()
}
