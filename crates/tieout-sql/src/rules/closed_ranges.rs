//! Owns the warning about closed ranges on columns that hold a time.
//!
//! Deliberately absent: rewriting it; only the person knows what was meant.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{ConditionKind, Facts};

pub(super) const RULE: Rule =
    Rule { name: "closed_ranges", reason: "BETWEEN on a time loses most of its last day", check };

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .conditions
        .iter()
        .filter_map(|condition| {
            let ConditionKind::ClosedRange(column) = &condition.kind else { return None };
            Some(Finding::warn(
                format!("BETWEEN on the time `{column}` ends at the first instant of its last day"),
                "write >= start and < end",
                condition.place,
            ))
        })
        .collect()
}
