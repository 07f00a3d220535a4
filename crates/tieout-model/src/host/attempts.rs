//! One exchange under way, with all its attempts: the time that it has, what it takes, and when it is tried again.
//!
//! What asks for words and what asks for vectors both go through here. Deliberately absent: what is asked.

use std::{
    future::Future,
    sync::{
        Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use tieout_core::{
    attempt::Step,
    model::{ModelFault, ModelFaultKind, Spend},
};
use tokio::time::Instant;

use super::Patience;
use crate::{
    budget::{NoRoom, Purse, settled},
    http::{Again, Failed, Worked},
    locked,
};

/// One exchange under way.
pub(super) struct Attempts {
    begun: Instant,
    after: Duration,
    patience: Patience,
    /// What spreads the waits of exchanges that failed together: no luck is needed for that.
    seed: String,
    /// How many attempts were made. What the endpoint turned down because it does not know it takes none.
    made: AtomicU32,
    /// What that took; of a request under way, the most that it may take.
    spend: Mutex<Spend>,
}

impl Attempts {
    pub(super) fn begin(timeout_ms: u64, patience: Patience, seed: String) -> Self {
        Self {
            begun: Instant::now(),
            after: Duration::from_millis(timeout_ms),
            patience,
            seed,
            made: AtomicU32::new(0),
            spend: Mutex::default(),
        }
    }

    /// Waits for the end of all attempts, at most as long as there is.
    pub(super) async fn within<T>(
        &self,
        place: impl FnOnce() -> String,
        asked: impl Future<Output = Result<T, ModelFaultKind>>,
    ) -> Result<T, ModelFault> {
        let end = tokio::time::timeout(self.after, asked).await;
        end.unwrap_or(Err(ModelFaultKind::Timeout { after: self.after })).map_err(|kind| ModelFault {
            kind,
            place: place(),
            attempts: self.made(),
            spend: Box::new(self.spend()),
            took: self.begun.elapsed(),
        })
    }

    pub(super) fn made(&self) -> u32 {
        self.made.load(Ordering::Relaxed)
    }

    pub(super) fn spend(&self) -> Spend {
        locked(&self.spend).clone()
    }

    fn change_spend(&self, change: impl FnOnce(&Spend) -> Spend) {
        let mut spend = locked(&self.spend);
        *spend = change(&spend);
    }

    /// One request, paid for: the most that it may take is put aside, and what it took stands in its place.
    pub(super) async fn paid<T>(
        &self,
        number: u32,
        purse: &Purse,
        wanted: Spend,
        sent: impl Future<Output = Result<T, Failed>>,
        spent: impl FnOnce(&T) -> Spend,
    ) -> Result<(T, Duration), Failed> {
        let aside = purse.put_aside(wanted).await.map_err(|no_room| {
            Failed::turned_down(match no_room {
                NoRoom::Spent(spent) => ModelFaultKind::Budget(spent),
                NoRoom::Unknown(why) => ModelFaultKind::BudgetUnknown { why },
            })
        })?;
        self.made.store(number, Ordering::Relaxed);
        self.change_spend(|spend| spend.plus(aside.spend()));
        let begun = Instant::now();
        let end = sent.await;
        let latency = begun.elapsed();
        let taken = match &end {
            Ok(told) => spent(told),
            Err(failed) if failed.worked == Worked::Maybe => aside.spend().clone(),
            Err(_) => Spend::default(),
        };
        self.change_spend(|spend| settled(spend, aside.spend(), &taken));
        // When this cannot be kept, what was put aside stays spent, which is never too little.
        let _ = purse.settle(aside, &taken).await;
        end.map(|told| (told, latency))
    }

    /// Whether a failure is worth another attempt.
    pub(super) fn judged<T>(&self, failed: Failed, number: u32) -> Step<T, ModelFaultKind, ()> {
        let pause = match failed.again {
            Again::Never => return Step::Stop(failed.kind),
            Again::After(wanted) if wanted > self.patience.retry_after_max => return Step::Stop(failed.kind),
            Again::After(wanted) => wanted,
            Again::Soon => backoff(self.patience.backoff_first, number, &self.seed),
        };
        if Instant::now() + pause >= self.begun + self.after {
            return Step::Stop(failed.kind);
        }
        Step::Again { feedback: (), otherwise: failed.kind, took: 1, pause }
    }
}

/// Twice as long before each attempt, and up to half as much more: which part of it, the digest of what is asked
/// decides, so that questions that failed together do not come back together.
fn backoff(first: Duration, number: u32, digest: &str) -> Duration {
    let spread = digest.get(..2).and_then(|hex| u32::from_str_radix(hex, 16).ok()).unwrap_or(0);
    let length = first * 2_u32.saturating_pow(number.saturating_sub(1));
    length + length * spread / 512
}
