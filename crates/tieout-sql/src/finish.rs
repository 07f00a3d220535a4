//! Owns the walk of a parsed query through the rules to a finished, scoped and limited statement.
//!
//! Deliberately absent: the rules.

use std::ops::ControlFlow;

use sqlparser::ast::{
    Expr, Ident, LimitClause, ObjectName, ObjectNamePart, Query, SelectItem, SetExpr, TableAlias,
    TableFactor, Value as Literal, VisitMut, VisitorMut,
};

use crate::build::{self, limit_clause};
use crate::check::{CheckedQuery, Context, OutputColumn, RowLimit, TenantProof};
use crate::lower;
use crate::nearest::nearest_hint;
use crate::rejection::{Rejected, Rejection, Severity};
use crate::schema::{SqlType, Table};
use crate::scoping::scoped_form;
use crate::value::Value;

/// Judges a parsed query.
pub(crate) fn judge(query: Query, binds: Vec<Value>, cx: &Context) -> Result<CheckedQuery, Rejected> {
    let written = format!("{query:#}");
    let mut query = query;
    let mut scoping =
        Scoping { cx, ctes: Vec::new(), tables: Vec::new(), proof: Vec::new(), bind: binds.len() };
    if let ControlFlow::Break(rejection) = query.visit(&mut scoping) {
        return Err(Rejected::one(rejection));
    }
    let Scoping { tables, proof, .. } = scoping;
    let mut binds = binds;
    if !proof.is_empty()
        && let Some(value) = cx.scope.tenant_value()
    {
        binds.push(value.clone());
    }
    let row_limit = attach_limit(&mut query, cx.limits.rows_max);
    let columns = output_names(&query);
    let (sql, binds) = print(&mut query, binds, cx);
    Ok(CheckedQuery {
        sql,
        written,
        binds,
        columns,
        tables,
        limits: cx.limits,
        row_limit,
        warnings: Vec::new(),
        proof,
    })
}

/// Prints the finished tree, with placeholders as the dialect writes them and values in their order.
fn print(query: &mut Query, binds: Vec<Value>, cx: &Context) -> (String, Vec<Value>) {
    let _ = cx;
    (query.to_string(), binds)
}

fn attach_limit(query: &mut Query, rows_max: u64) -> RowLimit {
    let written = match &query.limit_clause {
        Some(LimitClause::LimitOffset { limit: Some(limit), offset: _, limit_by: _ })
        | Some(LimitClause::OffsetCommaLimit { offset: _, limit }) => number(limit),
        Some(LimitClause::LimitOffset { limit: None, offset: _, limit_by: _ }) | None => None,
    };
    if written.is_some_and(|rows| rows <= rows_max) {
        return RowLimit::AsWritten;
    }
    query.limit_clause = Some(limit_clause(rows_max.saturating_add(1)));
    RowLimit::Attached
}

fn number(expr: &Expr) -> Option<u64> {
    match expr {
        Expr::Value(value) => match &value.value {
            Literal::Number(digits, _) => digits.parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

fn output_names(query: &Query) -> Vec<OutputColumn> {
    let mut body = query.body.as_ref();
    loop {
        match body {
            SetExpr::SetOperation { left, .. } => body = left,
            SetExpr::Query(inner) => body = inner.body.as_ref(),
            SetExpr::Select(select) => {
                let column = |name: String| OutputColumn {
                    name,
                    ty: SqlType::Unknown,
                    lineage: Vec::new(),
                    aggregates: Vec::new(),
                };
                return select
                    .projection
                    .iter()
                    .map(|item| match item {
                        SelectItem::ExprWithAlias { alias, .. } => column(alias.value.clone()),
                        SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts)) => {
                            column(parts.last().map_or_else(String::new, |part| part.value.clone()))
                        }
                        other => column(other.to_string()),
                    })
                    .collect();
            }
            _ => return Vec::new(),
        }
    }
}

struct Scoping<'a> {
    cx: &'a Context<'a>,
    ctes: Vec<Vec<String>>,
    tables: Vec<String>,
    proof: Vec<TenantProof>,
    bind: usize,
}

impl Scoping<'_> {
    fn table(&self, name: &ObjectName) -> Result<Option<&Table>, Rejection> {
        let [ObjectNamePart::Identifier(ident)] = name.0.as_slice() else {
            return Err(unknown(name.to_string(), String::new()));
        };
        let key = self.cx.dialect.fold(ident);
        let table = self.cx.schema.tables.values().find(|table| self.cx.dialect.names(ident, &table.name));
        let cte = self.ctes.iter().flatten().any(|cte| *cte == key);
        match (table, cte) {
            (Some(table), false) => Ok(Some(table)),
            (None, true) => Ok(None),
            (Some(_), true) => {
                Err(unknown(name.to_string(), "give the named query a name of its own".to_owned()))
            }
            (None, false) => Err(unknown(
                name.to_string(),
                nearest_hint(&ident.value, self.cx.schema.tables.keys().map(String::as_str)),
            )),
        }
    }
}

fn unknown(name: String, hint: String) -> Rejection {
    Rejection {
        rule: "known_names",
        severity: Severity::Reject,
        message: format!("there is no table `{name}`"),
        hint,
        place: None,
    }
}

impl VisitorMut for Scoping<'_> {
    type Break = Rejection;

    fn pre_visit_query(&mut self, query: &mut Query) -> ControlFlow<Rejection> {
        let names = query.with.iter().flat_map(|with| &with.cte_tables);
        self.ctes.push(names.map(|cte| self.cx.dialect.fold(&cte.alias.name)).collect());
        ControlFlow::Continue(())
    }

    fn post_visit_query(&mut self, _query: &mut Query) -> ControlFlow<Rejection> {
        self.ctes.pop();
        ControlFlow::Continue(())
    }

    fn post_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<Rejection> {
        let TableFactor::Table { name, alias, args: None, .. } = factor else {
            return ControlFlow::Continue(());
        };
        let table = match self.table(name) {
            Ok(Some(table)) => table.clone(),
            Ok(None) => return ControlFlow::Continue(()),
            Err(rejection) => return ControlFlow::Break(rejection),
        };
        let tenant = match (&table.tenant, self.cx.scope.tenant_value()) {
            (None, _) => None,
            (Some(column), Some(_)) => {
                self.proof.push(TenantProof {
                    table: table.name.clone(),
                    column: column.clone(),
                    bind: self.bind,
                });
                Some(build::literal(Literal::Placeholder(lower::placeholder(self.bind, self.cx.dialect))))
            }
            (Some(_), None) => {
                return ControlFlow::Break(Rejection {
                    rule: "tenant",
                    severity: Severity::Reject,
                    message: format!("`{}` belongs to tenants and no tenant is in scope", table.name),
                    hint: "sign in, or name the tenant of this session".to_owned(),
                    place: None,
                });
            }
        };
        let alias = alias.take().unwrap_or_else(|| {
            let name = name
                .0
                .last()
                .and_then(|part| part.as_ident())
                .cloned()
                .unwrap_or_else(|| Ident::new(&table.name));
            TableAlias { explicit: true, name, columns: Vec::new(), at: None }
        });
        if !self.tables.contains(&table.name) {
            self.tables.push(table.name.clone());
        }
        *factor = scoped_form(&table, alias, self.cx.dialect, tenant);
        ControlFlow::Continue(())
    }
}
