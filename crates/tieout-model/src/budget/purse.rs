//! What one question may spend, together with the day it is asked on.

use std::sync::{Arc, Mutex};

use jiff::civil::Date;
use tieout_core::model::{BudgetSpan, Spend};

use super::{Allowance, NoRoom, SpendStore, settled};
use crate::locked;

/// The purse of one question.
pub(crate) struct Purse {
    day: Date,
    of_day: Allowance,
    of_question: Allowance,
    spent: Mutex<Spend>,
    store: Arc<dyn SpendStore>,
}

/// An amount that is put aside. When it is not settled, it stays spent.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "what is put aside is settled with what was taken"]
pub(crate) struct Aside(Spend);

impl Aside {
    /// How much.
    pub(crate) fn spend(&self) -> &Spend {
        &self.0
    }
}

impl Purse {
    pub(crate) fn new(
        day: Date,
        of_question: Allowance,
        of_day: Allowance,
        store: Arc<dyn SpendStore>,
    ) -> Self {
        Self { day, of_day, of_question, spent: Mutex::default(), store }
    }

    /// What the question took so far, with what is put aside.
    pub(crate) fn spent(&self) -> Spend {
        locked(&self.spent).clone()
    }

    /// Puts an amount aside, for the question and for the day.
    pub(crate) async fn put_aside(&self, wanted: Spend) -> Result<Aside, NoRoom> {
        {
            let mut spent = locked(&self.spent);
            self.of_question.room(BudgetSpan::Question, &spent, &wanted).map_err(NoRoom::Spent)?;
            *spent = spent.plus(&wanted);
        }
        let (store, day, allowance, amount) =
            (Arc::clone(&self.store), self.day, self.of_day.clone(), wanted.clone());
        let kept = tokio::task::spawn_blocking(move || store.put_aside(day, &amount, &allowance)).await;
        match kept.unwrap_or_else(|error| Err(NoRoom::Unknown(error.to_string()))) {
            Ok(()) => Ok(Aside(wanted)),
            Err(no_room) => {
                self.settle_question(&wanted, &Spend::default());
                Err(no_room)
            }
        }
    }

    /// Puts what was taken in the place of what was put aside.
    pub(crate) async fn settle(&self, aside: Aside, taken: &Spend) -> Result<(), String> {
        self.settle_question(&aside.0, taken);
        let (store, day, taken) = (Arc::clone(&self.store), self.day, taken.clone());
        let kept = tokio::task::spawn_blocking(move || store.settle(day, &aside.0, &taken)).await;
        kept.unwrap_or_else(|error| Err(error.to_string()))
    }

    fn settle_question(&self, aside: &Spend, taken: &Spend) {
        let mut spent = locked(&self.spent);
        *spent = settled(&spent, aside, taken);
    }
}
