//! Reruns what an answer was made of, and says what is the same, what changed and what broke.
//!
//! The recorded SQL meets the checker again before it runs, the recorded workings are worked out over the new rows,
//! and the same [`tieout_core::figures::work_out`] judges. Deliberately absent: any second reading of the question.

use std::collections::BTreeMap;

use tieout_core::{
    catalogue::Project,
    evidence::{Cell, Evidence, Label, Rows, seal},
    figures::{Book, FigureValue, Working, work_out},
    halt::Fault,
    number::Unit,
    ports::Warehouse,
    scope::Scope,
};
use tieout_sql::{Value, check_text};

use crate::checking::context;

/// The most changes that are named one by one.
pub const CHANGES_NAMED_MAX: usize = 50;

/// What the ledger kept of an answer, as far as replay needs it.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The answer's id.
    pub id: String,
    /// Its queries.
    pub queries: Vec<RecordedQuery>,
    /// Its claims.
    pub claims: Vec<RecordedClaim>,
    /// The digest of the catalogue it was made with.
    pub catalogue_digest: String,
}

/// A query as it ran.
#[derive(Clone, Debug)]
pub struct RecordedQuery {
    /// What was known of it.
    pub label: Label,
    /// As written over the catalogue's names, before the tenant was bound.
    pub written: String,
    /// The values bound in the written form.
    pub binds: Vec<Value>,
    /// The digest of its rows.
    pub digest: String,
    /// A copy of its rows; none when they were too many to keep.
    pub rows: Option<Rows>,
}

/// A claim's figure as it was.
#[derive(Clone, Debug)]
pub struct RecordedClaim {
    /// The claim's id.
    pub id: String,
    /// The sentence.
    pub text: String,
    /// Each figure: how it is made, what came of it, its unit.
    pub values: Vec<(Working, FigureValue, Unit)>,
}

/// How a replay ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every query gave the same rows and every claim holds.
    Same,
    /// Something differs.
    Changed,
    /// A query could not be run again.
    Broken,
}

/// What a replay found.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The answer's id.
    pub id: String,
    /// How it ends.
    pub verdict: Verdict,
    /// Cells that differ, the rows that were counted first.
    pub changes: Vec<CellChange>,
    /// How many more cells differ than are named.
    pub changes_left_out: usize,
    /// Claims whose figures differ, as `was` and `is`.
    pub claims: Vec<(String, String, String)>,
    /// Why queries could not be run again.
    pub broken: Vec<String>,
    /// Whether the catalogue has another digest than then.
    pub catalogue_changed: bool,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellChange {
    /// The query's id.
    pub query: String,
    /// The datasets it reads.
    pub tables: Vec<String>,
    /// The row, by the names and values of its key.
    pub key: Vec<(String, Cell)>,
    /// The column; none when the whole row appeared or went.
    pub column: Option<String>,
    /// What it was; none when the row is new.
    pub was: Option<Cell>,
    /// What it is; none when the row is gone.
    pub is: Option<Cell>,
}

/// Reruns a recorded answer.
///
/// # Errors
/// A fault of the warehouse that says nothing about the answer.
pub async fn replay(
    recorded: &Recorded,
    project: &Project,
    scope: &Scope,
    warehouse: &dyn Warehouse,
) -> Result<Replayed, Fault> {
    let mut queries = Vec::new();
    let mut broken = Vec::new();
    for query in &recorded.queries {
        match checked(query, project, scope) {
            Ok(checked) => queries.push(checked),
            Err(why) => broken.push(format!("{}: {why}", query.label.id)),
        }
    }
    let mut replayed = Replayed {
        id: recorded.id.clone(),
        verdict: Verdict::Broken,
        changes: Vec::new(),
        changes_left_out: 0,
        claims: Vec::new(),
        broken,
        catalogue_changed: recorded.catalogue_digest != project.catalogue.digest,
    };
    if !replayed.broken.is_empty() {
        return Ok(replayed);
    }
    let rows = warehouse.run(&queries).await?;
    let mut evidence = Vec::new();
    for ((query, checked), rows) in recorded.queries.iter().zip(queries).zip(rows) {
        evidence.push(seal(query.label.clone(), checked, rows));
    }
    for (query, now) in recorded.queries.iter().zip(&evidence) {
        if query.digest != now.digest() {
            replayed.changes.extend(compare(query, now));
        }
    }
    replayed.claims = compare_claims(recorded, &evidence);
    let moved = recorded.queries.iter().zip(&evidence).any(|(q, e)| q.digest != e.digest());
    replayed.verdict = if moved || !replayed.claims.is_empty() { Verdict::Changed } else { Verdict::Same };
    // The rows that were counted say more than the sums over them.
    replayed.changes.sort_by_key(|c| !c.query.starts_with('s'));
    replayed.changes_left_out = replayed.changes.len().saturating_sub(CHANGES_NAMED_MAX);
    replayed.changes.truncate(CHANGES_NAMED_MAX);
    Ok(replayed)
}

fn checked(
    query: &RecordedQuery,
    project: &Project,
    scope: &Scope,
) -> Result<tieout_sql::CheckedQuery, String> {
    let scope = scope.warehouse();
    let context = context(project, &scope);
    check_text(&query.written, query.binds.clone(), &context).map_err(|rejected| {
        let first = rejected.rejections.first();
        first.map_or_else(|| "the checker rejects it".to_owned(), |r| format!("{}: {}", r.rule, r.message))
    })
}

fn compare(query: &RecordedQuery, now: &Evidence) -> Vec<CellChange> {
    let tables = now.query().tables().to_vec();
    let width = query.label.key_columns;
    let Some(before) = &query.rows else {
        let change = CellChange {
            query: query.label.id.clone(),
            tables,
            key: Vec::new(),
            column: None,
            was: None,
            is: None,
        };
        return vec![change];
    };
    let index = |rows: &Rows| -> BTreeMap<Vec<Cell>, Vec<Cell>> {
        // A list whose rows share a key (a column behind a many side) is told apart by the whole row.
        let unique = {
            let mut keys: Vec<_> = rows.rows.iter().map(|r| r.get(..width).map(<[Cell]>::to_vec)).collect();
            keys.sort_unstable();
            keys.windows(2).all(|pair| pair[0] != pair[1])
        };
        let key = |row: &Vec<Cell>| if unique { row[..width.min(row.len())].to_vec() } else { row.clone() };
        rows.rows.iter().map(|row| (key(row), row.clone())).collect()
    };
    let (old, new) = (index(before), index(now.rows()));
    let names = |key: &[Cell]| {
        let named = before.columns.iter().zip(key).take(width.max(1));
        named.map(|(n, c)| (n.clone(), c.clone())).collect::<Vec<_>>()
    };
    let mut changes = Vec::new();
    let mut push = |key: &[Cell], column: Option<String>, was: Option<Cell>, is: Option<Cell>| {
        changes.push(CellChange {
            query: query.label.id.clone(),
            tables: tables.clone(),
            key: names(key),
            column,
            was,
            is,
        });
    };
    for (key, row) in &old {
        match new.get(key) {
            None => push(key, None, row.last().cloned(), None),
            Some(other) => {
                for ((column, was), is) in before.columns.iter().zip(row).zip(other) {
                    if was != is {
                        push(key, Some(column.clone()), Some(was.clone()), Some(is.clone()));
                    }
                }
            }
        }
    }
    for (key, row) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
        push(key, None, None, row.last().cloned());
    }
    changes
}

fn compare_claims(recorded: &Recorded, evidence: &[Evidence]) -> Vec<(String, String, String)> {
    let book = Book::open(evidence);
    let mut differing = Vec::new();
    for claim in &recorded.claims {
        for (working, was, unit) in &claim.values {
            let is = match work_out(working, &book) {
                Ok(value) if value == *was => continue,
                Ok(value) => value.shown(unit),
                Err(error) => error.to_string(),
            };
            differing.push((claim.id.clone(), was.shown(unit), is));
        }
    }
    differing
}
