//! Random schemas with keys and relationships, and rows that keep to them.

use std::collections::{BTreeMap, BTreeSet};

use tieout_sql::{Column, Relationship, Schema, SqlType, Table};

/// A small generator of luck with a seed (splitmix64).
pub struct Luck(pub u64);

impl Luck {
    pub fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % below as u64) as usize
    }

    pub fn chance(&mut self, of: usize) -> bool {
        self.next(of) == 0
    }
}

/// Table `t<i>`: `id`, `v`, `g`, and `f<k>` for each parent; keyed by `id`, or by `f0` and `n`.
pub struct Shape {
    pub parents: Vec<Vec<usize>>,
    pub composite: Vec<bool>,
}

pub type Row = BTreeMap<String, Option<i64>>;

pub fn shape(luck: &mut Luck) -> Shape {
    let tables = 2 + luck.next(3);
    let parents: Vec<Vec<usize>> =
        (0..tables).map(|table| (0..luck.next(3).min(table)).map(|_| luck.next(table)).collect()).collect();
    let composite =
        parents.iter().map(|parents: &Vec<usize>| !parents.is_empty() && luck.chance(3)).collect();
    Shape { parents, composite }
}

pub fn schema(shape: &Shape) -> Schema {
    let mut schema = Schema::default();
    for (index, parents) in shape.parents.iter().enumerate() {
        let mut columns: Vec<Column> =
            ["id", "v", "n"].iter().map(|name| Column::plain(name, SqlType::Integer)).collect();
        columns.push(Column { values: Some(Vec::new()), ..Column::plain("g", SqlType::Integer) });
        columns.extend((0..parents.len()).map(|k| Column::plain(&format!("f{k}"), SqlType::Integer)));
        let mut table = Table::plain(&format!("t{index}"), columns);
        table.primary_key = vec!["id".into()];
        if shape.composite[index] {
            table.unique_keys = vec![vec!["f0".into(), "n".into()]];
        }
        schema.tables.insert(table.name.clone(), table);
        for (k, parent) in parents.iter().enumerate() {
            schema.relationships.push(Relationship {
                name: format!("t{index}_{k}"),
                from: format!("t{index}"),
                to: format!("t{parent}"),
                from_columns: vec![format!("f{k}")],
                to_columns: vec!["id".into()],
                required: false,
            });
        }
    }
    schema
}

pub fn data(shape: &Shape, luck: &mut Luck) -> Vec<Vec<Row>> {
    let mut tables: Vec<Vec<Row>> = Vec::new();
    for (index, parents) in shape.parents.iter().enumerate() {
        let mut rows: Vec<Row> = Vec::new();
        let mut keys = BTreeSet::new();
        for id in 0..1 + luck.next(6) {
            let mut row = Row::new();
            row.insert("id".into(), Some(id as i64));
            row.insert("v".into(), Some(1 << (id * 3)));
            row.insert("n".into(), Some(luck.next(3) as i64));
            row.insert("g".into(), Some(luck.next(2) as i64));
            for (k, parent) in parents.iter().enumerate() {
                let value = (!luck.chance(6)).then(|| luck.next(tables[*parent].len()) as i64);
                row.insert(format!("f{k}"), value);
            }
            if shape.composite[index] && row["f0"].is_some() && !keys.insert((row["f0"], row["n"])) {
                continue;
            }
            rows.push(row);
        }
        tables.push(rows);
    }
    tables
}
