//! Owns the warning about periods on another column than the declared one.
//!
//! Deliberately absent: tables that declare none.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{ConditionKind, Facts};

pub(super) const RULE: Rule =
    Rule { name: "declared_time", reason: "a period on another column counts other rows", check };

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .conditions
        .iter()
        .filter_map(|condition| {
            let ConditionKind::OtherTime { column, declared } = &condition.kind else { return None };
            Some(Finding::warn(
                format!("the period is on `{column}`; when a row happened is `{declared}`"),
                format!("bound `{declared}`, or say that `{column}` is meant"),
                condition.place,
            ))
        })
        .collect()
}
