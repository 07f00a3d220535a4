//! One metric divided by another, each aggregated at home; undefined over zero.

use super::kind::{Accepts, Additivity, Combined, MadeOf, MetricKind, Need, RowsTaken, forbids_nothing};
use crate::number::{Number, quotient};

/// Why a ratio over zero has no figure.
const ZERO_DENOMINATOR: &str = "what it is divided by is zero";

pub(super) static KIND: MetricKind = MetricKind {
    name: "ratio",
    reads_as: |of| format!("ratio: {of}"),
    adds_up: Additivity::NonAdditive,
    made_of: MadeOf::TwoMetrics,
    parts: &[],
    combine,
    rows: RowsTaken::InPeriod,
    of: Need::Unused,
    accepts: Accepts::Measures,
    time: Need::Unused,
    per: Need::Unused,
    restart: Need::Unused,
    forbids: forbids_nothing,
};

fn combine(parts: &[Option<Number>]) -> Combined {
    match parts {
        [Some(numerator), Some(denominator)] => {
            quotient(numerator, denominator).map_or(Combined::Undefined(ZERO_DENOMINATOR), Combined::Value)
        }
        _ => Combined::None,
    }
}
