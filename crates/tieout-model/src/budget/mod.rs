//! Budgets: what may be spent on one question and in one day.
//!
//! Before a prompt is sent, the most that it may take is put aside; afterwards what it took is put in its place. So
//! prompts that are under way at once, in several processes too, never spend more together than is allowed, and a
//! process that is killed leaves its share spent. Deliberately absent: the moment, which is handed in as a day.

mod file;
mod purse;

use std::sync::Mutex;

use jiff::civil::Date;
use tieout_core::model::{Budget, BudgetMeasure, BudgetSpan, BudgetSpent, Prices, Spend};

use crate::locked;

pub use file::{DAYS_KEPT_MAX, SpendFile};
pub(crate) use purse::Purse;

/// What may be spent in one span.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Allowance {
    /// Tokens; none for no limit.
    pub tokens: Option<u64>,
    /// Money; none for no limit.
    pub money: Option<bigdecimal::BigDecimal>,
    /// The currency of the money, for sentences.
    pub currency: String,
}

impl Allowance {
    /// What a budget allows in a span.
    #[must_use]
    pub fn of(budget: &Budget, prices: Option<&Prices>, span: BudgetSpan) -> Self {
        let (tokens, money) = match span {
            BudgetSpan::Question => (budget.tokens_per_question, budget.money_per_question.clone()),
            BudgetSpan::Day => (budget.tokens_per_day, budget.money_per_day.clone()),
        };
        Self { tokens, money, currency: prices.map(|prices| prices.currency.clone()).unwrap_or_default() }
    }

    /// Whether there is room for more.
    ///
    /// # Errors
    /// Says of which there is none.
    pub fn room(&self, span: BudgetSpan, spent: &Spend, wanted: &Spend) -> Result<(), Box<BudgetSpent>> {
        let both = spent.plus(wanted);
        if let Some(limit) = self.tokens.filter(|limit| both.tokens > *limit) {
            let said = |tokens: u64| format!("{} tokens", grouped(tokens));
            return Err(Box::new(BudgetSpent {
                span,
                measure: BudgetMeasure::Tokens,
                limit: said(limit),
                spent: said(spent.tokens),
                wanted: said(wanted.tokens),
            }));
        }
        if let (Some(limit), Some(money)) = (&self.money, &both.money)
            && money > limit
        {
            let said = |amount: Option<&bigdecimal::BigDecimal>| {
                let amount = amount.map_or_else(|| "0".to_owned(), |a| a.normalized().to_plain_string());
                format!("{amount} {}", self.currency)
            };
            return Err(Box::new(BudgetSpent {
                span,
                measure: BudgetMeasure::Money,
                limit: said(Some(limit)),
                spent: said(spent.money.as_ref()),
                wanted: said(wanted.money.as_ref()),
            }));
        }
        Ok(())
    }
}

/// A number with a comma between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Why nothing was put aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoRoom {
    /// The budget has no room.
    Spent(Box<BudgetSpent>),
    /// What is spent is not known, so nothing is.
    Unknown(String),
}

/// Keeps what is spent each day.
pub trait SpendStore: Send + Sync {
    /// Puts an amount aside, if there is room for it.
    ///
    /// # Errors
    /// When there is none, or what is spent is not known.
    fn put_aside(&self, day: Date, wanted: &Spend, allowance: &Allowance) -> Result<(), NoRoom>;

    /// Puts what was taken in the place of what was put aside.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn settle(&self, day: Date, aside: &Spend, taken: &Spend) -> Result<(), String>;

    /// What is spent or put aside.
    ///
    /// # Errors
    /// When it is not known.
    fn spent(&self, day: Date) -> Result<Spend, String>;
}

/// Keeps what is spent in this process alone: for tests, and where no day has a limit.
#[derive(Debug, Default)]
pub struct SpendInMemory(Mutex<std::collections::BTreeMap<Date, Spend>>);

impl SpendStore for SpendInMemory {
    fn put_aside(&self, day: Date, wanted: &Spend, allowance: &Allowance) -> Result<(), NoRoom> {
        let mut days = locked(&self.0);
        let spent = days.entry(day).or_default();
        allowance.room(BudgetSpan::Day, spent, wanted).map_err(NoRoom::Spent)?;
        *spent = spent.plus(wanted);
        Ok(())
    }

    fn settle(&self, day: Date, aside: &Spend, taken: &Spend) -> Result<(), String> {
        let mut days = locked(&self.0);
        let spent = days.entry(day).or_default();
        *spent = settled(spent, aside, taken);
        Ok(())
    }

    fn spent(&self, day: Date) -> Result<Spend, String> {
        Ok(locked(&self.0).get(&day).cloned().unwrap_or_default())
    }
}

/// What is spent when an amount that was put aside is replaced by what was taken.
pub(crate) fn settled(spent: &Spend, aside: &Spend, taken: &Spend) -> Spend {
    let money = match (&spent.money, &aside.money) {
        (Some(spent), Some(aside)) => Some((spent - aside).normalized()),
        (one, _) => one.clone(),
    };
    Spend { tokens: spent.tokens.saturating_sub(aside.tokens), money }.plus(taken)
}

#[cfg(test)]
mod tests;
