//! Owns the warning about NOT IN over a column that may hold NULL.
//!
//! Deliberately absent: rewriting it; only the person knows what was meant.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{ConditionKind, Facts};

pub(super) const RULE: Rule =
    Rule { name: "not_in_nullable", reason: "one NULL in the list and no row is left", check };

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .conditions
        .iter()
        .filter_map(|condition| {
            let ConditionKind::NotInNullable(column) = &condition.kind else { return None };
            Some(Finding::warn(
                format!("NOT IN over `{column}`, which may hold NULL, can leave no row at all"),
                "write NOT EXISTS, or leave NULLs out of the list",
                condition.place,
            ))
        })
        .collect()
}
