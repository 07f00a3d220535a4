//! Owns the warning about an outer join that WHERE undoes.
//!
//! Deliberately absent: rewriting it; only the person knows what was meant.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{ConditionKind, Facts};

pub(super) const RULE: Rule = Rule {
    name: "outer_join_undone",
    reason: "a condition in WHERE drops the rows that the outer join kept",
    check,
};

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .conditions
        .iter()
        .filter_map(|condition| {
            let ConditionKind::OuterJoinUndone(source) = &condition.kind else { return None };
            Some(Finding::warn(
                format!("the outer join of `{source}` is undone by a condition in WHERE"),
                "move the condition into ON, or join inside",
                condition.place,
            ))
        })
        .collect()
}
