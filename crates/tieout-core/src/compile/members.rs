//! Whether every thing that is grouped by has a group.
//!
//! Groups are made of rows: a customer without an order has none, and yet is the one with the fewest. Where the least
//! are asked for, the things themselves are counted too. Deliberately absent: what to do about it, which the pipe knows.

use std::collections::BTreeSet;

use tieout_sql::{
    Select,
    build::{Distinct, SelectBuilder, agg, col},
};

use crate::{
    metric_kinds::Additivity,
    plan::{FiguresPlan, GroupBy, Plan},
    reading::{Comparison, RankBy, Sort},
};

/// A field that the groups are made of, and which of the plan's groupings it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReliedMembers {
    /// The dataset whose rows each should have a group.
    pub dataset: String,
    /// The field.
    pub field: String,
    /// The place of the grouping, from 0.
    pub place: usize,
}

/// The groupings that should have a group for each of their things, because the least are asked for.
#[must_use]
pub fn relied_members(plan: &Plan) -> BTreeSet<ReliedMembers> {
    let Plan::Figures(plan) = plan else { return BTreeSet::new() };
    if !least(plan) || !plan.atoms.iter().any(empty_is_zero) {
        return BTreeSet::new();
    }
    let field = |(place, by): (usize, &GroupBy)| match by {
        GroupBy::Field { dataset, field, .. } => {
            Some(ReliedMembers { dataset: dataset.clone(), field: field.clone(), place })
        }
        GroupBy::Time(_) => None,
    };
    plan.groupings.iter().map(|g| &g.by).enumerate().filter_map(field).collect()
}

/// Whether groups are kept, or put first, for being small.
fn least(plan: &FiguresPlan) -> bool {
    let first = plan.ranking.as_ref().is_some_and(|r| match r.by {
        RankBy::Measure(_) | RankBy::Change(_) => r.sort == Sort::Ascending,
        RankBy::Field(_) => false,
    });
    first
        || plan.having.iter().any(|h| match h.comparison {
            Comparison::Below | Comparison::AtMost | Comparison::Equal | Comparison::NotEqual => true,
            Comparison::AtLeast | Comparison::Above => false,
        })
}

/// Whether a thing without rows has a figure of zero, and not none.
fn empty_is_zero(atom: &crate::plan::Atom) -> bool {
    match atom.kind.adds_up {
        Additivity::Additive | Additivity::SemiAdditive => true,
        Additivity::NonAdditive => atom.kind.name == "count_distinct",
    }
}

/// How many different values of the field there are.
#[must_use]
pub fn compile_members(relied: &ReliedMembers) -> Select {
    let alias = relied.dataset.as_str();
    let members = agg("count", &[col(alias, &relied.field)], Distinct::Distinct, None);
    let query = SelectBuilder::new().from_table(alias, alias).column(members, "members").build();
    Select { query, binds: Vec::new() }
}
