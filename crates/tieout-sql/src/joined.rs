//! Owns the joins of a statement as a person reads them: which two sources, by which columns, along which relationship.
//!
//! Deliberately absent: whether they may be joined so (`rules`).

use crate::check::Join;
use crate::facts::{Facts, JoinBlock, Pair};
use crate::graph::Graph;
use crate::schema::Schema;

/// Every two sources with equalities between them, in the order in which they were met.
pub(crate) fn joined(facts: &Facts, schema: &Schema) -> Vec<Join> {
    let graph = Graph::new(schema);
    let mut found: Vec<Join> = Vec::new();
    for join in facts.joins.iter().flat_map(|block| of_block(block, &graph)) {
        if !found.contains(&join) {
            found.push(join);
        }
    }
    found
}

fn of_block(block: &JoinBlock, graph: &Graph) -> Vec<Join> {
    let mut ends: Vec<(usize, usize)> = Vec::new();
    for pair in &block.pairs {
        let end = sources(pair);
        if !ends.contains(&end) {
            ends.push(end);
        }
    }
    ends.into_iter().filter_map(|(a, b)| between(block, graph, a, b)).collect()
}

fn sources(pair: &Pair) -> (usize, usize) {
    let (a, b) = (pair.left.source, pair.right.source);
    (a.min(b), a.max(b))
}

fn between(block: &JoinBlock, graph: &Graph, a: usize, b: usize) -> Option<Join> {
    let pairs: Vec<&Pair> = block.pairs.iter().filter(|pair| sources(pair) == (a, b)).collect();
    let label = |source: usize| block.sources.get(source).map(|source| source.label.clone());
    let mut said: Vec<(String, String)> = Vec::new();
    for pair in &pairs {
        let sides = match pair.left.source <= pair.right.source {
            true => (pair.left.to_string(), pair.right.to_string()),
            false => (pair.right.to_string(), pair.left.to_string()),
        };
        if !said.contains(&sides) {
            said.push(sides);
        }
    }
    let relationship = graph.followed(&pairs).map(|known| known.name.clone());
    Some(Join { sources: (label(a)?, label(b)?), pairs: said, relationship })
}
