//! The arithmetic mean: sum and count are fetched and divided here, since engines divide and round differently.

use super::kind::{
    Accepts, Additivity, Combined, MadeOf, MetricKind, Need, Part, RowsTaken, forbids_nothing,
};
use crate::number::{Number, quotient};

pub(super) static KIND: MetricKind = MetricKind {
    name: "average",
    reads_as: |of| format!("average of {of}"),
    adds_up: Additivity::NonAdditive,
    made_of: MadeOf::Rows,
    parts: &[Part::Sum, Part::Count],
    combine,
    rows: RowsTaken::InPeriod,
    of: Need::Required,
    accepts: Accepts::Measures,
    time: Need::Optional,
    per: Need::Unused,
    restart: Need::Unused,
    forbids: forbids_nothing,
};

fn combine(parts: &[Option<Number>]) -> Combined {
    match parts {
        [Some(sum), Some(count)] => quotient(sum, count).map_or(Combined::None, Combined::Value),
        _ => Combined::None,
    }
}
