//! Owns the warning about AND and OR without brackets.
//!
//! Deliberately absent: judging which was meant; only the person knows.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{ConditionKind, Facts};

pub(super) const RULE: Rule = Rule {
    name: "mixed_logic",
    reason: "AND binds closer than OR, and a reader may take it the other way",
    check,
};

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .conditions
        .iter()
        .filter_map(|condition| {
            let ConditionKind::MixedLogic = &condition.kind else { return None };
            Some(Finding::warn(
                "AND and OR stand beside each other without brackets".into(),
                "put brackets around what belongs together",
                condition.place,
            ))
        })
        .collect()
}
