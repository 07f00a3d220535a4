//! Owns the rule that joins run along stated relationships only, with the whole key, however deep the columns
//! come from; and that subqueries are tied to the query around them in the same way.
//!
//! Deliberately absent: joins without any condition (`cross_joins`).

use super::{Finding, Rule};
use crate::check::Context;
use crate::facts::{Facts, JoinBlock, Link, Pair, SourceFact};
use crate::graph::Graph;

pub(super) const RULE: Rule = Rule {
    name: "stated_joins",
    reason: "columns that merely look alike join rows that do not belong together",
    check,
};

fn check(facts: &Facts, cx: &Context) -> Vec<Finding> {
    if facts.joins.is_empty() && facts.links.is_empty() {
        return Vec::new();
    }
    let graph = Graph::new(cx.schema);
    let blocks = facts.joins.iter().flat_map(|block| block_findings(block, &graph));
    let links = facts.links.iter().filter_map(|link| link_finding(link, &graph));
    blocks.chain(links).collect()
}

fn block_findings(block: &JoinBlock, graph: &Graph) -> Vec<Finding> {
    let loose = graph.groups(block).loose(block).into_iter().filter(|(_, pairs)| !pairs.is_empty());
    let finding = |(source, pairs): (&SourceFact, Vec<&Pair>)| {
        let message =
            format!("`{}` is joined on {}, which no relationship states", source.label, shown(&pairs));
        Finding::reject(message, graph.hint(&pairs), source.place)
    };
    loose.map(finding).collect()
}

fn link_finding(link: &Link, graph: &Graph) -> Option<Finding> {
    let pairs: Vec<&Pair> =
        link.pairs.iter().filter(|pair| pair.left.base.is_some() && pair.right.base.is_some()).collect();
    let lawful =
        || graph.links(&pairs) || graph.ranges_along(&pairs, &link.ranges.iter().collect::<Vec<_>>());
    if pairs.is_empty() || pairs.iter().any(|pair| pair.left.base == pair.right.base) || lawful() {
        return None;
    }
    let message =
        format!("a subquery is tied to its query by {}, which no relationship states", shown(&pairs));
    Some(Finding::reject(message, graph.hint(&pairs), link.place))
}

fn shown(pairs: &[&Pair]) -> String {
    pairs.iter().map(|pair| format!("`{} = {}`", pair.left, pair.right)).collect::<Vec<_>>().join(" and ")
}
