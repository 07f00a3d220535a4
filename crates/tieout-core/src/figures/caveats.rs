//! What must be said beside figures because of how they were made.

use bigdecimal::ToPrimitive;

use super::{FigureValue, Figures};
use crate::{
    catalogue::Presence,
    compile::columns,
    evidence::{Caveat, Cell, Evidence},
    plan::{Atom, FiguresPlan, Leg, Plan, RowTest},
};

/// What must be said beside the figures of a plan.
#[must_use]
pub fn caveats(plan: &Plan, figures: &Figures, evidence: &[Evidence]) -> Vec<Caveat> {
    match plan {
        Plan::Figures(plan) => of_figures(plan, figures),
        Plan::Rows(_) => of_list(figures, evidence),
    }
}

/// How many rows a leg counted, over all its groups.
#[must_use]
pub fn rows_counted(leg: &Leg, evidence: &[Evidence]) -> Option<u64> {
    let rows = evidence.iter().find(|e| e.id() == leg.id)?.rows();
    let place = rows.column(columns::ROWS)?;
    let mut sum = 0_u64;
    for row in &rows.rows {
        let Some(Cell::Number(n)) = row.get(place) else { return None };
        sum = sum.checked_add(n.to_u64()?)?;
    }
    Some(sum)
}

fn of_figures(plan: &FiguresPlan, figures: &Figures) -> Vec<Caveat> {
    let mut caveats = Vec::new();
    if let Some(atom) = plan.atoms.iter().find(|a| !a.partitions()) {
        let text = format!(
            "a row of {} that belongs to several groups is counted in each, so the groups do not add up to the total",
            atom.dataset
        );
        caveats.push(Caveat { code: "shared_rows", text });
    }
    let summed = |a: &&Atom| a.of.is_some() && a.kind.name != "count_distinct";
    let told_by_parts = |test: &RowTest| match test {
        RowTest::Related { presence: Presence::Exists, tests, .. } => !tests.is_empty(),
        RowTest::Field { way, .. } => !way.to_one(),
        RowTest::Related { .. } | RowTest::Member { .. } | RowTest::Any(_) => false,
    };
    if let Some(atom) = plan.atoms.iter().filter(summed).find(|a| a.tests.iter().any(told_by_parts)) {
        let text = format!(
            "each of {} counts whole when one of its related rows meets the condition, not by that row alone",
            atom.dataset
        );
        caveats.push(Caveat { code: "whole_rows", text });
    }
    let chosen = plan.ranking.is_some() || !plan.having.is_empty();
    let nameless = figures.lines.iter().flat_map(|line| &line.keys).find(|key| key.cell == Cell::Null);
    if let Some(key) = nameless.filter(|_| chosen) {
        let text = format!("“{}” is no group of its own: it stands for rows that belong to none", key.shown);
        caveats.push(Caveat { code: "no_group", text });
    }
    if let Some(before) = figures.groups_before_cut {
        let text =
            format!("{} of {before} groups are shown; the total is over all of them", figures.lines.len());
        caveats.push(Caveat { code: "groups_cut", text });
    }
    let withheld =
        figures.lines.iter().filter(|l| l.figures.iter().any(|f| f.value == FigureValue::Withheld));
    let withheld = withheld.count();
    if withheld > 0 {
        let text = format!(
            "{withheld} groups have too few rows to be shown; no total is given, which would give them away"
        );
        caveats.push(Caveat { code: "withheld", text });
    }
    if plan.atoms.iter().any(|a| a.of_float) {
        let text = "values stored as binary floats were taken to ten digits after the point".to_owned();
        caveats.push(Caveat { code: "floats", text });
    }
    if let [asked, baseline] = plan.windows.as_slice() {
        let days = |w: &crate::plan::Window| w.period.as_ref().map(crate::time::Period::days);
        if let (Some(a), Some(b)) = (days(asked), days(baseline))
            && a.abs_diff(b) > 3
        {
            let text = format!("the periods differ in length: {a} days against {b}");
            caveats.push(Caveat { code: "unequal_periods", text });
        }
    }
    if plan.windows.first().is_some_and(|w| w.ahead.is_some()) {
        let text =
            "steps that are still to come are shown only where something is recorded for them".to_owned();
        caveats.push(Caveat { code: "steps_ahead", text });
    }
    let partial = |w: &crate::plan::Window| w.buckets.iter().any(|b| b.partial);
    if plan.windows.iter().any(partial) {
        let text = "the first or last step is cut by the period and not whole".to_owned();
        caveats.push(Caveat { code: "partial_step", text });
    }
    caveats
}

fn of_list(figures: &Figures, evidence: &[Evidence]) -> Vec<Caveat> {
    let Some(listing) = &figures.listing else { return Vec::new() };
    let find = |id: &str| evidence.iter().find(|e| e.id() == id);
    let (Some(list), Some(count)) = (find(&listing.evidence), find(&listing.counted_by)) else {
        return Vec::new();
    };
    let mut caveats = Vec::new();
    let shown = list.rows().rows.len();
    let all = match count.rows().rows.first().and_then(|r| r.first()) {
        Some(Cell::Number(n)) => n.to_u64(),
        Some(_) | None => None,
    };
    if list.rows().cut {
        let all = all.map_or("more".to_owned(), |n| n.to_string());
        let text = format!("only the first {shown} lines are shown; there are {all} rows in all");
        caveats.push(Caveat { code: "list_cut", text });
    } else if let Some(all) = all.filter(|n| *n > shown as u64) {
        caveats.push(Caveat { code: "list_first", text: format!("the first {shown} of {all} rows") });
    }
    caveats
}
