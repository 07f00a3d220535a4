//! What is written and read: a record with its queries and claims.
//!
//! Deliberately absent: domain types, so that the ledger keeps what it was given whatever becomes of them.

/// The most rows of one query that are copied; a result with more is kept by its digest alone.
pub const ROWS_KEPT_MAX: usize = 2_000;

/// The most bytes of one query's rows that are copied.
pub const ROWS_KEPT_BYTES_MAX: usize = 1024 * 1024;

/// Who looks: a tenant sees its own records, and a session without a tenant sees those that have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Viewer {
    /// The project whose records are looked at.
    pub project: String,
    /// The session's tenant.
    pub tenant: Option<String>,
}

/// A record to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Unique, and sorted as time goes.
    pub id: String,
    /// When, in RFC 3339.
    pub asked_at: String,
    /// Who asked.
    pub principal: String,
    /// For which tenant.
    pub tenant: Option<String>,
    /// The project's name.
    pub project: String,
    /// The digest of the catalogue it was answered with.
    pub catalogue_digest: String,
    /// As typed.
    pub question: String,
    /// The moment relative periods counted from, in RFC 3339.
    pub now: String,
    /// The record it follows up.
    pub after: Option<String>,
    /// `answer`, `doubt`, `refusal`, `fault`, or `query` for a statement's rows.
    pub outcome: String,
    /// The first reason's code, the first doubt's subject or the fault's kind.
    pub reason: Option<String>,
    /// How long it took, in microseconds.
    pub total_us: u64,
    /// The whole record as JSON.
    pub document: String,
    /// Its queries, in order.
    pub queries: Vec<QueryEntry>,
    /// Its claims, in order.
    pub claims: Vec<ClaimEntry>,
}

/// A query of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryEntry {
    /// The query's id within the record.
    pub id: String,
    /// Why it was run.
    pub purpose: String,
    /// What it fetched, in words.
    pub label: String,
    /// Over the catalogue's names, before the tenant was bound.
    pub written: String,
    /// As it ran.
    pub physical: String,
    /// The bound values of the physical form, as JSON.
    pub binds: String,
    /// SHA-256 of its rows.
    pub digest: String,
    /// How many columns at the start name a row.
    pub key_columns: u64,
    /// How many rows came back.
    pub row_count: u64,
    /// Whether there were more than the limit.
    pub cut: bool,
    /// The columns, as a JSON list of names.
    pub columns: String,
    /// A copy of the rows; none when they are more than are kept.
    pub rows: Option<RowsCopy>,
}

/// A copy of rows as JSON: a list of lists of texts, in the order in which they came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowsCopy(pub String);

/// A claim of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimEntry {
    /// The claim's id within the record.
    pub id: String,
    /// Its kind.
    pub kind: String,
    /// The sentence.
    pub text: String,
    /// How it is known.
    pub confidence: String,
    /// Where it comes from, as JSON.
    pub sources: String,
}

/// A record as it is read back: its document, and the copies of its rows by the queries' ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The whole record as JSON.
    pub document: String,
    /// For each query its id, the JSON list of its columns, and its rows where they were kept.
    pub rows: Vec<(String, String, Option<RowsCopy>)>,
}

/// One line of the history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The record's id.
    pub id: String,
    /// When, in RFC 3339.
    pub asked_at: String,
    /// Who asked.
    pub principal: String,
    /// As typed.
    pub question: String,
    /// The record it follows up.
    pub after: Option<String>,
    /// `answer`, `doubt`, `refusal`, `fault`, or `query` for a statement's rows.
    pub outcome: String,
    /// The first reason's code, the first doubt's subject or the fault's kind.
    pub reason: Option<String>,
    /// How long it took, in microseconds.
    pub total_us: u64,
}
