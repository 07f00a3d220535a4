//! Conditions of a request, with the way to each field they look at.

use super::{
    FieldTest, RowTest, TimeField,
    ways::{condition_way, way},
};
use crate::{
    catalogue::{Catalogue, Datatype, Metric, Presence, Related},
    halt::Halt,
    reading::{Condition, FieldRef, Polarity, Problem, ReasonCode},
    time::Period,
};

/// Where conditions are read from: the rows they test, and the metrics whose groupings may spell the ways.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    /// Where names are looked up.
    pub(super) catalogue: &'a Catalogue,
    /// The dataset whose rows are tested.
    pub(super) from: &'a str,
    /// The metrics that were asked for, the aggregate's own first.
    pub(super) metrics: &'a [&'a Metric],
    /// The asked period, for populations whose related rows must lie in it.
    pub(super) period: Option<&'a Period>,
}

/// The asked conditions as tests on rows.
///
/// # Errors
/// A refusal or doubt when a field cannot be reached, or is not there.
pub(super) fn row_tests<'a>(
    ground: Ground<'_>,
    conditions: impl IntoIterator<Item = &'a Condition>,
) -> Result<Vec<RowTest>, Halt> {
    conditions.into_iter().map(|c| row_test(ground, c)).collect()
}

fn row_test(ground: Ground<'_>, condition: &Condition) -> Result<RowTest, Halt> {
    let Ground { catalogue, from, period, .. } = ground;
    let on = |field: &FieldRef, test| field_test(ground, field, test);
    match condition {
        Condition::OneOf { field, values, polarity } => {
            on(field, FieldTest::OneOf(values.clone(), *polarity))
        }
        Condition::Compare { field, comparison, value } => {
            on(field, FieldTest::Compare(*comparison, value.clone()))
        }
        Condition::Between { field, low, high } => on(field, FieldTest::Between(low.clone(), high.clone())),
        Condition::Missing { field, polarity } => on(field, FieldTest::Missing(*polarity)),
        Condition::InPeriod { field, period } => {
            let datatype = datatype(catalogue, &field.dataset, &field.field)?;
            on(field, FieldTest::In(period.clone(), datatype))
        }
        Condition::Member { population, via, polarity } => {
            let dataset = &catalogue
                .populations
                .get(population)
                .ok_or_else(|| internal(format!("there is no population {population}")))?
                .dataset;
            let way = way(catalogue, from, dataset, via.as_deref(), &format!("path:{population}"))?;
            Ok(RowTest::Member {
                way,
                population: population.clone(),
                polarity: *polarity,
                period: period.cloned(),
            })
        }
        Condition::Related { dataset, via, presence, conditions, period: within } => {
            let way = way(catalogue, from, dataset, via.as_deref(), &format!("path:{dataset}"))?;
            let period =
                within.as_ref().map(|p| Ok((time_field(catalogue, dataset)?, p.clone()))).transpose()?;
            let tests =
                row_tests(Ground { from: dataset, metrics: &[], period: None, ..ground }, conditions)?;
            Ok(RowTest::Related { way, presence: *presence, filter: None, tests, period })
        }
        Condition::Any(any) => Ok(RowTest::Any(row_tests(ground, any)?)),
    }
}

/// A population's own related rows, as tests on its rows.
///
/// # Errors
/// A refusal when a related row should lie in the period and its dataset has no time.
pub(crate) fn membership_tests(
    catalogue: &Catalogue,
    from: &str,
    related: &[Related],
    period: Option<&Period>,
) -> Result<Vec<RowTest>, Halt> {
    related.iter().map(|r| membership_test(catalogue, from, r, period)).collect()
}

fn membership_test(
    catalogue: &Catalogue,
    from: &str,
    related: &Related,
    period: Option<&Period>,
) -> Result<RowTest, Halt> {
    let way =
        way(catalogue, from, &related.dataset, Some(&related.via), &format!("path:{}", related.dataset))?;
    let within = if related.within_period { period } else { None };
    let period =
        within.map(|p| Ok::<_, Halt>((time_field(catalogue, &related.dataset)?, p.clone()))).transpose()?;
    Ok(RowTest::Related {
        way,
        presence: related.presence,
        filter: related.filter.clone(),
        tests: Vec::new(),
        period,
    })
}

fn field_test(ground: Ground<'_>, field: &FieldRef, test: FieldTest) -> Result<RowTest, Halt> {
    datatype(ground.catalogue, &field.dataset, &field.field)?;
    let way = condition_way(ground.catalogue, ground.metrics, ground.from, field)?;
    Ok(RowTest::Field { way, dataset: field.dataset.clone(), field: field.field.clone(), test })
}

fn datatype(catalogue: &Catalogue, dataset: &str, field: &str) -> Result<Datatype, Halt> {
    let found = catalogue.datasets.get(dataset).and_then(|d| d.fields.get(field));
    match found {
        Some(field) => {
            super::access::shown(field, dataset)?;
            Ok(field.datatype)
        }
        None => Err(internal(format!("{dataset} has no field {field}"))),
    }
}

/// The field that places a dataset's rows in time.
///
/// # Errors
/// A refusal when it has none.
pub(super) fn time_field(catalogue: &Catalogue, dataset: &str) -> Result<TimeField, Halt> {
    let found = catalogue.datasets.get(dataset).and_then(|d| {
        let field = d.time.as_ref()?;
        Some(TimeField { field: field.clone(), datatype: d.fields.get(field)?.datatype })
    });
    found.ok_or_else(|| {
        Halt::Refuse(vec![Problem::new(
            ReasonCode::Unsupported,
            format!("nothing in {dataset} says when its rows happened"),
            "ask without a period, or name its time field in the catalogue (`time:`)",
        )])
    })
}

/// The negation of a test, for a population that is left out.
#[must_use]
pub(crate) fn flipped(presence: Presence, polarity: Polarity) -> Presence {
    match (presence, polarity) {
        (presence, Polarity::Is) => presence,
        (Presence::Exists, Polarity::IsNot) => Presence::Absent,
        (Presence::Absent, Polarity::IsNot) => Presence::Exists,
    }
}

fn internal(message: String) -> Halt {
    Halt::Refuse(vec![Problem::new(
        ReasonCode::Unsupported,
        message,
        "ask with names of the catalogue (`tieout catalogue show`)",
    )])
}
