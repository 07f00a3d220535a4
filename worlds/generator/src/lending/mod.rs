//! Owns the data of `worlds/lending`: a small bank's loans, what is due on them, and what is still out.
//!
//! The three ways in which files are awkward are here: dates as `dd/mm/yyyy` with thousands separators and a line of
//! totals at the end (loans), semicolons (repayments), and ISO 8859-1 (customers). A few loans are in euros, which must
//! not be added to pounds. Deliberately absent: interest, and anything after [`TODAY`] but what is yet to fall due.

mod loans;
mod people;

use crate::{
    cells,
    days::Day,
    table::{File, Style, Table},
};

/// The day of the last load.
const TODAY: (i64, i64, i64) = (2026, 10, 6);

/// Branches: name, region of the country.
const BRANCHES: [(&str, &str); 5] =
    [("Camden", "South"), ("Bristol", "South"), ("Leeds", "North"), ("York", "North"), ("Cardiff", "Wales")];

/// Every file of the world.
#[must_use]
pub fn files() -> Vec<File> {
    let officers = people::officers();
    let customers = people::customers();
    let loans = loans::all(&customers, &officers);
    vec![
        branches(),
        people::officer_table(&officers),
        people::customer_table(&customers),
        loans::loan_table(&loans),
        loans::repayment_table(&loans),
        loans::balance_table(&loans),
    ]
}

fn today() -> Day {
    Day::of(TODAY.0, TODAY.1, TODAY.2)
}

/// Pence as `1234.50`.
fn pounds(pence: i64) -> String {
    format!("{}.{:02}", pence / 100, pence % 100)
}

/// Pence as `1,234.50`.
fn grouped_pounds(pence: i64) -> String {
    let (whole, thousand) = (pence / 100, 1_000);
    let rest = format!("{:02}", pence % 100);
    match (whole / (thousand * thousand), whole / thousand % thousand, whole % thousand) {
        (0, 0, ones) => format!("{ones}.{rest}"),
        (0, thousands, ones) => format!("{thousands},{ones:03}.{rest}"),
        (millions, thousands, ones) => format!("{millions},{thousands:03},{ones:03}.{rest}"),
    }
}

fn branches() -> File {
    let mut table = Table::new("lending/data/branches.csv", Style::Plain, "branch_id name area");
    for (id, (name, area)) in (1..).zip(BRANCHES) {
        table.row(&cells![id, name, area]);
    }
    table.file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(grouped_pounds(99_999), "999.99");
        assert_eq!(grouped_pounds(1_200_050), "12,000.50");
        assert_eq!(grouped_pounds(123_400_500), "1,234,005.00");
    }
}
