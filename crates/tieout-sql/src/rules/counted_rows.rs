//! Owns the rule about COUNT(*) over joined rows: it counts the finest source, or, when no source determines
//! the others, pairs that are rows of nothing.
//!
//! Deliberately absent: COUNT of a column (`fan_out`).

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{Aggregate, AggregateKind, Facts, Grain};

pub(super) const RULE: Rule = Rule {
    name: "counted_rows",
    reason: "COUNT(*) after a join counts rows of the join, whatever was meant",
    check,
};

fn check(facts: &Facts, _cx: &Context) -> Vec<Finding> {
    facts
        .aggregates
        .iter()
        .filter(|aggregate| aggregate.kind == AggregateKind::CountRows)
        .filter_map(finding)
        .collect()
}

fn finding(aggregate: &Aggregate) -> Option<Finding> {
    match &aggregate.grain {
        Grain::Finest { unit, first } => {
            let message = format!("COUNT(*) counts rows of `{unit}`, not of `{first}`");
            Some(Finding::warn(message, "count distinct keys of the table that is meant", aggregate.place))
        }
        Grain::Missing { unit } => {
            let message = format!("COUNT(*) counts one where there is no row of `{unit}` at all");
            Some(Finding::warn(message, format!("count a key of `{unit}`"), aggregate.place))
        }
        Grain::Pairs { of, doubt } => {
            let of = of.iter().map(|source| format!("`{source}`")).collect::<Vec<_>>().join(" and ");
            let message = format!("COUNT(*) counts combinations of {of}, which are rows of neither");
            let hint = "count distinct keys of the table that is meant";
            Some(match doubt {
                Some(_) => Finding::warn(message, hint, aggregate.place),
                None => Finding::reject(message, hint, aggregate.place),
            })
        }
        Grain::Once
        | Grain::Repeated { unit: _, by: _, doubt: _ }
        | Grain::Everywhere { unit: _, by: _ }
        | Grain::Merged { unit: _ } => None,
    }
}
