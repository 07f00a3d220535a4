//! Owns the warning about HAVING on something that is no aggregate.
//!
//! Deliberately absent: rewriting it.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{ConditionKind, Facts};

pub(super) const RULE: Rule =
    Rule { name: "having_rows", reason: "a condition on rows belongs where rows are read", check };

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .conditions
        .iter()
        .filter_map(|condition| {
            let ConditionKind::HavingRows = &condition.kind else { return None };
            Some(Finding::warn(
                "HAVING is about rows, not about an aggregate".into(),
                "move the condition into WHERE",
                condition.place,
            ))
        })
        .collect()
}
