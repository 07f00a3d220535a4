//! Owns the rule that a hidden column stands in no clause at all.
//!
//! Deliberately absent: stars, which never include hidden columns because the scoped table does not list them.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::Facts;
use crate::schema::Access;

pub(super) const RULE: Rule = Rule {
    name: "hidden_columns",
    reason: "a filter or an order can tell a value as well as a SELECT can",
    check,
};

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .columns
        .iter()
        .filter(|used| used.access == Access::Hidden)
        .map(|used| {
            let message = format!("`{}.{}` may not be used", used.table, used.column);
            Finding::reject(message, "leave it out of every clause", used.place)
        })
        .collect()
}
