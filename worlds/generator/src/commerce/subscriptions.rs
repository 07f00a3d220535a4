//! Owns subscriptions and their balances: a stock that is looked at now and then, not on every day.

use super::{Customer, last_day};
use crate::{
    cells,
    days::Day,
    random::Random,
    table::{File, Style, Table},
};

/// Of a hundred snapshots, how many are missing, so that the last one before must stand.
const MISSED_PERCENT: i64 = 12;

/// Both files.
pub(super) fn files(customers: &[Customer]) -> Vec<File> {
    let header = "subscription_id tenant_id customer_id billing started_on cancelled_on";
    let mut subscriptions = Table::new("commerce/data/subscriptions.csv", Style::Plain, header);
    let header = "subscription_id tenant_id as_of balance_minor";
    let mut balances = Table::new("commerce/data/subscription_balances.csv", Style::Plain, header);
    let mut random = Random::of("commerce subscriptions");
    let mut id = 5_001;
    for customer in customers.iter().filter(|customer| customer.plan != "free") {
        let started = customer.signed_up.max(Day::of(2024, 1, 3)).plus(random.between(0, 30));
        if started > Day::of(2026, 8, 1) {
            continue;
        }
        let cancelled =
            random.chance(30).then(|| started.plus(random.between(90, 600))).filter(|day| *day <= last_day());
        let billing = random.weighted(&[("monthly", 70), ("yearly", 30)]);
        let ended = cancelled.map_or_else(String::new, |day| day.to_string());
        subscriptions.row(&cells![id, customer.tenant, customer.id, billing, started, ended]);
        snapshots(id, customer.tenant, started, cancelled, &mut random, &mut balances);
        id += 1;
    }
    vec![subscriptions.file(), balances.file()]
}

/// A balance at the end of most months, and a last one of zero on the day of cancelling.
fn snapshots(
    id: i64,
    tenant: &str,
    started: Day,
    cancelled: Option<Day>,
    random: &mut Random,
    balances: &mut Table,
) {
    let mut balance = random.between(40, 200) * 100;
    let (year, month, _) = started.civil();
    let mut next = Day::of(year, month, 1).plus_months(1);
    while next.plus(-1) <= cancelled.unwrap_or_else(last_day).plus(-1) {
        if !random.chance(MISSED_PERCENT) {
            balances.row(&cells![id, tenant, next.plus(-1), balance]);
        }
        balance += random.between(-30, 35) * 50;
        balance = balance.max(0);
        next = next.plus_months(1);
    }
    if let Some(day) = cancelled {
        balances.row(&cells![id, tenant, day, 0]);
    }
}
