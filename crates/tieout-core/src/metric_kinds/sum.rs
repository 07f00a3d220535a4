//! The sum of a measure. Of no value at all there is no sum, rather than zero.

use super::kind::{
    Accepts, Additivity, MadeOf, MetricKind, Need, Part, RowsTaken, forbids_nothing, only_part,
};

pub(super) static KIND: MetricKind = MetricKind {
    name: "sum",
    reads_as: |of| format!("sum of {of}"),
    adds_up: Additivity::Additive,
    made_of: MadeOf::Rows,
    parts: &[Part::Sum],
    combine: only_part,
    rows: RowsTaken::InPeriod,
    of: Need::Required,
    accepts: Accepts::Measures,
    time: Need::Optional,
    per: Need::Unused,
    restart: Need::Unused,
    forbids: forbids_nothing,
};
