//! The ledger as a file on a disk: written by several processes, killed at any moment, damaged, full of somebody else's
//! tables, or not to be written to.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops where it fails")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use tieout_core::halt::{Fault, FaultKind};
use tieout_ledger::{
    ClaimEntry, Entry, Ledger, QueryEntry, ROWS_KEPT_BYTES_MAX, ROWS_KEPT_MAX, Viewer, rows_fit,
};

fn entry(id: &str, tenant: Option<&str>) -> Entry {
    let query = |id: &str, rows: &str| QueryEntry {
        id: id.to_owned(),
        purpose: "figures".to_owned(),
        label: "net revenue".to_owned(),
        written: "SELECT 1".to_owned(),
        physical: "SELECT 1".to_owned(),
        binds: "[]".to_owned(),
        digest: "0".repeat(64),
        key_columns: 0,
        row_count: 1,
        cut: false,
        columns: r#"["n"]"#.to_owned(),
        rows: rows_fit(1, rows.to_owned()),
    };
    Entry {
        id: id.to_owned(),
        asked_at: "2026-10-07T16:00:00Z".to_owned(),
        principal: "somebody".to_owned(),
        tenant: tenant.map(str::to_owned),
        project: "commerce".to_owned(),
        catalogue_digest: "d".repeat(64),
        question: "how many orders?".to_owned(),
        now: "2026-10-07T16:00:00Z".to_owned(),
        after: None,
        outcome: "answer".to_owned(),
        reason: None,
        total_us: 84_000,
        document: format!(r#"{{"id":"{id}"}}"#),
        queries: vec![query("q1", r#"[["number 1"]]"#), query("q2", r#"[["null"]]"#)],
        claims: vec![ClaimEntry {
            id: "c1".to_owned(),
            kind: "value".to_owned(),
            text: "the number of orders is 1".to_owned(),
            confidence: "computed".to_owned(),
            sources: "[]".to_owned(),
        }],
    }
}

fn viewer(tenant: Option<&str>) -> Viewer {
    Viewer { project: "commerce".to_owned(), tenant: tenant.map(str::to_owned) }
}

fn block<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
}

fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(".tieout/ledger.sqlite");
    (folder, path)
}

fn refused(path: &Path) -> Fault {
    let fault = block(async { Ledger::open(path).await.map(drop) }).expect_err("it should not open");
    assert_eq!(fault.kind, FaultKind::Ledger);
    assert!(!fault.hint.is_empty(), "{fault:?}");
    fault
}

/// SQLite itself on the same file, for what the ledger gives no way to do.
async fn execute(path: &Path, sql: &str) -> Result<(), String> {
    use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, sqlite::SqliteConnectOptions};
    let options = SqliteConnectOptions::new().filename(path).disable_statement_logging();
    let mut connection = options.connect().await.map_err(|error| error.to_string())?;
    let done =
        connection.execute(AssertSqlSafe(sql.to_owned())).await.map(drop).map_err(|error| error.to_string());
    connection.close().await.map_err(|error| error.to_string())?;
    done
}

#[test]
fn what_is_written_reads_back() {
    let (_folder, path) = place();
    block(async {
        let ledger = Ledger::open(&path).await.unwrap();
        let written = entry("a1", Some("alpha"));
        ledger.append(&written).await.unwrap();
        let found = ledger.find(&viewer(Some("alpha")), "a1").await.unwrap().unwrap();
        assert_eq!(found.document, written.document);
        let ids: Vec<_> =
            found.rows.iter().map(|(id, _, rows)| (id.as_str(), rows.as_ref().unwrap().0.as_str())).collect();
        assert_eq!(ids, [("q1", r#"[["number 1"]]"#), ("q2", r#"[["null"]]"#)]);
        let listed = ledger.latest(&viewer(Some("alpha")), 10).await.unwrap();
        assert_eq!(listed.len(), 1);
        assert_eq!((listed[0].id.as_str(), listed[0].total_us), ("a1", 84_000));
        assert_eq!(ledger.flaw().await.unwrap(), None);
    });
}

#[test]
fn a_tenant_sees_its_own_records_and_nobody_elses() {
    let (_folder, path) = place();
    block(async {
        let ledger = Ledger::open(&path).await.unwrap();
        for (id, tenant) in [("a1", Some("alpha")), ("b1", Some("beta")), ("n1", None), ("e1", Some(""))] {
            ledger.append(&entry(id, tenant)).await.unwrap();
        }
        for (own, tenant) in [("a1", Some("alpha")), ("b1", Some("beta")), ("n1", None), ("e1", Some(""))] {
            let listed = ledger.latest(&viewer(tenant), 10).await.unwrap();
            assert_eq!(listed.iter().map(|s| s.id.as_str()).collect::<Vec<_>>(), [own]);
            for id in ["a1", "b1", "n1", "e1"] {
                assert_eq!(
                    ledger.find(&viewer(tenant), id).await.unwrap().is_some(),
                    id == own,
                    "{tenant:?} {id}"
                );
            }
        }
        let other = Viewer { project: "lending".to_owned(), tenant: Some("alpha".to_owned()) };
        assert!(ledger.find(&other, "a1").await.unwrap().is_none());
    });
}

#[test]
fn nothing_is_changed_removed_or_replaced() {
    let (_folder, path) = place();
    block(async {
        let ledger = Ledger::open(&path).await.unwrap();
        ledger.append(&entry("a1", None)).await.unwrap();
        ledger.append(&entry("a1", None)).await.expect_err("an id is used once");
        ledger.close().await;
        for sql in [
            "UPDATE records SET outcome = 'doubt'",
            "DELETE FROM records",
            "UPDATE queries SET digest = ''",
            "DELETE FROM queries",
            "UPDATE claims SET text = ''",
            "DELETE FROM claims",
            "INSERT OR REPLACE INTO records SELECT * FROM records",
            "INSERT OR REPLACE INTO claims SELECT * FROM claims",
            "INSERT OR REPLACE INTO queries SELECT * FROM queries",
        ] {
            let refused = execute(&path, sql).await.expect_err(sql);
            assert!(refused.contains("append-only"), "{sql}: {refused}");
        }
        let ledger = Ledger::open(&path).await.unwrap();
        assert!(ledger.find(&viewer(None), "a1").await.unwrap().is_some());
    });
}

#[test]
fn rows_are_kept_up_to_a_limit() {
    assert!(rows_fit(ROWS_KEPT_MAX, "[]".to_owned()).is_some());
    assert!(rows_fit(ROWS_KEPT_MAX + 1, "[]".to_owned()).is_none());
    assert!(rows_fit(1, "x".repeat(ROWS_KEPT_BYTES_MAX)).is_some());
    assert!(rows_fit(1, "x".repeat(ROWS_KEPT_BYTES_MAX + 1)).is_none());
}

#[cfg(unix)]
#[test]
fn only_its_owner_may_read_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, path) = place();
    block(async {
        let ledger = Ledger::open(&path).await.unwrap();
        ledger.append(&entry("a1", None)).await.unwrap();
        for file in fs::read_dir(path.parent().unwrap()).unwrap() {
            let file = file.unwrap();
            assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", file.path());
        }
    });
}

#[test]
fn nothing_recorded_is_not_a_fault() {
    let (_folder, path) = place();
    assert!(block(Ledger::open_existing(&path)).unwrap().is_none());
    assert!(!path.exists(), "looking makes no file");
}

#[test]
fn a_file_that_is_no_ledger_is_left_alone() {
    let (folder, _) = place();
    let text = folder.path().join("notes.txt");
    fs::write(
        &text,
        "not a database, but somebody's notes, long enough to have a header's worth of bytes in it: "
            .repeat(4),
    )
    .unwrap();
    let before = fs::read(&text).unwrap();
    assert!(refused(&text).message.contains("is no ledger"));
    assert_eq!(fs::read(&text).unwrap(), before);

    let other = folder.path().join("other.sqlite");
    fs::write(&other, "").unwrap();
    block(execute(&other, "CREATE TABLE notes (text TEXT)")).unwrap();
    assert!(refused(&other).message.contains("not a ledger"));
}

#[test]
fn a_damaged_file_is_told_and_not_written_to() {
    let (_folder, path) = place();
    block(async {
        let ledger = Ledger::open(&path).await.unwrap();
        for i in 0..50 {
            ledger.append(&entry(&format!("a{i}"), None)).await.unwrap();
        }
        ledger.close().await;
    });
    let mut bytes = fs::read(&path).unwrap();
    let length = bytes.len();
    for byte in &mut bytes[4096..length] {
        *byte = 0xaa;
    }
    fs::write(&path, &bytes).unwrap();
    let fault = block(async {
        match Ledger::open(&path).await {
            Err(fault) => fault,
            Ok(ledger) => ledger.append(&entry("b1", None)).await.expect_err("it is damaged"),
        }
    });
    assert_eq!(fault.kind, FaultKind::Ledger);
    assert!(fault.message.contains("damaged"), "{fault:?}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_newer_ledger_is_left_alone() {
    let (_folder, path) = place();
    block(async { Ledger::open(&path).await.unwrap().close().await });
    block(execute(&path, "PRAGMA user_version = 99")).unwrap();
    let fault = refused(&path);
    assert!(fault.message.contains("newer"), "{fault:?}");
    assert!(fault.hint.contains("update tieout"), "{fault:?}");
}

#[test]
fn a_place_that_cannot_be_written_is_told() {
    let (folder, _) = place();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    assert!(refused(&file.join("ledger.sqlite")).message.contains("ledger"));
    assert!(refused(folder.path()).message.contains("ledger"), "a folder is no ledger");
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_read_only_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o500)).unwrap();
    if fs::write(folder.path().join("probe"), "").is_ok() {
        println!("skipped: this user may write anywhere");
        return;
    }
    let fault = refused(&folder.path().join("ledger.sqlite"));
    assert!(fault.message.contains("cannot be made"), "{fault:?}");
}

#[test]
fn a_full_disk_writes_nothing_of_a_record() {
    let (_folder, path) = place();
    block(async {
        let ledger = Ledger::open(&path).await.unwrap();
        ledger.append(&entry("a1", None)).await.unwrap();
        ledger.limit_pages_for_tests().await;
        let mut long = entry("a2", None);
        long.document = "x".repeat(4 * 1024 * 1024);
        let fault = ledger.append(&long).await.expect_err("there is no room");
        assert!(fault.message.contains("is full"), "{fault:?}");
        assert!(ledger.find(&viewer(None), "a2").await.unwrap().is_none());
        assert!(ledger.find(&viewer(None), "a1").await.unwrap().is_some());
    });
}

/// What this test's own program does when it is started again as a writer: records until it is done or killed.
#[test]
fn writer() {
    let Some(path) = std::env::var_os("LEDGER_OF_WRITER").map(PathBuf::from) else { return };
    let (name, count) = (std::env::var("NAME_OF_WRITER").unwrap(), std::env::var("COUNT_OF_WRITER").unwrap());
    block(async {
        let ledger = Ledger::open(&path).await.unwrap();
        for i in 0..count.parse::<usize>().unwrap() {
            ledger.append(&entry(&format!("{name}{i:06}"), None)).await.unwrap();
            println!("written {name}{i:06}");
        }
    });
}

fn start_writer(path: &Path, name: &str, count: usize) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "writer", "--nocapture"])
        .env("LEDGER_OF_WRITER", path)
        .env("NAME_OF_WRITER", name)
        .env("COUNT_OF_WRITER", count.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

async fn ids(path: &Path) -> BTreeSet<String> {
    let ledger = Ledger::open(path).await.unwrap();
    assert_eq!(ledger.flaw().await.unwrap(), None);
    let listed = ledger.latest(&viewer(None), 100_000).await.unwrap();
    for summary in &listed {
        let found = ledger.find(&viewer(None), &summary.id).await.unwrap().unwrap();
        assert_eq!(found.rows.len(), 2, "{} is whole", summary.id);
    }
    listed.into_iter().map(|summary| summary.id).collect()
}

#[test]
fn several_processes_make_and_write_one_ledger() {
    const PROCESSES: usize = 6;
    const RECORDS: usize = 25;
    let (_folder, path) = place();
    let writers: Vec<_> = (0..PROCESSES).map(|i| start_writer(&path, &format!("w{i}-"), RECORDS)).collect();
    for writer in writers {
        let output = writer.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(block(ids(&path)).len(), PROCESSES * RECORDS);
}

#[test]
fn a_kill_at_any_moment_loses_no_record_that_was_confirmed() {
    let (_folder, path) = place();
    let mut confirmed = BTreeSet::new();
    for (round, pause_ms) in [0_u64, 3, 7, 12, 25, 40, 60, 90, 130].into_iter().enumerate() {
        let mut writer = start_writer(&path, &format!("k{round}-"), 100_000);
        std::thread::sleep(Duration::from_millis(pause_ms));
        writer.kill().unwrap();
        let output = writer.wait_with_output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        // The last line may be cut short by the kill.
        let whole = printed.rsplit_once('\n').map_or("", |(whole, _)| whole);
        confirmed.extend(
            whole.lines().filter_map(|line| line.split_once("written ").map(|(_, id)| id.to_owned())),
        );
        let kept = block(ids(&path));
        assert!(confirmed.is_subset(&kept), "lost: {:?}", confirmed.difference(&kept).collect::<Vec<_>>());
    }
    assert!(!confirmed.is_empty(), "no writer lived long enough to write");
}

#[test]
fn an_older_ledger_is_brought_up_to_date_and_loses_nothing() {
    let (_folder, path) = place();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, "").unwrap();
    let older = include_str!("../migrations/0001_records.sql");
    let marks = "PRAGMA user_version = 1; PRAGMA application_id = 1953064241;";
    block(execute(&path, &format!("{older}{marks}"))).unwrap();
    let insert = |id: &str, after: &str| {
        format!(
            "INSERT INTO records VALUES ('{id}', '2026-10-07T12:00:00Z', 'ada', 'alpha', 'commerce', 'd', 'q', 'now', {after}, \
             'answer', NULL, 1, 'the document of {id}');
             INSERT INTO queries VALUES ('{id}', 0, 'q1', 'figures', 'l', 'w', 'p', '[]', 'd', 0, 1, 0, '[\"n\"]', '[]');
             INSERT INTO claims VALUES ('{id}', 0, 'c1', 'value', 't', 'computed', '[]');"
        )
    };
    block(execute(&path, &(insert("01", "NULL") + &insert("02", "'01'")))).unwrap();
    block(async {
        let ledger = Ledger::open(&path).await.unwrap();
        let viewer = viewer(Some("alpha"));
        assert_eq!(ledger.latest(&viewer, 9).await.unwrap().len(), 2);
        let found = ledger.find(&viewer, "02").await.unwrap().expect("it is still there");
        assert_eq!((found.document.as_str(), found.rows.len()), ("the document of 02", 1));
        let statement = Entry { outcome: "query".to_owned(), after: None, ..entry("03", Some("alpha")) };
        ledger.append(&statement).await.unwrap();
        assert_eq!(ledger.latest(&viewer, 1).await.unwrap()[0].outcome, "query");
        assert_eq!(ledger.flaw().await.unwrap(), None);
        ledger.close().await;
    });
    for forbidden in [
        "UPDATE records SET question = 'x' WHERE id = '01'",
        "DELETE FROM records WHERE id = '01'",
        "DELETE FROM claims",
        "INSERT INTO queries SELECT 'nobody', place, id, purpose, label, written, physical, binds, digest, key_columns, \
         row_count, cut, columns, rows FROM queries LIMIT 1",
    ] {
        assert!(block(execute(&path, forbidden)).is_err(), "{forbidden}");
    }
}
