//! Owns what statements about tables make: columns, keys and foreign keys, where CREATE TABLE states them and where ALTER
//! TABLE and CREATE UNIQUE INDEX add them.
//!
//! Deliberately absent: the values that a column may have (`values`).

use sqlparser::ast::{
    AlterColumnOperation, AlterTable, AlterTableOperation, ColumnDef, ColumnOption, CreateIndex, CreateTable,
    Expr, ForeignKeyConstraint, Ident, IndexColumn, ObjectName, ObjectNamePart, TableConstraint,
};

use super::DdlError;
use super::settle::place;
use super::values::Values;
use crate::dialect::Dialect;
use crate::schema::{Column, Relationship, Schema, Table};
use crate::split::Part;
use crate::types;

/// A schema while it is read.
pub(super) struct Making<'d> {
    pub dialect: &'d Dialect,
    pub schema: Schema,
    pub values: Values,
}

impl<'d> Making<'d> {
    pub(super) fn new(dialect: &'d Dialect) -> Making<'d> {
        Making { dialect, schema: Schema::default(), values: Values::default() }
    }

    /// What CREATE TABLE makes.
    pub(super) fn table(&mut self, create: &CreateTable, part: &Part) -> Result<(), DdlError> {
        let idents = create.name.0.iter().filter_map(ObjectNamePart::as_ident);
        let path: Vec<String> = idents.map(|ident| self.dialect.created(ident)).collect();
        let Some(name) = path.last().cloned() else { return Ok(()) };
        if place(self.schema.tables.keys(), &name, self.dialect).is_some() {
            if create.if_not_exists {
                return Ok(());
            }
            return Err(DdlError {
                line: part.line,
                column: part.column,
                message: format!("a second table is called `{name}`"),
                hint: "keep one of them in the file; tables are told apart by their names".to_owned(),
            });
        }
        let mut table = Table::plain(&name, Vec::new());
        table.relation = path;
        self.schema.tables.insert(name.clone(), table);
        for definition in &create.columns {
            self.column(&name, definition);
        }
        for constraint in &create.constraints {
            self.constrain(&name, constraint);
        }
        Ok(())
    }

    fn constrain(&mut self, name: &str, constraint: &TableConstraint) {
        let dialect = self.dialect;
        if let TableConstraint::Check(check) = constraint {
            self.values.checked(name, None, check, dialect);
        }
        let Some(table) = self.schema.tables.get_mut(name) else { return };
        match constraint {
            TableConstraint::PrimaryKey(key) => {
                table.primary_key = columns(&key.columns, dialect).unwrap_or_default();
            }
            TableConstraint::Unique(key) => table.unique_keys.extend(columns(&key.columns, dialect)),
            TableConstraint::ForeignKey(key) => self.foreign_key(name, &key.columns, key),
            TableConstraint::Check(_)
            | TableConstraint::Index(_)
            | TableConstraint::FulltextOrSpatial(_)
            | TableConstraint::PrimaryKeyUsingIndex(_)
            | TableConstraint::UniqueUsingIndex(_)
            | TableConstraint::Exclude(_) => {}
        }
    }

    fn column(&mut self, of: &str, definition: &ColumnDef) {
        let ColumnDef { name, data_type, options } = definition;
        let called = self.dialect.created(name);
        let mut column = Column::plain(&called, types::of(data_type));
        self.values.typed(of, &called, data_type, self.dialect);
        for option in options {
            if let ColumnOption::ForeignKey(key) = &option.option {
                self.foreign_key(of, std::slice::from_ref(name), key);
            }
            if let ColumnOption::Check(check) = &option.option {
                self.values.checked(of, Some(&called), check, self.dialect);
            }
            let Some(table) = self.schema.tables.get_mut(of) else { continue };
            match &option.option {
                ColumnOption::NotNull => column.nullable = false,
                ColumnOption::PrimaryKey(_) => table.primary_key = vec![called.clone()],
                ColumnOption::Unique(_) => table.unique_keys.push(vec![called.clone()]),
                _ => {}
            }
        }
        if let Some(table) = self.schema.tables.get_mut(of) {
            table.columns.insert(called, column);
        }
    }

    /// What ALTER TABLE adds. Of a table that the text does not make, nothing is known.
    pub(super) fn altered(&mut self, alter: &AlterTable) {
        let Some(of) = self.named(&alter.name).map(|table| table.name.clone()) else { return };
        for operation in &alter.operations {
            match operation {
                AlterTableOperation::AddConstraint { constraint, not_valid } => {
                    // Rows from before a check that is not valid yet need not meet it.
                    let held = !(*not_valid && matches!(constraint, TableConstraint::Check(_)));
                    if held {
                        self.constrain(&of, constraint);
                    }
                }
                AlterTableOperation::AddColumn { column_def, .. } => self.column(&of, column_def),
                AlterTableOperation::AlterColumn { column_name, op: AlterColumnOperation::SetNotNull } => {
                    let name = self.dialect.created(column_name);
                    let Some(table) = self.schema.tables.get_mut(&of) else { return };
                    if let Some(at) = place(table.columns.keys(), &name, self.dialect)
                        && let Some((_, column)) = table.columns.get_index_mut(at)
                    {
                        column.nullable = false;
                    }
                }
                AlterTableOperation::DropConstraint { name, .. } => {
                    self.values.dropped(&of, &self.dialect.created(name));
                }
                _ => {}
            }
        }
    }

    /// A unique index over columns is a key; one over expressions, or over some of the rows, is none.
    pub(super) fn indexed(&mut self, index: &CreateIndex) {
        let dialect = self.dialect;
        let Some(table) = self.named(&index.table_name) else { return };
        if index.unique && index.predicate.is_none() {
            table.unique_keys.extend(columns(&index.columns, dialect));
        }
    }

    fn named(&mut self, name: &ObjectName) -> Option<&mut Table> {
        let last = name.0.last().and_then(ObjectNamePart::as_ident)?;
        let at = place(self.schema.tables.keys(), &self.dialect.created(last), self.dialect)?;
        self.schema.tables.get_index_mut(at).map(|(_, table)| table)
    }

    fn foreign_key(&mut self, from: &str, columns: &[Ident], key: &ForeignKeyConstraint) {
        let ObjectName(path) = &key.foreign_table;
        let Some(to) = path.last().and_then(ObjectNamePart::as_ident) else { return };
        let dialect = self.dialect;
        let names = |idents: &[Ident]| idents.iter().map(|ident| dialect.created(ident)).collect::<Vec<_>>();
        let from_columns = names(columns);
        self.schema.relationships.push(Relationship {
            name: format!("{from}_{}", from_columns.join("_")),
            from: from.to_owned(),
            to: dialect.created(to),
            from_columns,
            to_columns: names(&key.referred_columns),
            required: false,
        });
    }
}

/// The columns of a key; `None` when part of it is an expression, which makes it no key of columns.
fn columns(columns: &[IndexColumn], dialect: &Dialect) -> Option<Vec<String>> {
    columns
        .iter()
        .map(|column| match &column.column.expr {
            Expr::Identifier(ident) => Some(dialect.created(ident)),
            _ => None,
        })
        .collect()
}
