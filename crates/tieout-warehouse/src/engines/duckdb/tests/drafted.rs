//! What `init` drafts, and that it can be loaded as it is.

use std::path::{Path, PathBuf};

use tieout_core::catalogue::load::{SourceText, load};

use crate::{Attachment, DraftProject, check, draft, open, testing::write};

fn loads(draft: &DraftProject) -> tieout_core::catalogue::Project {
    let file = |path: &str, text: &str| SourceText { path: path.to_owned(), text: text.to_owned() };
    let project = file("tieout.yml", &draft.project);
    match load(&project, &[file("catalogue/datasets.yml", &draft.catalogue)]) {
        Ok(loaded) => loaded.project,
        Err(problems) => {
            let told: Vec<_> = problems.0.iter().map(|problem| problem.message.clone()).collect();
            panic!("{told:?}\n{}\n{}", draft.project, draft.catalogue)
        }
    }
}

fn paths(folder: &Path, names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|name| folder.join(name)).collect()
}

#[test]
fn keys_and_relationships_that_the_data_proves() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "Orders 2026.csv",
        "Order ID,customer_id,billing_customer_id,placed,amount,zip\n1,1,2,2026-01-31,2.50,00501\n2,1,,2026-02-01,1000,10001\n3,2,2,2026-02-02,3,10001\n",
    );
    write(folder.path(), "customers.csv", "id,name\n1,Ann\n2,Bob\n");
    write(folder.path(), "lines.csv", "order_id,line_no,sku\n1,1,a\n1,2,b\n2,1,a\n9,1,c\n");
    write(folder.path(), "empty.csv", "x\n");
    let drafted =
        draft(&paths(folder.path(), &["Orders 2026.csv", "customers.csv", "lines.csv", "empty.csv"]))
            .unwrap();
    let expected = "\
# Drafted by `tieout init`. Keys and relationships are drafts: they hold on every row that was there, and
# only you know whether they are meant. No metrics are drafted: say what the company counts.
datasets:
  - name: orders_2026
    primary_key: [order_id] # draft: unique over 3 rows
    # time: placed # the field that says when, if it is one of these
    fields:
      - { name: order_id, datatype: integer, column: \"Order ID\" }
      - { name: customer_id, datatype: integer, nullable: false }
      - { name: billing_customer_id, datatype: integer }
      - { name: placed, datatype: date, nullable: false }
      - { name: amount, datatype: decimal, nullable: false }
      - { name: zip, datatype: string, nullable: false }
  - name: customers
    primary_key: [id] # draft: unique over 2 rows
    fields:
      - { name: id, datatype: integer }
      - { name: name, datatype: string, nullable: false }
  - name: lines
    primary_key: [order_id, line_no] # draft: unique over 4 rows
    fields:
      - { name: order_id, datatype: integer }
      - { name: line_no, datatype: integer }
      - { name: sku, datatype: string, nullable: false }
  - name: empty
    # no key was found among its 0 rows; say `primary_key` if there is one
    fields:
      - { name: x, datatype: string }
relationships:
  # draft: all 3 values were found
  - { name: orders_2026_customers_customer_id, from: orders_2026, to: customers, from_columns: [customer_id], to_columns: [id], required: true }
  # draft: all 2 values were found
  - { name: orders_2026_customers_billing_customer_id, from: orders_2026, to: customers, from_columns: [billing_customer_id], to_columns: [id] }
";
    assert_eq!(drafted.catalogue, expected);
    assert_eq!(drafted.notes, Vec::<String>::new());
    let project = loads(&drafted);
    let at = Attachment { project: &project, root: Path::new("/"), corpora: None };
    assert!(open(at).is_ok());
    assert_eq!(check(at).unwrap().findings(), 0, "{}", check(at).unwrap());
}

#[test]
fn marks_of_numbers_and_dates_are_found_and_ambiguous_ones_are_not() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.csv", "id;when;amount\n1;31/12/2026;1.234,50\n2;01/12/2026;0,5\n");
    write(folder.path(), "b.csv", "id;when;amount\n1;01/12/2026;1,234\n");
    let drafted = draft(&paths(folder.path(), &["a.csv", "b.csv"])).unwrap();
    assert!(
        drafted.project.contains("thousands: \".\", decimal: \",\", date_format: \"%d/%m/%Y\""),
        "{}",
        drafted.project
    );
    let project = loads(&drafted);
    let types = |dataset: &str| -> Vec<String> {
        project.catalogue.datasets[dataset]
            .fields
            .values()
            .map(|field| format!("{:?}", field.datatype))
            .collect()
    };
    assert_eq!(types("a"), ["Integer", "Date", "Decimal"]);
    assert_eq!(types("b"), ["Integer", "String", "String"]);
    assert!(open(Attachment { project: &project, root: Path::new("/"), corpora: None }).is_ok());
}

#[test]
fn a_later_value_makes_a_column_text_and_a_stray_one_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (1..=20_000).map(|id| format!("{id},5,6\n")).collect();
    let mixed: String = (20_001..=21_000).map(|id| format!("{id},n/a,6\n")).collect();
    write(folder.path(), "a.csv", format!("id,mixed,stray\n{rows}{mixed}21001,5,x\n"));
    let drafted = draft(&paths(folder.path(), &["a.csv"])).unwrap();
    assert_eq!(
        drafted.notes,
        [
            "a: 1 value of `stray` is not of datatype integer; its row is refused",
            "a: 1 of 21,001 rows is refused; `tieout data check` says which",
        ]
    );
    assert!(drafted.catalogue.contains("{ name: mixed, datatype: string"), "{}", drafted.catalogue);
    assert!(drafted.catalogue.contains("unique over 21,000 rows"), "{}", drafted.catalogue);
}

#[test]
fn json_parquet_and_a_database() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.jsonl", "{\"id\":1,\"b_id\":7,\"odd name\":true}\n{\"id\":2,\"b_id\":7}\n");
    let sql = format!(
        "COPY (SELECT 7 AS id, 1.5::DECIMAL(9,2) AS amount, 2.5::DOUBLE AS ratio, [1] AS list, TIMESTAMP '2026-01-01' AS t) TO '{}'",
        folder.path().join("b.parquet").display()
    );
    ::duckdb::Connection::open_in_memory().unwrap().execute_batch(&sql).unwrap();
    let drafted = draft(&paths(folder.path(), &["a.jsonl", "b.parquet"])).unwrap();
    assert!(
        drafted.catalogue.contains("from: a, to: b, from_columns: [b_id], to_columns: [id], required: true"),
        "{}",
        drafted.catalogue
    );
    let project = loads(&drafted);
    assert!(open(Attachment { project: &project, root: Path::new("/"), corpora: None }).is_ok());

    let path = folder.path().join("shop.duckdb");
    let database = ::duckdb::Connection::open(&path).unwrap();
    database.execute_batch("CREATE SCHEMA crm; CREATE TABLE crm.people (person_id INT, name VARCHAR); INSERT INTO crm.people VALUES (1, 'a'), (2, 'b'); CREATE TABLE visits AS SELECT 1 AS visit_id, 2 AS crm_people_id").unwrap();
    drop(database);
    let drafted = draft(std::slice::from_ref(&path)).unwrap();
    assert!(
        drafted.catalogue.contains("- name: crm_people\n    source: crm.people"),
        "{}",
        drafted.catalogue
    );
    let project = loads(&drafted);
    let at = Attachment { project: &project, root: Path::new("/"), corpora: None };
    assert_eq!(check(at).unwrap().findings(), 0, "{}", check(at).unwrap());
    assert!(draft(&[path, folder.path().join("a.jsonl")]).is_err());
    assert!(draft(&[]).is_err());
}
