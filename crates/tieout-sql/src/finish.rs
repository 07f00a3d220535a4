//! Owns the walk of a parsed query through the rules to a finished, scoped and limited statement.
//!
//! Deliberately absent: the rules themselves, and any way around them.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use sqlparser::ast::{
    Expr, GroupByExpr, Ident, LimitClause, ObjectNamePart, Query, Select, SetExpr, TableAlias, TableFactor,
    Value as Literal, ValueWithSpan, Visit, VisitMut, Visitor, VisitorMut,
};

use crate::against::{self, ColumnPart, Expected, Explanation, Finding};
use crate::asof;
use crate::build::{self, limit_clause};
use crate::check::{CheckedQuery, Context, Held, OutputColumn, RowLimit, TenantProof, Written, laid_out};
use crate::dialect::Placeholders;
use crate::facts::{Facts, StatementKind};
use crate::joined::joined;
use crate::lower;
use crate::prove::prove;
use crate::rejection::{Rejected, Rejection, Severity};
use crate::resolve::{Level, Record, Reference, Resolved, address, resolve};
use crate::rules;
use crate::scoping::scoped_form;
use crate::size;
use crate::spelling;
use crate::value::Value;
use crate::views;

/// Judges a parsed query.
pub(crate) fn judge(query: Query, binds: Vec<Value>, cx: &Context) -> Result<CheckedQuery, Rejected> {
    let (query, logical) = looked_through(query, cx)?;
    let resolved = resolve(&query, cx.schema, cx.dialect, Level::Logical, Record::Nothing);
    finished(query, logical, binds, cx, resolved)
}

/// What the rules say of a parsed query.
pub(crate) fn judged(query: Query, cx: &Context) -> Result<Vec<Rejection>, Rejected> {
    let (query, _) = looked_through(query, cx)?;
    let mut facts = resolve(&query, cx.schema, cx.dialect, Level::Logical, Record::Nothing).facts;
    facts.statements.push(StatementKind::Query);
    verdict(&facts, cx)
}

/// Judges a parsed query, and holds it against what it claims to work out.
pub(crate) fn judge_against(
    query: Query,
    binds: Vec<Value>,
    cx: &Context,
    expected: &Expected,
) -> Result<(CheckedQuery, Vec<Finding>), Rejected> {
    let Held { findings, outcome } = held(query, binds, cx, expected)?;
    outcome.map(|checked| (checked, findings))
}

/// Judges a parsed query, and says of every part of what it claims to work out how it stands to it.
pub(crate) fn held(
    query: Query,
    binds: Vec<Value>,
    cx: &Context,
    expected: &Expected,
) -> Result<Held, Rejected> {
    let (query, logical) = looked_through(query, cx)?;
    let mut resolved = resolve(&query, cx.schema, cx.dialect, Level::Logical, Record::Flow);
    let flow = std::mem::take(&mut resolved.facts.flow);
    let written = binds.clone();
    let checked = finished(query, logical, binds, cx, resolved)?;
    let findings = against::findings(&flow, &written, cx, expected);
    let mut rejections = against::rejections(&findings);
    if expected.divides() {
        // A ratio that an engine cuts off is another number.
        let cut = checked.warnings.iter().filter(|warning| warning.rule == "integer_division");
        rejections.extend(cut.map(|warning| Rejection { severity: Severity::Reject, ..warning.clone() }));
    }
    let outcome = match rejections.is_empty() {
        true => Ok(checked),
        false => Err(Rejected { rejections: rejections.into_iter().chain(checked.warnings).collect() }),
    };
    Ok(Held { findings, outcome })
}

/// A statement that breaks no rule and is what it claims to be, as it is defined.
pub(crate) struct Proved {
    pub findings: Vec<Finding>,
    /// What each column is.
    pub parts: Vec<ColumnPart>,
}

/// Judges a parsed query, holds it against what it claims to work out as that is defined, and says what each of its
/// columns is.
pub(crate) fn proved(query: Query, cx: &Context, expected: &Expected) -> Result<Proved, Rejected> {
    let (query, logical) = looked_through(query, cx)?;
    let mut resolved = resolve(&query, cx.schema, cx.dialect, Level::Logical, Record::Flow);
    let flow = std::mem::take(&mut resolved.facts.flow);
    finished(query, logical, Vec::new(), cx, resolved)?;
    let (findings, parts) = against::laid_out(&flow, cx, expected);
    let rejections = against::rejections(&findings);
    match parts {
        Ok(parts) if rejections.is_empty() => Ok(Proved { findings, parts }),
        // What is absent or extra says more than that a column is then another.
        Ok(_) | Err(_) if !rejections.is_empty() => Err(Rejected { rejections }),
        Ok(_) => Err(broken("printing", "its columns are not known")),
        Err(rejections) => Err(Rejected { rejections }),
    }
}

/// The rules that a statement must pass before it can be said what it counts.
const READABLE: &[&str] = &[
    "one_statement",
    "read_only",
    "known_syntax",
    "closed_catalogues",
    "known_names",
    "allowed_functions",
    "hidden_columns",
    "sensitive_columns",
];

/// Says what a parsed query counts.
pub(crate) fn explained(query: Query, binds: &[Value], cx: &Context) -> Result<Explanation, Rejected> {
    let (query, _) = looked_through(query, cx)?;
    let resolved = resolve(&query, cx.schema, cx.dialect, Level::Logical, Record::Flow);
    let mut facts = resolved.facts;
    facts.statements.push(StatementKind::Query);
    // A value that is not known is said to be so; nothing runs.
    placeholders_bound(&query, usize::MAX)?;
    let unreadable: Vec<Rejection> = rules::findings(&facts, cx)
        .into_iter()
        .filter(|found| found.severity == Severity::Reject && READABLE.contains(&found.rule))
        .collect();
    match unreadable.is_empty() {
        true => Ok(against::explained(&facts.flow, binds, cx)),
        false => Err(Rejected { rejections: unreadable }),
    }
}

/// The query with its views written out, and as it was written when it has any.
fn looked_through(query: Query, cx: &Context) -> Result<(Query, Option<Query>), Rejected> {
    match views::written_out(&query, cx.schema, cx.dialect) {
        Ok(None) => Ok((query, None)),
        Ok(Some(whole)) => Ok((whole, Some(query))),
        Err(unseen) => Err(Rejected::one(Rejection {
            rule: "known_names",
            severity: Severity::Reject,
            message: unseen.message,
            hint: unseen.hint.to_owned(),
            place: None,
        })),
    }
}

fn finished(
    mut query: Query,
    logical: Option<Query>,
    mut binds: Vec<Value>,
    cx: &Context,
    resolved: Resolved,
) -> Result<CheckedQuery, Rejected> {
    let Resolved { mut facts, references, reads, fixed } = resolved;
    facts.statements.push(StatementKind::Query);
    let warnings = verdict(&facts, cx)?;
    placeholders_bound(&query, binds.len())?;
    let nearest = facts.joins.iter().flat_map(|block| &block.sources).any(|source| source.nearest);
    let logical = logical.unwrap_or_else(|| query.clone());
    let text = match nearest {
        true => OnceLock::from(asof::written(laid_out(&logical), cx.dialect)),
        false => OnceLock::new(),
    };
    let written = Written { query: logical, text };
    let order = reference_order(&query, &references)?;
    if !fixed.is_empty() {
        let _: ControlFlow<()> = VisitMut::visit(&mut query, &mut Grouped { fixed });
    }
    let tenant_bind = binds.len();
    let mut scoping =
        Scoping { cx, order, reads, next: 0, open: Vec::new(), bind: tenant_bind, failed: None };
    let _: ControlFlow<()> = VisitMut::visit(&mut query, &mut scoping);
    if let Some(message) = scoping.failed {
        return Err(broken("tenant", &message));
    }
    if facts.tables.iter().any(|used| used.tenant.is_some()) {
        binds.extend(cx.scope.tenant_value().cloned());
    }
    let row_limit = attach_limit(&mut query, &binds, cx.limits.rows_max)?;
    let (text, signs) = reparsed(&query, cx)?;
    let proof =
        prove(&query, &facts.tables, tenant_bind, cx).map_err(|message| broken("tenant", &message))?;
    let (sql, order) = printed(query, text, signs, cx);
    let bound_at = |index: usize| order.iter().position(|known| *known == index);
    let proof =
        proof.into_iter().filter_map(|known| Some(TenantProof { bind: bound_at(known.bind)?, ..known }));
    let proof: Vec<TenantProof> = proof.collect();
    let binds = order.iter().filter_map(|index| binds.get(*index).cloned()).collect();
    let mut tables: Vec<String> = Vec::new();
    for used in &facts.tables {
        if !tables.contains(&used.table) {
            tables.push(used.table.clone());
        }
    }
    let columns = facts.output.iter().map(OutputColumn::from).collect();
    let joins = joined(&facts, cx.schema);
    let limits = cx.limits;
    Ok(CheckedQuery { sql, written, binds, columns, tables, joins, limits, row_limit, warnings, proof })
}

/// Runs the rules; gives warnings when nothing is rejected.
pub(crate) fn verdict(facts: &Facts, cx: &Context) -> Result<Vec<Rejection>, Rejected> {
    let rejections = rules::findings(facts, cx);
    match rejections.iter().any(|rejection| rejection.severity == Severity::Reject) {
        true => Err(Rejected { rejections }),
        false => Ok(rejections),
    }
}

fn broken(rule: &'static str, message: &str) -> Rejected {
    let hint = match rule {
        "limits" => "write the limit as a number",
        "binds" => "bind a value for each placeholder",
        "tenant" => "give named queries names that no table has",
        _ => "write it more plainly",
    };
    Rejected::one(Rejection {
        rule,
        severity: Severity::Reject,
        message: message.to_owned(),
        hint: hint.to_owned(),
        place: None,
    })
}

/// Every placeholder has its value.
fn placeholders_bound(query: &Query, count: usize) -> Result<(), Rejected> {
    let mut seen = Placeholder { highest: 0, odd: None };
    let _: ControlFlow<()> = Visit::visit(query, &mut seen);
    if let Some(name) = seen.odd {
        return Err(broken("binds", &format!("the placeholder `{name}` has no number")));
    }
    match seen.highest > count {
        true => {
            Err(broken("binds", &format!("there are {count} bound values and a placeholder for one more")))
        }
        false => Ok(()),
    }
}

struct Placeholder {
    highest: usize,
    odd: Option<String>,
}

impl Visitor for Placeholder {
    type Break = ();

    fn pre_visit_value(&mut self, value: &ValueWithSpan) -> ControlFlow<()> {
        if let Literal::Placeholder(name) = &value.value {
            match lower::placeholder_index(name) {
                Some(index) => self.highest = self.highest.max(index.saturating_add(1)),
                None => self.odd = Some(name.clone()),
            }
        }
        ControlFlow::Continue(())
    }
}

/// What each table reference stands for, in the order in which a visitor meets them. One that the resolver did not
/// meet is an error: nothing is passed over.
fn reference_order(
    query: &Query,
    references: &std::collections::HashMap<usize, Reference>,
) -> Result<Vec<Option<Reference>>, Rejected> {
    struct Order<'a> {
        references: &'a std::collections::HashMap<usize, Reference>,
        found: Vec<Option<Reference>>,
    }
    impl Visitor for Order<'_> {
        type Break = String;

        fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<String> {
            let known = self.references.get(&address(factor)).copied();
            if matches!(known, None | Some(Reference::View(_)))
                && let TableFactor::Table { name, .. } = factor
            {
                return ControlFlow::Break(name.to_string());
            }
            self.found.push(known);
            ControlFlow::Continue(())
        }
    }
    let mut order = Order { references, found: Vec::new() };
    match Visit::visit(query, &mut order) {
        ControlFlow::Continue(()) => Ok(order.found),
        ControlFlow::Break(name) => {
            Err(broken("known_syntax", &format!("`{name}` stands where it was not judged")))
        }
    }
}

/// Names in GROUP BY what the groups fix, for engines that would not see it.
struct Grouped {
    fixed: std::collections::HashMap<usize, Vec<Expr>>,
}

impl VisitorMut for Grouped {
    type Break = ();

    fn pre_visit_select(&mut self, select: &mut Select) -> ControlFlow<()> {
        let more = self.fixed.remove(&std::ptr::from_ref(select).addr());
        if let (Some(more), GroupByExpr::Expressions(named, modifiers)) = (more, &mut select.group_by)
            && modifiers.is_empty()
        {
            named.extend(more);
        }
        ControlFlow::Continue(())
    }
}

/// Puts the scoped form in the place of every reference to a base table.
struct Scoping<'a> {
    cx: &'a Context<'a>,
    order: Vec<Option<Reference>>,
    reads: Vec<Vec<bool>>,
    next: usize,
    open: Vec<Option<Reference>>,
    bind: usize,
    failed: Option<String>,
}

impl VisitorMut for Scoping<'_> {
    type Break = ();

    fn pre_visit_table_factor(&mut self, _factor: &mut TableFactor) -> ControlFlow<()> {
        self.open.push(self.order.get(self.next).copied().flatten());
        self.next = self.next.saturating_add(1);
        ControlFlow::Continue(())
    }

    fn post_visit_table_factor(&mut self, factor: &mut TableFactor) -> ControlFlow<()> {
        let Some(Some(Reference::Table(index, reads))) = self.open.pop() else {
            return ControlFlow::Continue(());
        };
        let Some((_, table)) = self.cx.schema.tables.get_index(index) else { return ControlFlow::Break(()) };
        let TableFactor::Table { name, alias, .. } = factor else {
            self.failed = Some("a table reference changed its place".to_owned());
            return ControlFlow::Break(());
        };
        if table.tenant.is_some() && self.cx.scope.tenant_value().is_none() {
            self.failed = Some(format!("`{}` belongs to tenants and no tenant is in scope", table.name));
            return ControlFlow::Break(());
        }
        let tenant = Literal::Placeholder(lower::placeholder(self.bind, self.cx.dialect));
        let alias = alias.take().unwrap_or_else(|| {
            let last = name.0.last().and_then(ObjectNamePart::as_ident).cloned();
            let name = last.unwrap_or_else(|| Ident::new(&table.name));
            TableAlias { explicit: true, name, columns: Vec::new(), at: None }
        });
        let reads = self.reads.get(reads).map(Vec::as_slice).unwrap_or_default();
        *factor = scoped_form(table, alias, self.cx.dialect, Some(build::literal(tenant)), reads);
        ControlFlow::Continue(())
    }
}

/// Attaches `rows_max + 1` unless the statement's own limit is within bounds.
///
/// # Errors
/// When the statement has a limit that is not a number: to put another in its place would change what it means.
fn attach_limit(query: &mut Query, binds: &[Value], rows_max: u64) -> Result<RowLimit, Rejected> {
    let (limit, offset) = match &query.limit_clause {
        Some(LimitClause::LimitOffset { limit, offset, limit_by: _ }) => (limit.as_ref(), offset.clone()),
        Some(LimitClause::OffsetCommaLimit { offset, limit }) => {
            let offset =
                sqlparser::ast::Offset { value: offset.clone(), rows: sqlparser::ast::OffsetRows::None };
            (Some(limit), Some(offset))
        }
        None => (None, None),
    };
    let unknown = || broken("limits", "the limit of the statement is not a number");
    let written = match (limit, &query.fetch) {
        (None, None) => None,
        (Some(limit), _) => Some(number(limit, binds).ok_or_else(unknown)?),
        (None, Some(fetch)) if fetch.with_ties || fetch.percent => return Err(unknown()),
        (None, Some(fetch)) => match &fetch.quantity {
            Some(quantity) => Some(number(quantity, binds).ok_or_else(unknown)?),
            None => Some(1),
        },
    };
    let values = match query.body.as_ref() {
        // Rows that are written out are counted; some engines take no limit there.
        SetExpr::Values(values) => u64::try_from(values.rows.len()).ok(),
        _ => None,
    };
    if written.or(values).is_some_and(|rows| rows <= rows_max) {
        return Ok(RowLimit::AsWritten);
    }
    query.fetch = None;
    let mut clause = limit_clause(rows_max.saturating_add(1));
    if let LimitClause::LimitOffset { limit: _, offset: slot, limit_by: _ } = &mut clause {
        *slot = offset;
    }
    query.limit_clause = Some(clause);
    Ok(RowLimit::Attached)
}

/// The number that a limit is, written or bound.
fn number(expr: &Expr, binds: &[Value]) -> Option<u64> {
    let Expr::Value(value) = expr else { return None };
    match &value.value {
        Literal::Number(digits, _) => digits.parse().ok(),
        Literal::Placeholder(name) => match binds.get(lower::placeholder_index(name)?)? {
            Value::Integer(rows) => u64::try_from(*rows).ok(),
            _ => None,
        },
        Literal::Null => Some(u64::MAX),
        _ => None,
    }
}

/// The text that will run, held to say what the tree says: read again, it is the same tree. Beside it the indexes of its
/// placeholders, in the order of the text.
fn reparsed(query: &Query, cx: &Context) -> Result<(String, Vec<usize>), Rejected> {
    let broken = || broken("printing", "the statement does not print as the statement it is");
    let text = asof::written(query.to_string(), cx.dialect);
    let (mut parser, signs) = size::printed_parser(&text, cx.dialect).map_err(|_| broken())?;
    let mut statements = parser.parse_statements().map_err(|_| broken())?;
    spelling::compared(&mut statements, cx.dialect);
    match statements.as_slice() {
        [sqlparser::ast::Statement::Query(again)] if **again == *query => Ok((text, signs)),
        _ => Err(broken()),
    }
}

/// The final text with placeholders as the dialect writes them, and the index of the value of each.
fn printed(mut query: Query, text: String, signs: Vec<usize>, cx: &Context) -> (String, Vec<usize>) {
    match cx.dialect.placeholders {
        Placeholders::Dollar | Placeholders::QuestionNumbered => {
            let count = signs.iter().max().map_or(0, |highest| highest.saturating_add(1));
            (text, (0..count).collect())
        }
        Placeholders::Question => {
            let _: ControlFlow<()> = VisitMut::visit(&mut query, &mut Unnumbered);
            (query.to_string(), signs)
        }
    }
}

struct Unnumbered;

impl VisitorMut for Unnumbered {
    type Break = ();

    fn pre_visit_value(&mut self, value: &mut ValueWithSpan) -> ControlFlow<()> {
        if let Literal::Placeholder(name) = &mut value.value {
            "?".clone_into(name);
        }
        ControlFlow::Continue(())
    }
}
