//! Owns statements that somebody else wrote and whose rows our code reads by the names of their columns: each column is
//! proved to be what its name will say, and is renamed and put into its place where it was called or placed otherwise.
//!
//! Nothing is believed of the data that nobody looked at, and everything is held to how it is defined. Deliberately
//! absent: who writes such statements, and which names are read.

use sqlparser::ast::{Expr, Ident, Query, SelectItem, SetExpr};

use crate::against::{ColumnPart, Expected, Finding, RESULT_COLUMNS};
use crate::build::{SelectBuilder, ident};
use crate::check::{CheckedQuery, Context, check, parse_one, printed};
use crate::finish::{Proved, proved};
use crate::lower;
use crate::rejection::{Place, Rejected, Rejection, Severity};
use crate::select::Select;

/// A column as it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaidColumn {
    /// Its name.
    pub name: String,
    /// What stands in it.
    pub part: ColumnPart,
}

/// A statement whose columns are known.
#[derive(Clone, Debug)]
pub struct Laid {
    /// The query; its columns are those that were wanted, in their order.
    pub query: CheckedQuery,
    /// How the statement stands to every part of what it works out: all of them present.
    pub findings: Vec<Finding>,
    /// Whether its columns had to be renamed or put into another order.
    pub laying: Laying,
}

/// What was done to a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Laying {
    /// Nothing.
    AsWritten,
    /// Its columns were named and ordered around it.
    Renamed,
}

/// The name under which a statement stands whose columns are renamed around it.
const INNER: &str = "drafted";

/// Checks a text, holds it against what it claims to work out as that is defined, and gives it with the columns that are
/// wanted. Values are written in it; it has no placeholders.
///
/// # Errors
/// Every rule that it breaks; else whatever is absent or extra (`definition_absent`, `definition_extra`); else every
/// column that is not known to be one part and nothing but it (`result_columns`).
pub fn lay_text(
    sql: &str,
    cx: &Context,
    expected: &Expected,
    wanted: &[LaidColumn],
) -> Result<Laid, Rejected> {
    let doubting = cx.schema.doubting();
    let strict = Context { schema: &doubting, ..cx.clone() };
    let mut query = parse_one(sql, cx)?;
    lower::number_placeholders(&mut query, cx.dialect);
    let Proved { findings, parts } = proved(query.clone(), &strict, expected)?;
    let names = names(&query)?;
    contradicted(&names, &parts, wanted)?;
    if as_wanted(&names, &parts, wanted) {
        let query = check(Select { query, binds: Vec::new() }, cx)?;
        return Ok(Laid { query, findings, laying: Laying::AsWritten });
    }
    let query = renamed(query, &names, &parts, wanted)?;
    let select = Select { query, binds: Vec::new() };
    // What was put around it is held to the same as what was written.
    let (again, _) = printed(select.clone(), &strict)?;
    let named = self::names(&again)?;
    let Proved { findings: _, parts } = proved(again, &strict, expected)?;
    if !as_wanted(&named, &parts, wanted) {
        return Err(rejected(
            "its columns cannot be named apart".to_owned(),
            "give each column a name of its own",
            None,
        ));
    }
    Ok(Laid { query: check(select, cx)?, findings, laying: Laying::Renamed })
}

/// The names of a statement's columns, as it writes them itself: an engine's own name for a column that has none is not
/// known.
fn names(query: &Query) -> Result<Vec<Ident>, Rejected> {
    let unnamed = || {
        rejected(
            "some column of the result has no name of its own".to_owned(),
            "list the columns, each with `AS` and a name",
            None,
        )
    };
    let SetExpr::Select(select) = query.body.as_ref() else { return Err(unnamed()) };
    let name = |item: &SelectItem| match item {
        SelectItem::ExprWithAlias { expr: _, alias } => Some(alias.clone()),
        SelectItem::UnnamedExpr(Expr::Identifier(name)) => Some(name.clone()),
        SelectItem::UnnamedExpr(Expr::CompoundIdentifier(parts)) => parts.last().cloned(),
        _ => None,
    };
    let names: Vec<Ident> = select.projection.iter().map(name).collect::<Option<_>>().ok_or_else(unnamed)?;
    let mut folded: Vec<String> = names.iter().map(|name| name.value.to_lowercase()).collect();
    folded.sort_unstable();
    match folded.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(names),
        Some(pair) => Err(rejected(
            format!("two columns of the result are called `{}`", pair[0]),
            "give each column a name of its own",
            None,
        )),
    }
}

/// A name that is read as one part and stands over another.
fn contradicted(names: &[Ident], parts: &[ColumnPart], wanted: &[LaidColumn]) -> Result<(), Rejected> {
    for (name, part) in names.iter().zip(parts) {
        let means = wanted.iter().find(|column| column.name.eq_ignore_ascii_case(&name.value));
        if means.is_some_and(|column| column.part != *part) {
            return Err(rejected(
                format!("the column `{}` holds what belongs under another name", name.value),
                "put each part under the name that is given for it",
                crate::resolve::place(name.span),
            ));
        }
    }
    Ok(())
}

fn as_wanted(names: &[Ident], parts: &[ColumnPart], wanted: &[LaidColumn]) -> bool {
    let same = |((name, part), column): ((&Ident, &ColumnPart), &LaidColumn)| {
        name.value == column.name && *part == column.part
    };
    names.len() == wanted.len()
        && parts.len() == wanted.len()
        && names.iter().zip(parts).zip(wanted).all(same)
}

/// `SELECT drafted.total AS p1, … FROM (…) AS drafted`.
fn renamed(
    query: Query,
    names: &[Ident],
    parts: &[ColumnPart],
    wanted: &[LaidColumn],
) -> Result<Query, Rejected> {
    let mut select = SelectBuilder::new().from_query(query, INNER);
    for column in wanted {
        let found = names.iter().zip(parts).find(|(_, part)| **part == column.part);
        let Some((name, _)) = found else {
            let message = format!("nothing stands in the column `{}`", column.name);
            return Err(rejected(message, "select it in a column of its own", None));
        };
        let from = Expr::CompoundIdentifier(vec![ident(INNER), name.clone()]);
        select = select.column(from, &column.name);
    }
    Ok(select.build())
}

fn rejected(message: String, hint: &str, place: Option<Place>) -> Rejected {
    let rule = RESULT_COLUMNS;
    Rejected::one(Rejection { rule, severity: Severity::Reject, message, hint: hint.to_owned(), place })
}
