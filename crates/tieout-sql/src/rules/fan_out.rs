//! Owns the rule that an additive aggregate counts each row once: no fan-out (a join repeats the row) and no
//! chasm (two children of one parent multiply one another).
//!
//! Deliberately absent: COUNT(*) (`counted_rows`), which is over joined rows by its nature.

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{Additivity, Aggregate, AggregateKind, ConditionKind, Doubt, Facts, Grain};

pub(super) const RULE: Rule =
    Rule { name: "fan_out", reason: "a row that a join repeats is added as often as it is repeated", check };

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    let same = facts.conditions.iter().filter_map(|condition| {
        let ConditionKind::SameForAll(figure, constants) = &condition.kind else { return None };
        let message = format!("`{figure}` is the same for every row of `{constants}`");
        let hint = format!("hold a column of `{constants}` against the rows of the figure");
        Some(Finding::warn(message, hint, condition.place))
    });
    facts.aggregates.iter().filter_map(finding).chain(same).collect()
}

fn finding(aggregate: &Aggregate) -> Option<Finding> {
    let name = aggregate.name.to_uppercase();
    if let Grain::Repeated { unit, by, doubt } = &aggregate.grain {
        let by = by.iter().map(|source| format!("`{source}`")).collect::<Vec<_>>().join(" and ");
        let message = format!("{name} is over rows of `{unit}`, which the join with {by} repeats");
        return Some(match doubt {
            Some(Doubt::Label) => {
                let hint = "group by the key beside the name, lest two of the same name be counted together";
                Finding::warn(message, hint, aggregate.place)
            }
            Some(Doubt::Uniqueness) => {
                let hint =
                    "state the keys of the tables; where uniqueness is not known this cannot be ruled out";
                Finding::warn(message, hint, aggregate.place)
            }
            None => Finding::reject(message, hint(aggregate.kind), aggregate.place),
        });
    }
    if let Grain::Everywhere { unit, by } = &aggregate.grain {
        let by = by.iter().map(|source| format!("`{source}`")).collect::<Vec<_>>().join(" and ");
        let message = format!("{name} takes every row of `{unit}` again for each row of {by}");
        let hint = format!("hold a column of {by} against one of `{unit}` in the join's condition");
        return Some(Finding::reject(message, hint, aggregate.place));
    }
    match (&aggregate.additivity, aggregate.kind) {
        (Additivity::Repeated(by), AggregateKind::Sum | AggregateKind::Average) => {
            let message = format!("{name} is over values that a join with `{by}` already repeated");
            Some(Finding::reject(message, hint(aggregate.kind), aggregate.place))
        }
        (Additivity::Spread(by), AggregateKind::Sum) => {
            let message = format!("{name} adds up totals in which the same row counts once for every `{by}`");
            Some(Finding::reject(
                message,
                "total the rows themselves, in a query of their own",
                aggregate.place,
            ))
        }
        (_, _) => None,
    }
}

fn hint(kind: AggregateKind) -> &'static str {
    match kind {
        AggregateKind::Count => "count distinct keys, or aggregate before joining",
        AggregateKind::Sum
        | AggregateKind::Average
        | AggregateKind::CountRows
        | AggregateKind::Idempotent => "aggregate before joining, or keep the other table in an EXISTS",
    }
}
