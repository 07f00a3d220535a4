//! Owns reading a schema from bare DDL: tables, columns, keys and foreign keys of CREATE TABLE statements.
//!
//! Deliberately absent: tenants, access and filters, which no DDL states; statements other than CREATE TABLE,
//! which are passed over.

use sqlparser::ast::{
    ColumnDef, ColumnOption, CreateTable, Expr, ForeignKeyConstraint, Ident, IndexColumn, ObjectName,
    ObjectNamePart, Statement, TableConstraint,
};
use sqlparser::parser::Parser;

use crate::dialect::Dialect;
use crate::schema::{Column, Relationship, Schema, Table};
use crate::types;

/// A statement that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the table definition at byte {offset} does not parse: {message}")]
pub struct DdlError {
    /// Byte offset of its CREATE.
    pub offset: usize,
    /// What the parser says.
    pub message: String,
}

/// Reads every CREATE TABLE of a text.
///
/// # Errors
/// On the first one that does not parse.
pub fn schema(text: &str, dialect: &Dialect) -> Result<Schema, DdlError> {
    let mut schema = Schema::default();
    let starts = starts(text);
    for (position, start) in starts.iter().enumerate() {
        let end = starts.get(position.saturating_add(1)).copied().unwrap_or(text.len());
        let slice = text.get(*start..end).unwrap_or_default();
        let statement = Parser::new(dialect.syntax)
            .try_with_sql(slice)
            .and_then(|mut parser| parser.parse_statement())
            .map_err(|error| DdlError { offset: *start, message: error.to_string() })?;
        if let Statement::CreateTable(create) = statement {
            add(&mut schema, &create);
        }
    }
    settle(&mut schema);
    Ok(schema)
}

/// Where each CREATE TABLE begins.
fn starts(text: &str) -> Vec<usize> {
    let lower = text.to_ascii_lowercase();
    lower.match_indices("create table").map(|(offset, _)| offset).collect()
}

fn add(schema: &mut Schema, create: &CreateTable) {
    let path: Vec<String> =
        create.name.0.iter().filter_map(ObjectNamePart::as_ident).map(|ident| ident.value.clone()).collect();
    let Some(name) = path.last().cloned() else { return };
    let mut table = Table::plain(&name, Vec::new());
    table.relation = path;
    for definition in &create.columns {
        add_column(schema, &mut table, definition);
    }
    for constraint in &create.constraints {
        match constraint {
            TableConstraint::PrimaryKey(key) => table.primary_key = columns(&key.columns),
            TableConstraint::Unique(key) => table.unique_keys.push(columns(&key.columns)),
            TableConstraint::ForeignKey(key) => foreign_key(schema, &name, &key.columns, key),
            TableConstraint::Check(_)
            | TableConstraint::Index(_)
            | TableConstraint::FulltextOrSpatial(_)
            | TableConstraint::PrimaryKeyUsingIndex(_)
            | TableConstraint::UniqueUsingIndex(_)
            | TableConstraint::Exclude(_) => {}
        }
    }
    schema.tables.insert(name, table);
}

fn add_column(schema: &mut Schema, table: &mut Table, definition: &ColumnDef) {
    let ColumnDef { name, data_type, options } = definition;
    let mut column = Column::plain(&name.value, types::of(data_type));
    for option in options {
        match &option.option {
            ColumnOption::NotNull => column.nullable = false,
            ColumnOption::PrimaryKey(_) => table.primary_key = vec![name.value.clone()],
            ColumnOption::Unique(_) => table.unique_keys.push(vec![name.value.clone()]),
            ColumnOption::ForeignKey(key) => {
                foreign_key(schema, &table.name, std::slice::from_ref(name), key);
            }
            _ => {}
        }
    }
    table.columns.insert(name.value.clone(), column);
}

fn columns(columns: &[IndexColumn]) -> Vec<String> {
    columns
        .iter()
        .filter_map(|column| match &column.column.expr {
            Expr::Identifier(ident) => Some(ident.value.clone()),
            _ => None,
        })
        .collect()
}

fn foreign_key(schema: &mut Schema, from: &str, columns: &[Ident], key: &ForeignKeyConstraint) {
    let ObjectName(path) = &key.foreign_table;
    let Some(to) = path.last().and_then(ObjectNamePart::as_ident) else { return };
    let names = |idents: &[Ident]| idents.iter().map(|ident| ident.value.clone()).collect::<Vec<_>>();
    let from_columns = names(columns);
    schema.relationships.push(Relationship {
        name: format!("{from}_{}", from_columns.join("_")),
        from: from.to_owned(),
        to: to.value.clone(),
        from_columns,
        to_columns: names(&key.referred_columns),
        required: false,
    });
}

/// Once every table is known: key columns are identifiers and not NULL, a foreign key without columns means the
/// primary key, and names are spelled as their tables spell them.
fn settle(schema: &mut Schema) {
    let Schema { tables, relationships } = schema;
    for table in tables.values_mut() {
        let key = table.primary_key.clone();
        for (name, column) in &mut table.columns {
            if key.iter().any(|known| known.eq_ignore_ascii_case(name)) {
                column.nullable = false;
                column.identifier |= key.len() == 1;
            }
        }
    }
    for relationship in relationships.iter_mut() {
        let Some(to) = tables.values().find(|table| table.name.eq_ignore_ascii_case(&relationship.to)) else {
            continue;
        };
        relationship.to.clone_from(&to.name);
        if relationship.to_columns.is_empty() {
            relationship.to_columns.clone_from(&to.primary_key);
        }
        spell(&mut relationship.to_columns, to);
        let Some(from) = tables.get_mut(&relationship.from) else { continue };
        spell(&mut relationship.from_columns, from);
        for name in &relationship.from_columns {
            if let Some(column) = from.columns.get_mut(name) {
                column.identifier = true;
            }
        }
    }
    relationships.retain(|known| tables.contains_key(&known.from) && !known.to_columns.is_empty());
}

fn spell(names: &mut [String], table: &Table) {
    for name in names {
        if let Some(known) = table.columns.keys().find(|known| known.eq_ignore_ascii_case(name)) {
            name.clone_from(known);
        }
    }
}
