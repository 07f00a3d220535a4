//! Owns the warning about divisors that may be zero.
//!
//! Deliberately absent: divisors that NULLIF, CASE or a condition looks after.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{ConditionKind, Facts};

pub(super) const RULE: Rule = Rule {
    name: "zero_division",
    reason: "a divisor of zero fails, or gives NULL or infinity, by the engine",
    check,
};

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .conditions
        .iter()
        .filter_map(|condition| {
            let ConditionKind::UnguardedDivision(divisor) = &condition.kind else { return None };
            Some(Finding::warn(format!("`{divisor}` may be zero"), "divide by NULLIF(…, 0)", condition.place))
        })
        .collect()
}
