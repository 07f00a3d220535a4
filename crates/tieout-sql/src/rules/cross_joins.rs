//! Owns the rule that sources are not multiplied with one another, unless one of them is provably one row or
//! made of constants.
//!
//! Deliberately absent: joins with a condition (`stated_joins`).

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::Facts;
use crate::graph::Graph;

pub(super) const RULE: Rule =
    Rule { name: "cross_joins", reason: "every row beside every row counts everything many times", check };

fn check(facts: &Facts, cx: &Context) -> Vec<Finding> {
    if facts.joins.is_empty() {
        return Vec::new();
    }
    let graph = Graph::new(cx.schema);
    let mut findings = Vec::new();
    for block in &facts.joins {
        for (source, pairs) in graph.groups(block).loose(block) {
            if !pairs.is_empty() {
                continue;
            }
            let message = format!("`{}` is joined with every row of the others", source.label);
            let hint = "join it along a stated relationship, or reduce it to one row first";
            findings.push(match source.one_row_assumed {
                true => Finding::warn(message, hint, source.place),
                false => Finding::reject(message, hint, source.place),
            });
        }
    }
    findings
}
