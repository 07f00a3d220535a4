//! Owns reading a schema from bare DDL: tables, columns, keys and foreign keys, where CREATE TABLE states them and where
//! ALTER TABLE and CREATE UNIQUE INDEX add them afterwards, as dumps do.
//!
//! Deliberately absent: tenants, access and filters, which no DDL states; views, whose columns it does not list; every
//! other statement, which is passed over.

use sqlparser::ast::{
    AlterColumnOperation, AlterTable, AlterTableOperation, ColumnDef, ColumnOption, CreateIndex, CreateTable,
    Expr, ForeignKeyConstraint, Ident, IndexColumn, ObjectName, ObjectNamePart, Statement, TableConstraint,
};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, Tokenizer};

use crate::dialect::Dialect;
use crate::schema::{Column, Relationship, Schema, Table};
use crate::size::split_parser_message;
use crate::split::{Part, statements, tables_apart};
use crate::types;

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
    let text = without_data(text);
    let mut schema = Schema::default();
    for part in statements(&text, dialect).into_iter().flat_map(|part| tables_apart(part, dialect)) {
        match told(&part, dialect) {
            Told::Table => {
                if let Statement::CreateTable(create) = parsed(&part, dialect)? {
                    add(&mut schema, &create, &part)?;
                }
            }
            Told::Key => match parsed(&part, dialect)? {
                Statement::AlterTable(alter) => altered(&mut schema, &alter),
                Statement::CreateIndex(index) => indexed(&mut schema, &index),
                _ => {}
            },
            Told::Other => {}
        }
    }
    settle(&mut schema);
    Ok(schema)
}

/// Rows that a dump carries beside its tables, and commands to the program that reads it, as empty lines.
fn without_data(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut in_rows = false;
    for line in text.split_inclusive('\n') {
        let word = line.trim_end();
        let lower = word.to_ascii_lowercase();
        let command = word.starts_with('\\');
        if !in_rows && lower.starts_with("copy ") && lower.ends_with("from stdin;") {
            in_rows = true;
            kept.push('\n');
        } else if in_rows || command {
            in_rows = in_rows && word != "\\.";
            kept.push('\n');
        } else {
            kept.push_str(line);
        }
    }
    kept
}

/// What a statement tells of a schema.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    /// A table.
    Table,
    /// A key, a foreign key or a column of a table told before.
    Key,
    /// Nothing.
    Other,
}

/// What a statement tells, by its words.
fn told(part: &Part, dialect: &Dialect) -> Told {
    let Ok(tokens) = Tokenizer::new(dialect.syntax, part.text).tokenize() else {
        return told_at_start(part.text);
    };
    let words: Vec<String> = tokens
        .iter()
        .filter_map(|token| match token {
            Token::Word(word) if word.quote_style.is_none() => Some(word.value.to_ascii_uppercase()),
            _ => None,
        })
        .collect();
    let has = |wanted: &str| words.iter().any(|word| word == wanted);
    match words.first().map(String::as_str) {
        Some("CREATE") => told_at_start(&words.join(" ")),
        Some("ALTER") if words.get(1).is_some_and(|word| word == "TABLE") => {
            let tells = ["PRIMARY", "UNIQUE", "FOREIGN", "COLUMN", "REFERENCES", "NULL"].into_iter().any(has);
            if tells { Told::Key } else { Told::Other }
        }
        _ => Told::Other,
    }
}

/// What a CREATE makes: the first of its words that names a kind of thing.
fn told_at_start(text: &str) -> Told {
    let mut unique = false;
    let mut words = text.split_ascii_whitespace().map(str::to_ascii_uppercase);
    if words.next().as_deref() != Some("CREATE") {
        return Told::Other;
    }
    for word in words {
        match word.as_str() {
            "TABLE" => return Told::Table,
            "UNIQUE" => unique = true,
            "INDEX" => return if unique { Told::Key } else { Told::Other },
            "OR" | "REPLACE" | "TEMP" | "TEMPORARY" | "UNLOGGED" | "GLOBAL" | "LOCAL" | "EXTERNAL" => {}
            _ => return Told::Other,
        }
    }
    Told::Other
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

fn add(schema: &mut Schema, create: &CreateTable, part: &Part) -> Result<(), DdlError> {
    let path: Vec<String> =
        create.name.0.iter().filter_map(ObjectNamePart::as_ident).map(|ident| ident.value.clone()).collect();
    let Some(name) = path.last().cloned() else { return Ok(()) };
    if schema.tables.contains_key(&name) {
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
    for definition in &create.columns {
        add_column(&mut schema.relationships, &mut table, definition);
    }
    for constraint in &create.constraints {
        constrain(&mut schema.relationships, &mut table, constraint);
    }
    schema.tables.insert(name, table);
    Ok(())
}

fn constrain(relationships: &mut Vec<Relationship>, table: &mut Table, constraint: &TableConstraint) {
    match constraint {
        TableConstraint::PrimaryKey(key) => table.primary_key = columns(&key.columns).unwrap_or_default(),
        TableConstraint::Unique(key) => table.unique_keys.extend(columns(&key.columns)),
        TableConstraint::ForeignKey(key) => foreign_key(relationships, &table.name, &key.columns, key),
        TableConstraint::Check(_)
        | TableConstraint::Index(_)
        | TableConstraint::FulltextOrSpatial(_)
        | TableConstraint::PrimaryKeyUsingIndex(_)
        | TableConstraint::UniqueUsingIndex(_)
        | TableConstraint::Exclude(_) => {}
    }
}

fn add_column(relationships: &mut Vec<Relationship>, table: &mut Table, definition: &ColumnDef) {
    let ColumnDef { name, data_type, options } = definition;
    let mut column = Column::plain(&name.value, types::of(data_type));
    for option in options {
        match &option.option {
            ColumnOption::NotNull => column.nullable = false,
            ColumnOption::PrimaryKey(_) => table.primary_key = vec![name.value.clone()],
            ColumnOption::Unique(_) => table.unique_keys.push(vec![name.value.clone()]),
            ColumnOption::ForeignKey(key) => {
                foreign_key(relationships, &table.name, std::slice::from_ref(name), key);
            }
            _ => {}
        }
    }
    table.columns.insert(name.value.clone(), column);
}

/// What ALTER TABLE adds. Of a table that the text does not make, nothing is known.
fn altered(schema: &mut Schema, alter: &AlterTable) {
    let Schema { tables, relationships } = schema;
    let Some(table) = named(tables, &alter.name) else { return };
    for operation in &alter.operations {
        match operation {
            AlterTableOperation::AddConstraint { constraint, not_valid: _ } => {
                constrain(relationships, table, constraint);
            }
            AlterTableOperation::AddColumn { column_def, .. } => {
                add_column(relationships, table, column_def);
            }
            AlterTableOperation::AlterColumn { column_name, op: AlterColumnOperation::SetNotNull } => {
                let name = spelled(table, &column_name.value);
                if let Some(column) = table.columns.get_mut(&name) {
                    column.nullable = false;
                }
            }
            _ => {}
        }
    }
}

/// A unique index over columns is a key; one over expressions, or over some of the rows, is none.
fn indexed(schema: &mut Schema, index: &CreateIndex) {
    let Some(table) = named(&mut schema.tables, &index.table_name) else { return };
    if index.unique && index.predicate.is_none() {
        table.unique_keys.extend(columns(&index.columns));
    }
}

fn named<'t>(tables: &'t mut indexmap::IndexMap<String, Table>, name: &ObjectName) -> Option<&'t mut Table> {
    let last = name.0.last().and_then(ObjectNamePart::as_ident)?;
    tables.values_mut().find(|table| table.name.eq_ignore_ascii_case(&last.value))
}

/// The columns of a key; `None` when part of it is an expression, which makes it no key of columns.
fn columns(columns: &[IndexColumn]) -> Option<Vec<String>> {
    columns
        .iter()
        .map(|column| match &column.column.expr {
            Expr::Identifier(ident) => Some(ident.value.clone()),
            _ => None,
        })
        .collect()
}

fn foreign_key(
    relationships: &mut Vec<Relationship>,
    from: &str,
    columns: &[Ident],
    key: &ForeignKeyConstraint,
) {
    let ObjectName(path) = &key.foreign_table;
    let Some(to) = path.last().and_then(ObjectNamePart::as_ident) else { return };
    let names = |idents: &[Ident]| idents.iter().map(|ident| ident.value.clone()).collect::<Vec<_>>();
    let from_columns = names(columns);
    relationships.push(Relationship {
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
        let primary = std::mem::take(&mut table.primary_key);
        table.primary_key = primary.iter().map(|name| spelled(table, name)).collect();
        let unique = std::mem::take(&mut table.unique_keys);
        table.unique_keys =
            unique.iter().map(|key| key.iter().map(|name| spelled(table, name)).collect()).collect();
        let key = table.primary_key.clone();
        for (name, column) in &mut table.columns {
            if key.contains(name) {
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
    // A foreign key to a table that is not in the text still says that two columns hold values of the same key.
    relationships.retain(|link| tables.contains_key(&link.from) && !link.to_columns.is_empty());
}

fn spell(names: &mut [String], table: &Table) {
    for name in names {
        *name = spelled(table, name);
    }
}

/// A column's name as its table spells it.
fn spelled(table: &Table, name: &str) -> String {
    let known = table.columns.keys().find(|known| known.eq_ignore_ascii_case(name));
    known.cloned().unwrap_or_else(|| name.to_owned())
}
