//! `query`: a statement that somebody wrote, run and recorded, and never taken for an answer.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test stops where it fails")]

mod support;

use serde_json::Value;
use support::{Ran, Shop, valid};

const BY_CITY: &str = "select c.city, sum(o.amount_minor) as amount, count(*) as n from orders o \
                       join customers c on c.customer_id = o.customer_id \
                       where o.placed_on >= date '2026-09-01' and o.placed_on < date '2026-10-01' \
                       group by c.city order by c.city";

fn query(shop: &Shop, sql: &str, more: &[&str]) -> Ran {
    shop.run(["query", "--sql", sql, "--tenant", "alpha"].iter().chain(more))
}

fn record(shop: &Shop, sql: &str) -> Value {
    let record = query(shop, sql, &["--json"]).json();
    valid(&record);
    record
}

fn caveats(record: &Value) -> Vec<&str> {
    record["caveats"].as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect()
}

/// The figures of the file itself, added up by hand.
fn by_hand(shop: &Shop) -> Vec<(String, i64, i64)> {
    let read = |file: &str| std::fs::read_to_string(shop.path().join("data").join(file)).unwrap();
    let table = |file: &str| -> Vec<std::collections::HashMap<String, String>> {
        let text = read(file);
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        let names = lines.next().unwrap();
        lines.map(|cells| names.iter().cloned().zip(cells).collect()).collect()
    };
    let (orders, customers) = (table("orders.csv"), table("customers.csv"));
    let mut cities: std::collections::BTreeMap<String, (i64, i64)> = Default::default();
    for order in orders
        .iter()
        .filter(|order| order["tenant_id"] == "alpha" && order["placed_on"].starts_with("2026-09"))
    {
        let customer = customers
            .iter()
            .find(|one| one["customer_id"] == order["customer_id"] && one["tenant_id"] == "alpha");
        let Some(customer) = customer else { continue };
        let city = cities.entry(customer["city"].clone()).or_default();
        city.0 += order["amount_minor"].parse::<i64>().unwrap();
        city.1 += 1;
    }
    cities.into_iter().map(|(city, (amount, count))| (city, amount, count)).collect()
}

#[test]
fn a_statement_gives_its_rows_under_its_own_words() {
    let shop = Shop::new();
    let record = record(&shop, BY_CITY);
    assert_eq!((&record["outcome"], &record["asked_as"]), (&"query".into(), &"statement".into()));
    assert_eq!(caveats(&record)[0], "own_words");
    assert!(record.get("claims").is_none() && record.get("figures").is_none(), "{record:#}");
    for line in record["block"].as_array().unwrap() {
        assert!(line["parts"].as_array().unwrap().iter().all(|part| part["source"] == "query"), "{line:#}");
    }
    let own = &record["queries"][0];
    assert_eq!((&own["id"], &own["purpose"]), (&"q1".into(), &"statement".into()));
    let mut rows: Vec<(String, i64, i64)> = own["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let text = |place: usize| row[place]["value"].as_str().unwrap_or_default().to_owned();
            (text(0), text(1).parse().unwrap(), text(2).parse().unwrap())
        })
        .collect();
    let expected = by_hand(&shop);
    assert!(expected.len() > 1);
    // A city that is not known comes last in the engine's order.
    rows.sort();
    assert_eq!(rows, expected);
    assert!(
        own["binds"].as_array().unwrap().iter().any(|bind| bind["value"] == "alpha"),
        "the tenant is bound"
    );

    let text = query(&shop, BY_CITY, &[]).ends(0).out;
    let at = |said: &str| text.find(said).unwrap_or_else(|| panic!("{said}\n{text}"));
    assert!(at("no definition of the catalogue stands behind these rows") < at("metric"), "{text}");
    assert!(at("period") < at(&expected[1].0), "the five lines stand above the rows\n{text}");
    assert!(text.matches("[query]").count() >= 5, "{text}");
}

#[test]
fn its_record_is_shown_replayed_and_listed_like_any_other() {
    let shop = Shop::new();
    let id = record(&shop, BY_CITY)["id"].as_str().unwrap().to_owned();
    let shown = shop.run(["show", &id, "--tenant", "alpha", "--json"]).ends(0).json();
    valid(&shown);
    assert_eq!(shown["queries"][0]["rows"].as_array().unwrap().len(), by_hand(&shop).len());
    let text = shop.run(["show", &id, "--tenant", "alpha"]).ends(0).out;
    assert!(text.contains("statement   select c.city") && text.contains("no definition"), "{text}");
    assert_eq!(shop.run(["replay", &id, "--tenant", "alpha", "--json"]).ends(0).json()["verdict"], "same");
    let all = shop.run(["replay", "--all", "--tenant", "alpha", "--json"]).ends(0).json();
    assert_eq!(all.as_array().unwrap().len(), 1);
    let history = shop.run(["history", "--tenant", "alpha", "--json"]).ends(0).json();
    assert_eq!(history[0]["outcome"], "query");
    for session in [&["--tenant", "beta"][..], &[]] {
        shop.run(["show", &id].iter().chain(session)).ends(2);
        shop.run(["replay", &id].iter().chain(session)).ends(2);
    }
    let follow = shop.run(["ask", "and by region?", "--after", &id, "--tenant", "alpha"]).ends(3).out;
    assert!(follow.contains("is a statement and no question"), "{follow}");
    let edit = shop.run(["edit", &id, "--set", "period=2026-08", "--tenant", "alpha"]).ends(2).err;
    assert!(edit.contains("is a statement"), "{edit}");

    let line = std::fs::read_to_string(shop.path().join("data/orders.csv")).unwrap();
    let order = line.lines().find(|line| line.contains(",alpha,") && line.contains(",2026-09-")).unwrap();
    shop.change("data/orders.csv", order, &order.replace(",2026-09-", ",2026-11-"));
    let changed = shop.run(["replay", &id, "--tenant", "alpha", "--json"]).ends(5).json();
    assert_eq!(changed["verdict"], "changed");
}

#[test]
fn a_rejected_statement_is_drawn_recorded_and_never_run() {
    let shop = Shop::new();
    let fanned = "select sum(o.amount_minor) from orders o join ledger l on l.order_id = o.order_id";
    let refused = record(&shop, fanned);
    assert_eq!(
        (&refused["outcome"], &refused["problems"][0]["code"]),
        (&"refusal".into(), &"rejected".into())
    );
    assert_eq!(refused["problems"][0]["start"], 7);
    assert_eq!(refused["queries"].as_array().unwrap().len(), 0);
    let text = query(&shop, fanned, &[]).ends(3).out;
    assert!(text.contains("error[fan_out]") && text.contains("^^^") && text.contains("\n  id "), "{text}");
    for hostile in [
        "select 1; drop table orders",
        "select * from read_csv('/etc/passwd')",
        "select * from duckdb_settings()",
        "copy orders to '/tmp/x'",
        "select * from orders where order_id = $1",
    ] {
        let text = query(&shop, hostile, &[]).ends(3).out;
        assert!(text.contains("x rejected"), "{hostile}\n{text}");
    }
    let nobody = shop.run(["query", "--sql", "select order_id from orders"]).ends(3).out;
    assert!(nobody.contains("error[tenant]"), "{nobody}");
    query(&shop, "  ", &[]).ends(2);
}

#[test]
fn a_key_that_repeats_in_the_data_stops_a_statement_that_joins_along_it() {
    let shop = Shop::new();
    let text = std::fs::read_to_string(shop.path().join("data/customers.csv")).unwrap();
    let customer =
        text.lines().find(|line| line.contains(",alpha,") || line.contains("alpha,")).unwrap().to_owned();
    shop.change("data/customers.csv", &format!("{customer}\n"), &format!("{customer}\n{customer}\n"));
    let refused = record(&shop, BY_CITY);
    assert_eq!(refused["outcome"], "refusal", "{refused:#}");
    assert_eq!(refused["problems"][0]["code"], "key_repeats");
    let alone = record(&shop, "select count(*) as n from orders");
    assert_eq!(alone["outcome"], "query", "nothing is joined, so no key is relied on");
}

#[test]
fn what_is_cut_short_and_what_the_checker_warns_of_is_said() {
    let shop = Shop::new();
    shop.change("tieout.yml", "policy:", "policy:\n  rows_max: 3 #");
    let record = record(&shop, "select order_id, amount_minor / (order_id - 10001) as x from orders");
    assert_eq!(record["outcome"], "query", "{record:#}");
    let said = caveats(&record);
    assert!(said.contains(&"cut_short") && said.contains(&"zero_division"), "{said:?}");
    assert_eq!(record["queries"][0]["rows"].as_array().unwrap().len(), 3);
}
