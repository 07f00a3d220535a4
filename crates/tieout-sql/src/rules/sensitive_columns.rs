//! Owns the rule that a sensitive column may be counted and nothing else.
//!
//! Deliberately absent: masking; what may not be shown is not shown at all.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{Facts, Usage};
use crate::schema::Access;

pub(super) const RULE: Rule = Rule {
    name: "sensitive_columns",
    reason: "filters, groups, orders, MIN, MAX, text functions and joins rebuild a value bit by bit",
    check,
};

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .columns
        .iter()
        .filter(|used| used.access == Access::Sensitive && used.usage == Usage::Read)
        .map(|used| {
            let message = format!("`{}.{}` is sensitive and may only be counted", used.table, used.column);
            Finding::reject(message, "count it, or leave it out", used.place)
        })
        .collect()
}
