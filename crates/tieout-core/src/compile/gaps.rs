//! Rows that reach a group through two many sides, and the gaps that the way leaves.
//!
//! A policy has coverages, and a coverage may have claims. Joined to its claims a policy shows up once for each
//! coverage, also for those without a claim: gaps that say "no claim" of a policy that has one. A gap is dropped where
//! the same row, with the same other groups, reaches the far side elsewhere; a row that never does keeps its one gap,
//! so that it is not lost.

use tieout_sql::{
    build::{Distinct, SelectBuilder, agg, and, case_when, col, eq, int, is_null, or},
    sqlparser::ast::{Expr, Query},
};

use super::{
    source::{Need, Source},
    window::over,
};
use crate::catalogue::{Direction, JoinPath};

/// A far side that may leave gaps.
pub(super) struct Gap {
    /// 1 where a row of the far side was reached, else 0.
    reached: Expr,
    /// The places of the columns that do not lie behind it.
    others: Vec<usize>,
}

/// The far sides behind at least two many sides that some of the ways lead to.
pub(super) fn gaps(source: &mut Source<'_>, ways: &[Option<&JoinPath>]) -> Vec<Gap> {
    let mut ends: Vec<JoinPath> = Vec::new();
    for way in ways.iter().flatten() {
        let many = |end: &usize| way.hops[*end].direction == Direction::ToMany;
        let places: Vec<usize> = (0..way.hops.len()).filter(many).collect();
        if let [_, .., last] = places.as_slice() {
            let end = JoinPath { hops: way.hops[..=*last].to_vec() };
            if !ends.contains(&end) {
                ends.push(end);
            }
        }
    }
    ends.iter().filter_map(|end| gap(source, end, ways)).collect()
}

fn gap(source: &mut Source<'_>, end: &JoinPath, ways: &[Option<&JoinPath>]) -> Option<Gap> {
    let hop = end.hops.last()?;
    let key = source.catalogue.relationships.get(&hop.relationship)?.from_columns.first()?.clone();
    let alias = source.alias(end, Need::MayMiss);
    let behind = |way: &Option<&JoinPath>| way.is_some_and(|w| w.hops.starts_with(&end.hops));
    let others = ways.iter().enumerate().filter(|(_, w)| !behind(w)).map(|(i, _)| i).collect();
    Some(Gap { reached: case_when(vec![(is_null(col(&alias, &key)), int(0))], Some(int(1))), others })
}

/// The names of the inner query's columns.
pub(super) struct Names<'n> {
    /// Columns that name a row of the base.
    pub(super) keys: &'n [String],
    /// Columns that the ways lead to, in the order of the ways.
    pub(super) columns: &'n [String],
    /// Further columns.
    pub(super) more: &'n [String],
}

/// Adds what tells gaps apart to the inner select, which must be distinct.
pub(super) fn marked(select: SelectBuilder, gaps: &[Gap]) -> SelectBuilder {
    gaps.iter().enumerate().fold(select, |s, (i, gap)| s.column(gap.reached.clone(), &mark(i)))
}

/// The inner query without its gaps.
pub(super) fn without_gaps(inner: Query, gaps: &[Gap], names: &Names<'_>) -> Query {
    if gaps.is_empty() {
        return inner;
    }
    let all = || names.keys.iter().chain(names.columns).chain(names.more);
    let mut seen = all().fold(SelectBuilder::new().from_query(inner, "r"), |s, n| s.column(col("r", n), n));
    for (i, gap) in gaps.iter().enumerate() {
        let mut same: Vec<Expr> = names.keys.iter().map(|k| col("r", k)).collect();
        same.extend(gap.others.iter().filter_map(|o| names.columns.get(*o)).map(|n| col("r", n)));
        let anywhere = over(agg("max", &[col("r", &mark(i))], Distinct::All, None), same, Vec::new());
        seen = seen.column(col("r", &mark(i)), &mark(i)).column(anywhere, &format!("any_{}", mark(i)));
    }
    // Distinct once more: rows that differ only in what told the gaps apart are one.
    let mut kept = SelectBuilder::new().distinct().from_query(seen.build(), "k");
    kept = all().fold(kept, |s, n| s.column(col("k", n), n));
    let tests = (0..gaps.len()).filter_map(|i| {
        let here = eq(col("k", &mark(i)), int(1));
        or(vec![here, eq(col("k", &format!("any_{}", mark(i))), int(0))])
    });
    kept = and(tests.collect()).into_iter().fold(kept, SelectBuilder::filter);
    kept.build()
}

fn mark(place: usize) -> String {
    format!("reached_{}", place + 1)
}
