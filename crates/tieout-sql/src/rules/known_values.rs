//! Owns the rule that a text compared with a categorical column is one of its values.
//!
//! Deliberately absent: rewriting it; only the person knows what was meant.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{ConditionKind, Facts};

pub(super) const RULE: Rule = Rule {
    name: "known_values",
    reason: "a value that no row has gives a zero that looks like an answer",
    check,
};

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .conditions
        .iter()
        .filter_map(|condition| {
            let (message, hint) = match &condition.kind {
                ConditionKind::UnknownValue { column, value, hint } => {
                    (format!("`{column}` is never '{value}'"), hint.clone())
                }
                ConditionKind::OtherCase { column, value, known } => {
                    let message = format!("`{column}` is never '{value}': it is '{known}', in another case");
                    (message, format!("write '{known}'"))
                }
                _ => return None,
            };
            Some(Finding::warn(message, hint, condition.place))
        })
        .collect()
}
