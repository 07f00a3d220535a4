//! What `data check` says.

use tieout_core::catalogue::{Datatype, FieldValue, FileSource, Relationship};
use tieout_sql::{DUCKDB, Fragment};

use crate::{
    Attachment, check,
    testing::{dataset, field, project, source, write},
};

fn relationship() -> Relationship {
    Relationship {
        name: "order_customer".to_owned(),
        from: "orders".to_owned(),
        to: "customers".to_owned(),
        from_columns: vec!["customer_id".to_owned()],
        to_columns: vec!["customer_id".to_owned()],
        required: true,
        synonyms: Vec::new(),
    }
}

const EXPECTED: &str = "\
orders
  file         orders.csv
  format       csv
  encoding     utf-8
  delimiter    ;
  quote        \"
  line ends    line feed
  header       first line
  rows         4
  refused      2
    line 5: `x` in column `amount` is not a number
    line 7: `Total` in column `order_id` is not a whole number
  note         orders: the last line looks like a total and may be counted as a row: `Total;;6;;;` (if it is one, say `skip_trailing: 1`)
  columns
    order_id     integer  catalogue  BIGINT          25.0 % null
    customer_id  integer  catalogue  BIGINT          25.0 % null
    amount       decimal  catalogue  DECIMAL(18,1)      0 % null
    placed_on    date     catalogue  DATE               0 % null, dates as %d/%m/%Y
    channel      string   catalogue  VARCHAR         25.0 % null
    extra        string   sniffed    VARCHAR            0 % null
  not named    extra

customers
  file         customers.jsonl
  format       json lines
  rows         1
  refused      1
    line 2: it is not a JSON object: EOF while parsing a value at line 1 column 15
  columns
    customer_id  integer  catalogue  BIGINT      0 % null
    ratio        float    catalogue  DOUBLE      0 % null

gone
  not read     `gone.csv` is not there
               check the path in tieout.yml; it starts at the project's folder

keys
  orders (order_id): 1 key of more than one row, such as 2 (2); 1 row without a whole key
  customers (customer_id): a key

relationships
  order_customer: orders.customer_id to customers.customer_id: 1 of 3 rows points to nothing, such as 9; 1 row points nowhere, and it is required

values that no field declares
  orders.channel: 1 row, such as Web (1)

7 findings to look at";

#[test]
fn the_whole_report_as_it_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "orders.csv",
        "order_id;customer_id;amount;placed_on;channel;extra\n1;1;2,50;31/12/2026;web;a\n2;9;1.000,00;01/12/2026;Web;b\n\
         2;;3;02/12/2026;;c\n3;1;x;02/12/2026;web;d\n;1;5;13/12/2026;web;e\nTotal;;6;;;\n",
    );
    write(folder.path(), "customers.jsonl", "{\"customer_id\":1,\"ratio\":0.5}\n{\"customer_id\":\n");
    let mut orders = dataset(
        "orders",
        &[
            ("order_id", Datatype::Integer),
            ("customer_id", Datatype::Integer),
            ("amount", Datatype::Decimal),
            ("placed_on", Datatype::Date),
        ],
    );
    let mut channel = field("channel", Datatype::String);
    channel.values = vec![FieldValue { value: "web".to_owned(), synonyms: Vec::new() }];
    orders.fields.insert("channel".to_owned(), channel);
    orders.primary_key = vec!["order_id".to_owned()];
    let mut customers =
        dataset("customers", &[("customer_id", Datatype::Integer), ("ratio", Datatype::Float)]);
    customers.primary_key = vec!["customer_id".to_owned()];
    let file = FileSource { thousands: Some('.'), decimal: Some(','), ..source("orders.csv") };
    let files = [("orders", file), ("customers", source("customers.jsonl")), ("gone", source("gone.csv"))];
    let mut project = project(&files, vec![orders, customers]);
    project.catalogue.relationships.insert("order_customer".to_owned(), relationship());
    let report = check(Attachment { project: &project, root: folder.path(), corpora: None }).unwrap();
    assert_eq!(report.to_string(), EXPECTED);
}

#[test]
fn keys_and_links_hold_within_a_tenant_a_filter_and_computed_fields() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "t.csv", "id,tenant,role\n1,a,x\n1,b,x\n1,a,y\n");
    let mut rows = dataset("t", &[("id", Datatype::Integer), ("role", Datatype::String)]);
    rows.tenant = Some("tenant".to_owned());
    rows.filter = Fragment::parse("role = 'x'", &DUCKDB).ok();
    let mut twice = field("twice", Datatype::Integer);
    twice.expression = Fragment::parse("id * 2", &DUCKDB).ok();
    rows.fields.insert("twice".to_owned(), twice);
    rows.primary_key = vec!["id".to_owned()];
    rows.unique_keys = vec![vec!["twice".to_owned()]];
    let project = project(&[("t", source("t.csv"))], vec![rows.clone()]);
    let report = check(Attachment { project: &project, root: folder.path(), corpora: None }).unwrap();
    assert!(report.unchecked.is_empty(), "{report}");
    assert_eq!(report.keys.iter().map(|key| key.duplicates).collect::<Vec<_>>(), [0, 0], "{report}");
    rows.filter = None;
    let without = crate::testing::project(&[("t", source("t.csv"))], vec![rows]);
    let report = check(Attachment { project: &without, root: folder.path(), corpora: None }).unwrap();
    assert_eq!(report.keys.iter().map(|key| key.duplicates).collect::<Vec<_>>(), [1, 1], "{report}");
}

#[test]
fn numbers_that_are_none_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let connection = ::duckdb::Connection::open_in_memory().unwrap();
    let path = folder.path().join("t.parquet");
    let sql = format!(
        "COPY (SELECT unnest([1.5, 'nan'::DOUBLE, 'inf'::DOUBLE, NULL]) AS x) TO '{}'",
        path.display()
    );
    connection.execute_batch(&sql).unwrap();
    let project = project(&[("t", source("t.parquet"))], vec![dataset("t", &[("x", Datatype::Float)])]);
    let report = check(Attachment { project: &project, root: folder.path(), corpora: None }).unwrap();
    assert_eq!(
        (report.sources[0].columns[0].not_finite, report.sources[0].columns[0].nulls),
        (2, 1),
        "{report}"
    );
    assert_eq!(report.findings(), 1);
}
