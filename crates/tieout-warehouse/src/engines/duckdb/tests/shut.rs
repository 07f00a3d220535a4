//! A statement that got past everything else still reaches nothing but the data, and not for ever.

use std::time::{Duration, Instant};

use tieout_core::{catalogue::Datatype, halt::FaultKind};

use super::{DuckDb, over};
use crate::testing::{dataset, source, write};

fn engine() -> (tempfile::TempDir, DuckDb) {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "t.csv", "a\n1\n2\n3\n");
    write(folder.path(), "other.csv", "secret\n42\n");
    let engine = over(folder.path(), source("t.csv"), dataset("t", &[("a", Datatype::Integer)])).unwrap();
    (folder, engine)
}

#[test]
fn no_file_is_read_or_written() {
    let (folder, engine) = engine();
    let path = folder.path().display();
    for statement in [
        "SELECT * FROM read_csv('/etc/passwd')".to_owned(),
        "SELECT * FROM '/etc/passwd'".to_owned(),
        "SELECT * FROM read_text('/etc/passwd')".to_owned(),
        "SELECT * FROM read_blob('/etc/passwd')".to_owned(),
        "SELECT * FROM glob('/etc/*')".to_owned(),
        format!("SELECT * FROM read_csv('{path}/other.csv')"),
        format!("SELECT * FROM read_csv('{path}/t.csv')"),
        format!("COPY t TO '{path}/out.csv'"),
        format!("EXPORT DATABASE '{path}/out'"),
        format!("ATTACH '{path}/new.duckdb'"),
        "SELECT * FROM read_csv('https://example.com/x.csv')".to_owned(),
        "INSTALL httpfs".to_owned(),
        "LOAD httpfs".to_owned(),
        "SET enable_external_access = true".to_owned(),
        "SET lock_configuration = false".to_owned(),
        "RESET enable_external_access".to_owned(),
        "SET memory_limit = '1TB'".to_owned(),
        "PRAGMA threads = 1".to_owned(),
    ] {
        let outcome = engine.raw(&statement, &[]);
        assert!(outcome.is_err(), "{statement} ran: {outcome:?}");
    }
    let names: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn nothing_is_changed() {
    let (_folder, engine) = engine();
    for statement in [
        "DELETE FROM t",
        "DROP TABLE t",
        "INSERT INTO t VALUES (4)",
        "UPDATE t SET a = 0",
        "CREATE TABLE u (b INT)",
        "CREATE VIEW v AS SELECT 1",
    ] {
        assert!(engine.raw(statement, &[]).is_err(), "{statement}");
    }
    assert_eq!(engine.printed("SELECT sum(a), count(*) FROM t"), ["6 | 3"]);
}

#[test]
fn a_slow_query_is_stopped() {
    let (_folder, engine) = engine();
    let started = Instant::now();
    let heavy = "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range * b.range = 7";
    let fault = engine.raw_within(heavy, &[], 10, Duration::from_millis(200)).unwrap_err();
    assert_eq!(fault.kind, FaultKind::Timeout, "{fault}");
    assert_eq!(fault.message, "the query took longer than 0.2 seconds and was stopped");
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    assert_eq!(engine.printed("SELECT count(*) FROM t"), ["3"], "the connection goes on");
}

#[test]
fn a_query_that_is_quick_is_not_hurried() {
    let (_folder, engine) = engine();
    for _ in 0..20 {
        assert!(engine.raw_within("SELECT count(*) FROM t", &[], 10, Duration::from_secs(5)).is_ok());
    }
}

#[test]
fn rows_behind_the_limit_are_cut_and_told() {
    let (_folder, engine) = engine();
    let within =
        |rows| engine.raw_within("SELECT a FROM t ORDER BY a", &[], rows, Duration::from_secs(30)).unwrap();
    let cut = within(2);
    assert_eq!((cut.rows.len(), cut.cut), (2, true));
    let whole = within(3);
    assert_eq!((whole.rows.len(), whole.cut), (3, false));
    let many =
        engine.raw_within("SELECT * FROM range(100000000000)", &[], 5000, Duration::from_secs(30)).unwrap();
    assert_eq!((many.rows.len(), many.cut), (5000, true));
}

#[test]
fn the_columns_keep_their_names_when_there_are_no_rows() {
    let (_folder, engine) = engine();
    let rows = engine.raw("SELECT a, a + 1 AS b FROM t WHERE false", &[]).unwrap();
    assert_eq!((rows.columns, rows.rows.len()), (vec!["a".to_owned(), "b".to_owned()], 0));
}

#[test]
fn an_error_of_the_engine_is_a_fault_in_words() {
    let (_folder, engine) = engine();
    let fault = engine.raw("SELECT nothing FROM t", &[]).unwrap_err();
    assert!(fault.message.starts_with("the query failed: "), "{fault}");
    assert!(!fault.message.contains('\n'));
    assert_eq!(engine.printed("SELECT count(*) FROM t"), ["3"], "the connection goes on");
}
