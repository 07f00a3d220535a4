//! A running total up to the end of the period, or since the start of a calendar unit. The calendar is complete: a
//! step without rows carries the total so far.

use super::kind::{
    Accepts, Additivity, MadeOf, MetricKind, Need, Part, RowsTaken, Split, SplitBy, forbids_own_time,
    only_part,
};
use crate::time::Grain;

pub(super) static KIND: MetricKind = MetricKind {
    name: "cumulative",
    reads_as: |of| format!("running total of {of}"),
    adds_up: Additivity::SemiAdditive,
    made_of: MadeOf::Rows,
    parts: &[Part::Sum],
    combine: only_part,
    rows: RowsTaken::UpToEnd,
    of: Need::Required,
    accepts: Accepts::Measures,
    time: Need::Required,
    per: Need::Unused,
    restart: Need::Optional,
    forbids,
};

/// A step longer than the unit the total restarts with would show the last unit alone under the name of the whole.
fn forbids(split: &Split<'_>) -> Option<String> {
    match (split.by, split.restart) {
        (SplitBy::Steps(step), Some(restart)) if months(step) > months(restart) => Some(format!(
            "the running total begins again with each {restart}, so a step of a {step} would show its last {restart} alone"
        )),
        (SplitBy::Steps(_) | SplitBy::OwnField(_) | SplitBy::RelatedField(_), _) => {
            forbids_own_time("running total", split)
        }
    }
}

/// How many whole months a calendar unit has, a shorter one counting as none.
fn months(grain: Grain) -> u8 {
    match grain {
        Grain::Day | Grain::Week => 0,
        Grain::Month => 1,
        Grain::Quarter | Grain::FiscalQuarter => 3,
        Grain::Year | Grain::FiscalYear => 12,
    }
}
