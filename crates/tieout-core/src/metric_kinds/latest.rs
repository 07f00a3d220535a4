//! A stock: of each key the last row before the period's end, summed. Balances of two months are not added up.

use super::kind::{
    Accepts, Additivity, MadeOf, MetricKind, Need, Part, RowsTaken, forbids_own_time, only_part,
};

pub(super) static KIND: MetricKind = MetricKind {
    name: "latest",
    reads_as: |of| format!("last known {of} at the end of the period"),
    adds_up: Additivity::SemiAdditive,
    made_of: MadeOf::Rows,
    parts: &[Part::Sum],
    combine: only_part,
    rows: RowsTaken::LastBeforeEnd,
    of: Need::Required,
    accepts: Accepts::Measures,
    time: Need::Required,
    per: Need::Required,
    restart: Need::Unused,
    forbids: |split| forbids_own_time("last known value", split),
};
