//! Owns orders, their lines and shipments, and the ledger entries that follow from them, for the generated months.

use super::{Customer, PRODUCTS, REGIONS, last_day};
use crate::{
    days::{self, Day},
    random::Random,
};

/// Of a hundred sales, how many are taxed at this rate, in percent.
const TAX_PERCENT: i64 = 8;

/// Everything that was traded.
#[derive(Debug, Default)]
pub(super) struct Trade {
    pub(super) orders: Vec<Order>,
    pub(super) entries: Vec<Entry>,
}

/// An order with what belongs to it.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) id: i64,
    pub(super) tenant: &'static str,
    pub(super) customer: i64,
    pub(super) ship_region: Option<i64>,
    pub(super) placed: Day,
    pub(super) status: &'static str,
    pub(super) lines: Vec<Line>,
    pub(super) shipments: Vec<Shipment>,
}

/// A line of an order; the amount is in cents.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) product: i64,
    pub(super) quantity: i64,
    pub(super) amount: i64,
}

/// A parcel; the cost is in cents.
#[derive(Debug)]
pub(super) struct Shipment {
    pub(super) shipped: Day,
    pub(super) carrier: &'static str,
    pub(super) cost: i64,
}

/// A ledger entry, in signed cents.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) tenant: &'static str,
    pub(super) order: i64,
    pub(super) customer: i64,
    pub(super) kind: &'static str,
    pub(super) channel: &'static str,
    pub(super) amount: i64,
    pub(super) posted: Day,
}

impl Order {
    /// The amount in the order's header, in cents: always the sum of its lines.
    pub(super) fn amount(&self) -> i64 {
        self.lines.iter().map(|line| line.amount).sum()
    }

    /// An entry of this order.
    pub(super) fn entry(&self, kind: &'static str, channel: &'static str, amount: i64, posted: Day) -> Entry {
        Entry { tenant: self.tenant, order: self.id, customer: self.customer, kind, channel, amount, posted }
    }
}

impl Trade {
    /// Entries in the order of their days, as a ledger is kept.
    pub(super) fn sort(&mut self) {
        self.orders.sort_by_key(|order| order.id);
        self.entries.sort_by_key(|entry| (entry.posted, entry.order));
    }
}

/// The generated months of both tenants.
pub(super) fn generate(customers: &[Customer], trade: &mut Trade) {
    let mut random = Random::of("commerce alpha orders");
    let mut id = 10_001;
    for month in days::months((2024, 1), (2026, 7)) {
        match month {
            (2025, 2) => zero_month(&mut id, trade),
            (2025, 5) => {}
            _ => a_month("alpha", month, (8, 14), &mut id, customers, &mut random, trade),
        }
    }
    let mut random = Random::of("commerce beta orders");
    let mut id = 20_001;
    for month in days::months((2024, 1), (2026, 9)) {
        a_month("beta", month, (5, 9), &mut id, customers, &mut random, trade);
    }
}

/// February 2025 of alpha: one sale, wholly refunded in the same month, so that the net is zero and not nothing.
fn zero_month(id: &mut i64, trade: &mut Trade) {
    let order = Order {
        id: *id,
        tenant: "alpha",
        customer: 1_001,
        ship_region: Some(1),
        placed: Day::of(2025, 2, 10),
        status: "delivered",
        lines: vec![Line { product: 13, quantity: 2, amount: 3_500 }],
        shipments: Vec::new(),
    };
    trade.entries.push(order.entry("sale", "direct", 3_500, order.placed));
    trade.entries.push(order.entry("refund", "direct", -3_500, Day::of(2025, 2, 24)));
    trade.orders.push(order);
    *id += 1;
}

fn a_month(
    tenant: &'static str,
    (year, month): (i64, i64),
    (fewest, most): (i64, i64),
    id: &mut i64,
    customers: &[Customer],
    random: &mut Random,
    trade: &mut Trade,
) {
    let first = Day::of(year, month, 1);
    let count = random.between(fewest, most);
    for n in 0..count {
        // Every month has an order on its first and on its last day.
        let into = match n {
            0 => 0,
            1 => first.days_in_month() - 1,
            _ => random.below(first.days_in_month()),
        };
        let placed = first.plus(into);
        let known: Vec<&Customer> =
            customers.iter().filter(|c| c.tenant == tenant && c.orders && c.signed_up <= placed).collect();
        let Some(customer) = random.pick(&known) else { continue };
        let order = an_order(*id, customer, placed, random);
        enter(&order, random, &mut trade.entries);
        trade.orders.push(order);
        *id += 1;
    }
}

fn an_order(id: i64, customer: &Customer, placed: Day, random: &mut Random) -> Order {
    let large = customer.tenant == "beta";
    let lines = (0..random.between(1, 3)).map(|_| a_line(large, random)).collect();
    let ship_region = match random.below(100) {
        0..4 => None,
        4..24 => Some(random.between(1, i64::try_from(REGIONS.len()).unwrap_or(1))),
        _ => customer.region,
    };
    let status = if last_day().since(placed) < 20 {
        random.weighted(&[("placed", 50), ("shipped", 50)])
    } else {
        random.weighted(&[("delivered", 85), ("shipped", 4), ("cancelled", 11)])
    };
    let shipments =
        if matches!(status, "shipped" | "delivered") { shipments(placed, random) } else { Vec::new() };
    Order {
        id,
        tenant: customer.tenant,
        customer: customer.id,
        ship_region,
        placed,
        status,
        lines,
        shipments,
    }
}

fn a_line(large: bool, random: &mut Random) -> Line {
    let product = random.between(1, i64::try_from(PRODUCTS.len()).unwrap_or(1));
    let price =
        usize::try_from(product - 1).ok().and_then(|at| PRODUCTS.get(at)).map_or(0, |(_, _, price)| *price);
    let quantity = match (large, price) {
        (true, _) => random.between(10, 60),
        (false, ..1_000) => random.between(1, 6),
        (false, _) => random.between(1, 2),
    };
    Line { product, quantity, amount: price * quantity }
}

fn shipments(placed: Day, random: &mut Random) -> Vec<Shipment> {
    let parcels = if random.chance(20) { 2 } else { 1 };
    let mut shipped = placed;
    let mut parcel = || {
        shipped = shipped.plus(random.between(1, 4));
        let carrier = random.weighted(&[("DHL", 50), ("UPS", 30), ("FedEx", 20)]);
        Shipment { shipped, carrier, cost: random.between(280, 940) }
    };
    (0..parcels).map(|_| parcel()).filter(|parcel| parcel.shipped <= last_day()).collect()
}

/// The ledger entries of an order. A cancelled order has none.
fn enter(order: &Order, random: &mut Random, entries: &mut Vec<Entry>) {
    if order.status == "cancelled" {
        return;
    }
    let channel = random.weighted(&[("direct", 56), ("marketplace", 38), ("", 6)]);
    let amount = order.amount();
    entries.push(order.entry("sale", channel, amount, order.placed));
    entries.push(order.entry("tax", channel, (amount * TAX_PERCENT + 50) / 100, order.placed));
    if random.chance(60) {
        entries.push(order.entry("shipping", channel, 490, order.placed));
    }
    if random.chance(16) {
        let posted = order.placed.plus(random.between(3, 40));
        let part = if random.chance(40) { amount } else { amount / random.between(2, 4) };
        if part > 0 && !is_closed(order.tenant, posted) {
            entries.push(order.entry("refund", channel, -part, posted));
        }
    }
}

/// Days on which nothing is generated: after the last, and in the months of alpha that are written by hand.
fn is_closed(tenant: &str, day: Day) -> bool {
    let by_hand = day >= Day::of(2026, 8, 1) || day.is_in(2025, 2) || day.is_in(2025, 5);
    day > last_day() || (tenant == "alpha" && by_hand)
}
