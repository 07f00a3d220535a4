//! The desk that turns settled definitions into a plan.

use jiff::civil::Date;

use super::{
    Atom, Beside, FiguresPlan, Formula, GroupBy, GroupingPlan, Leg, Level, MeasurePlan, Plan, Slice, Window,
    atoms::Disassembler,
    rows::draw_rows,
    windows::{whole_steps, windows},
};
use crate::{
    catalogue::Project,
    definitions::{Settled, field_words},
    halt::Halt,
    metric_kinds::{Additivity, RowsTaken},
    number::Unit,
    reading::{Derivation, FiguresRequest, Grouping, Problem, RankBy, ReasonCode, Request},
};

/// The most queries one question may take.
pub const LEGS_MAX: usize = 96;

/// Draws the plan of a settled reading.
///
/// # Errors
/// A refusal when the parts are known but cannot be worked out together; a doubt when a way must be chosen.
pub fn draw(settled: &Settled, project: &Project) -> Result<Plan, Halt> {
    match settled.request() {
        Request::Figures(request) => draw_figures(request, project, settled.today()).map(Plan::Figures),
        Request::Rows(request) => draw_rows(request, project).map(Plan::Rows),
        Request::About(_) => Err(refuse("a question about the catalogue needs no query")),
    }
}

fn draw_figures(request: &FiguresRequest, project: &Project, today: Date) -> Result<FiguresPlan, Halt> {
    if request.measures.is_empty() {
        return Err(refuse("no measure was asked for"));
    }
    let windows = windows(project, request, today)?;
    whole_steps(request, &windows, today)?;
    let mut apart = Disassembler::new(project, request, &windows);
    let mut measures = Vec::new();
    for measure in &request.measures {
        measures.push(apart.measure(&measure.value)?);
    }
    let atoms = apart.atoms;
    stocks_by_today(&atoms, &windows, today)?;
    let beside = beside(&request.derivation);
    let legs = legs(&atoms, &windows, beside, !request.groupings.is_empty(), trend(request))?;
    if beside == Beside::StepByStep && !trend(request) {
        return Err(refuse("a change from step to step needs steps of time, such as “by month”"));
    }
    parts_of_a_whole(beside, &measures, &atoms, trend(request))?;
    let groupings: Vec<_> = request.groupings.iter().map(|g| grouping(&g.value, project)).collect();
    ordered_by_a_group(request, &groupings, project)?;
    Ok(FiguresPlan {
        atoms,
        measures,
        groupings,
        windows,
        beside,
        having: request.having.clone(),
        ranking: request.ranking.clone(),
        legs,
    })
}

/// Only what adds up over the groups has a part of each in the total. Different things that are counted do not, and yet
/// each group has some share of all of them.
fn parts_of_a_whole(
    beside: Beside,
    measures: &[MeasurePlan],
    atoms: &[Atom],
    trend: bool,
) -> Result<(), Halt> {
    match beside {
        Beside::PartOfWhole | Beside::GroupOfTotal => {}
        Beside::Nothing | Beside::Against | Beside::StepByStep => return Ok(()),
    }
    let adds_up = |atom: &usize| {
        atoms.get(*atom).is_some_and(|atom| match atom.kind.adds_up {
            Additivity::Additive => true,
            Additivity::SemiAdditive => !trend,
            Additivity::NonAdditive => atom.kind.name == "count_distinct",
        })
    };
    let Some(whole) = measures.iter().find(|measure| !sums(&measure.formula, &adds_up)) else {
        return Ok(());
    };
    Err(Halt::Refuse(vec![Problem::new(
        ReasonCode::NotAdditive,
        format!("{} does not add up over its groups, so that no group has a share of it", whole.label),
        "ask for it by group, or for the share of an amount or a count",
    )]))
}

/// Whether a formula only adds and subtracts what adds up.
fn sums(formula: &Formula, adds_up: &impl Fn(&usize) -> bool) -> bool {
    match formula {
        Formula::Atom(atom) => adds_up(atom),
        Formula::Constant(_) | Formula::Multiply(..) | Formula::Divide(..) => false,
        Formula::Add(one, other) | Formula::Subtract(one, other) => {
            sums(one, adds_up) && sums(other, adds_up)
        }
    }
}

/// Groups have no order by a field that they are not split by.
fn ordered_by_a_group(
    request: &FiguresRequest,
    groupings: &[GroupingPlan],
    project: &Project,
) -> Result<(), Halt> {
    let Some(RankBy::Field(by)) = request.ranking.as_ref().map(|ranking| &ranking.by) else { return Ok(()) };
    let is_it = |plan: &GroupingPlan| match &plan.by {
        GroupBy::Field { dataset, field, .. } => *dataset == by.dataset && *field == by.field,
        GroupBy::Time(_) => false,
    };
    if groupings.iter().any(is_it) {
        return Ok(());
    }
    let words = field_words(by, &project.catalogue);
    Err(refuse(&format!("the groups are not split by the {words}, and cannot be put in order by it")))
}

/// A state at a moment that is still to come is not known.
fn stocks_by_today(atoms: &[Atom], windows: &[Window], today: Date) -> Result<(), Halt> {
    let stock = atoms.iter().find(|a| a.kind.rows == RowsTaken::LastBeforeEnd);
    let ahead = windows.iter().filter_map(|w| w.period.as_ref()).find(|p| p.start() > today);
    match (stock, ahead) {
        (Some(atom), Some(period)) => Err(Halt::Refuse(vec![Problem::new(
            ReasonCode::NotLoaded,
            format!("{period} lies ahead, and {} is a state at its end; today is {today}", atom.label),
            "ask for a day up to today",
        )])),
        (Some(_), None) | (None, _) => Ok(()),
    }
}

fn trend(request: &FiguresRequest) -> bool {
    request.groupings.iter().any(|g| matches!(g.value, Grouping::Time(_)))
}

fn beside(derivation: &Derivation) -> Beside {
    match derivation {
        Derivation::Plain => Beside::Nothing,
        Derivation::Against(_) => Beside::Against,
        Derivation::StepByStep => Beside::StepByStep,
        Derivation::ShareOf { .. } => Beside::PartOfWhole,
        Derivation::ShareOfTotal => Beside::GroupOfTotal,
    }
}

fn grouping(grouping: &Grouping, project: &Project) -> GroupingPlan {
    match grouping {
        Grouping::Field(field) => {
            let found =
                project.catalogue.datasets.get(&field.dataset).and_then(|d| d.fields.get(&field.field));
            let label = found.map_or_else(|| field_words(field, &project.catalogue), |f| f.label.clone());
            let unit = found.and_then(|f| f.unit.clone()).unwrap_or_else(Unit::none);
            let tens = if unit.minor { -i64::from(unit.minor_digits()) } else { 0 };
            let unit = Unit { minor: false, ..unit };
            let by =
                GroupBy::Field { dataset: field.dataset.clone(), field: field.field.clone(), unit, tens };
            GroupingPlan { label, by }
        }
        Grouping::Time(grain) => GroupingPlan { label: grain.to_string(), by: GroupBy::Time(*grain) },
    }
}

/// The queries: each atom over each window and slice, in groups and, where the groups' figures do not add up to the
/// total, in total too.
fn legs(
    atoms: &[Atom],
    windows: &[Window],
    beside: Beside,
    grouped: bool,
    trend: bool,
) -> Result<Vec<Leg>, Halt> {
    let slices: &[Slice] =
        if beside == Beside::PartOfWhole { &[Slice::Whole, Slice::Part] } else { &[Slice::Whole] };
    let mut legs = Vec::new();
    for (atom, a) in atoms.iter().enumerate() {
        for (window, w) in windows.iter().enumerate() {
            for &slice in slices {
                let mut add = |level, step| {
                    let id = format!("q{}", legs.len() + 1);
                    legs.push(Leg { id, atom, window, slice, level, step });
                };
                if grouped {
                    match a.kind.rows {
                        RowsTaken::LastBeforeEnd if trend => {
                            (0..w.buckets.len()).for_each(|step| add(Level::Grouped, Some(step)));
                        }
                        RowsTaken::LastBeforeEnd | RowsTaken::InPeriod | RowsTaken::UpToEnd => {
                            add(Level::Grouped, None);
                        }
                    }
                }
                if !grouped || own_total(a, trend) {
                    add(Level::Total, None);
                }
            }
        }
    }
    if legs.len() > LEGS_MAX {
        return Err(refuse(&format!(
            "the answer would take {} queries; at most {LEGS_MAX} are run",
            legs.len()
        )));
    }
    Ok(legs)
}

/// Whether the total over all groups is a query of its own.
#[must_use]
pub(crate) fn own_total(atom: &Atom, trend: bool) -> bool {
    match atom.kind.adds_up {
        Additivity::NonAdditive => true,
        Additivity::SemiAdditive => !trend && !atom.partitions(),
        Additivity::Additive => !atom.partitions(),
    }
}

fn refuse(message: &str) -> Halt {
    Halt::Refuse(vec![Problem::new(
        ReasonCode::Unsupported,
        message,
        "ask for less at once, or in other words",
    )])
}
