//! The data behind the statements: one shop of two tenants, whose keys are the same and whose values are not. Whatever
//! belongs to the other tenant, or to a hidden column, bears a mark that must never be seen.

use std::fmt::Write as _;

use tieout_sql::{Access, Schema, SqlType, Table};

use super::statements::TENANT;

/// The other tenant.
pub const OTHER: i128 = 8;
/// In every text of the other tenant.
pub const CANARY: &str = "CANARY";
/// In every value of a hidden column.
pub const HIDDEN: &str = "HIDDEN";
/// In every value of a sensitive column.
pub const SECRET: &str = "SECRET";
/// Every number of the other tenant that is no key; no total of the tenant comes near.
pub const LARGE: f64 = 88_000_000.0;

/// The schema with every table under its logical name.
pub fn by_logical_names(schema: &Schema) -> Schema {
    let mut schema = schema.clone();
    for table in schema.tables.values_mut() {
        table.relation = vec![table.name.clone()];
    }
    schema
}

/// The schema as one tenant would have it who is alone: logical names, and nothing hidden.
pub fn alone(schema: &Schema) -> Schema {
    let mut schema = by_logical_names(schema);
    for table in schema.tables.values_mut() {
        table.tenant = None;
        table.columns.retain(|_, column| column.access != Access::Hidden);
    }
    schema
}

/// Which tenants have rows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Of {
    Both,
    One,
}

/// Whether an answer holds what must not be seen.
pub fn leaks(rows: &[String]) -> bool {
    let large = |word: &str| word.parse::<f64>().is_ok_and(|number| (LARGE..LARGE * 1e4).contains(&number));
    rows.iter().any(|row| {
        let mut words = row.split(|sign: char| !sign.is_alphanumeric() && sign != '.');
        [CANARY, HIDDEN, SECRET].iter().any(|mark| row.contains(mark)) || words.any(large)
    })
}

/// Tables and rows, with their keys.
pub fn script(schema: &Schema, of: Of) -> String {
    let mut script = String::new();
    for table in schema.tables.values() {
        let name = table.relation.join(".");
        let mut columns: Vec<String> =
            table.columns.values().map(|column| format!("{} {}", column.name, type_of(column.ty))).collect();
        columns.extend(table.tenant.iter().map(|tenant| format!("{tenant} integer")));
        let key: Vec<&String> = table.tenant.iter().chain(&table.primary_key).collect();
        let key = key.iter().map(|column| column.as_str()).collect::<Vec<_>>().join(", ");
        columns.push(format!("primary key ({key})"));
        writeln!(script, "create table {name} ({});", columns.join(", ")).unwrap();
        let mut rows = rows(table, TENANT);
        if of == Of::Both && table.tenant.is_some() {
            rows.extend(self::rows(table, OTHER));
        }
        for part in rows.chunks(200) {
            writeln!(script, "insert into {name} values {};", part.join(", ")).unwrap();
        }
    }
    script
}

fn type_of(ty: SqlType) -> &'static str {
    match ty {
        SqlType::Integer => "integer",
        SqlType::Decimal => "decimal(14, 2)",
        SqlType::Text => "varchar(60)",
        SqlType::Date => "date",
        SqlType::DateTime => "timestamp",
        SqlType::Boolean => "boolean",
        other => panic!("the shop has no {other:?}"),
    }
}

/// The days of the shop: from 2025-06-01 on, as many as there are.
const DAYS: i32 = 400;

fn day(offset: i32) -> String {
    let start = jiff::civil::date(2025, 6, 1);
    start.checked_add(jiff::Span::new().days(offset.rem_euclid(DAYS))).unwrap().to_string()
}

/// The rows of one table that belong to one tenant, each as `(…)`.
fn rows(table: &Table, tenant: i128) -> Vec<String> {
    let tuples: Vec<Vec<String>> = match table.name.as_str() {
        "customers" => (1..=14).map(customer).collect(),
        "regions" => ["north", "south", "east", "west"]
            .iter()
            .enumerate()
            .map(|(n, region)| vec![text(region), text(&format!("manager {n}")), text(["de", "fr"][n % 2])])
            .collect(),
        "orders" => (1..=60).map(order).collect(),
        "items" => (1..=60).flat_map(|order| (1..=order % 4).map(move |line| item(order, line))).collect(),
        "payments" => (1..=60).flat_map(|order| (0..order % 3).map(move |nth| payment(order, nth))).collect(),
        "refunds" => (1..=60).filter(|order| order % 7 == 0).map(refund).collect(),
        "products" => (1..=9).map(product).collect(),
        "events" => (1..=90).map(event).collect(),
        "calendar" => (0..DAYS).map(calendar).collect(),
        "rates" => (0..DAYS).flat_map(rate).collect(),
        "stock" => (1..=9).flat_map(|product| (0..6).map(move |nth| stock(product, nth))).collect(),
        "targets" => (1..=24).map(target).collect(),
        other => panic!("the shop has no rows of {other}"),
    };
    let marked = tenant == OTHER;
    let has_hidden = table.columns.values().any(|column| column.access == Access::Hidden);
    tuples
        .into_iter()
        .map(|mut values| {
            if marked {
                for (value, column) in values.iter_mut().zip(table.columns.values()) {
                    mark(value, column.ty, column.identifier || table.primary_key.contains(&column.name));
                }
            }
            let hidden = |value: &String| value.contains(HIDDEN) && !has_hidden;
            values.retain(|value| !hidden(value));
            values.extend(table.tenant.iter().map(|_| tenant.to_string()));
            format!("({})", values.join(", "))
        })
        .collect()
}

/// Puts the mark of the other tenant on a value that is no key.
fn mark(value: &mut String, ty: SqlType, key: bool) {
    match ty {
        _ if key => {}
        SqlType::Text => *value = text(&format!("{CANARY} {}", value.trim_matches('\''))),
        SqlType::Integer | SqlType::Decimal => *value = LARGE.to_string(),
        _ => {}
    }
}

fn text(value: &str) -> String {
    format!("'{value}'")
}

fn or_null(value: String, there: bool) -> String {
    if there { value } else { "null".to_owned() }
}

fn customer(n: i32) -> Vec<String> {
    const NAMES: [&str; 7] =
        ["Ann Lee", "Bob Stone", "Cara Lin", "Dan Mann", "Eve Moran", "Finn Ryan", "Ann Lee"];
    vec![
        n.to_string(),
        text(NAMES[n as usize % NAMES.len()]),
        or_null(text(["north", "south", "east"][n as usize % 3]), n != 13),
        or_null(text(["retail", "trade", "public"][n as usize % 3]), n % 6 != 0),
        or_null((n / 3).to_string(), n >= 3),
        or_null(text(&day(n * 11)), n != 9),
        (n % 4 != 0).to_string(),
        text(&format!("{HIDDEN} {n}")),
        or_null(text(&format!("{SECRET} {n}@example.org")), n % 5 != 0),
    ]
}

fn order(n: i32) -> Vec<String> {
    let date = day(n * 7 % 390 + 3);
    vec![
        n.to_string(),
        (n * n % 12 + 1).to_string(),
        text(["paid", "open", "paid", "void", "returned", "paid"][n as usize % 6]),
        or_null(text(["web", "shop", "phone"][n as usize % 3]), n % 8 != 0),
        text(["EUR", "USD", "GBP"][n as usize % 3]),
        format!("{}.{}", 20 + n * 37 % 400, ["00", "25", "50"][n as usize % 3]),
        or_null(format!("{}.50", n % 9), n % 4 == 0),
        text(&format!("{date} {:02}:{:02}:00", n % 24, n * 13 % 60)),
        text(&date),
        or_null(text(["late", "", "a gift"][n as usize % 3]), n % 5 == 0),
        text(&format!("{HIDDEN} {n}")),
    ]
}

fn item(order: i32, line: i32) -> Vec<String> {
    let product = (order + line * 5) % 8 + 1;
    vec![
        order.to_string(),
        line.to_string(),
        product.to_string(),
        (1 + (order + line) % 5).to_string(),
        format!("{}.50", 5 + product * 3 + order % 3),
    ]
}

fn payment(order: i32, nth: i32) -> Vec<String> {
    let date = day(order * 7 % 390 + 4 + nth);
    vec![
        (order * 10 + nth).to_string(),
        order.to_string(),
        format!("{}.25", 10 + order * 7 % 90),
        or_null(text(["card", "cash", "transfer"][(order + nth) as usize % 3]), order % 11 != 0),
        text(&format!("{date} 12:{:02}:00", order % 60)),
    ]
}

fn refund(order: i32) -> Vec<String> {
    vec![
        (order * 100).to_string(),
        order.to_string(),
        format!("{}.50", 5 + order % 20),
        or_null(text("broken"), order % 2 == 0),
    ]
}

fn product(n: i32) -> Vec<String> {
    vec![
        n.to_string(),
        text(&format!("thing {n}")),
        text(["toys", "books", "food", "tools"][n as usize % 4]),
        or_null(format!("{}.25", 2 + n * 2), n != 9),
        or_null(text(&day(n * 20)), n != 3),
    ]
}

fn event(n: i32) -> Vec<String> {
    let at = format!("{} {:02}:{:02}:00", day(n * 3 % 380), n % 24, n * 7 % 60);
    vec![
        n.to_string(),
        (n % 11 + 1).to_string(),
        text(["visit", "cart", "visit", "buy"][n as usize % 4]),
        text(&at),
        or_null((n * 5 % 120).to_string(), n % 9 != 0),
        or_null(
            text(&format!(r#"{{"page": "{}", "n": {}}}"#, ["home", "shop", "help"][n as usize % 3], n % 10)),
            n % 10 != 0,
        ),
    ]
}

fn calendar(offset: i32) -> Vec<String> {
    let date: jiff::civil::Date = day(offset).parse().unwrap();
    vec![
        text(&date.to_string()),
        date.year().to_string(),
        date.month().to_string(),
        date.iso_week_date().week().to_string(),
        (date.day() == 1).to_string(),
    ]
}

fn rate(offset: i32) -> Vec<Vec<String>> {
    let of = |currency: &str, rate: String| vec![text(currency), text(&day(offset)), rate];
    vec![
        of("EUR", "1".to_owned()),
        of("USD", format!("0.{}", 80 + offset % 20)),
        of("GBP", format!("1.{}", 10 + offset % 9)),
    ]
}

fn stock(product: i32, nth: i32) -> Vec<String> {
    let days = ["2026-01-01", "2026-02-01", "2026-03-01", "2026-04-01", "2026-05-01", "2026-06-01"];
    vec![product.to_string(), text(days[nth as usize]), (10 + product * 3 + nth * 2).to_string()]
}

fn target(n: i32) -> Vec<String> {
    let region = ["north", "south", "east", "west"][n as usize % 4];
    vec![text(region), "2026".to_owned(), ((n - 1) / 4 + 1).to_string(), format!("{}.00", 100 + n * 10)]
}
