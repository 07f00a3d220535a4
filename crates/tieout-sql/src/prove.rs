//! Owns the proof that a finished statement is bound: it is resolved again, against the physical schema, and every
//! base table that has a tenant must be held equal to the tenant's own placeholder where it is read.
//!
//! Deliberately absent: trust in the code that did the binding.

use sqlparser::ast::Query;

use crate::check::{Context, TenantProof};
use crate::facts::TableUse;
use crate::resolve::{Level, Record, resolve};
use crate::schema::{Access, Column, ColumnSource, Schema, SqlType, Table};

/// Proves the finished tree bound.
///
/// # Errors
/// When it does not resolve as expected, or a base table is not bound; in words.
pub(crate) fn prove(
    query: &Query,
    expected: &[TableUse],
    bind: usize,
    cx: &Context,
) -> Result<Vec<TenantProof>, String> {
    let physical = physical(expected, cx.schema);
    let resolved = resolve(query, &physical, cx.dialect, Level::Physical, Record::Nothing).facts;
    let mut found: Vec<String> = resolved.tables.iter().map(|used| used.table.clone()).collect();
    let mut wanted: Vec<String> = expected.iter().map(|used| relation_name(&used.table, cx.schema)).collect();
    found.sort_unstable();
    wanted.sort_unstable();
    if found != wanted {
        return Err("a named query stands in the place of a table once it is scoped".to_owned());
    }
    if let Some(problem) = resolved.names.first() {
        return Err(format!("`{}` does not resolve in the finished statement", problem.name));
    }
    if let Some(found) = resolved.unsupported.first() {
        return Err(format!("the finished statement holds {}", found.what));
    }
    let mut proof = Vec::new();
    let mut left: Vec<&TableUse> = expected.iter().collect();
    for used in &resolved.tables {
        let Some(column) = &used.tenant else { continue };
        if !used.bound.iter().any(|(name, index)| name == column && *index == bind) {
            return Err(format!("a reference to `{}` is not bound to the tenant", used.table));
        }
        let table = logical(used, &mut left, cx.schema);
        proof.push(TenantProof { table, column: column.clone(), bind });
    }
    Ok(proof)
}

/// The logical table behind a reference to a relation: the first of those that are left which is rows of it, since both
/// lists are in the order in which references are resolved. Where several logical tables are rows of one relation and a
/// query was resolved in another order, the names may change places; that each is bound does not depend on it.
fn logical(used: &TableUse, left: &mut Vec<&TableUse>, schema: &Schema) -> String {
    let found = left.iter().position(|known| relation_name(&known.table, schema) == used.table);
    found.map_or_else(|| used.table.clone(), |position| left.remove(position).table.clone())
}

/// What a physical table is called in the proof. Several logical tables may be rows of one relation, so it is the
/// relation's own path.
fn relation_name(table: &str, schema: &Schema) -> String {
    schema.tables.get(table).map_or_else(|| table.to_owned(), |t| t.relation.join("."))
}

/// The physical side of the tables that are used: one for each relation, with the columns of every logical table over
/// it. Where any of these has a tenant the relation has it, so that the others are not a way around.
fn physical(expected: &[TableUse], schema: &Schema) -> Schema {
    let mut physical = Schema { labels: schema.labels.clone(), ..Schema::default() };
    for used in expected {
        let Some(table) = schema.tables.get(&used.table) else { continue };
        let name = relation_name(&used.table, schema);
        let more = physical_table(&name, table);
        match physical.tables.get_mut(&name) {
            None => {
                physical.tables.insert(name, more);
            }
            Some(known) => {
                for (column, found) in more.columns {
                    known.columns.entry(column).or_insert(found);
                }
                known.tenant = known.tenant.take().or(more.tenant);
            }
        }
    }
    physical
}

fn physical_table(name: &str, table: &Table) -> Table {
    let mut columns: Vec<Column> = Vec::new();
    let names = table.columns.values().filter_map(|column| match &column.source {
        ColumnSource::Physical(name) => Some((name, column.ty)),
        ColumnSource::Computed(_) => None,
    });
    for (name, ty) in names {
        if columns.iter().all(|known| known.name != *name) {
            columns.push(Column { access: Access::Open, ..Column::plain(name, ty) });
        }
    }
    if let Some(tenant) = &table.tenant
        && columns.iter().all(|known| known.name != *tenant)
    {
        columns.push(Column::plain(tenant, SqlType::Unknown));
    }
    let mut physical = Table::plain(name, columns);
    physical.relation.clone_from(&table.relation);
    physical.tenant.clone_from(&table.tenant);
    physical
}
