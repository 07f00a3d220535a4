//! Whether declared keys are keys in the data: a join along a key that repeats would repeat rows in silence.

use std::collections::BTreeSet;

use tieout_sql::{
    Select,
    build::{SelectBuilder, and, col, count_star, gt, int, is_not_null},
};

use crate::{
    catalogue::{Catalogue, Direction, JoinPath},
    plan::{FiguresPlan, GroupBy, Plan, RowTest, RowsPlan},
};

/// A key that an answer relies on: a dataset and the fields that should name one of its rows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReliedKey {
    /// The dataset.
    pub dataset: String,
    /// The fields.
    pub fields: Vec<String>,
}

/// The keys that a plan's joins rely on: the one side of every relationship that is joined to, and the primary key
/// where rows are told apart by it.
#[must_use]
pub fn relied_keys(plan: &Plan, catalogue: &Catalogue) -> BTreeSet<ReliedKey> {
    let mut keys = BTreeSet::new();
    match plan {
        Plan::Figures(plan) => of_figures(plan, catalogue, &mut keys),
        Plan::Rows(plan) => of_rows(plan, catalogue, &mut keys),
    }
    keys
}

/// How many values of a key stand in more than one row.
#[must_use]
pub fn compile_integrity(key: &ReliedKey) -> Select {
    let field = |name: &String| col(&key.dataset, name);
    let mut repeated = SelectBuilder::new().from_table(&key.dataset, &key.dataset);
    for (i, name) in key.fields.iter().enumerate() {
        repeated = repeated.column(field(name), &format!("k{}", i + 1)).group_by(field(name));
    }
    let present = and(key.fields.iter().map(|name| is_not_null(field(name))).collect());
    repeated = present.into_iter().fold(repeated, SelectBuilder::filter);
    let repeated = repeated.having(gt(count_star(), int(1))).build();
    let query = SelectBuilder::new().from_query(repeated, "d").column(count_star(), "repeated").build();
    Select { query, binds: Vec::new() }
}

/// Fields that name things to a person and are grouped or filtered by, without being a key: where a name repeats, things
/// that share it stand together.
#[must_use]
pub fn relied_names(plan: &Plan, catalogue: &Catalogue) -> BTreeSet<ReliedKey> {
    let mut names = BTreeSet::new();
    let mut add = |dataset: &str, field: &str| {
        let Some(found) = catalogue.datasets.get(dataset) else { return };
        let key = vec![field.to_owned()];
        let unique = found.primary_key == key || found.unique_keys.contains(&key);
        if found.display.as_deref() == Some(field) && !unique {
            names.insert(ReliedKey { dataset: dataset.to_owned(), fields: key });
        }
    };
    if let Plan::Figures(plan) = plan {
        let grouped: Vec<(&String, &String)> = plan
            .groupings
            .iter()
            .filter_map(|g| match &g.by {
                GroupBy::Field { dataset, field, .. } => Some((dataset, field)),
                GroupBy::Time(_) => None,
            })
            .collect();
        for (dataset, field) in &grouped {
            let key = catalogue.datasets.get(*dataset).map_or(&[][..], |d| d.primary_key.as_slice());
            // With the key beside it, things that share a name stand apart.
            if key.is_empty() || !key.iter().all(|k| grouped.contains(&(*dataset, k))) {
                add(dataset, field);
            }
        }
        for test in plan.atoms.iter().flat_map(|a| a.tests.iter().chain(&a.part_tests)) {
            if let RowTest::Field { dataset, field, .. } = test {
                add(dataset, field);
            }
        }
    }
    if let Plan::Rows(plan) = plan {
        for test in &plan.tests {
            if let RowTest::Field { dataset, field, .. } = test {
                add(dataset, field);
            }
        }
    }
    names
}

fn of_figures(plan: &FiguresPlan, catalogue: &Catalogue, keys: &mut BTreeSet<ReliedKey>) {
    for grouping in &plan.groupings {
        // A name that is stated to be unique tells things apart by itself.
        if let GroupBy::Field { dataset, field, .. } = &grouping.by
            && let Some(found) = catalogue.datasets.get(dataset)
            && found.display.as_ref() == Some(field)
            && found.unique_keys.contains(&vec![field.clone()])
        {
            keys.insert(ReliedKey { dataset: dataset.clone(), fields: vec![field.clone()] });
        }
    }
    for atom in &plan.atoms {
        atom.ways.iter().flatten().for_each(|way| of_way(way, catalogue, keys));
        atom.tests.iter().chain(&atom.part_tests).for_each(|test| of_test(test, catalogue, keys));
        if !atom.partitions() {
            of_primary(&atom.dataset, catalogue, keys);
        }
    }
}

fn of_rows(plan: &RowsPlan, catalogue: &Catalogue, keys: &mut BTreeSet<ReliedKey>) {
    let order = plan.order.iter().map(|(c, _)| c);
    plan.columns.iter().chain(order).for_each(|c| of_way(&c.way, catalogue, keys));
    plan.tests.iter().for_each(|test| of_test(test, catalogue, keys));
}

/// Only tests that are joined rely on a key; semi-joins never repeat a row.
fn of_test(test: &RowTest, catalogue: &Catalogue, keys: &mut BTreeSet<ReliedKey>) {
    match test {
        RowTest::Field { way, .. } if way.to_one() => of_way(way, catalogue, keys),
        RowTest::Field { .. } | RowTest::Member { .. } | RowTest::Related { .. } | RowTest::Any(_) => {}
    }
}

fn of_way(way: &JoinPath, catalogue: &Catalogue, keys: &mut BTreeSet<ReliedKey>) {
    for hop in way.hops.iter().filter(|h| h.direction == Direction::ToOne) {
        if let Some(r) = catalogue.relationships.get(&hop.relationship) {
            keys.insert(ReliedKey { dataset: r.to.clone(), fields: r.to_columns.clone() });
        }
    }
}

fn of_primary(dataset: &str, catalogue: &Catalogue, keys: &mut BTreeSet<ReliedKey>) {
    if let Some(found) = catalogue.datasets.get(dataset) {
        keys.insert(ReliedKey { dataset: dataset.to_owned(), fields: found.primary_key.clone() });
    }
}
