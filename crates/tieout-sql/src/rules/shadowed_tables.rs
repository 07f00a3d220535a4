//! Owns the warning that a named query has the name of a table whose rows it does not read.
//!
//! Deliberately absent: named queries that narrow or shape the table whose name they have.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{ConditionKind, Facts};

pub(super) const RULE: Rule = Rule {
    name: "shadowed_tables",
    reason: "whoever reads the statement takes the rows for those of the table",
    check,
};

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .conditions
        .iter()
        .filter_map(|condition| {
            let ConditionKind::Shadowed(name) = &condition.kind else { return None };
            let message = format!("the named query `{name}` does not read the table `{name}`");
            Some(Finding::warn(message, "give the named query a name of its own", condition.place))
        })
        .collect()
}
