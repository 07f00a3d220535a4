//! Which groups are shown: conditions on their figures, their order, and how many are kept.
//!
//! Deliberately absent: the total, which is over all groups whatever is shown.

use std::collections::HashMap;

use super::{Figures, Line, assemble::order};
use crate::{
    evidence::Cell,
    plan::{Beside, FiguresPlan, GroupBy},
    reading::{Comparison, RankBy, Ranking, Sort},
};

/// Drops the groups that do not meet the conditions on figures, then orders and cuts the rest; ties with the last
/// group kept are kept too.
pub(super) fn cut(plan: &FiguresPlan, figures: &mut Figures) {
    let before = figures.lines.len();
    let first: HashMap<usize, usize> = first_columns(plan);
    for condition in &plan.having {
        let column = first.get(&condition.measure).copied().unwrap_or(0);
        figures.lines.retain(|line| {
            line.figures.get(column).and_then(|f| f.value.number()).is_some_and(|n| {
                match condition.comparison {
                    Comparison::Below => *n < condition.value,
                    Comparison::AtMost => *n <= condition.value,
                    Comparison::Equal => *n == condition.value,
                    Comparison::NotEqual => *n != condition.value,
                    Comparison::AtLeast => *n >= condition.value,
                    Comparison::Above => *n > condition.value,
                }
            })
        });
    }
    if let Some(ranking) = &plan.ranking {
        rank(plan, ranking, &first, figures);
    }
    figures.groups_before_cut = (figures.lines.len() < before).then_some(before);
}

fn rank(plan: &FiguresPlan, ranking: &Ranking, first: &HashMap<usize, usize>, figures: &mut Figures) {
    let column = match &ranking.by {
        RankBy::Measure(m) => first.get(m).copied().unwrap_or(0),
        RankBy::Change(m) => first.get(m).copied().unwrap_or(0) + 3,
        RankBy::Field(_) => usize::MAX,
    };
    let value = |line: &Line| line.figures.get(column).and_then(|f| f.value.number()).cloned();
    match &ranking.by {
        RankBy::Measure(_) | RankBy::Change(_) => figures.lines.sort_by(|a, b| {
            let (a, b) = (value(a), value(b));
            match ranking.sort {
                Sort::Descending => b.cmp(&a),
                // None is least: turned round, it still comes last.
                Sort::Ascending => a.is_none().cmp(&b.is_none()).then(a.cmp(&b)),
            }
        }),
        RankBy::Field(field) => order_by_key(plan, figures, &field.dataset, &field.field, ranking.sort),
    }
    let Some(limit) = ranking.limit.and_then(|l| usize::try_from(l).ok()) else { return };
    // Rows without the thing are no thing: they win nothing, and stand below those that are named.
    let (mut named, mut missing): (Vec<Line>, Vec<Line>) = std::mem::take(&mut figures.lines)
        .into_iter()
        .partition(|l| l.keys.iter().all(|k| k.cell != Cell::Null));
    let worst = limit.min(named.len()).checked_sub(1).and_then(|i| named.get(i)).and_then(&value);
    if limit < named.len() {
        let tied = named[limit..].iter().take_while(|l| worst.is_some() && value(l) == worst).count();
        named.truncate(limit + tied);
        let within = |line: &Line| match ranking.sort {
            Sort::Descending => value(line) >= worst,
            Sort::Ascending => value(line).is_some() && value(line) <= worst,
        };
        missing.retain(|line| worst.is_some() && within(line));
    }
    named.append(&mut missing);
    figures.lines = named;
}

fn order_by_key(plan: &FiguresPlan, figures: &mut Figures, dataset: &str, field: &str, sort: Sort) {
    let wanted = |by: &GroupBy| match by {
        GroupBy::Field { dataset: d, field: f, .. } => d == dataset && f == field,
        GroupBy::Time(_) => false,
    };
    let Some(place) = plan.groupings.iter().position(|g| wanted(&g.by)) else { return };
    let key = |line: &Line| line.keys.get(place).map(|k| order(&k.cell));
    figures.lines.sort_by(|a, b| match sort {
        Sort::Ascending => key(a).cmp(&key(b)),
        Sort::Descending => key(b).cmp(&key(a)),
    });
}

/// The column of each measure's own figure.
fn first_columns(plan: &FiguresPlan) -> HashMap<usize, usize> {
    let width = match plan.beside {
        Beside::Nothing => 1,
        Beside::Against | Beside::StepByStep => 4,
        Beside::PartOfWhole => 3,
        Beside::GroupOfTotal => 2,
    };
    let shown = if plan.beside == Beside::PartOfWhole { 2 } else { 0 };
    (0..plan.measures.len()).map(|m| (m, m * width + shown)).collect()
}
