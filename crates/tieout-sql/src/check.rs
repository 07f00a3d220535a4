//! Owns the one door: what a statement must pass to become a [`CheckedQuery`], the only thing a
//! warehouse accepts.
//!
//! Deliberately absent: running anything; retrying; knowing metrics.

use std::sync::OnceLock;
use std::time::Duration;

use sqlparser::ast::{Query, Statement};
use sqlparser::parser::ParserError;

use crate::against::{Expected, Explanation, Finding};
use crate::dialect::Dialect;
use crate::facts::{Facts, Lineage, StatementKind};
use crate::finish;
use crate::lower;
use crate::rejection::{Place, Rejected, Rejection, Severity};
use crate::schema::{Schema, SqlType};
use crate::scope::Scope;
use crate::select::Select;
use crate::size::{self, Unread};
use crate::spelling;
use crate::value::Value;

/// What a query may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most rows that may be returned.
    pub rows_max: u64,
    /// How long it may run.
    pub timeout: Duration,
}

/// What a statement is judged by.
#[derive(Clone, Debug)]
pub struct Context<'a> {
    /// The engine's SQL.
    pub dialect: &'a Dialect,
    /// What may be named.
    pub schema: &'a Schema,
    /// Whose rows may be seen.
    pub scope: &'a Scope,
    /// What it may cost.
    pub limits: Limits,
}

/// One column of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputColumn {
    /// Its name.
    pub name: String,
    /// Its type, where it could be worked out.
    pub ty: SqlType,
    /// The logical table and column of everything its values are made of.
    pub lineage: Vec<(String, String)>,
    /// The aggregates they passed through, innermost first.
    pub aggregates: Vec<String>,
}

/// That one reference to a base table is bound to the tenant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TenantProof {
    /// The logical table.
    pub table: String,
    /// The physical column that holds the tenant.
    pub column: String,
    /// The 0-based index of the bound value it equals.
    pub bind: usize,
}

/// Two sources of a FROM clause and the equalities between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Join {
    /// The two sources, as the statement calls them.
    pub sources: (String, String),
    /// The equalities, each side as `table.column` where it is a copy of one.
    pub pairs: Vec<(String, String)>,
    /// The stated relationship that they follow, by its name, when they follow one directly.
    pub relationship: Option<String>,
}

/// Whether the checker set the row limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowLimit {
    /// The statement's own limit was within bounds and stands.
    AsWritten,
    /// The checker attached `rows_max + 1`: a result of more than `rows_max` rows is cut short.
    Attached,
}

/// A statement that passed every rule, with the tenant bound and limits attached. Only [`check`] and
/// [`check_text`] make one.
#[derive(Clone, Debug)]
pub struct CheckedQuery {
    pub(crate) sql: String,
    pub(crate) written: Written,
    pub(crate) binds: Vec<Value>,
    pub(crate) columns: Vec<OutputColumn>,
    pub(crate) tables: Vec<String>,
    pub(crate) joins: Vec<Join>,
    pub(crate) limits: Limits,
    pub(crate) row_limit: RowLimit,
    pub(crate) warnings: Vec<Rejection>,
    pub(crate) proof: Vec<TenantProof>,
}

/// The logical statement, laid out when somebody looks at it.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub query: Query,
    pub text: OnceLock<String>,
}

/// A query laid out for a person. The printer would indent a second line inside a literal or a quoted name too, which
/// would be another literal; a query with one is printed as it is.
pub(crate) fn laid_out(query: &Query) -> String {
    let plain = query.to_string();
    match plain.contains('\n') {
        true => plain,
        false => format!("{query:#}"),
    }
}

impl CheckedQuery {
    /// The text that runs: physical, scoped, limited.
    pub fn sql(&self) -> &str {
        &self.sql
    }

    /// The logical text as it was checked, laid out for a person.
    pub fn written(&self) -> &str {
        let Written { query, text } = &self.written;
        text.get_or_init(|| laid_out(query))
    }

    /// The values of the placeholders of [`CheckedQuery::sql`], in order.
    pub fn binds(&self) -> &[Value] {
        &self.binds
    }

    /// The columns of the result.
    pub fn columns(&self) -> &[OutputColumn] {
        &self.columns
    }

    /// The logical tables it reads, each once.
    pub fn tables(&self) -> &[String] {
        &self.tables
    }

    /// What it joins, and by which equalities.
    pub fn joins(&self) -> &[Join] {
        &self.joins
    }

    /// What it may cost.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Who set the row limit.
    pub fn row_limit(&self) -> RowLimit {
        self.row_limit
    }

    /// What a person should know although it may run.
    pub fn warnings(&self) -> &[Rejection] {
        &self.warnings
    }

    /// Every reference to a table with a tenant, and what binds it.
    pub fn proof(&self) -> &[TenantProof] {
        &self.proof
    }
}

/// Checks a tree. Places in rejections then refer to the tree's own text, on one line.
///
/// # Errors
/// Every rule that the statement breaks.
pub fn check(select: Select, cx: &Context) -> Result<CheckedQuery, Rejected> {
    let (query, binds) = printed(select, cx)?;
    finish::judge(query, binds, cx)
}

/// Checks a tree as [`check`] does, and holds it against what it claims to work out: every expected thing is then
/// present, and nothing else narrows the rows.
///
/// # Errors
/// Every rule that the statement breaks; else whatever is absent (`definition_absent`) or extra (`definition_extra`).
pub fn check_against(
    select: Select,
    cx: &Context,
    expected: &Expected,
) -> Result<(CheckedQuery, Vec<Finding>), Rejected> {
    let (query, binds) = printed(select, cx)?;
    finish::judge_against(query, binds, cx, expected)
}

/// Checks a text as [`check_text`] does, and holds it against what it claims to work out.
///
/// # Errors
/// As [`check_against`].
pub fn check_text_against(
    sql: &str,
    binds: Vec<Value>,
    cx: &Context,
    expected: &Expected,
) -> Result<(CheckedQuery, Vec<Finding>), Rejected> {
    let mut query = parse_one(sql, cx)?;
    lower::number_placeholders(&mut query, cx.dialect);
    finish::judge_against(query, binds, cx, expected)
}

/// A statement that breaks no rule, and how it stands to every part of what it claims to work out.
#[derive(Clone, Debug)]
pub struct Held {
    /// Each part, present or absent, and what else narrows its rows.
    pub findings: Vec<Finding>,
    /// The query, when nothing is absent or extra; else the rejections, of which those findings are the reasons.
    pub outcome: Result<CheckedQuery, Rejected>,
}

/// Checks a text as [`check_text_against`] does, and tells every finding whether or not it is accepted.
///
/// # Errors
/// Every rule that the statement breaks by itself; there are no findings then.
pub fn hold_text(sql: &str, binds: Vec<Value>, cx: &Context, expected: &Expected) -> Result<Held, Rejected> {
    let mut query = parse_one(sql, cx)?;
    lower::number_placeholders(&mut query, cx.dialect);
    finish::held(query, binds, cx, expected)
}

/// Says in five lines what a tree counts: metric, population, period, grain, exclusions. It need not pass the rules about
/// joins and grain to be explained.
///
/// # Errors
/// When it cannot be read: it does not parse, writes, or names what is not known or not to be seen.
pub fn explain(select: Select, cx: &Context) -> Result<Explanation, Rejected> {
    let (query, binds) = printed(select, cx)?;
    finish::explained(query, &binds, cx)
}

/// Says in five lines what a text counts, as [`explain`] does.
///
/// # Errors
/// As [`explain`].
pub fn explain_text(sql: &str, binds: &[Value], cx: &Context) -> Result<Explanation, Rejected> {
    let mut query = parse_one(sql, cx)?;
    lower::number_placeholders(&mut query, cx.dialect);
    finish::explained(query, binds, cx)
}

/// A tree as the dialect writes it, read back from its text.
pub(crate) fn printed(select: Select, cx: &Context) -> Result<(Query, Vec<Value>), Rejected> {
    let Select { mut query, binds } = select;
    lower::for_dialect(&mut query, cx.dialect);
    let text = query.to_string();
    let parsed = parse_one(&text, cx)?;
    if parsed != query {
        return Err(Rejected::one(Rejection {
            rule: "printing",
            severity: Severity::Reject,
            message: "the tree does not print as the statement it is".to_owned(),
            hint: "bracket nested expressions when building trees".to_owned(),
            place: None,
        }));
    }
    Ok((parsed, binds))
}

/// Checks a text. Placeholders are written as the dialect writes them.
///
/// # Errors
/// Every rule that the statement breaks.
pub fn check_text(sql: &str, binds: Vec<Value>, cx: &Context) -> Result<CheckedQuery, Rejected> {
    let mut query = parse_one(sql, cx)?;
    lower::number_placeholders(&mut query, cx.dialect);
    finish::judge(query, binds, cx)
}

/// Reads a text, resolves it and judges it by every rule, and gives its warnings. Nothing is made that could run: for an
/// editor, or whoever else only wants to know.
///
/// # Errors
/// Every rule that the statement breaks.
pub fn judge_text(sql: &str, cx: &Context) -> Result<Vec<Rejection>, Rejected> {
    let query = parse_one(sql, cx)?;
    finish::judged(query, cx)
}

pub(crate) fn parse_one(sql: &str, cx: &Context) -> Result<Query, Rejected> {
    let dialect = cx.dialect;
    let unparsed = |error: ParserError| {
        let (message, location) = size::split_parser_message(&error.to_string());
        let place = location.map(|at| Place { line: at.line, column: at.column, length: 1 });
        let message = format!("the statement does not parse: {message}");
        Rejected::one(rejection("syntax", message, &format!("write {} SQL", dialect.name), place))
    };
    let mut parser = size::parser(sql, dialect).map_err(|unread| match unread {
        Unread::Refused { rule, message, hint } => Rejected::one(rejection(rule, message, hint, None)),
        Unread::Syntax(error) => unparsed(error),
    })?;
    let statements = parser.parse_statements().map_err(unparsed)?;
    let kinds: Vec<StatementKind> = statements.iter().map(kind).collect();
    if kinds != [StatementKind::Query] {
        finish::verdict(&Facts { statements: kinds, ..Facts::default() }, cx)?;
    }
    if let [Statement::Query(_)] = statements.as_slice()
        && let Some(Statement::Query(query)) = statements.into_iter().next()
    {
        let mut query = *query;
        spelling::compared(&mut query, dialect);
        return Ok(query);
    }
    Err(Rejected::one(rejection("one_statement", "there is no statement".into(), "write one SELECT", None)))
}

fn kind(statement: &Statement) -> StatementKind {
    match statement {
        Statement::Query(_) => StatementKind::Query,
        other => {
            let text = other.to_string();
            StatementKind::Other(text.split_whitespace().next().unwrap_or_default().to_lowercase())
        }
    }
}

fn rejection(rule: &'static str, message: String, hint: &str, place: Option<Place>) -> Rejection {
    Rejection { rule, severity: Severity::Reject, message, hint: hint.to_owned(), place }
}

impl From<&Lineage> for OutputColumn {
    fn from(lineage: &Lineage) -> OutputColumn {
        OutputColumn {
            name: lineage.name.clone(),
            ty: lineage.ty,
            lineage: lineage.columns.clone(),
            aggregates: lineage.aggregates.clone(),
        }
    }
}
