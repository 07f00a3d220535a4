//! Lists: which columns of which rows.

use super::{
    ColumnPlan, RowsPlan,
    row_tests::{Ground, row_tests, time_field},
    ways::way_to,
};
use crate::{
    catalogue::{Dataset, JoinPath, Project},
    halt::Halt,
    number::Unit,
    reading::{FieldRef, Problem, RankBy, ReasonCode, RowsRequest, period_elsewhere},
};

/// Draws a list.
///
/// # Errors
/// A refusal when a column is hidden, cannot be reached, or lies behind a second many side; a doubt when a way must
/// be chosen.
pub(super) fn draw_rows(request: &RowsRequest, project: &Project) -> Result<RowsPlan, Halt> {
    let catalogue = &project.catalogue;
    let dataset = catalogue.datasets.get(&request.dataset).ok_or_else(|| missing(&request.dataset))?;
    if dataset.primary_key.is_empty() {
        return Err(refuse(format!(
            "{} has no primary key, so its rows cannot be told apart",
            dataset.label
        )));
    }
    let mut columns = Vec::new();
    for column in &request.columns {
        columns.push(column_plan(project, &request.dataset, &column.value)?);
    }
    if let Some(name) = unnamed(dataset, &columns) {
        let field = FieldRef { dataset: dataset.name.clone(), field: name, via: None };
        columns.insert(0, column_plan(project, &request.dataset, &field)?);
    }
    one_many_side(&columns)?;
    let period = match &request.period.period {
        Some(_)
            if period_elsewhere(catalogue, &request.dataset, request.conditions.iter().map(|c| &c.value)) =>
        {
            None
        }
        Some(period) => Some((time_field(catalogue, &request.dataset)?, period.clone())),
        None => None,
    };
    let order = match &request.ranking {
        None => None,
        Some(ranking) => match &ranking.by {
            RankBy::Field(field) => Some((column_plan(project, &request.dataset, field)?, ranking.sort)),
            RankBy::Measure(_) | RankBy::Change(_) => {
                return Err(refuse("a list is ordered by one of its fields".to_owned()));
            }
        },
    };
    let conditions = request.conditions.iter().map(|c| &c.value);
    let from = request.dataset.as_str();
    let ground = Ground { catalogue, from, metrics: &[], period: request.period.period.as_ref() };
    Ok(RowsPlan {
        dataset: request.dataset.clone(),
        columns,
        tests: row_tests(ground, conditions)?,
        period,
        order,
        limit: request.ranking.as_ref().and_then(|r| r.limit),
        key: dataset.primary_key.clone(),
    })
}

/// The field that names a row to a person, where the list shows nothing that tells its rows apart.
fn unnamed(dataset: &Dataset, columns: &[ColumnPlan]) -> Option<String> {
    let names =
        |field: &String| dataset.display.as_ref() == Some(field) || dataset.primary_key.contains(field);
    let shown = columns.iter().any(|c| c.dataset == dataset.name && names(&c.field));
    let open =
        |name: &&String| dataset.fields.get(*name).is_some_and(|f| f.access == tieout_sql::Access::Open);
    let only_key = || dataset.primary_key.first().filter(|_| dataset.primary_key.len() == 1);
    let name = dataset.display.as_ref().filter(open).or_else(only_key).filter(open)?;
    (!shown).then(|| name.clone())
}

fn column_plan(project: &Project, from: &str, field: &FieldRef) -> Result<ColumnPlan, Halt> {
    let dataset = project.catalogue.datasets.get(&field.dataset).ok_or_else(|| missing(&field.dataset))?;
    let found = dataset.fields.get(&field.field).ok_or_else(|| missing(&field.field))?;
    super::access::shown(found, &field.dataset)?;
    let unit = found.unit.clone().unwrap_or_else(Unit::none);
    let tens = if unit.minor { -i64::from(unit.minor_digits()) } else { 0 };
    Ok(ColumnPlan {
        label: found.label.clone(),
        way: way_to(&project.catalogue, from, field)?,
        dataset: field.dataset.clone(),
        field: field.field.clone(),
        unit: Unit { minor: false, ..unit },
        tens,
    })
}

/// Two columns behind different many sides would list every pair of their rows.
fn one_many_side(columns: &[ColumnPlan]) -> Result<(), Halt> {
    let many: Vec<&JoinPath> = columns.iter().map(|c| &c.way).filter(|way| !way.to_one()).collect();
    let nested = |a: &JoinPath, b: &JoinPath| {
        let shared = a.hops.iter().zip(&b.hops).take_while(|(a, b)| a == b).count();
        let rest = |p: &JoinPath| JoinPath { hops: p.hops[shared..].to_vec() };
        rest(a).to_one() || rest(b).to_one()
    };
    for (i, a) in many.iter().enumerate() {
        if many[i + 1..].iter().any(|b| !nested(a, b)) {
            return Err(refuse(
                "the list would pair rows that have nothing to do with each other".to_owned(),
            ));
        }
    }
    Ok(())
}

fn missing(name: &str) -> Halt {
    refuse(format!("there is no {name} in the catalogue"))
}

fn refuse(message: String) -> Halt {
    Halt::Refuse(vec![Problem::new(
        ReasonCode::Unsupported,
        message,
        "ask for fewer columns, or in other words",
    )])
}
