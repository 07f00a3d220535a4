//! Owns the warning about division of integers on engines that cut it off.
//!
//! Deliberately absent: rewriting it; only the person knows what was meant.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{ConditionKind, Facts};

pub(super) const RULE: Rule = Rule { name: "integer_division", reason: "8 / 27 gives 0", check };

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .conditions
        .iter()
        .filter_map(|condition| {
            let ConditionKind::IntegerDivision = &condition.kind else { return None };
            Some(Finding::warn(
                "a division of integers is cut off here".into(),
                "multiply by 1.0 first, or fetch both numbers",
                condition.place,
            ))
        })
        .collect()
}
