//! Reads records back. Every query names the viewer's tenant, so that nobody sees another's.

use sqlx::{Row, sqlite::SqliteRow};
use tieout_core::halt::Fault;

use crate::{Ledger, RowsCopy, Stored, Summary, Viewer, fault};

impl Ledger {
    /// A record by its id; none when there is none that the viewer may see.
    ///
    /// # Errors
    /// A fault when the ledger cannot be read.
    pub async fn find(&self, viewer: &Viewer, id: &str) -> Result<Option<Stored>, Fault> {
        let told = |error: sqlx::Error| fault::of_sqlite(&error, &self.path);
        let mut connection = self.connection.lock().await;
        let found = sqlx::query("SELECT document FROM records WHERE id = ? AND project = ? AND tenant IS ?")
            .bind(id)
            .bind(&viewer.project)
            .bind(&viewer.tenant)
            .fetch_optional(&mut *connection)
            .await
            .map_err(told)?;
        let Some(record) = found else { return Ok(None) };
        let document = record.try_get(0).map_err(told)?;
        let rows = sqlx::query("SELECT id, columns, rows FROM queries WHERE record_id = ? ORDER BY place")
            .bind(id)
            .fetch_all(&mut *connection)
            .await
            .map_err(told)?;
        let copies = rows.iter().map(copy).collect::<Result<_, _>>().map_err(told)?;
        Ok(Some(Stored { document, rows: copies }))
    }

    /// The latest records that the viewer may see, the last first.
    ///
    /// # Errors
    /// A fault when the ledger cannot be read.
    pub async fn latest(&self, viewer: &Viewer, count_max: u32) -> Result<Vec<Summary>, Fault> {
        let told = |error: sqlx::Error| fault::of_sqlite(&error, &self.path);
        let mut connection = self.connection.lock().await;
        let rows = sqlx::query(
            "SELECT id, asked_at, principal, question, after, outcome, reason, total_us FROM records \
             WHERE project = ? AND tenant IS ? ORDER BY id DESC LIMIT ?",
        )
        .bind(&viewer.project)
        .bind(&viewer.tenant)
        .bind(i64::from(count_max))
        .fetch_all(&mut *connection)
        .await
        .map_err(told)?;
        rows.iter().map(summary).collect::<Result<_, _>>().map_err(told)
    }

    /// Whether the file holds together, as SQLite sees it: none when it does, else what it says.
    ///
    /// # Errors
    /// A fault when the ledger cannot be read.
    pub async fn flaw(&self) -> Result<Option<String>, Fault> {
        let told = |error: sqlx::Error| fault::of_sqlite(&error, &self.path);
        let mut connection = self.connection.lock().await;
        let row = sqlx::query("PRAGMA quick_check(1)").fetch_one(&mut *connection).await.map_err(told)?;
        let said: String = row.try_get(0).map_err(told)?;
        Ok((said != "ok").then_some(said))
    }
}

fn copy(row: &SqliteRow) -> Result<(String, String, Option<RowsCopy>), sqlx::Error> {
    let rows: Option<String> = row.try_get(2)?;
    Ok((row.try_get(0)?, row.try_get(1)?, rows.map(RowsCopy)))
}

fn summary(row: &SqliteRow) -> Result<Summary, sqlx::Error> {
    let total: i64 = row.try_get(7)?;
    Ok(Summary {
        id: row.try_get(0)?,
        asked_at: row.try_get(1)?,
        principal: row.try_get(2)?,
        question: row.try_get(3)?,
        after: row.try_get(4)?,
        outcome: row.try_get(5)?,
        reason: row.try_get(6)?,
        total_us: u64::try_from(total).unwrap_or_default(),
    })
}
