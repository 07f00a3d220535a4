//! Whether a state and the date of the same name agree in the data.
//!
//! “Paid” may be a status, and it may be a day of payment that is there; where rows have the one without the other, an
//! answer by the status leaves some out, and says so. Deliberately absent: populations and metrics, whose conditions
//! people wrote and approved.

use std::collections::BTreeSet;

use tieout_sql::{
    Select, Value,
    build::{SelectBuilder, and, bind, col, count_star, eq, is_not_null, is_null, ne, or},
};

use crate::{
    catalogue::Catalogue,
    plan::{FieldTest, Plan, RowTest},
};

/// A value of a field, and a date of the same dataset that is called like it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReliedState {
    /// The dataset.
    pub dataset: String,
    /// The field that holds the state.
    pub field: String,
    /// The state.
    pub state: String,
    /// The field that says when it came about.
    pub date: String,
}

/// The states that a plan's rows are chosen by and that have a date of the same name.
#[must_use]
pub fn relied_states(plan: &Plan, catalogue: &Catalogue) -> BTreeSet<ReliedState> {
    let mut states = BTreeSet::new();
    let mut add = |tests: &[RowTest]| tests.iter().for_each(|test| of_test(test, catalogue, &mut states));
    match plan {
        Plan::Figures(plan) => plan.atoms.iter().for_each(|atom| {
            add(&atom.tests);
            add(&atom.part_tests);
        }),
        Plan::Rows(plan) => add(&plan.tests),
    }
    states
}

fn of_test(test: &RowTest, catalogue: &Catalogue, states: &mut BTreeSet<ReliedState>) {
    match test {
        RowTest::Field { dataset, field, test: FieldTest::OneOf(values, _), .. } => {
            let texts = values.iter().filter_map(|v| if let Value::Text(t) = v { Some(t) } else { None });
            for state in texts {
                let date =
                    catalogue.datasets.get(dataset).and_then(|d| d.date_called(state)).map(str::to_owned);
                states.extend(date.map(|date| ReliedState {
                    dataset: dataset.clone(),
                    field: field.clone(),
                    state: state.clone(),
                    date,
                }));
            }
        }
        RowTest::Related { tests, .. } | RowTest::Any(tests) => {
            tests.iter().for_each(|test| of_test(test, catalogue, states));
        }
        RowTest::Field { .. } | RowTest::Member { .. } => {}
    }
}

/// How many rows have the state without its date, or the date without the state.
#[must_use]
pub fn compile_agreement(relied: &ReliedState) -> Select {
    let alias = relied.dataset.as_str();
    let (state, date) = (col(alias, &relied.field), col(alias, &relied.date));
    let bare = and(vec![eq(state.clone(), bind(0)), is_null(date.clone())]);
    let other = or(vec![ne(state.clone(), bind(1)), is_null(state)]);
    let dated = and(other.into_iter().chain([is_not_null(date)]).collect());
    let apart = or(bare.into_iter().chain(dated).collect());
    let select = SelectBuilder::new().from_table(alias, alias).column(count_star(), "apart");
    let query = apart.into_iter().fold(select, SelectBuilder::filter).build();
    let text = || Value::Text(relied.state.clone());
    Select { query, binds: vec![text(), text()] }
}
