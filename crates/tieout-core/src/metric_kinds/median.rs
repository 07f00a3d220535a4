//! The value in the middle. Of an even number of values both middle ones are fetched and their mean is taken here,
//! exactly; no engine interpolates in floats for us.

use super::kind::{
    Accepts, Additivity, Combined, MadeOf, MetricKind, Need, Part, RowsTaken, forbids_nothing,
};
use crate::number::Number;

pub(super) static KIND: MetricKind = MetricKind {
    name: "median",
    reads_as: |of| format!("median of {of}"),
    adds_up: Additivity::NonAdditive,
    made_of: MadeOf::Rows,
    parts: &[Part::LowerMedian, Part::UpperMedian],
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
        [Some(lower), Some(upper)] if lower == upper => Combined::Value(lower.clone()),
        [Some(lower), Some(upper)] => Combined::Value((lower + upper).half().normalized()),
        _ => Combined::None,
    }
}
