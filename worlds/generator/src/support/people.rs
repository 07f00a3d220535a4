//! Owns agents, customers and the taxonomy of tickets.

use crate::{
    cells,
    days::Day,
    random::Random,
    table::{File, Style, Table},
};

/// Agents: name, team. The last has no ticket.
const AGENTS: [(&str, &str); 9] = [
    ("Anouk", "First line"),
    ("Bram", "First line"),
    ("Carmen", "First line"),
    ("Daan", "First line"),
    ("Esra", "Second line"),
    ("Femke", "Second line"),
    ("Giel", "Escalations"),
    ("Hanna", "Escalations"),
    ("Ivo", "First line"),
];

/// Customers: company, country, tier. The last two never asked anything.
const CUSTOMERS: [(&str, &str, &str); 24] = [
    ("Alder Freight", "Netherlands", "premium"),
    ("Beech Bakers", "Netherlands", "basic"),
    ("Cedar Clinics", "Belgium", "plus"),
    ("Date Drinks", "Germany", "basic"),
    ("Elm Energy", "Germany", "premium"),
    ("Fir Films", "France", "plus"),
    ("Gorse Games", "", "basic"),
    ("Hazel Homes", "Netherlands", "plus"),
    ("Iris Insurance", "Belgium", "premium"),
    ("Jasmine Jams", "France", "basic"),
    ("Kale Kitchens", "Netherlands", "basic"),
    ("Larch Law", "Germany", "plus"),
    ("Maple Motors", "Netherlands", "premium"),
    ("Nettle News", "Belgium", "basic"),
    ("Oak Optics", "France", "plus"),
    ("Pine Post", "Germany", "basic"),
    ("Quince Quarries", "", "basic"),
    ("Rose Rail", "Netherlands", "premium"),
    ("Sage Schools", "Belgium", "plus"),
    ("Teak Tools", "Germany", "basic"),
    ("Umber Unions", "Netherlands", "basic"),
    ("Vine Vets", "France", "plus"),
    ("Willow Water", "Netherlands", "plus"),
    ("Yew Yachts", "Belgium", "premium"),
];

/// The taxonomy, flat: topic, area.
const CATEGORIES: [(&str, &str); 10] = [
    ("invoice", "Billing"),
    ("payment failed", "Billing"),
    ("refund request", "Billing"),
    ("cannot sign in", "Access"),
    ("password reset", "Access"),
    ("permissions", "Access"),
    ("crash", "Product"),
    ("slow page", "Product"),
    ("missing feature", "Product"),
    ("other", "Other"),
];

/// How many agents, customers and categories tickets may name.
pub(super) const TICKET_AGENTS: i64 = 8;
pub(super) const TICKET_CUSTOMERS: i64 = 22;
pub(super) const TICKET_CATEGORIES: i64 = 10;

/// The area of a category.
pub(super) fn area(category: i64) -> &'static str {
    usize::try_from(category - 1).ok().and_then(|at| CATEGORIES.get(at)).map_or("Other", |(_, area)| area)
}

/// The areas, each once.
pub(super) const AREAS: [&str; 4] = ["Billing", "Access", "Product", "Other"];

/// The three files.
pub(super) fn files() -> Vec<File> {
    let mut agents = Table::new("support/data/agents.csv", Style::Plain, "agent_id name team");
    for (id, (name, team)) in (1..).zip(AGENTS) {
        agents.row(&cells![id, name, team]);
    }
    let header = "customer_id company country tier contact_email since";
    let mut customers = Table::new("support/data/customers.csv", Style::Plain, header);
    let mut random = Random::of("support customers");
    for (id, (company, country, tier)) in (301..).zip(CUSTOMERS) {
        let email = format!("desk{id}@example.org");
        let since = Day::of(2023, 1, 1).plus(random.between(0, 720));
        customers.row(&cells![id, company, country, tier, email, since]);
    }
    let mut categories = Table::new("support/data/categories.csv", Style::Plain, "category_id topic area");
    for (id, (topic, area)) in (1..).zip(CATEGORIES) {
        categories.row(&cells![id, topic, area]);
    }
    vec![agents.file(), customers.file(), categories.file()]
}
