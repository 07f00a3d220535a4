//! Owns the scoped form of a table: the derived table that takes the place of every reference to it,
//! with the tenant bound, the dataset's own filter applied and hidden columns left out.
//!
//! Deliberately absent: deciding which references are tables and which are named queries (`resolve`),
//! and proving that the finished statement is bound (`prove`).

use sqlparser::ast::{
    Expr, Ident, ObjectName, ObjectNamePart, Query, Select, SelectItem, SetExpr, TableAlias, TableFactor,
};
use sqlparser::ast::{GroupByExpr, TableWithJoins};

use crate::build::{self, empty_select, plain_query, relation};
use crate::dialect::Dialect;
use crate::fragment::Fragment;
use crate::schema::{Access, Column, ColumnSource, Table};
use crate::spelling;

/// The alias of the physical relation inside its scoped form.
pub(crate) const INNER_ALIAS: &str = "t";

/// An identifier that the engine knows by a name of the schema: in the dialect's own quotes where it needs them.
pub(crate) fn schema_ident(name: &str, dialect: &Dialect) -> Ident {
    match dialect.unquoted(name) {
        true => Ident::new(name),
        false => spelling::quoted(dialect.quote, name),
    }
}

/// A physical identifier, always quoted and exact.
fn physical_ident(name: &str, dialect: &Dialect) -> Ident {
    spelling::quoted(dialect.quote, name)
}

/// `(SELECT … FROM relation AS t WHERE tenant = placeholder AND row filter) AS alias`, with those of the columns that can be
/// seen which are read.
pub(crate) fn scoped_form(
    table: &Table,
    alias: TableAlias,
    dialect: &Dialect,
    tenant: Option<Expr>,
    reads: &[bool],
) -> TableFactor {
    let visible = |column: &&Column| column.access != Access::Hidden;
    let mut projection: Vec<SelectItem> = table
        .columns
        .values()
        .filter(visible)
        .zip(reads)
        .filter(|(_, read)| **read)
        .map(|(column, _)| SelectItem::ExprWithAlias {
            expr: source_expr(table, column, dialect),
            alias: schema_ident(&column.name, dialect),
        })
        .collect();
    if projection.is_empty() {
        // Under a name that no statement writes, so that it is never taken for a column of a query around it.
        let alias = spelling::quoted(dialect.quote, "(nothing)");
        projection.push(SelectItem::ExprWithAlias { expr: build::int(1), alias });
    }
    let tenant =
        table.tenant.as_ref().zip(tenant).map(|(name, value)| build::eq(inner(name, dialect), value));
    let filter =
        table.row_filter.as_ref().map(|fragment| build::operand(physical_expr(table, fragment, dialect)));
    let select = Select {
        projection,
        from: vec![TableWithJoins { relation: physical_relation(table, dialect), joins: Vec::new() }],
        selection: build::and(tenant.into_iter().chain(filter).collect()),
        group_by: GroupByExpr::Expressions(Vec::new(), Vec::new()),
        ..empty_select()
    };
    let subquery: Query = plain_query(SetExpr::Select(Box::new(select)));
    TableFactor::Derived { lateral: false, subquery: Box::new(subquery), alias: Some(alias), sample: None }
}

fn physical_relation(table: &Table, dialect: &Dialect) -> TableFactor {
    let path =
        table.relation.iter().map(|part| ObjectNamePart::Identifier(physical_ident(part, dialect))).collect();
    let alias = TableAlias { explicit: true, name: Ident::new(INNER_ALIAS), columns: Vec::new(), at: None };
    relation(ObjectName(path), Some(alias))
}

fn inner(physical: &str, dialect: &Dialect) -> Expr {
    Expr::CompoundIdentifier(vec![Ident::new(INNER_ALIAS), physical_ident(physical, dialect)])
}

fn source_expr(table: &Table, column: &Column, dialect: &Dialect) -> Expr {
    match &column.source {
        ColumnSource::Physical(name) => inner(name, dialect),
        ColumnSource::Computed(fragment) => physical_expr(table, fragment, dialect),
    }
}

/// A fragment over physical columns: a logical name becomes the physical column behind it. A computed
/// field is not unfolded inside another, so such a name stays as it is and the proof rejects it.
fn physical_expr(table: &Table, fragment: &Fragment, dialect: &Dialect) -> Expr {
    fragment.replaced(&mut |name| {
        let column = table.spelled(&spelling::plain(name)).and_then(|place| table.columns.get_index(place));
        match column.map(|(_, column)| &column.source) {
            Some(ColumnSource::Physical(physical)) => inner(physical, dialect),
            Some(ColumnSource::Computed(_)) | None => inner(&spelling::plain(name), dialect),
        }
    })
}
