//! Owns the warning about an order that ties under a LIMIT.
//!
//! Deliberately absent: a LIMIT without any order (`limit_without_order`).

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::Facts;

pub(super) const RULE: Rule =
    Rule { name: "tied_order", reason: "where rows tie, which of them are cut is luck", check };

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .limits
        .iter()
        .filter(|limit| limit.ordered && !limit.one_row && !limit.total)
        .map(|_| {
            Finding::warn(
                "rows that tie in the order may be cut by the LIMIT".into(),
                "order by a key as well, last",
                None,
            )
        })
        .collect()
}
