//! Owns the data of `worlds/commerce`: two tenants, a ledger of signed cents, and what surrounds it.
//!
//! Tenant `alpha` is small enough to check by hand; its August, September and October 2026 are written by hand in
//! [`fixed`]. Tenant `beta` holds one amount that no binary floating point number can hold. Deliberately absent: rows
//! for alpha in May 2025 (nothing happened) and a net of anything but zero in February 2025.

mod customers;
mod fixed;
mod orders;
mod subscriptions;

use crate::{
    cells,
    days::Day,
    table::{File, Style, Table},
};
use customers::Customer;
use orders::{Entry, Order, Trade};

/// The last day on which anything was posted.
const LAST_DAY: (i64, i64, i64) = (2026, 10, 6);

/// Products: name, category, price in cents.
const PRODUCTS: [(&str, &str, i64); 16] = [
    ("ruled notebook", "Stationery", 450),
    ("gel pen", "Stationery", 150),
    ("paper clips", "Stationery", 120),
    ("desk pad", "Stationery", 1_200),
    ("desk lamp", "Lighting", 2_900),
    ("floor lamp", "Lighting", 4_900),
    ("string lights", "Lighting", 1_500),
    ("cork mat", "Flooring", 1_900),
    ("rug tile", "Flooring", 800),
    ("felt runner", "Flooring", 2_400),
    ("shelf bracket", "Storage", 700),
    ("storage box", "Storage", 950),
    ("file rack", "Storage", 1_750),
    ("folding stool", "Furniture", 3_500),
    ("laptop stand", "Furniture", 2_500),
    ("gift card", "", 1_000),
];

/// Regions, numbered from 1.
const REGIONS: [&str; 4] = ["EMEA", "Americas", "APAC", "Nordics"];

/// Every file of the world.
#[must_use]
pub fn files() -> Vec<File> {
    let customers = customers::all();
    let mut trade = Trade::default();
    orders::generate(&customers, &mut trade);
    fixed::add(&mut trade);
    trade.sort();
    let mut files = vec![
        regions(),
        products(),
        customers::table(&customers),
        order_table(&trade.orders),
        line_table(&trade.orders),
        ledger_table(&trade.entries),
        shipment_table(&trade.orders),
    ];
    files.extend(subscriptions::files(&customers));
    files
}

fn last_day() -> Day {
    Day::of(LAST_DAY.0, LAST_DAY.1, LAST_DAY.2)
}

/// A number, or an empty cell.
fn or_empty(value: Option<i64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn regions() -> File {
    let mut table = Table::new("commerce/data/regions.csv", Style::Plain, "region_id name");
    for (id, name) in (1..).zip(REGIONS) {
        table.row(&cells![id, name]);
    }
    table.file()
}

fn products() -> File {
    let mut table =
        Table::new("commerce/data/products.csv", Style::Plain, "product_id name category list_price_minor");
    for (id, (name, category, price)) in (1..).zip(PRODUCTS) {
        table.row(&cells![id, name, category, price]);
    }
    table.file()
}

fn order_table(orders: &[Order]) -> File {
    let header = "order_id tenant_id customer_id ship_region_id placed_on status amount_minor loaded_at";
    let mut table = Table::new("commerce/data/orders.csv", Style::Plain, header);
    for order in orders {
        table.row(&cells![
            order.id,
            order.tenant,
            order.customer,
            or_empty(order.ship_region),
            order.placed,
            order.status,
            order.amount(),
            loaded_at(order.placed),
        ]);
    }
    table.file()
}

fn line_table(orders: &[Order]) -> File {
    let header = "order_id line_no tenant_id product_id quantity amount_minor sold_on";
    let mut table = Table::new("commerce/data/order_lines.csv", Style::Plain, header);
    for order in orders {
        for (number, line) in (1..).zip(&order.lines) {
            table.row(&cells![
                order.id,
                number,
                order.tenant,
                line.product,
                line.quantity,
                line.amount,
                order.placed,
            ]);
        }
    }
    table.file()
}

fn ledger_table(entries: &[Entry]) -> File {
    let header = "entry_id tenant_id order_id customer_id kind channel amount_minor posted_on loaded_at";
    let mut table = Table::new("commerce/data/ledger.csv", Style::Plain, header);
    for (id, entry) in (1..).zip(entries) {
        table.row(&cells![
            id,
            entry.tenant,
            entry.order,
            entry.customer,
            entry.kind,
            entry.channel,
            entry.amount,
            entry.posted,
            loaded_at(entry.posted),
        ]);
    }
    table.file()
}

fn shipment_table(orders: &[Order]) -> File {
    let header = "shipment_id tenant_id order_id shipped_on carrier cost_minor";
    let mut table = Table::new("commerce/data/shipments.csv", Style::Plain, header);
    let shipments =
        orders.iter().flat_map(|order| order.shipments.iter().map(move |shipment| (order, shipment)));
    for (id, (order, shipment)) in (1..).zip(shipments) {
        table.row(&cells![id, order.tenant, order.id, shipment.shipped, shipment.carrier, shipment.cost]);
    }
    table.file()
}

/// Rows of a day arrive in the night after it.
fn loaded_at(day: Day) -> String {
    format!("{}T02:15:00Z", day.plus(1))
}
