//! Owns the warning that DISTINCT or GROUP BY merged equal values of different rows before they are added.
//!
//! Deliberately absent: distinct rows that carry their key, which is the lawful way to undo a fan-out.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{AggregateKind, Facts, Grain};

pub(super) const RULE: Rule = Rule {
    name: "merged_values",
    reason: "two rows with the same amount become one when only the amount is kept",
    check,
};

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .aggregates
        .iter()
        .filter_map(|aggregate| match (&aggregate.grain, aggregate.kind) {
            (Grain::Merged { unit }, AggregateKind::Sum | AggregateKind::Average) => {
                let message =
                    format!("equal values of different rows of `{unit}` were merged before they are added");
                Some(Finding::warn(message, "keep the key beside the value", aggregate.place))
            }
            (_, _) => None,
        })
        .collect()
}
