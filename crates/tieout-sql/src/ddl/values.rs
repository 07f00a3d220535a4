//! Owns the values that a column may have, where a DDL lists them: an ENUM, a named type of labels, a CHECK that holds the
//! column to a list.
//!
//! Deliberately absent: checks that say anything else, of which nothing is concluded; and checks that rows from before
//! need not meet.

use sqlparser::ast::{
    AlterType, AlterTypeOperation, BinaryOperator, CheckConstraint, DataType, EnumMember, Expr, InTarget,
    ObjectName, ObjectNamePart, Statement, UserDefinedTypeRepresentation, Value as Literal,
};

use super::settle::place;
use crate::dialect::Dialect;
use crate::resolve::split;
use crate::schema::{Schema, SqlType};

/// What a text says of the values of columns.
#[derive(Default)]
pub(super) struct Values {
    /// Types of labels, by name.
    types: Vec<(String, Vec<String>)>,
    /// Their paths.
    paths: Vec<Vec<String>>,
    /// Columns of a type that may be one of them.
    typed: Vec<(String, String, String)>,
    /// Columns that are held to a list.
    held: Vec<Held>,
}

/// A column that is held to a list.
struct Held {
    table: String,
    column: String,
    /// What the constraint is called, when a name is given or is what engines give.
    constraint: Option<String>,
    values: Vec<String>,
}

impl Values {
    /// A type of labels, or another label of one.
    pub(super) fn labelled(&mut self, statement: &Statement, dialect: &Dialect) {
        match statement {
            Statement::CreateType {
                name,
                representation: Some(UserDefinedTypeRepresentation::Enum { labels }),
            } => {
                let labels = labels.iter().map(|label| label.value.clone()).collect();
                let path = name.0.iter().filter_map(ObjectNamePart::as_ident);
                self.paths.push(path.map(|ident| dialect.created(ident)).collect());
                self.types.extend(called(name, dialect).map(|name| (name, labels)));
            }
            Statement::AlterType(AlterType { name, operation }) => {
                let Some(name) = called(name, dialect) else { return };
                let known = self.types.iter_mut().filter(|(known, _)| *known == name);
                known.for_each(|(_, labels)| match operation {
                    AlterTypeOperation::AddValue(added) => labels.push(added.value.value.clone()),
                    AlterTypeOperation::RenameValue(renamed) => {
                        labels.retain(|label| *label != renamed.from.value);
                        labels.push(renamed.to.value.clone());
                    }
                    AlterTypeOperation::Rename(_) => {}
                });
            }
            _ => {}
        }
    }

    /// A column's type may list its values.
    pub(super) fn typed(&mut self, table: &str, column: &str, ty: &DataType, dialect: &Dialect) {
        match ty {
            DataType::Enum(members, _) => {
                let name = |member: &EnumMember| match member {
                    EnumMember::Name(name) | EnumMember::NamedValue(name, _) => name.clone(),
                };
                self.hold(table, column, None, members.iter().map(name).collect());
            }
            DataType::Custom(name, _) => {
                let name = called(name, dialect);
                self.typed.extend(name.map(|name| (table.to_owned(), column.to_owned(), name)));
            }
            _ => {}
        }
    }

    /// A check of a table, or of one of its columns.
    pub(super) fn checked(
        &mut self,
        table: &str,
        column: Option<&str>,
        check: &CheckConstraint,
        dialect: &Dialect,
    ) {
        if check.enforced == Some(false) {
            return;
        }
        for condition in split(&check.expr, &BinaryOperator::And) {
            let Some((of, values)) = listed(condition, dialect) else { continue };
            let name = check.name.as_ref().map(|name| dialect.created(name));
            let name = name.or_else(|| column.map(|column| format!("{table}_{column}_check")));
            self.hold(table, &of, name, values);
        }
    }

    fn hold(&mut self, table: &str, column: &str, constraint: Option<String>, values: Vec<String>) {
        self.held.push(Held { table: table.to_owned(), column: column.to_owned(), constraint, values });
    }

    /// A constraint is taken away again.
    pub(super) fn dropped(&mut self, table: &str, constraint: &str) {
        self.held.retain(|held| held.table != table || held.constraint.as_deref() != Some(constraint));
    }

    /// Gives the columns their values, once every statement is read. A column held to two lists is held to both.
    pub(super) fn settle(self, schema: &mut Schema, dialect: &Dialect) {
        schema.labels.clone_from(&self.paths);
        let labels = |name: &String| self.types.iter().find(|(known, _)| known == name);
        let typed = self.typed.iter().filter_map(|(table, column, ty)| {
            labels(ty).map(|(_, labels)| (table.as_str(), column.as_str(), labels))
        });
        let held = self.held.iter().map(|held| (held.table.as_str(), held.column.as_str(), &held.values));
        for (table, name, values) in typed.chain(held) {
            let Some(table) = schema.tables.get_mut(table) else { continue };
            let at = place(table.columns.keys(), name, dialect);
            let Some((_, column)) = at.and_then(|at| table.columns.get_index_mut(at)) else { continue };
            if column.ty == SqlType::Unknown {
                column.ty = SqlType::Text;
            }
            if column.ty == SqlType::Text {
                column.values = Some(match column.values.take() {
                    Some(known) => known.into_iter().filter(|value| values.contains(value)).collect(),
                    None => values.clone(),
                });
            }
        }
    }
}

fn called(name: &ObjectName, dialect: &Dialect) -> Option<String> {
    let last = name.0.last().and_then(ObjectNamePart::as_ident)?;
    Some(dialect.key(&dialect.created(last)).into_owned())
}

/// The column and the texts that a condition holds it to: `c IN ('a', 'b')`, `c = 'a' OR c = 'b'`, and as PostgreSQL writes
/// it down, `c = ANY (ARRAY['a'::text, 'b'::text])`. A check lets NULL through, whether it says so or not.
fn listed(condition: &Expr, dialect: &Dialect) -> Option<(String, Vec<String>)> {
    let mut of: Option<String> = None;
    let mut found = Vec::new();
    for branch in split(condition, &BinaryOperator::Or) {
        let (column, values) = match bare(branch) {
            Expr::In { expr, target: InTarget::List(items), negated: false, global: false } => {
                (column(expr, dialect)?, items.iter().map(text).collect::<Option<Vec<_>>>()?)
            }
            Expr::BinaryOp { left, op: BinaryOperator::Eq, right } => {
                (column(left, dialect)?, vec![text(right)?])
            }
            Expr::AnyOp { left, compare_op: BinaryOperator::Eq, right, is_some: _ } => {
                let Expr::Array(array) = bare(right) else { return None };
                (column(left, dialect)?, array.elem.iter().map(text).collect::<Option<Vec<_>>>()?)
            }
            Expr::IsNull(subject) => (column(subject, dialect)?, Vec::new()),
            _ => return None,
        };
        match &of {
            Some(known) if *known != column => return None,
            _ => of = Some(column),
        }
        found.extend(values);
    }
    of.filter(|_| !found.is_empty()).map(|of| (of, found))
}

/// An expression without its brackets and casts.
fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => bare(inner),
        other => other,
    }
}

fn column(expr: &Expr, dialect: &Dialect) -> Option<String> {
    match bare(expr) {
        Expr::Identifier(ident) => Some(dialect.created(ident)),
        _ => None,
    }
}

fn text(expr: &Expr) -> Option<String> {
    match bare(expr) {
        Expr::Value(value) => match &value.value {
            Literal::SingleQuotedString(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}
