//! Owns reading a schema from bare DDL: tables, columns, keys and foreign keys, where CREATE TABLE states them and where
//! ALTER TABLE and CREATE UNIQUE INDEX add them afterwards, as dumps do.
//!
//! Deliberately absent: tenants, access and filters, which no DDL states; every other statement, which is passed over.

mod settle;
mod tables;
mod told;
mod values;
mod views;

use sqlparser::ast::Statement;
use sqlparser::parser::Parser;

use crate::dialect::Dialect;
use crate::schema::Schema;
use crate::size::split_parser_message;
use crate::split::{Part, statements, tables_apart};
use tables::Making;
use told::{Told, told};

/// A statement of a DDL that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}; {hint}")]
pub struct DdlError {
    /// The line of the text, from 1.
    pub line: u64,
    /// The column, in characters, from 1.
    pub column: u64,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: String,
}

/// Reads every table of a text, with its keys and foreign keys.
///
/// # Errors
/// On the first statement about tables or keys that does not parse, and on two tables of one name.
pub fn schema(text: &str, dialect: &Dialect) -> Result<Schema, DdlError> {
    let text = told::without_data(text);
    let mut making = Making::new(dialect);
    let mut views = Vec::new();
    for part in statements(&text, dialect).into_iter().flat_map(|part| tables_apart(part, dialect)) {
        match told(&part, dialect) {
            Told::Table => {
                if let Statement::CreateTable(create) = parsed(&part, dialect)? {
                    making.table(&create, &part)?;
                }
            }
            Told::Key => match parsed(&part, dialect)? {
                Statement::AlterTable(alter) => making.altered(&alter),
                Statement::CreateIndex(index) => making.indexed(&index),
                _ => {}
            },
            // Nothing hangs on these but warnings: one that does not parse is passed over.
            Told::Values => match parsed(&part, dialect) {
                Ok(Statement::AlterTable(alter)) => making.altered(&alter),
                Ok(statement) => making.values.labelled(&statement, dialect),
                Err(_) => {}
            },
            Told::View => views.extend(views::read(&part, dialect)),
            Told::Other => {}
        }
    }
    let Making { dialect: _, mut schema, values } = making;
    settle::settle(&mut schema, dialect);
    values.settle(&mut schema, dialect);
    views::settle(views, &mut schema, dialect);
    Ok(schema)
}

fn parsed(part: &Part, dialect: &Dialect) -> Result<Statement, DdlError> {
    let statement =
        Parser::new(dialect.syntax).try_with_sql(part.text).and_then(|mut parser| parser.parse_statement());
    statement.map_err(|error| {
        let (message, at) = split_parser_message(&error.to_string());
        let (line, column) = at.map_or((part.line, part.column), |at| part.place(at.line, at.column));
        DdlError {
            line,
            column,
            message: format!("the table definition does not parse: {message}"),
            hint: format!("write it as {} does, or name another dialect", dialect.name),
        }
    })
}
