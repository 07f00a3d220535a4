//! Owns the rule that averages, ratios, window totals and subtotals are not added up, nor balances over time.
//!
//! Deliberately absent: totals that double through a join (`fan_out`).

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{Additivity, AggregateKind, ConditionKind, Facts};

pub(super) const RULE: Rule = Rule {
    name: "adds_up",
    reason: "an average of averages weighs small groups as much as large ones",
    check,
};

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    let balances = facts.conditions.iter().filter_map(|condition| {
        let ConditionKind::BalanceOverTime(column, time) = &condition.kind else { return None };
        let message = format!("SUM over the balance `{column}` of several moments");
        let hint = format!("fix `{time}` in the condition, or group by it");
        Some(Finding::warn(message, hint, condition.place))
    });
    facts
        .aggregates
        .iter()
        .filter_map(|aggregate| match (&aggregate.additivity, aggregate.kind) {
            (Additivity::Never(what), AggregateKind::Sum | AggregateKind::Average) => {
                let message = format!("{} over {what}", aggregate.name.to_uppercase());
                Some(Finding::warn(message, "work it out from the rows themselves", aggregate.place))
            }
            (_, _) => None,
        })
        .chain(balances)
        .collect()
}
