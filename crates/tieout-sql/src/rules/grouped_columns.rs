//! Owns the rule that a column beside an aggregate is fixed within its group.
//!
//! Deliberately absent: columns that a grouped key determines; those are fixed.

use super::{Finding, Rule};
use crate::check::Context;
use crate::dialect::Support;
use crate::facts::{ConditionKind, Facts};

pub(super) const RULE: Rule = Rule {
    name: "grouped_columns",
    reason: "where a group holds several values, an engine that does not refuse picks one of them",
    check,
};

fn check(facts: &Facts, cx: &Context) -> Vec<Finding> {
    facts
        .conditions
        .iter()
        .filter_map(|condition| {
            let ConditionKind::Ungrouped(column) = &condition.kind else { return None };
            let message = format!("`{column}` can have several values in one group");
            let hint = "group by it as well, or aggregate it";
            Some(match cx.dialect.ungrouped {
                Support::Native => Finding::warn(message, hint, condition.place),
                Support::Missing => Finding::reject(message, hint, condition.place),
            })
        })
        .collect()
}
