//! Parquet, JSON lines and databases; several sources at once; and the notes they leave.

use std::path::Path;

use ::duckdb::Connection;
use tieout_core::{
    catalogue::{Dataset, Datatype, Project},
    halt::{Fault, FaultKind},
    ports::Warehouse,
};

use super::{DuckDb, over};
use crate::testing::{dataset, project, source, write};

fn made(folder: &Path, sql: &str) {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(&sql.replace("HERE", &folder.to_string_lossy())).unwrap();
}

fn database(folder: &Path, sql: &str) {
    let connection = Connection::open(folder.join("shop.duckdb")).unwrap();
    connection.execute_batch(sql).unwrap();
}

fn on_database(datasets: Vec<Dataset>) -> Project {
    let mut project = project(&[], datasets);
    project.warehouse.path = Some("shop.duckdb".to_owned());
    project
}

fn messages(engine: &DuckDb) -> Vec<&str> {
    engine.notes().iter().map(|note| note.message.as_str()).collect()
}

#[test]
fn parquet_stays_where_it_is_and_nothing_else_is_reached() {
    let folder = tempfile::tempdir().unwrap();
    made(
        folder.path(),
        "COPY (SELECT 9007199254740993 AS id, 1.25::DECIMAL(9,2) AS amount, DATE '2026-01-31' AS d, 'x' AS other) TO 'HERE/t.parquet';
         COPY (SELECT 1 AS id) TO 'HERE/u.parquet'",
    );
    let fields = &[("id", Datatype::Integer), ("amount", Datatype::Decimal), ("d", Datatype::Date)];
    let engine = over(folder.path(), source("t.parquet"), dataset("t", fields)).unwrap();
    assert_eq!(engine.printed("SELECT * FROM t"), ["9007199254740993 | 1.25 | date 2026-01-31"]);
    let other = format!("SELECT * FROM read_parquet('{}/u.parquet')", folder.path().display());
    assert!(engine.raw(&other, &[]).is_err());
    let over_it = format!("COPY (SELECT 1) TO '{}/t.parquet' (FORMAT parquet)", folder.path().display());
    assert!(engine.raw(&over_it, &[]).is_err());
}

#[test]
fn a_path_that_looks_like_a_pattern_or_a_partition_is_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join("year=2026").join("it's [1]*");
    std::fs::create_dir_all(&odd).unwrap();
    let connection = Connection::open_in_memory().unwrap();
    let plain = folder.path().join("plain.parquet");
    connection.execute_batch(&format!("COPY (SELECT 5 AS id) TO '{}'", plain.display())).unwrap();
    std::fs::rename(plain, odd.join("t?.parquet")).unwrap();
    write(&odd, "t?.csv", "id\n6\n");
    for (ending, expected) in [("parquet", "5"), ("csv", "6")] {
        let file = source(&format!("year=2026/it's [1]*/t?.{ending}"));
        let engine = over(folder.path(), file, dataset("t", &[("id", Datatype::Integer)])).unwrap();
        assert_eq!(engine.printed("SELECT * FROM t"), [expected]);
    }
}

#[test]
fn parquet_of_other_types_goes_through_the_judge() {
    let folder = tempfile::tempdir().unwrap();
    made(
        folder.path(),
        "COPY (SELECT * FROM (VALUES (0.1::DOUBLE, '2026-01-31', 'a''b', TIMESTAMP '2026-01-31 00:00:00'),
             (1e20, '2026-02-30', 'c', TIMESTAMP '2026-01-31 00:00:00'),
             ('nan', '2026-01-31', 'd', TIMESTAMP '2026-01-31 00:00:00'),
             (7, NULL, '', TIMESTAMP '2026-01-31 12:00:00'),
             (8, NULL, '', TIMESTAMP '2026-01-31 00:00:00')) v(x, d, s, t)) TO 'HERE/t.parquet'",
    );
    let fields =
        &[("x", Datatype::Decimal), ("d", Datatype::Date), ("s", Datatype::String), ("t", Datatype::Date)];
    let engine = over(folder.path(), source("t.parquet"), dataset("t", fields)).unwrap();
    assert_eq!(
        engine.printed("SELECT * FROM t"),
        ["0.1 | date 2026-01-31 | 'a'b' | date 2026-01-31", "8.0 | null | '' | date 2026-01-31"]
    );
    assert_eq!(messages(&engine), ["t: 3 of 5 rows were refused; see `tieout data check`"]);
}

#[test]
fn broken_parquet_is_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "t.parquet", "PAR1 this is none PAR1");
    let fault =
        over(folder.path(), source("t.parquet"), dataset("t", &[("id", Datatype::Integer)])).err().unwrap();
    assert_eq!(fault.kind, FaultKind::Data);
    assert!(fault.message.starts_with("opening `t.parquet` failed: "), "{fault}");
}

#[test]
fn json_lines_keep_every_digit() {
    let folder = tempfile::tempdir().unwrap();
    let text = "\u{feff}{\"id\":9007199254740993,\"amount\":12345678901234567.89,\"name\":\"M\\u00fcller\",\"more\":{\"a\":[1]}}\n\n\
        {\"id\":2,\"name\":\"\"}\r\n{\"id\":3,\"amount\":null,\"name\":null}\n{\"id\":4.5}\n{\"id\":5\n[1]\n{\"id\":6,\"id\":7}\n{\"id\":\"8\"}\n";
    write(folder.path(), "t.jsonl", text);
    let fields = &[
        ("id", Datatype::Integer),
        ("amount", Datatype::Decimal),
        ("name", Datatype::String),
        ("more", Datatype::String),
    ];
    let engine = over(folder.path(), source("t.jsonl"), dataset("t", fields)).unwrap();
    assert_eq!(
        engine.printed("SELECT * FROM t"),
        [
            "9007199254740993 | 12345678901234567.89 | 'Müller' | '{\"a\":[1]}'",
            "2 | null | '' | null",
            "3 | null | null | null",
            "8 | null | null | null",
        ]
    );
    assert_eq!(messages(&engine), ["t: 4 of 8 rows were refused; see `tieout data check`"]);
}

#[test]
fn a_json_array_of_objects_and_a_name_that_no_object_has() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "t.json", "[{\"id\": 1},\n {\"id\": 2, \"late\": true}]");
    let open = |fields: &[(&str, Datatype)]| over(folder.path(), source("t.json"), dataset("t", fields));
    let engine = open(&[("id", Datatype::Integer), ("late", Datatype::Boolean)]).unwrap();
    assert_eq!(engine.printed("SELECT * FROM t"), ["1 | null", "2 | true"]);
    let fault = open(&[("Id", Datatype::Integer)]).err().unwrap();
    assert_eq!(fault.message, "no object of `t.json` has a value named `Id`");
    assert_eq!(fault.hint, "the names there are: id, late; correct the field's `column`");
}

#[test]
fn a_database_is_read_and_never_written() {
    let folder = tempfile::tempdir().unwrap();
    database(
        folder.path(),
        "CREATE TABLE orders AS SELECT 1 AS id, 2.50::DECIMAL(9,2) AS amount; CREATE SCHEMA crm;
         CREATE TABLE crm.people AS SELECT 'Ann' AS name; CREATE VIEW big AS SELECT * FROM orders WHERE amount > 2",
    );
    let before = std::fs::read(folder.path().join("shop.duckdb")).unwrap();
    let mut people = dataset("people", &[("name", Datatype::String)]);
    people.source = "crm.people".to_owned();
    let orders = dataset("orders", &[("id", Datatype::Integer), ("amount", Datatype::Decimal)]);
    let big = dataset("big", &[("id", Datatype::Integer)]);
    let engine = DuckDb::open(&on_database(vec![orders, people, big]), folder.path(), None).unwrap();
    assert_eq!(
        engine.printed("SELECT o.amount, p.name, b.id FROM orders o, crm.people p, big b"),
        ["2.50 | 'Ann' | 1"]
    );
    for statement in [
        "INSERT INTO \"tieout attached\".main.orders VALUES (2, 3)",
        "DROP TABLE \"tieout attached\".main.orders",
        "ATTACH 'shop.duckdb' AS again",
    ] {
        assert!(engine.raw(statement, &[]).is_err(), "{statement}");
    }
    let _second = DuckDb::open(&on_database(vec![dataset("big", &[])]), folder.path(), None).unwrap();
    assert_eq!(std::fs::read(folder.path().join("shop.duckdb")).unwrap(), before);
}

#[test]
fn databases_that_cannot_be_opened() {
    let told = |folder: &Path| -> Fault {
        DuckDb::open(&on_database(vec![dataset("orders", &[("id", Datatype::Integer)])]), folder, None)
            .err()
            .unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(told(folder.path()).message, "`shop.duckdb` is not there");
    write(folder.path(), "shop.duckdb", "id,amount\n1,2\n3,4\n");
    assert_eq!(told(folder.path()).message, "`shop.duckdb` is not a DuckDB database");
    write(folder.path(), "shop.duckdb", "");
    assert_eq!(told(folder.path()).message, "`shop.duckdb` is not a DuckDB database");
    write(folder.path(), "shop.duckdb", [b"\0\0\0\0\0\0\0\0DUCK".as_slice(), &[7; 20_000]].concat());
    let broken = told(folder.path());
    assert!(broken.message.starts_with("`shop.duckdb` "), "{broken}");
    std::fs::remove_file(folder.path().join("shop.duckdb")).unwrap();
    database(folder.path(), "CREATE TABLE other AS SELECT 1 AS id");
    let lost = told(folder.path());
    assert_eq!(
        (lost.message.as_str(), lost.hint.as_str()),
        ("`shop.duckdb` has no table `orders`", "its tables are: other")
    );
}

#[test]
fn several_sources_two_datasets_over_one_and_one_that_nobody_names() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.csv", "id,kind,n\n1,x,5\n2,y,6\n");
    write(folder.path(), "b.jsonl", "{\"id\":1}\n");
    let mut second = dataset("second", &[("n", Datatype::Integer)]);
    second.source = "a".to_owned();
    second.tenant = Some("kind".to_owned());
    let files = [("a", source("a.csv")), ("b", source("b.jsonl")), ("gone", source("gone.csv"))];
    let datasets =
        vec![dataset("a", &[("id", Datatype::Integer)]), second, dataset("b", &[("id", Datatype::Integer)])];
    let engine = DuckDb::open(&project(&files, datasets), folder.path(), None).unwrap();
    assert_eq!(engine.printed("SELECT a.id, a.n, kind FROM a JOIN b USING (id)"), ["1 | 5 | 'x'"]);
}

#[test]
fn two_datasets_that_differ_about_a_column() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.csv", "id\n1\n");
    let mut second = dataset("second", &[("id", Datatype::String)]);
    second.source = "a".to_owned();
    let datasets = vec![dataset("a", &[("id", Datatype::Integer)]), second];
    let fault =
        DuckDb::open(&project(&[("a", source("a.csv"))], datasets), folder.path(), None).err().unwrap();
    assert_eq!(fault.message, "column `id` of `a` is integer as a.id and string as second.id");
}

#[test]
fn paths_into_the_corpora() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.csv", "id\n1\n");
    let project = project(
        &[("a", source("${TIEOUT_CORPORA}/a.csv"))],
        vec![dataset("a", &[("id", Datatype::Integer)])],
    );
    let engine = DuckDb::open(&project, Path::new("/nowhere"), Some(folder.path())).unwrap();
    assert_eq!(engine.printed("SELECT * FROM a"), ["1"]);
    let fault = DuckDb::open(&project, Path::new("/nowhere"), None).err().unwrap();
    assert!(fault.message.contains("TIEOUT_CORPORA, which is not set"), "{fault}");
}

#[test]
fn a_file_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.csv", "id\n1\n");
    let path = folder.path().join("a.csv");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    // A superuser may read everything; then there is nothing to see here.
    if std::fs::File::open(&path).is_err() {
        let fault =
            over(folder.path(), source("a.csv"), dataset("a", &[("id", Datatype::Integer)])).err().unwrap();
        assert_eq!(fault.message, "`a.csv` may not be read");
    }
}

#[test]
fn an_engine_that_is_not_known() {
    let mut project = project(&[], vec![]);
    project.warehouse.engine = "oracle".to_owned();
    let at = crate::Attachment { project: &project, root: Path::new("."), corpora: None };
    let fault = crate::open(at).err().unwrap();
    assert_eq!(fault.message, "there is no engine `oracle`");
    assert_eq!(fault.hint, "say `engine: duckdb` under `warehouse` in tieout.yml");
}
