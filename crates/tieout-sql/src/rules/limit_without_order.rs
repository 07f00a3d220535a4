//! Owns the warning about LIMIT without ORDER BY.
//!
//! Deliberately absent: ties, which need values to be seen.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::Facts;

pub(super) const RULE: Rule =
    Rule { name: "limit_without_order", reason: "without an order, which rows are cut is luck", check };

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .limits
        .iter()
        .filter(|limit| !limit.ordered && !limit.one_row)
        .map(|_| {
            Finding::warn(
                "LIMIT without ORDER BY".into(),
                "order by what decides which rows come first",
                None,
            )
        })
        .collect()
}
