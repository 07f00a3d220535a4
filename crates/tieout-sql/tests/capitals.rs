//! Names with capitals, where quotes tell them apart (PostgreSQL): a quoted name is found as it was created and by nothing
//! else, and two names that differ by case alone are two.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test stops where it fails"
)]

use std::path::Path;
use std::time::Duration;

use tieout_sql::{
    Access, CheckedQuery, Column, Context, DUCKDB, Limits, POSTGRES, Rejected, SQLITE, Schema, Scope,
    Severity, SqlType, Table, Value, check_text, ddl,
};

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/capitals").join(name);
    std::fs::read_to_string(path).unwrap()
}

fn tables() -> Schema {
    ddl::schema(&text("tables.sql"), &POSTGRES).unwrap()
}

fn checked(sql: &str, schema: &Schema) -> Result<CheckedQuery, Rejected> {
    let scope = Scope::tenant(Value::Integer(7));
    let limits = Limits { rows_max: 100, timeout: Duration::from_secs(1) };
    check_text(sql, Vec::new(), &Context { dialect: &POSTGRES, schema, scope: &scope, limits })
}

fn rejected(sql: &str, schema: &Schema) -> String {
    match checked(sql, schema) {
        Ok(checked) => panic!("accepted as {}", checked.sql()),
        Err(rejected) => {
            let found = rejected.rejections.iter().find(|found| found.severity == Severity::Reject).unwrap();
            format!("{}: {}; {}", found.rule, found.message, found.hint)
        }
    }
}

#[test]
fn names_are_what_the_engine_made_of_them() {
    let schema = tables();
    assert_eq!(schema.tables.keys().collect::<Vec<_>>(), ["Invoice", "invoice", "lineitems"]);
    let own = &schema.tables["Invoice"];
    assert_eq!(own.columns.keys().collect::<Vec<_>>(), ["invoiceId", "Total", "total", "status", "select"]);
    assert_eq!(own.keys().collect::<Vec<_>>(), [&["invoiceId"], &["Total"]]);
    assert!(!own.columns["Total"].nullable && own.columns["total"].nullable);
    let ends: Vec<(&str, &str)> =
        schema.relationships.iter().map(|link| (link.to.as_str(), link.to_columns[0].as_str())).collect();
    assert_eq!(ends, [("Invoice", "invoiceId"), ("invoice", "id")]);
    // Where case does not tell names apart, one of them is too many.
    assert!(ddl::schema(&text("tables.sql"), &SQLITE).is_err());
    assert!(ddl::schema(&text("tables.sql"), &DUCKDB).is_err());
}

#[test]
fn a_quoted_name_is_found_as_it_was_created() {
    let schema = tables();
    for sql in text("found.txt").lines() {
        checked(sql, &schema).unwrap_or_else(|rejected| panic!("{sql}: {rejected}"));
    }
    for (sql, table) in [
        (r#"select "Total" from "Invoice""#, "Invoice"),
        ("select Secret from INVOICE", "invoice"),
        ("select pieces from lineItems", "lineitems"),
        (r#"with "Invoice" as (select 1 as a) select secret from invoice"#, "invoice"),
        (r#"select "Invoice".secret from invoice as "Invoice""#, "invoice"),
        (r#"select total from "Paid""#, "Invoice"),
    ] {
        let checked = checked(sql, &schema).unwrap_or_else(|rejected| panic!("{sql}: {rejected}"));
        assert_eq!(checked.tables(), [table.to_owned()], "{sql}");
    }
}

#[test]
fn the_other_case_is_another_name() {
    let schema = tables();
    for sql in text("unknown.txt").lines() {
        assert!(rejected(sql, &schema).starts_with("known_names"), "{sql}");
    }
    for (sql, said) in [
        (
            r#"select invoiceId from "Invoice""#,
            r#"there is no column `invoiceId`; did you mean `"invoiceId"`?"#,
        ),
        (r#"select "TOTAL" from "Invoice""#, r#"there is no column `TOTAL`"#),
        (r#"select "Total" from Invoice"#, r#"there is no column `Total`"#),
        (r#"select "Secret" from invoice"#, r#"there is no column `Secret`"#),
        (r#"select id from "LineItems""#, r#"there is no table `"LineItems"`"#),
        (r#"select i."Total" from "Invoice" "I""#, r#"there is no table `i`"#),
        (r#"select x.A from (select 1 as "A") x"#, r#"there is no column `x.A`"#),
        (r#"with "Few" as (select 1 as a) select a from few"#, r#"there is no table `few`"#),
    ] {
        let found = rejected(sql, &schema);
        assert!(found.contains(said), "{sql}: {found}");
    }
    let unjoined =
        r#"select sum(l.pieces) from lineitems l join "Invoice" i on i."invoiceId" = l.invoice_id"#;
    assert!(
        rejected(unjoined, &schema).starts_with("stated_joins"),
        "a key of the other table is no key of this"
    );
}

/// Two tables and two columns that differ by case alone: one of each is guarded.
fn guarded() -> Schema {
    let email = |name: &str, access: Access| Column { access, ..Column::plain(name, SqlType::Text) };
    let mut upper = Table::plain(
        "Accounts",
        vec![
            Column::plain("id", SqlType::Integer),
            email("Email", Access::Open),
            email("email", Access::Hidden),
        ],
    );
    upper.tenant = Some("Tenant".to_owned());
    let lower =
        Table::plain("accounts", vec![Column::plain("id", SqlType::Integer), email("email", Access::Open)]);
    let tables = [upper, lower].into_iter().map(|table| (table.name.clone(), table));
    Schema { tables: tables.collect(), ..Schema::default() }
}

#[test]
fn what_is_guarded_has_no_other_spelling() {
    let schema = guarded();
    let open = checked(r#"select "Email" from "Accounts""#, &schema).unwrap();
    assert!(
        open.sql().contains(r#"t."Tenant" = $1"#) && !open.sql().contains(r#"t."email""#),
        "{}",
        open.sql()
    );
    assert_eq!(open.columns()[0].lineage, [("Accounts".to_owned(), "Email".to_owned())]);
    for name in ["email", "Email", "EMAIL", r#""email""#] {
        for sql in [
            format!(r#"select {name} from "Accounts""#),
            format!(r#"select a.{name} from "Accounts" a"#),
            format!(r#"select count(*) from "Accounts" where {name} is not null"#),
            format!(r#"select a.id from "Accounts" a join accounts b using ({name})"#),
            format!(r#"select "Email" from "Accounts" order by {name}"#),
        ] {
            assert!(checked(&sql, &schema).is_err(), "{sql}");
        }
    }
    let bare = checked("select email from Accounts", &schema).unwrap();
    assert!(bare.proof().is_empty() && bare.sql().contains(r#"FROM "accounts" AS t)"#), "{}", bare.sql());
    for (sql, bound) in [
        (r#"select a.id from "Accounts" a"#, 1),
        (r#"with accounts as (select id from "Accounts") select id from accounts"#, 1),
        (r#"with "Accounts" as (select id from accounts) select id from "Accounts""#, 0),
        (r#"with "Accounts" as (select id from "Accounts") select id from "Accounts""#, 1),
        (r#"with accounts as (select 1 as id) select id from "Accounts""#, 1),
        (r#"select id from accounts union all select id from "Accounts""#, 1),
    ] {
        let found = checked(sql, &schema).unwrap_or_else(|rejected| panic!("{sql}: {rejected}"));
        assert_eq!(found.proof().len(), bound, "{}", found.sql());
    }
}
