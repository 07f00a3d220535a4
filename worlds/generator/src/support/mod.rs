//! Owns the data of `worlds/support`: tickets with moments on the clock, who worked on them, and what customers said.
//!
//! Moments carry their offset from UTC. Those around the nights on which Amsterdam changes its clocks are written by
//! hand: a day of 25 hours (26 October 2025) and one of 23 (29 March 2026). Deliberately absent: names of persons who
//! gave a score.

mod clock;
mod people;
mod tickets;

use crate::table::File;

/// Every file of the world.
#[must_use]
pub fn files() -> Vec<File> {
    let tickets = tickets::all();
    let mut files = people::files();
    files.extend([
        tickets::table(&tickets),
        tickets::survey_table(&tickets),
        tickets::backlog_table(&tickets),
    ]);
    files
}
