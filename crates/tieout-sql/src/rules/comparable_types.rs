//! Owns the warnings about values of kinds that do not compare or add up as they look.
//!
//! Deliberately absent: literals, which engines read as the other side's kind; kinds that are not known.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{ConditionKind, Facts};

pub(super) const RULE: Rule = Rule {
    name: "comparable_types",
    reason: "text sorts letter by letter, and an engine that does not refuse compares something else",
    check,
};

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .conditions
        .iter()
        .filter_map(|condition| {
            let (message, hint) = match &condition.kind {
                ConditionKind::AcrossTypes(a, b) => {
                    (format!("{a} is compared with {b}"), "cast one to the kind of the other")
                }
                ConditionKind::NoDate(text) => {
                    (format!("'{text}' is no date of the calendar"), "write a date such as 2026-10-07")
                }
                ConditionKind::NotANumber { aggregate, over } => {
                    (format!("{aggregate} is over {over}"), "cast it to a number, or count it")
                }
                _ => return None,
            };
            Some(Finding::warn(message, hint, condition.place))
        })
        .collect()
}
