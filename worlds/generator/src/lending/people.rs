//! Owns the bank's officers and customers.

use super::BRANCHES;
use crate::{
    cells,
    days::Day,
    random::Random,
    table::{File, Style, Table},
};

/// Customers, and of these the last who never took a loan.
const CUSTOMERS: i64 = 160;
const WITHOUT_LOAN: i64 = 15;

/// An officer; the branch is the one where they work now.
#[derive(Debug)]
pub(super) struct Officer {
    pub(super) id: i64,
    pub(super) name: &'static str,
    pub(super) branch: i64,
}

/// A customer.
#[derive(Debug)]
pub(super) struct Customer {
    pub(super) id: i64,
    name: String,
    segment: &'static str,
    town: &'static str,
    pub(super) joined: Day,
    pub(super) borrows: bool,
}

const OFFICERS: [&str; 12] = [
    "Ada Price",
    "Ben Okoro",
    "Cleo Marsh",
    "Dev Patel",
    "Elin Rhys",
    "Finn Doyle",
    "Gwen Parry",
    "Hugo Lane",
    "Iris Wood",
    "Jonas Beck",
    "Kit Shaw",
    "Lena Cole",
];

const GIVEN: [&str; 16] = [
    "Zoë",
    "José",
    "Anaïs",
    "Björn",
    "Chloé",
    "Seán",
    "Nuño",
    "François",
    "Maya",
    "Oscar",
    "Priya",
    "Tom",
    "Ruth",
    "Sam",
    "Wanda",
    "Yusuf",
];

const FAMILY: [&str; 10] =
    ["Müller", "Brontë", "Ågren", "Peña", "Smith", "Jones", "Khan", "O'Neill", "Evans", "Taylor"];

const TOWNS: [&str; 8] = ["London", "Bristol", "Leeds", "York", "Cardiff", "Bath", "Hull", ""];

/// The officers, spread over the branches.
pub(super) fn officers() -> Vec<Officer> {
    let branches = i64::try_from(BRANCHES.len()).unwrap_or(1);
    (0..).zip(OFFICERS).map(|(n, name)| Officer { id: 101 + n, name, branch: 1 + n % branches }).collect()
}

/// The customers, in the order in which they joined.
pub(super) fn customers() -> Vec<Customer> {
    let mut random = Random::of("lending customers");
    (0..CUSTOMERS)
        .map(|n| {
            let given = random.pick(&GIVEN).copied().unwrap_or("");
            let family = random.pick(&FAMILY).copied().unwrap_or("");
            Customer {
                id: 4_001 + n,
                name: format!("{given} {family}"),
                segment: random.weighted(&[("retail", 60), ("small business", 30), ("farm", 10)]),
                town: random.pick(&TOWNS).copied().unwrap_or(""),
                joined: Day::of(2022, 6, 1).plus(n * 9 + random.between(0, 8)),
                borrows: n < CUSTOMERS - WITHOUT_LOAN,
            }
        })
        .collect()
}

/// The file of officers.
pub(super) fn officer_table(officers: &[Officer]) -> File {
    let mut table = Table::new("lending/data/officers.csv", Style::Plain, "officer_id name branch_id");
    for officer in officers {
        table.row(&cells![officer.id, officer.name, officer.branch]);
    }
    table.file()
}

/// The file of customers, in ISO 8859-1.
pub(super) fn customer_table(customers: &[Customer]) -> File {
    let header = "customer_id name segment town national_id joined_on";
    let mut table = Table::new("lending/data/customers.csv", Style::Latin1, header);
    for customer in customers {
        let national = format!("QQ{:06}C", customer.id * 37 % 1_000_000);
        table.row(&cells![
            customer.id,
            customer.name,
            customer.segment,
            customer.town,
            national,
            customer.joined
        ]);
    }
    table.file()
}
