//! What was found out about data that cannot change while it is open: whether a key is one, when rows last arrived. It is
//! asked once, and holds for every question after it; on a large table it costs more than the answer itself.
//!
//! Deliberately absent: the figures of an answer, which are always fetched.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use tieout_core::{
    evidence::{Purpose, Rows},
    scope::Scope,
};
use tieout_sql::{CheckedQuery, Select};

/// The most results that are remembered; past it all are forgotten and asked again.
const RESULTS_MAX: usize = 1_024;
/// The most rows of a result that is remembered.
const ROWS_MAX: usize = 8;

/// Queries that were checked and ran, with what came back.
#[derive(Debug, Default)]
pub struct Remembered(Mutex<HashMap<Key, (CheckedQuery, Rows)>>);

/// The very query and its values, and the tenant that it was checked for: nothing is shared between sessions that see
/// different rows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key(String);

impl Key {
    /// The key of a query, where what comes back for it holds.
    pub(crate) fn of(purpose: Purpose, select: &Select, scope: &Scope) -> Option<Self> {
        holds(purpose).then(|| Self(format!("{:?}\n{}\n{:?}", scope.tenant(), select.query, select.binds)))
    }
}

impl Remembered {
    /// The query as it was checked, and what came back for it.
    pub(crate) fn find(&self, key: &Key) -> Option<(CheckedQuery, Rows)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    /// Keeps what came back.
    pub(crate) fn keep(&self, key: Key, query: &CheckedQuery, rows: &Rows) {
        if rows.rows.len() > ROWS_MAX {
            return;
        }
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= RESULTS_MAX {
            kept.clear();
        }
        kept.insert(key, (query.clone(), rows.clone()));
    }
}

/// Whether a query asks about the data as such, and not for what is shown.
fn holds(purpose: Purpose) -> bool {
    match purpose {
        Purpose::Integrity | Purpose::Freshness => true,
        Purpose::Figures | Purpose::List | Purpose::Support | Purpose::Statement => false,
    }
}
