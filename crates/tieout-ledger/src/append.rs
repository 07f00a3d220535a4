//! Writes a record: one transaction, on the disk when it returns.

use sqlx::{Connection, SqliteConnection};
use tieout_core::halt::Fault;

use crate::{
    Entry, Ledger, ROWS_KEPT_BYTES_MAX, ROWS_KEPT_MAX, RowsCopy, entry::ClaimEntry, entry::QueryEntry, fault,
};

impl Ledger {
    /// Writes a record, all or nothing.
    ///
    /// # Errors
    /// A fault when it cannot be written; then nothing of it is.
    pub async fn append(&self, entry: &Entry) -> Result<(), Fault> {
        let mut connection = self.connection.lock().await;
        write(&mut connection, entry).await.map_err(|error| fault::of_sqlite(&error, &self.path))
    }
}

/// A copy of rows, if they are few and small enough to be kept.
#[must_use]
pub fn rows_fit(count: usize, json: String) -> Option<RowsCopy> {
    (count <= ROWS_KEPT_MAX && json.len() <= ROWS_KEPT_BYTES_MAX).then_some(RowsCopy(json))
}

async fn write(connection: &mut SqliteConnection, entry: &Entry) -> Result<(), sqlx::Error> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    record(&mut transaction, entry).await?;
    for (place, query) in (0_i64..).zip(&entry.queries) {
        write_query(&mut transaction, &entry.id, place, query).await?;
    }
    for (place, claim) in (0_i64..).zip(&entry.claims) {
        write_claim(&mut transaction, &entry.id, place, claim).await?;
    }
    transaction.commit().await
}

async fn record(connection: &mut SqliteConnection, entry: &Entry) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO records (id, asked_at, principal, tenant, project, catalogue_digest, question, now, after, \
         outcome, reason, total_us, document) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(&entry.id)
    .bind(&entry.asked_at)
    .bind(&entry.principal)
    .bind(&entry.tenant)
    .bind(&entry.project)
    .bind(&entry.catalogue_digest)
    .bind(&entry.question)
    .bind(&entry.now)
    .bind(&entry.after)
    .bind(&entry.outcome)
    .bind(&entry.reason)
    .bind(stored(entry.total_us))
    .bind(&entry.document)
    .execute(connection)
    .await
    .map(drop)
}

async fn write_query(
    connection: &mut SqliteConnection,
    record: &str,
    place: i64,
    query: &QueryEntry,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO queries (record_id, place, id, purpose, label, written, physical, binds, digest, key_columns, \
         row_count, cut, columns, rows) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(record)
    .bind(place)
    .bind(&query.id)
    .bind(&query.purpose)
    .bind(&query.label)
    .bind(&query.written)
    .bind(&query.physical)
    .bind(&query.binds)
    .bind(&query.digest)
    .bind(stored(query.key_columns))
    .bind(stored(query.row_count))
    .bind(query.cut)
    .bind(&query.columns)
    .bind(query.rows.as_ref().map(|rows| rows.0.as_str()))
    .execute(connection)
    .await
    .map(drop)
}

async fn write_claim(
    connection: &mut SqliteConnection,
    record: &str,
    place: i64,
    claim: &ClaimEntry,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO claims (record_id, place, id, kind, text, confidence, sources) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(record)
    .bind(place)
    .bind(&claim.id)
    .bind(&claim.kind)
    .bind(&claim.text)
    .bind(&claim.confidence)
    .bind(&claim.sources)
    .execute(connection)
    .await
    .map(drop)
}

/// SQLite's integers are signed; a count beyond them is stored as the greatest.
fn stored(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
