//! Owns what can be said of a schema once every table of a DDL is known.
//!
//! Deliberately absent: reading statements.

use indexmap::IndexMap;

use crate::dialect::Dialect;
use crate::schema::{Relationship, Schema, Table};

/// Once every table is known: key columns are identifiers and not NULL, a foreign key without columns means the
/// primary key, and names are spelled as their tables spell them.
pub(super) fn settle(schema: &mut Schema, dialect: &Dialect) {
    let Schema { tables, relationships, views: _, labels: _ } = schema;
    for table in tables.values_mut() {
        settle_keys(table, dialect);
    }
    for relationship in relationships.iter_mut() {
        settle_link(relationship, tables, dialect);
    }
    // A foreign key to a table that is not in the text still says that two columns hold values of the same key.
    relationships.retain(|link| tables.contains_key(&link.from) && !link.to_columns.is_empty());
}

fn settle_keys(table: &mut Table, dialect: &Dialect) {
    let mut primary = std::mem::take(&mut table.primary_key);
    spell(&mut primary, table, dialect);
    let mut unique = std::mem::take(&mut table.unique_keys);
    unique.iter_mut().for_each(|key| spell(key, table, dialect));
    for (name, column) in &mut table.columns {
        if primary.contains(name) {
            column.nullable = false;
            column.identifier |= primary.len() == 1;
        }
    }
    table.primary_key = primary;
    table.unique_keys = unique;
}

fn settle_link(link: &mut Relationship, tables: &mut IndexMap<String, Table>, dialect: &Dialect) {
    let Some(to) = place(tables.keys(), &link.to, dialect).and_then(|at| tables.get_index(at)) else {
        return;
    };
    let (_, to) = to;
    link.to.clone_from(&to.name);
    if link.to_columns.is_empty() {
        link.to_columns.clone_from(&to.primary_key);
    }
    spell(&mut link.to_columns, to, dialect);
    let Some(from) = tables.get_mut(&link.from) else { return };
    spell(&mut link.from_columns, from, dialect);
    for name in &link.from_columns {
        if let Some(column) = from.columns.get_mut(name) {
            column.identifier = true;
        }
    }
}

fn spell(names: &mut [String], table: &Table, dialect: &Dialect) {
    for name in names {
        let known = place(table.columns.keys(), name, dialect).and_then(|at| table.columns.get_index(at));
        if let Some((known, _)) = known {
            name.clone_from(known);
        }
    }
}

/// The place of a name among others, as the dialect compares them.
pub(super) fn place<'n>(
    mut known: impl Iterator<Item = &'n String>,
    name: &str,
    dialect: &Dialect,
) -> Option<usize> {
    let key = dialect.key(name);
    known.position(|known| dialect.is_key(&key, known))
}
