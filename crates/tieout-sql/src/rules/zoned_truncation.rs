//! Owns the warning about points in time cut in a zone that nobody names.
//!
//! Deliberately absent: columns without a zone.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{ConditionKind, Facts};

pub(super) const RULE: Rule = Rule {
    name: "zoned_truncation",
    reason: "the day that an instant falls into depends on the zone of whoever asks",
    check,
};

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .conditions
        .iter()
        .filter_map(|condition| {
            let ConditionKind::ZonedTruncation(column) = &condition.kind else { return None };
            Some(Finding::warn(
                format!("`{column}` is a point in time, cut in the zone of the session"),
                "say the zone: AT TIME ZONE",
                condition.place,
            ))
        })
        .collect()
}
