//! Owns looking through views: every reference to one becomes the query that it is, so that a statement over a view is
//! judged, scoped and proved as if it had been written out.
//!
//! Deliberately absent: reading views (`ddl`); names, which the resolver looks up.

use std::ops::ControlFlow;

use sqlparser::ast::{
    Cte, Ident, ObjectNamePart, Query, SelectItem, SetExpr, TableAlias, TableAliasColumnDef, TableFactor,
    TableWithJoins, VisitMut, VisitorMut, With,
};
use sqlparser::ast::{Visit, Visitor, WildcardAdditionalOptions};

use crate::build::{empty_select, plain_query, relation};
use crate::dialect::Dialect;
use crate::resolve::{Level, Record, Reference, Resolved, address, resolve};
use crate::schema::{Schema, View, ViewBody};
use crate::size::TEXT_BYTES_MAX;

/// A statement with views in it that cannot be looked through: what is wrong, and what to do.
#[derive(Clone, Debug)]
pub(crate) struct Unseen {
    pub message: String,
    pub hint: &'static str,
}

/// The query with every view written out; `None` when it has none.
///
/// # Errors
/// When it would be too large, or a named query would take the place of a table that a view reads.
pub(crate) fn written_out(
    query: &Query,
    schema: &Schema,
    dialect: &Dialect,
) -> Result<Option<Query>, Unseen> {
    if schema.views.is_empty() {
        return Ok(None);
    }
    let resolved = resolve(query, schema, dialect, Level::Logical, Record::Nothing);
    let views = used(&resolved, schema);
    if views.is_empty() {
        return Ok(None);
    }
    let bytes = views.iter().map(|(_, bytes)| *bytes).fold(0, usize::saturating_add);
    if bytes > TEXT_BYTES_MAX {
        let message = "the statement is too large once its views are written out".to_owned();
        return Err(Unseen { message, hint: "read the tables themselves" });
    }
    let mut named = Named { dialect, keys: Vec::new() };
    let _: ControlFlow<()> = Visit::visit(query, &mut named);
    for (view, _) in &views {
        if let Some(taken) =
            view.reads.iter().find(|table| named.keys.contains(&dialect.key(table).into_owned()))
        {
            let message =
                format!("a named query has the name of `{taken}`, which the view `{}` reads", view.name);
            return Err(Unseen { message, hint: "give named queries names that no table has" });
        }
    }
    let mut order = Order { resolved: &resolved, found: Vec::new() };
    let _: ControlFlow<()> = Visit::visit(query, &mut order);
    let mut query = query.clone();
    let mut writing = Writing { schema, dialect, order: order.found, next: 0, open: Vec::new() };
    let _: ControlFlow<()> = VisitMut::visit(&mut query, &mut writing);
    Ok(Some(query))
}

/// Each reference to a view, with how long it is written out.
fn used<'s>(resolved: &Resolved, schema: &'s Schema) -> Vec<(&'s View, usize)> {
    let views = resolved.references.values().filter_map(|reference| match reference {
        Reference::View(index) => schema.views.get_index(*index).map(|(_, view)| view),
        Reference::Table(_, _) | Reference::Named => None,
    });
    views
        .map(|view| match &view.body {
            ViewBody::Query { query: _, bytes, depth: _ } => (view, *bytes),
            ViewBody::Unseen(_) => (view, 0),
        })
        .collect()
}

/// Gathers the names of named queries, as the dialect compares them.
struct Named<'a> {
    dialect: &'a Dialect,
    keys: Vec<String>,
}

impl Visitor for Named<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        let tables = query.with.iter().flat_map(|with| &with.cte_tables);
        self.keys.extend(tables.map(|cte| self.dialect.fold(&cte.alias.name).into_owned()));
        ControlFlow::Continue(())
    }
}

/// What each table reference stands for, in the order in which a visitor meets them.
struct Order<'a> {
    resolved: &'a Resolved,
    found: Vec<Option<Reference>>,
}

impl Visitor for Order<'_> {
    type Break = ();

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        self.found.push(self.resolved.references.get(&address(factor)).copied());
        ControlFlow::Continue(())
    }
}

/// Puts the query of a view in the place of every reference to it.
struct Writing<'a> {
    schema: &'a Schema,
    dialect: &'a Dialect,
    order: Vec<Option<Reference>>,
    next: usize,
    open: Vec<Option<Reference>>,
}

impl VisitorMut for Writing<'_> {
    type Break = ();

    fn pre_visit_table_factor(&mut self, _factor: &mut TableFactor) -> ControlFlow<()> {
        self.open.push(self.order.get(self.next).copied().flatten());
        self.next = self.next.saturating_add(1);
        ControlFlow::Continue(())
    }

    fn post_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<()> {
        let Some(Some(Reference::View(index))) = self.open.pop() else { return ControlFlow::Continue(()) };
        let Some((_, view)) = self.schema.views.get_index(index) else { return ControlFlow::Continue(()) };
        let ViewBody::Query { query, .. } = &view.body else { return ControlFlow::Continue(()) };
        // What else is said of it (a sample, a version) would be lost: it stays, and is refused where it is judged.
        let TableFactor::Table {
            name,
            alias,
            args: None,
            with_hints,
            version: None,
            with_ordinality: false,
            partitions,
            json_path: None,
            sample: None,
            index_directives,
            inheritance,
        } = factor
        else {
            return ControlFlow::Continue(());
        };
        if !(with_hints.is_empty()
            && partitions.is_empty()
            && index_directives.is_empty()
            && inheritance.is_none())
        {
            return ControlFlow::Continue(());
        }
        let last = name.0.last().and_then(ObjectNamePart::as_ident).cloned();
        let called = last.unwrap_or_else(|| Ident::new(&view.name));
        let alias = alias.take().unwrap_or(TableAlias {
            explicit: true,
            name: called,
            columns: Vec::new(),
            at: None,
        });
        let subquery = Box::new(with_columns(query, view, self.dialect));
        *factor = TableFactor::Derived { lateral: false, subquery, alias: Some(alias), sample: None };
        ControlFlow::Continue(())
    }
}

/// The query of a view under the names that the view gives its columns.
fn with_columns(query: &Query, view: &View, dialect: &Dialect) -> Query {
    if view.columns.is_empty() {
        return query.clone();
    }
    let ident = |name: &String| crate::scoping::schema_ident(name, dialect);
    let columns = view.columns.iter().map(|name| TableAliasColumnDef { name: ident(name), data_type: None });
    let name = ident(&view.name);
    let cte = Cte {
        alias: TableAlias { explicit: false, name: name.clone(), columns: columns.collect(), at: None },
        query: Box::new(query.clone()),
        from: None,
        materialized: None,
        closing_paren_token: sqlparser::ast::helpers::attached_token::AttachedToken::empty(),
    };
    let from = relation(sqlparser::ast::ObjectName(vec![ObjectNamePart::Identifier(name)]), None);
    let select = sqlparser::ast::Select {
        projection: vec![SelectItem::Wildcard(WildcardAdditionalOptions::default())],
        from: vec![TableWithJoins { relation: from, joins: Vec::new() }],
        ..empty_select()
    };
    let mut whole = plain_query(SetExpr::Select(Box::new(select)));
    whole.with = Some(With {
        with_token: sqlparser::ast::helpers::attached_token::AttachedToken::empty(),
        recursive: false,
        cte_tables: vec![cte],
    });
    whole
}
