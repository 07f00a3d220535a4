//! Checked queries through the port, over a project as people write it.

use std::time::Duration;

use tieout_core::catalogue::load::{SourceText, load};
use tieout_sql::{CheckedQuery, Context, DUCKDB, Limits, Scope, Value, check_text};

use super::cell;
use crate::{Attachment, open, testing::write};

const PROJECT: &str = "tieout: 1
name: shop
warehouse:
  engine: duckdb
  files: { ledger: ledger.csv, customers: customers.jsonl }
";
const CATALOGUE: &str = "datasets:
  - name: ledger
    primary_key: [entry]
    tenant: tenant_id
    fields:
      - { name: entry, datatype: integer, column: Entry No }
      - { name: customer, datatype: integer }
      - { name: amount, datatype: decimal }
  - name: customers
    primary_key: [id]
    fields: [{ name: id, datatype: integer }, { name: name, datatype: string }]
relationships:
  - { name: ledger_customer, from: ledger, to: customers, from_columns: [customer], to_columns: [id] }
";

#[test]
fn checked_queries_give_the_rows_of_their_tenant() {
    let folder = tempfile::tempdir().unwrap();
    write(
        folder.path(),
        "ledger.csv",
        "Entry No,customer,amount,tenant_id\n1,1,2.50,a\n2,2,1.25,a\n3,1,1000,b\nx,1,1,a\n",
    );
    write(folder.path(), "customers.jsonl", "{\"id\":1,\"name\":\"Ann\"}\n{\"id\":2,\"name\":\"Bob\"}\n");
    let file = |path: &str, text: &str| SourceText { path: path.to_owned(), text: text.to_owned() };
    let loaded = load(&file("tieout.yml", PROJECT), &[file("catalogue/datasets.yml", CATALOGUE)]).unwrap();
    let catalogue = &loaded.project.catalogue;
    let warehouse =
        open(Attachment { project: &loaded.project, root: folder.path(), corpora: None }).unwrap();
    let checked = |sql: &str, rows_max: u64| -> CheckedQuery {
        let scope = Scope::tenant(Value::Text("a".to_owned()));
        let limits = Limits { rows_max, timeout: Duration::from_secs(10) };
        let context = Context { dialect: &DUCKDB, schema: &catalogue.schema, scope: &scope, limits };
        check_text(sql, Vec::new(), &context).unwrap()
    };
    let queries = [
        checked("SELECT sum(ledger.amount) AS amount, count(*) AS n FROM ledger", 10),
        checked(
            "SELECT customers.name, ledger.entry FROM ledger JOIN customers ON ledger.customer = customers.id ORDER BY ledger.entry",
            1,
        ),
    ];
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let answers = runtime.block_on(warehouse.run(&queries)).unwrap();
    assert_eq!(answers[0].columns, ["amount", "n"]);
    assert_eq!(answers[0].rows[0].iter().map(cell).collect::<Vec<_>>(), ["3.75", "2"]);
    assert_eq!(answers[1].rows[0].iter().map(cell).collect::<Vec<_>>(), ["'Ann'", "1"]);
    assert_eq!((answers[0].cut, answers[1].cut, answers[1].rows.len()), (false, true, 1));
    let notes: Vec<_> =
        warehouse.notes().iter().map(|note| (note.source.as_str(), note.message.as_str())).collect();
    assert_eq!(notes, [("ledger", "ledger: 1 of 4 rows was refused; see `tieout data check`")]);
    let many = runtime.block_on(async {
        let asked = (0..16).map(|_| warehouse.run(&queries));
        let mut all = Vec::new();
        for one in asked {
            all.push(one.await.unwrap());
        }
        all
    });
    assert!(many.iter().all(|one| *one == answers));
}
