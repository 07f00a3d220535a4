//! Owns the rule that nothing is compared with NULL by = or <>.
//!
//! Deliberately absent: rewriting it; only the person knows what was meant.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{ConditionKind, Facts};

pub(super) const RULE: Rule =
    Rule { name: "equals_null", reason: "a comparison with NULL is never true", check };

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .conditions
        .iter()
        .filter_map(|condition| {
            let ConditionKind::EqualsNull = &condition.kind else { return None };
            Some(Finding::reject(
                "a comparison with NULL is never true".into(),
                "write IS NULL",
                condition.place,
            ))
        })
        .collect()
}
