//! Civil time: half-open periods, calendar and fiscal units, and the buckets of a trend.
//!
//! Boundaries are worked out here and bound as values; no engine truncates a date for us. Deliberately absent: the
//! words of a human language for time, which the reader owns, and the current moment, which is handed in.

mod calendar;
mod period;

pub use calendar::{BUCKETS_MAX, Calendar, Grain};
pub use period::{Bucket, OPEN_START, Period, zone_name};

#[cfg(test)]
mod properties;
