//! From what the ledger kept back to what replay needs. What does not read back is said, never guessed.

use tieout_agent::{Recorded, RecordedClaim, RecordedQuery};
use tieout_core::evidence::{self, Label, Rows};
use tieout_ledger::Stored;

use super::{Bind, Cell, Claim, Ending, Query, Record, RowsCopy, queries::purpose};

/// A stored record that does not read back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(pub String);

/// A stored record, with the copies of its queries' rows put back in place.
///
/// # Errors
/// When the text is no record, or a copy of rows is broken.
pub fn with_rows(stored: &Stored) -> Result<Record, Unreadable> {
    let mut record: Record = serde_json::from_str(&stored.document)
        .map_err(|error| Unreadable(format!("the record does not read back: {error}")))?;
    for (query, (id, _, rows)) in record.queries.iter_mut().zip(&stored.rows) {
        if query.id != *id {
            return Err(Unreadable(format!("the rows of {id} stand where those of {} should", query.id)));
        }
        query.rows = rows.as_ref().map(|rows| copy(&rows.0, id)).transpose()?;
    }
    Ok(record)
}

fn copy(json: &str, id: &str) -> Result<RowsCopy, Unreadable> {
    let broken = || Unreadable(format!("the copy of the rows of {id} does not read back"));
    let lines: Vec<Vec<String>> = serde_json::from_str(json).map_err(|_| broken())?;
    let cell = |line: &String| evidence::Cell::from_canonical(line).map(|cell| Cell::from(&cell));
    let row = |row: &Vec<String>| row.iter().map(cell).collect::<Option<Vec<_>>>();
    lines.iter().map(row).collect::<Option<_>>().ok_or_else(broken)
}

/// What replay needs of a record that [`with_rows`] gave.
///
/// # Errors
/// When a value of it is of no type that is known.
pub fn recorded(record: &Record) -> Result<Recorded, Unreadable> {
    let claims = match &record.ending {
        Ending::Answer(answer) => answer.claims.iter().map(claim).collect::<Result<_, _>>()?,
        Ending::Doubt { .. } | Ending::Refusal(_) | Ending::Query(_) | Ending::Fault { .. } => Vec::new(),
    };
    Ok(Recorded {
        id: record.id.clone(),
        queries: record.queries.iter().map(query).collect::<Result<_, _>>()?,
        claims,
        catalogue_digest: record.project.catalogue_digest.clone(),
    })
}

fn query(query: &Query) -> Result<RecordedQuery, Unreadable> {
    let broken = |what: &str| Unreadable(format!("the {what} of {} does not read back", query.id));
    let binds = query.written_binds.iter().map(Bind::back).collect::<Option<Vec<_>>>();
    let rows = query.rows.as_ref().map(|rows| {
        let row = |row: &Vec<Cell>| row.iter().map(Cell::back).collect::<Option<Vec<_>>>();
        rows.iter().map(row).collect::<Option<Vec<_>>>().ok_or_else(|| broken("copy of the rows"))
    });
    let cut = query.state == "cut_short";
    Ok(RecordedQuery {
        label: Label {
            id: query.id.clone(),
            purpose: purpose(&query.purpose).ok_or_else(|| broken("purpose"))?,
            writer: query.written_by.into(),
            text: query.label.clone(),
            key_columns: query.key_columns,
        },
        written: query.written.clone(),
        binds: binds.ok_or_else(|| broken("list of bound values"))?,
        digest: query.digest.clone(),
        rows: rows.transpose()?.map(|rows| Rows { columns: query.columns.clone(), rows, cut }),
    })
}

fn claim(claim: &Claim) -> Result<RecordedClaim, Unreadable> {
    let broken = || Unreadable(format!("a figure of {} does not read back", claim.id));
    let values = claim.values.iter().map(|v| Some((v.working.back()?, v.value.back()?, v.unit.back()?)));
    Ok(RecordedClaim {
        id: claim.id.clone(),
        text: claim.text.clone(),
        values: values.collect::<Option<Vec<_>>>().ok_or_else(broken)?,
    })
}
