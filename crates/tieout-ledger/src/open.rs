//! Opens the ledger's file, makes it when it is not there, and brings its tables up to date.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use sqlx::{
    AssertSqlSafe, ConnectOptions, Connection, Executor, Row, SqliteConnection,
    migrate::Migrator,
    sqlite::{SqliteConnectOptions, SqliteSynchronous},
};
use tieout_core::halt::Fault;
use tokio::sync::Mutex;

use crate::fault;

/// How long a lock of another process is waited for, in milliseconds.
pub const BUSY_WAIT_MS_MAX: u64 = 10_000;

/// How often the write-ahead log is asked for while other processes open the same new file.
const WAL_ATTEMPTS_MAX: u32 = 200;
/// How long is waited between, in milliseconds.
const WAL_PAUSE_MS: u64 = 20;

/// The version of the tables that this program writes.
pub const SCHEMA_VERSION: i64 = 2;

/// Marks the file as a ledger of tieout's: `tie1` in ASCII.
const APPLICATION_ID: i64 = 0x7469_6531;

/// The tables' history, from `migrations/`.
static MIGRATIONS: Migrator = sqlx::migrate!();

/// An open ledger.
#[derive(Debug)]
pub struct Ledger {
    pub(crate) path: PathBuf,
    pub(crate) connection: Mutex<SqliteConnection>,
}

impl Ledger {
    /// Opens a ledger, and makes it when it is not there.
    ///
    /// # Errors
    /// A fault when the file cannot be written, is damaged, is no ledger, or was written by a newer program.
    pub async fn open(path: &Path) -> Result<Self, Fault> {
        create_file(path)?;
        Self::connect(path).await
    }

    /// Opens a ledger that is there; none when nothing was ever recorded.
    ///
    /// # Errors
    /// As [`Ledger::open`].
    pub async fn open_existing(path: &Path) -> Result<Option<Self>, Fault> {
        match path.try_exists() {
            Ok(true) => Self::connect(path).await.map(Some),
            Ok(false) => Ok(None),
            Err(error) => Err(cannot_look(path, &error)),
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Leaves no room for another page, as a full disk does.
    #[doc(hidden)]
    pub async fn limit_pages_for_tests(&self) {
        let _ = self.connection.lock().await.execute("PRAGMA max_page_count = 1").await;
    }

    async fn connect(path: &Path) -> Result<Self, Fault> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(false)
            .busy_timeout(Duration::from_millis(BUSY_WAIT_MS_MAX))
            .synchronous(SqliteSynchronous::Full)
            // Without it, `INSERT OR REPLACE` would remove rows past the triggers that forbid it.
            .pragma("recursive_triggers", "ON")
            .disable_statement_logging();
        let told = |error: sqlx::Error| fault::of_sqlite(&error, path);
        let mut connection = options.connect().await.map_err(told)?;
        prepare(&mut connection, path).await?;
        Ok(Self { path: path.to_owned(), connection: Mutex::new(connection) })
    }

    /// Holds that a record could be written now, without writing one.
    ///
    /// # Errors
    /// A fault when it could not.
    pub async fn writable(&self) -> Result<(), Fault> {
        let told = |error: sqlx::Error| fault::of_sqlite(&error, &self.path);
        let mut connection = self.connection.lock().await;
        // A page is made dirty and put back: only that meets the lock, the permission and the disk.
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(told)?;
        transaction.execute("CREATE TABLE probe (x)").await.map_err(told)?;
        transaction.rollback().await.map_err(told)
    }

    /// Closes the ledger, folding the write-ahead log into the file. A ledger that is only dropped loses nothing.
    pub async fn close(self) {
        let _ = self.connection.into_inner().close().await;
    }
}

/// Makes the file readable by its owner alone. The files beside it get the same permissions from SQLite.
fn create_file(path: &Path) -> Result<(), Fault> {
    match path.try_exists() {
        Ok(true) => return Ok(()),
        Ok(false) => {}
        Err(error) => return Err(cannot_look(path, &error)),
    }
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(|error| cannot_make(path, &error))?;
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(cannot_make(path, &error)),
    }
}

fn cannot_look(path: &Path, error: &std::io::Error) -> Fault {
    fault::ledger(
        format!("the ledger {} cannot be looked for: {error}", path.display()),
        "check the path, or name another place with `--ledger`",
    )
}

fn cannot_make(path: &Path, error: &std::io::Error) -> Fault {
    fault::ledger(
        format!("the ledger {} cannot be made: {error}", path.display()),
        "give this user permission to write there, or name another place with `--ledger`",
    )
}

/// Checks whose file it is, and brings it up to date.
async fn prepare(connection: &mut SqliteConnection, path: &Path) -> Result<(), Fault> {
    let told = |error: sqlx::Error| fault::of_sqlite(&error, path);
    // The tables are looked for before the marks: another process that makes this ledger writes both at once, and marks
    // that are read later are never older than the tables.
    let tables = number(connection, "SELECT count(*) FROM sqlite_schema").await.map_err(told)?;
    let (application, version) = marks(connection).await.map_err(told)?;
    if version > SCHEMA_VERSION {
        return Err(fault::ledger(
            format!(
                "the ledger {} was written by a newer tieout (version {version} of its tables)",
                path.display()
            ),
            "update tieout, or name another place with `--ledger`",
        ));
    }
    if application == APPLICATION_ID && version == SCHEMA_VERSION {
        return Ok(());
    }
    if application != APPLICATION_ID && tables > 0 {
        return Err(fault::ledger(
            format!("{} is a database, but not a ledger of tieout's", path.display()),
            "name another place with `--ledger`",
        ));
    }
    write_ahead(connection).await.map_err(told)?;
    migrate(connection).await.map_err(told)
}

async fn marks(connection: &mut SqliteConnection) -> Result<(i64, i64), sqlx::Error> {
    let application = number(connection, "PRAGMA application_id").await?;
    Ok((application, number(connection, "PRAGMA user_version").await?))
}

async fn number(connection: &mut SqliteConnection, sql: &'static str) -> Result<i64, sqlx::Error> {
    sqlx::query(sql).fetch_one(connection).await?.try_get(0)
}

/// Turns the write-ahead log on, which needs the file for itself for a moment: SQLite gives up at once where waiting
/// could lock two openers for ever, so we wait here.
async fn write_ahead(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let mut attempt = 0;
    loop {
        match connection.execute("PRAGMA journal_mode = WAL").await {
            Err(error) if fault::is_busy(&error) && attempt < WAL_ATTEMPTS_MAX => {
                attempt += 1;
                tokio::time::sleep(Duration::from_millis(WAL_PAUSE_MS)).await;
            }
            Err(error) => return Err(error),
            Ok(_) => return Ok(()),
        }
    }
}

/// Applies what the file has not seen yet, all or nothing. Whoever comes second finds it done.
async fn migrate(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let (_, version) = marks(&mut transaction).await?;
    for migration in MIGRATIONS.iter().filter(|migration| migration.version > version) {
        transaction.execute(migration.sql.clone()).await?;
    }
    // Pragmas take no bound values; both numbers are our own constants.
    let sql = format!("PRAGMA user_version = {SCHEMA_VERSION}; PRAGMA application_id = {APPLICATION_ID}");
    transaction.execute(AssertSqlSafe(sql)).await?;
    transaction.commit().await
}
