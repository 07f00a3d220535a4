//! A sign of life for whatever takes more than a second: on a terminal, beside the output, gone when it is done.

use std::{
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread,
    time::Duration,
};

use indicatif::ProgressBar;

/// How long nothing is said, in milliseconds.
const QUIET_MS: u64 = 1_000;
/// How often the sign moves, in milliseconds.
const TICK_MS: u64 = 120;

/// Work that is going on. Dropping it says that it is done.
pub struct Progress {
    done: Option<Sender<()>>,
    watcher: Option<thread::JoinHandle<()>>,
}

impl Progress {
    /// Watches over work of this name. On anything but a terminal nothing is drawn.
    #[must_use]
    pub fn start(words: &'static str) -> Self {
        use std::io::IsTerminal;
        if !std::io::stderr().is_terminal() {
            return Self { done: None, watcher: None };
        }
        let (done, waits) = channel::<()>();
        let watcher = thread::spawn(move || {
            if waits.recv_timeout(Duration::from_millis(QUIET_MS)) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let bar = ProgressBar::new_spinner().with_message(words);
            bar.enable_steady_tick(Duration::from_millis(TICK_MS));
            let _ = waits.recv();
            bar.finish_and_clear();
        });
        Self { done: Some(done), watcher: Some(watcher) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(watcher) = self.watcher.take() {
            let _ = watcher.join();
        }
    }
}
