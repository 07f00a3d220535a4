//! Owns loans, their instalments and the balances that are still out.

use super::{
    grouped_pounds,
    people::{Customer, Officer},
    pounds, today,
};
use crate::{
    cells,
    days::Day,
    random::Random,
    table::{File, Style, Table},
};

/// How many loans there are.
const LOANS: i64 = 240;

/// A loan; amounts are in pence or cents.
#[derive(Debug)]
pub(super) struct Loan {
    id: i64,
    customer: i64,
    officer: i64,
    branch: i64,
    product: &'static str,
    status: &'static str,
    principal: i64,
    currency: &'static str,
    disbursed: Option<Day>,
    closed: Option<Day>,
    instalments: Vec<Instalment>,
}

/// A part of the principal that falls due.
#[derive(Debug)]
struct Instalment {
    due: Day,
    amount: i64,
    paid: Option<Day>,
    paid_amount: i64,
}

impl Instalment {
    fn status(&self) -> &'static str {
        match self.paid {
            Some(paid) if paid > self.due => "late",
            Some(_) => "paid",
            None if self.due < today() => "overdue",
            None => "upcoming",
        }
    }
}

impl Loan {
    /// What had not been paid back at the end of a day.
    fn outstanding(&self, day: Day) -> i64 {
        let paid = |instalment: &&Instalment| instalment.paid.is_some_and(|paid| paid <= day);
        self.principal
            - self.instalments.iter().filter(paid).map(|instalment| instalment.paid_amount).sum::<i64>()
    }
}

/// Every loan, in the order of their numbers.
pub(super) fn all(customers: &[Customer], officers: &[Officer]) -> Vec<Loan> {
    let mut random = Random::of("lending loans");
    let borrowers: Vec<&Customer> = customers.iter().filter(|customer| customer.borrows).collect();
    (0..LOANS).filter_map(|n| a_loan(n, &borrowers, officers, &mut random)).collect()
}

fn a_loan(n: i64, borrowers: &[&Customer], officers: &[Officer], random: &mut Random) -> Option<Loan> {
    let disbursed = Day::of(2023, 1, 9).plus(n * 1_360 / LOANS + random.between(0, 4));
    let known: Vec<&&Customer> = borrowers.iter().filter(|customer| customer.joined <= disbursed).collect();
    let customer = random.pick(&known)?;
    let officer = random.pick(officers)?;
    // A loan stays with the branch that booked it, also when its officer has moved since.
    let branch = if random.chance(20) { random.between(1, 5) } else { officer.branch };
    let product =
        random.weighted(&[("personal", 40), ("car", 30), ("home improvement", 18), ("business", 12)]);
    let principal = match product {
        "business" => random.between(200, 2_400) * 50_000,
        "home improvement" => random.between(20, 60) * 25_000,
        _ => random.between(8, 60) * 25_000,
    };
    let currency = if n % 60 == 17 { "EUR" } else { "GBP" };
    if n % 41 == 40 {
        let status = "applied";
        let (disbursed, closed, instalments) = (None, None, Vec::new());
        let (id, customer, officer) = (7_001 + n, customer.id, officer.id);
        return Some(Loan {
            id,
            customer,
            officer,
            branch,
            product,
            status,
            principal,
            currency,
            disbursed,
            closed,
            instalments,
        });
    }
    let fails = random.chance(9);
    let instalments = instalments(principal, disbursed, fails, random);
    let paid_off = instalments.iter().all(|instalment| instalment.paid.is_some());
    let closed =
        if paid_off { instalments.iter().filter_map(|instalment| instalment.paid).max() } else { None };
    let status = match (paid_off, fails) {
        (true, _) => "closed",
        (false, true) if n < LOANS * 2 / 3 => random.weighted(&[("defaulted", 70), ("written off", 30)]),
        (false, _) => "active",
    };
    let (id, customer, officer, disbursed) = (7_001 + n, customer.id, officer.id, Some(disbursed));
    Some(Loan {
        id,
        customer,
        officer,
        branch,
        product,
        status,
        principal,
        currency,
        disbursed,
        closed,
        instalments,
    })
}

/// Equal parts, one a quarter; the last takes what does not divide. A loan that fails stops being paid half-way.
fn instalments(principal: i64, disbursed: Day, fails: bool, random: &mut Random) -> Vec<Instalment> {
    let count = random.between(4, 12);
    let part = principal / count;
    (1..=count)
        .map(|n| {
            let due = disbursed.plus_months(3 * n);
            let amount = if n == count { principal - part * (count - 1) } else { part };
            let late = random.chance(14);
            let day = due.plus(if late { random.between(1, 45) } else { -random.between(0, 6) });
            let stopped = fails && n > count / 2;
            let paid = (!stopped && day <= today()).then_some(day);
            Instalment { due, amount, paid, paid_amount: if paid.is_some() { amount } else { 0 } }
        })
        .collect()
}

/// The file of loans: dates day first, thousands separated, and a line of totals at the end.
pub(super) fn loan_table(loans: &[Loan]) -> File {
    let header =
        "loan_id customer_id officer_id branch_id product status principal currency disbursed_on closed_on";
    let mut table = Table::new("lending/data/loans.csv", Style::Plain, header);
    let day = |day: Option<Day>| day.map_or_else(String::new, Day::day_first);
    for loan in loans {
        table.row(&cells![
            loan.id,
            loan.customer,
            loan.officer,
            loan.branch,
            loan.product,
            loan.status,
            grouped_pounds(loan.principal),
            loan.currency,
            day(loan.disbursed),
            day(loan.closed),
        ]);
    }
    let total = loans.iter().map(|loan| loan.principal).sum();
    table.row(&cells!["Total", "", "", "", "", "", grouped_pounds(total), "", "", ""]);
    table.file()
}

/// The file of instalments, with semicolons.
pub(super) fn repayment_table(loans: &[Loan]) -> File {
    let header = "repayment_id loan_id due_on paid_on due_amount paid_amount currency status";
    let mut table = Table::new("lending/data/repayments.csv", Style::Semicolons, header);
    let all = loans.iter().flat_map(|loan| loan.instalments.iter().map(move |instalment| (loan, instalment)));
    for (id, (loan, instalment)) in (1..).zip(all) {
        table.row(&cells![
            id,
            loan.id,
            instalment.due,
            instalment.paid.map_or_else(String::new, |day| day.to_string()),
            pounds(instalment.amount),
            pounds(instalment.paid_amount),
            loan.currency,
            instalment.status(),
        ]);
    }
    table.file()
}

/// What was still out at the end of each quarter, until the loan was paid back; the last line of those is a zero.
pub(super) fn balance_table(loans: &[Loan]) -> File {
    let header = "loan_id as_of outstanding currency";
    let mut table = Table::new("lending/data/balances.csv", Style::Plain, header);
    for loan in loans {
        let Some(disbursed) = loan.disbursed else { continue };
        let (year, month, _) = disbursed.civil();
        let mut next = Day::of(year, (month - 1) / 3 * 3 + 1, 1).plus_months(3);
        while next <= Day::of(2026, 10, 1) {
            let day = next.plus(-1);
            let outstanding = loan.outstanding(day);
            table.row(&cells![loan.id, day, pounds(outstanding), loan.currency]);
            if outstanding == 0 {
                break;
            }
            next = next.plus_months(3);
        }
    }
    table.file()
}
