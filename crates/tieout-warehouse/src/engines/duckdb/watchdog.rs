//! Owns the stopping of statements that take too long: one thread for an engine, which sleeps until the first of them is
//! due. A statement that ends in time costs it nothing, since no thread is started or woken for it.

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use ::duckdb::InterruptHandle;
use tieout_core::halt::Fault;

use crate::fault;

/// How often a statement that is too slow is told to stop, until it does.
const INTERRUPT_EVERY: Duration = Duration::from_millis(20);
/// What a time too long for the clock is taken for: a year.
const TIMEOUT_MAX: Duration = Duration::from_secs(365 * 24 * 3600);

/// The thread, and what it watches. It ends with the engine.
pub(super) struct Watchdog {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    watched: Vec<Watched>,
    next_id: u64,
    /// When the thread looks again by itself; none while it waits to be woken.
    looks_at: Option<Instant>,
    ended: bool,
}

struct Watched {
    id: u64,
    due: Instant,
    late: bool,
    handle: Arc<InterruptHandle>,
}

/// One statement, watched until this is given back.
pub(super) struct Watch<'w> {
    watchdog: &'w Watchdog,
    id: u64,
}

impl Watchdog {
    /// Starts the thread.
    ///
    /// # Errors
    /// A fault when the system gives no thread.
    pub(super) fn start() -> Result<Watchdog, Fault> {
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        let thread = thread::Builder::new().name("tieout-watchdog".to_owned()).spawn(move || own.watch());
        let thread =
            thread.map_err(|error| fault::internal(format!("no thread could be started: {error}")))?;
        Ok(Watchdog { shared, thread: Some(thread) })
    }

    /// Watches what runs on a connection, for so long.
    pub(super) fn watch(&self, handle: Arc<InterruptHandle>, timeout: Duration) -> Watch<'_> {
        let now = Instant::now();
        let due = now.checked_add(timeout).unwrap_or(now + TIMEOUT_MAX);
        let mut state = self.shared.lock();
        let id = state.next_id;
        state.next_id = id.wrapping_add(1);
        state.watched.push(Watched { id, due, late: false, handle });
        if state.looks_at.is_none_or(|at| due < at) {
            self.shared.changed.notify_one();
        }
        Watch { watchdog: self, id }
    }
}

impl Watch<'_> {
    /// Ends the watch, and says whether the statement was told to stop. After it nothing interrupts the connection.
    pub(super) fn was_late(self) -> bool {
        self.end()
    }

    fn end(&self) -> bool {
        let mut state = self.watchdog.shared.lock();
        let place = state.watched.iter().position(|watched| watched.id == self.id);
        place.is_some_and(|place| state.watched.swap_remove(place).late)
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.end();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(&self) {
        let mut state = self.lock();
        while !state.ended {
            let now = Instant::now();
            for watched in state.watched.iter_mut().filter(|watched| watched.due <= now) {
                watched.late = true;
                watched.handle.interrupt();
                watched.due = now + INTERRUPT_EVERY;
            }
            state.looks_at = state.watched.iter().map(|watched| watched.due).min();
            state = match state.looks_at {
                Some(at) => {
                    let wait = at.saturating_duration_since(now);
                    self.changed.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.lock().ended = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
