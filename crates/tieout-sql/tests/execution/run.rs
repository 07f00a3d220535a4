//! Runs a statement by nested loops. Knows nothing of keys.

use std::collections::{BTreeMap, BTreeSet};

use crate::drafts::{Around, Draft, Form, JoinStep, Kind, Related};
use crate::shapes::Row;

/// The rows of a source.
fn rows(form: &Form, table: &[Row]) -> Vec<Row> {
    match form {
        Form::Plain => table.to_vec(),
        Form::Filtered(column, value) => {
            table.iter().filter(|row| row[*column] == Some(*value)).cloned().collect()
        }
        Form::Grouped(by) => {
            let mut totals: BTreeMap<Option<i64>, i64> = BTreeMap::new();
            table.iter().for_each(|row| *totals.entry(row[by]).or_default() += row["v"].unwrap());
            let row = |(key, total)| Row::from([(by.clone(), key), ("v".to_owned(), Some(total))]);
            totals.into_iter().map(row).collect()
        }
    }
}

type Joined = Vec<Vec<Option<usize>>>;

fn join(joined: Joined, step: &JoinStep, sources: &[Vec<Row>], own: usize) -> Joined {
    let (column, other, other_column) = &step.on;
    let (mut next, mut met) = (Vec::new(), BTreeSet::new());
    for left in joined {
        let key = left[*other].and_then(|row| sources[*other][row][other_column]);
        let matches = sources[own].iter().enumerate().filter(|(_, row)| {
            key.is_some()
                && row[column] == key
                && step.fixed.is_none_or(|(column, value)| row[column] == Some(value))
        });
        let found: Vec<usize> = matches.map(|(row, _)| row).collect();
        met.extend(found.iter().copied());
        if found.is_empty() && matches!(step.kind, Kind::Left | Kind::Full) {
            next.push(left.iter().copied().chain([None]).collect());
        }
        next.extend(found.into_iter().map(|row| left.iter().copied().chain([Some(row)]).collect::<Vec<_>>()));
    }
    if matches!(step.kind, Kind::Right | Kind::Full) {
        let alone = (0..sources[own].len()).filter(|row| !met.contains(row));
        next.extend(alone.map(|row| (0..own).map(|_| None).chain([Some(row)]).collect::<Vec<_>>()));
    }
    next
}

/// Whether the sum differs from the one in which each row counts once, in some group; nothing when nothing is summed.
pub fn differs(draft: &Draft, tables: &[Vec<Row>]) -> Option<bool> {
    let sources: Vec<Vec<Row>> =
        draft.sources.iter().map(|(table, form)| rows(form, &tables[*table])).collect();
    let mut joined: Joined = (0..sources[0].len()).map(|row| vec![Some(row)]).collect();
    for (position, step) in draft.steps.iter().enumerate() {
        joined = join(joined, step, &sources, position + 1);
    }
    let value = |row: &[Option<usize>], source: usize, column: &str| {
        row[source].and_then(|index| sources[source][index][column])
    };
    if let Some((source, column, fixed)) = draft.filter {
        joined.retain(|row| value(row, source, column) == Some(fixed));
    }
    if let Some(Related { source, child, column, negated, member: _ }) = &draft.related {
        joined.retain(|row| {
            let id = value(row, *source, "id");
            let there = id.is_some() && tables[*child].iter().any(|other| other[column] == id);
            there != *negated
        });
    }
    let mut groups: BTreeMap<Vec<Option<i64>>, (i64, BTreeSet<usize>, i64)> = BTreeMap::new();
    let mut distinct = BTreeSet::new();
    for row in &joined {
        let key: Vec<Option<i64>> =
            draft.groups.iter().map(|(source, column)| value(row, *source, column)).collect();
        let summed = row[draft.summed];
        if draft.around == Around::Distinct && !distinct.insert((key.clone(), summed)) {
            continue;
        }
        let (total, seen, once) = groups.entry(key).or_default();
        let Some(index) = summed else { continue };
        let amount = sources[draft.summed][index]["v"].unwrap();
        *total += amount;
        if seen.insert(index) {
            *once += amount;
        }
    }
    let summed = groups.values().any(|(_, seen, _)| !seen.is_empty());
    summed.then(|| groups.values().any(|(total, _, once)| total != once))
}
