//! An exact expression over other metrics, each aggregated at home. The expression itself is worked out by
//! [`super::Arithmetic::evaluate`]; what it gave is the one part here.

use super::kind::{Accepts, Additivity, MadeOf, MetricKind, Need, RowsTaken, forbids_nothing, only_part};

pub(super) static KIND: MetricKind = MetricKind {
    name: "derived",
    reads_as: |of| format!("worked out as {of}"),
    adds_up: Additivity::NonAdditive,
    made_of: MadeOf::Expression,
    parts: &[],
    combine: only_part,
    rows: RowsTaken::InPeriod,
    of: Need::Unused,
    accepts: Accepts::Measures,
    time: Need::Unused,
    per: Need::Unused,
    restart: Need::Unused,
    forbids: forbids_nothing,
};
