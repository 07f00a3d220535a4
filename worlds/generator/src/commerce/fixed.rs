//! Owns what is written by hand: alpha's August to October 2026, and beta's one enormous sale.
//!
//! Alpha's net revenue is exactly 200.00 in September (direct 130.00, marketplace 70.00) and exactly 100.00 in August
//! (direct 60.00, marketplace 40.00). There are entries on first days and on month ends, a refund in September of an
//! order of August, and tax and shipping entries that must not count.

use super::orders::{Line, Order, Shipment, Trade};
use crate::days::Day;

/// One more than a 64-bit float can count to without a gap, in cents.
const ENORMOUS: i64 = 9_007_199_254_740_993;

type Date = (i64, i64);
type ByHand = (
    i64,
    i64,
    Option<i64>,
    Date,
    &'static str,
    &'static [(i64, i64, i64)],
    &'static [(Date, &'static str, i64)],
    &'static [(&'static str, &'static str, i64, Date)],
);

/// Orders of 2026: number, customer, region it ships to, placed (month, day), status, lines (product, quantity, cents),
/// shipments (shipped, carrier, cents), ledger entries (kind, channel, cents, posted).
const ORDERS: [ByHand; 11] = [
    (
        11_001,
        1_001,
        Some(1),
        (8, 1),
        "delivered",
        &[(9, 3, 3_000), (7, 1, 1_500)],
        &[((8, 3), "DHL", 510), ((8, 4), "DHL", 390)],
        &[
            ("sale", "direct", 4_500, (8, 1)),
            ("tax", "direct", 360, (8, 1)),
            ("shipping", "direct", 490, (8, 1)),
            ("refund", "direct", -2_000, (9, 12)),
            ("tax", "direct", -160, (9, 12)),
        ],
    ),
    (
        11_002,
        1_002,
        Some(2),
        (8, 14),
        "delivered",
        &[(1, 4, 1_800), (4, 1, 1_200), (16, 1, 1_000)],
        &[((8, 16), "UPS", 620)],
        &[("sale", "marketplace", 4_000, (8, 14)), ("tax", "marketplace", 320, (8, 14))],
    ),
    (11_003, 1_003, Some(3), (8, 20), "cancelled", &[(15, 1, 2_500)], &[], &[]),
    (
        11_004,
        1_004,
        Some(1),
        (8, 31),
        "delivered",
        &[(2, 10, 1_500)],
        &[((9, 2), "DHL", 300)],
        &[
            ("sale", "direct", 1_500, (8, 31)),
            ("tax", "", 120, (8, 31)),
            ("shipping", "direct", 490, (8, 31)),
        ],
    ),
    (
        11_005,
        1_001,
        Some(2),
        (9, 1),
        "delivered",
        &[(6, 1, 4_900), (7, 1, 1_500), (9, 2, 1_600)],
        &[((9, 3), "FedEx", 880)],
        &[
            ("sale", "direct", 8_000, (9, 1)),
            ("tax", "direct", 640, (9, 1)),
            ("shipping", "direct", 990, (9, 1)),
        ],
    ),
    (
        11_006,
        1_002,
        Some(2),
        (9, 15),
        "shipped",
        &[(14, 2, 7_000), (1, 1, 500)],
        &[((9, 17), "UPS", 420), ((9, 18), "UPS", 400)],
        &[
            ("sale", "marketplace", 7_500, (9, 15)),
            ("tax", "marketplace", 600, (9, 15)),
            ("refund", "marketplace", -500, (9, 28)),
        ],
    ),
    (11_007, 1_005, None, (9, 20), "cancelled", &[(5, 1, 3_000)], &[], &[]),
    (
        11_008,
        1_004,
        None,
        (9, 30),
        "shipped",
        &[(14, 2, 7_000)],
        &[((10, 2), "DHL", 700)],
        &[("sale", "direct", 7_000, (9, 30)), ("tax", "direct", 560, (9, 30))],
    ),
    (
        11_009,
        1_001,
        Some(1),
        (10, 1),
        "placed",
        &[(15, 2, 5_000), (16, 1, 500)],
        &[],
        &[("sale", "direct", 5_500, (10, 1)), ("tax", "direct", 440, (10, 1))],
    ),
    (
        11_010,
        1_002,
        Some(2),
        (10, 5),
        "placed",
        &[(10, 1, 2_400)],
        &[],
        &[("sale", "marketplace", 2_400, (10, 5)), ("tax", "marketplace", 192, (10, 5))],
    ),
    (
        11_011,
        1_003,
        Some(3),
        (10, 6),
        "placed",
        &[(4, 1, 1_200), (2, 4, 600)],
        &[],
        &[("sale", "", 1_800, (10, 6)), ("tax", "", 144, (10, 6))],
    ),
];

/// Adds what is written by hand.
pub(super) fn add(trade: &mut Trade) {
    for row in ORDERS {
        add_order(row, trade);
    }
    let placed = day((9, 15));
    let order = Order {
        id: 21_001,
        tenant: "beta",
        customer: 2_001,
        ship_region: Some(2),
        placed,
        status: "delivered",
        lines: vec![Line { product: 16, quantity: 1, amount: ENORMOUS }],
        shipments: vec![Shipment { shipped: day((9, 16)), carrier: "DHL", cost: 900 }],
    };
    trade.entries.push(order.entry("sale", "direct", ENORMOUS, placed));
    trade.orders.push(order);
}

fn add_order(row: ByHand, trade: &mut Trade) {
    let (id, customer, ship_region, placed, status, lines, shipments, entries) = row;
    let line = |&(product, quantity, amount): &(i64, i64, i64)| Line { product, quantity, amount };
    let parcel = |&(shipped, carrier, cost): &(Date, &'static str, i64)| Shipment {
        shipped: day(shipped),
        carrier,
        cost,
    };
    let order = Order {
        id,
        tenant: "alpha",
        customer,
        ship_region,
        placed: day(placed),
        status,
        lines: lines.iter().map(line).collect(),
        shipments: shipments.iter().map(parcel).collect(),
    };
    for &(kind, channel, amount, posted) in entries {
        trade.entries.push(order.entry(kind, channel, amount, day(posted)));
    }
    trade.orders.push(order);
}

/// A day of 2026.
fn day((month, day): Date) -> Day {
    Day::of(2026, month, day)
}
