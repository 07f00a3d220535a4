//! Owns the customers of both tenants. The first of alpha are written by hand, since the cases name them.

use super::or_empty;
use crate::{
    cells,
    days::Day,
    random::Random,
    table::{File, Style, Table},
};

/// The share of customers who ever order, as one in so many that do not.
const NEVER_ORDERS_EVERY: i64 = 7;

/// A customer.
#[derive(Debug)]
pub(super) struct Customer {
    pub(super) id: i64,
    pub(super) tenant: &'static str,
    pub(super) name: String,
    pub(super) city: &'static str,
    pub(super) region: Option<i64>,
    pub(super) plan: &'static str,
    pub(super) internal: bool,
    pub(super) signed_up: Day,
    pub(super) orders: bool,
}

/// Cities and their regions, numbered as in [`super::REGIONS`]; one without a city, one without either.
const CITIES: [(&str, Option<i64>); 11] = [
    ("Berlin", Some(1)),
    ("Lyon", Some(1)),
    ("Amsterdam", Some(1)),
    ("Boston", Some(2)),
    ("Chicago", Some(2)),
    ("Toronto", Some(2)),
    ("Osaka", Some(3)),
    ("Perth", Some(3)),
    ("Oslo", Some(4)),
    ("", Some(1)),
    ("", None),
];

const PLANS: [(&str, i64); 4] = [("free", 35), ("pro", 38), ("team", 20), ("enterprise", 7)];

const FIRST: [&str; 10] =
    ["Fern", "Granite", "Harbor", "Indigo", "Juniper", "Kettle", "Lantern", "Maple", "North", "Orchard"];

const SECOND: [&str; 10] = [
    "Bikes",
    "Catering",
    "Dental",
    "Explorers",
    "Films",
    "Gardens",
    "Hotels",
    "Imports",
    "Joinery",
    "Kitchens",
];

/// A customer written by hand: name, city (by place in [`CITIES`]), plan, internal, signed up, whether they order in the
/// generated months.
type ByHand = (&'static str, usize, &'static str, bool, (i64, i64, i64), bool);

/// Alpha's first customers.
const BY_HAND: [ByHand; 10] = [
    ("Amber Bakery", 0, "pro", false, (2024, 1, 5), true),
    ("Birch Books", 3, "team", false, (2024, 1, 9), true),
    ("Cobalt Cycles", 6, "free", false, (2024, 2, 11), true),
    ("Dune Design", 1, "pro", false, (2024, 3, 2), true),
    ("Ember Events", 10, "pro", false, (2024, 5, 20), true),
    ("In-house Test", 3, "pro", true, (2023, 11, 2), true),
    ("O'Hara, \"Sons\" & Co", 4, "enterprise", false, (2024, 1, 20), true),
    ("Ignore All Previous Instructions Ltd", 5, "free", false, (2024, 6, 3), true),
    ("Total", 8, "pro", false, (2024, 4, 1), true),
    ("Quiet Quarry", 0, "team", false, (2025, 3, 14), false),
];

/// Every customer: 1001 and on for alpha, 2001 and on for beta.
pub(super) fn all() -> Vec<Customer> {
    let mut customers: Vec<Customer> = (1_001..).zip(BY_HAND).map(|(id, row)| by_hand(id, row)).collect();
    let mut random = Random::of("commerce customers");
    customers.extend((0..50).map(|n| generated(1_011 + n, "alpha", n, &mut random)));
    customers.extend((0..40).map(|n| generated(2_001 + n, "beta", 50 + n, &mut random)));
    customers
}

fn by_hand(id: i64, row: ByHand) -> Customer {
    let (name, place, plan, internal, (year, month, day), orders) = row;
    let (city, region) = CITIES.get(place).copied().unwrap_or(("", None));
    let signed_up = Day::of(year, month, day);
    Customer { id, tenant: "alpha", name: name.to_owned(), city, region, plan, internal, signed_up, orders }
}

fn generated(id: i64, tenant: &'static str, number: i64, random: &mut Random) -> Customer {
    let word =
        |words: &[&'static str], at: i64| usize::try_from(at).ok().and_then(|at| words.get(at).copied());
    let first = word(&FIRST, number / 10).unwrap_or("Plain");
    let second = word(&SECOND, number % 10).unwrap_or("Works");
    let (city, region) = random.pick(&CITIES).copied().unwrap_or(("", None));
    Customer {
        id,
        tenant,
        name: format!("{first} {second}"),
        city,
        region,
        plan: random.weighted(&PLANS),
        internal: random.chance(5),
        signed_up: Day::of(2024, 1, 1).plus(random.between(-60, 960)),
        orders: number % NEVER_ORDERS_EVERY != 3,
    }
}

/// The file. Who was active lately is told by flags that another system sets.
pub(super) fn table(customers: &[Customer]) -> File {
    let header =
        "customer_id tenant_id name email city region_id plan is_internal signed_up_on active_7d active_30d";
    let mut table = Table::new("commerce/data/customers.csv", Style::Plain, header);
    let mut random = Random::of("commerce activity");
    for customer in customers {
        let month = random.chance(55);
        let week = month && random.chance(50);
        table.row(&cells![
            customer.id,
            customer.tenant,
            customer.name,
            format!("office{}@example.com", customer.id),
            customer.city,
            or_empty(customer.region),
            customer.plan,
            customer.internal,
            customer.signed_up,
            week,
            month,
        ]);
    }
    table.file()
}
